// Kernel arguments of classes with copy constructors, assignments and destructors of their own.
#include <cstdio>
#include <cuda_runtime.h>

static int copies; // by the host

struct Copied {
    int *data;
    int add, generation;
    Copied(int *d, int a) : data(d), add(a), generation(0)
    {
    }
    __host__ __device__ Copied(const Copied &other)
        : data(other.data), add(other.add), generation(other.generation + 1)
    {
#ifndef __CUDA_ARCH__
        if (!data)
            copies++;
#endif
    }
    __host__ __device__ ~Copied()
    {
        add = -1000; // a copy must not be used any more
    }
};
struct Assigned {
    const int factor;
    int offset;
    Assigned(int f, int o) : factor(f), offset(o)
    {
    }
    Assigned &operator=(const Assigned &other)
    {
        offset = other.offset;
        return *this;
    }
    ~Assigned()
    {
    }
};

template <class C> __global__ void use(int before, C copied, const Assigned assigned, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (copied.data && i < n)
        copied.data[i] = i * assigned.factor + assigned.offset + copied.add + before +
                         (copied.generation > 0 ? 0 : 1000);
}
__global__ void meet(Copied copied)
{
    __shared__ int sum[64];
    sum[threadIdx.x] = threadIdx.x + copied.add;
    __syncthreads();
    if (threadIdx.x == 0)
        copied.data[0] = sum[0] + sum[63];
}

int main()
{
    const int n = 100;
    int host[n], *data, wrong = 0;
    cudaMalloc(&data, sizeof host);
    {
        Copied gone(data, 5);
        Assigned assigned(3, 7);
        use<Copied><<<2, 64>>>(11, gone, assigned, n);
    }
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += host[i] != 3 * i + 7 + 5 + 11;

    Copied first(data, 6), again(first); // whose bytes are copied
    Assigned assigned(2, 1);
    int before = 4, count = n;
    void *arguments[] = {&before, &again, &assigned, &count};
    wrong += cudaLaunchKernel(use<Copied>, dim3(2), dim3(64), arguments) != cudaSuccess;
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += host[i] != 2 * i + 1 + 6 + 4;

    meet<<<1, 64>>>(Copied(data, 9));
    cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost);
    wrong += host[0] != 63 + 2 * 9;

    Copied none(nullptr, 0);
    use<<<1, 1>>>(0, none, assigned, n);
    wrong += cudaDeviceSynchronize() != cudaSuccess || copies < 1;
    cudaFree(data);
    printf("arguments %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
