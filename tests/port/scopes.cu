// Shared variables outside of functions, used by several device functions.
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 64 };
__shared__ int tile[THREADS], count;
extern __shared__ float room[];
__device__ __shared__ unsigned pairs[2][THREADS];

__device__ void put(int value)
{
    tile[threadIdx.x] = value;
    room[threadIdx.x] = 0.5f * value;
    pairs[threadIdx.x & 1][threadIdx.x] = value;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
}

__global__ void reversed(const int *in, int *out)
{
    const int at = THREADS - 1 - threadIdx.x, first = blockIdx.x * THREADS;
    put(in[first + threadIdx.x]);
    out[first + threadIdx.x] = tile[at] + (int)(2 * room[at]) + pairs[at & 1][at] + count;
}

__global__ void own(int *out)
{
    __shared__ int tile[THREADS]; // hides the other one
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (tile[THREADS - 1 - threadIdx.x] != (int)(THREADS - 1 - threadIdx.x))
        out[threadIdx.x] = -1;
}

// A parameter and a variable hide them, too.
__device__ int given(int count)
{
    const int *room = &count;
    return count + *room;
}

__global__ void doubled(int *out)
{
    out[threadIdx.x] = given(threadIdx.x);
}

int main()
{
    const int blocks = 5, n = blocks * THREADS;
    int *in, *out, wrong = 0;
    cudaMallocManaged(&in, n * sizeof *in);
    cudaMallocManaged(&out, n * sizeof *out);
    for (int i = 0; i < n; i++)
        in[i] = 3 * i + 1;
    reversed<<<blocks, THREADS, THREADS * sizeof(float)>>>(in, out);
    own<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        const int at = i / THREADS * THREADS + THREADS - 1 - i % THREADS;
        wrong += out[i] != 3 * in[at] + THREADS;
    }
    doubled<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; i++)
        wrong += out[i] != 2 * i;
    cudaFree(in);
    cudaFree(out);
    printf("scopes %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
