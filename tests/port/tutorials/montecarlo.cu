// Pi from random points: a class with device methods, a generator per thread, templates.
#include <cmath>
#include <cstdio>

class Random {
public:
    __host__ __device__ explicit Random(unsigned seed) : state(seed * 747796405u + 2891336453u)
    {
    }
    __host__ __device__ float next()
    {
        state = state * 1664525u + 1013904223u;
        return (state >> 8) * (1.0f / 16777216.0f);
    }

private:
    unsigned state;
};

template <typename T> __device__ __host__ inline bool inside(T x, T y)
{
    return x * x + y * y < T(1);
}

__global__ void points(unsigned long long *hits, int perThread)
{
    Random random(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned mine = 0;
    for (int i = 0; i < perThread; i++) {
        float x = random.next(), y = random.next();
        mine += inside(x, y);
    }
    atomicAdd(hits, (unsigned long long)mine);
}

int main()
{
    const int blocks = 4, threads = 96, perThread = 50;
    unsigned long long *hits, expected = 0;
    cudaMallocManaged(&hits, sizeof *hits);
    *hits = 0;
    points<<<blocks, threads>>>(hits, perThread);
    cudaDeviceSynchronize();
    for (int t = 0; t < blocks * threads; t++) {
        Random random(t);
        for (int i = 0; i < perThread; i++) {
            float x = random.next(), y = random.next();
            expected += inside(x, y);
        }
    }
    double pi = 4.0 * *hits / (blocks * threads * perThread);
    printf("montecarlo %s\n", *hits == expected && std::fabs(pi - 3.14159) < 0.1 ? "PASS" : "FAIL");
    cudaFree(hits);
    return 0;
}
