// Shared variables outside of functions, used by several device functions.
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 64 };
__shared__ int tile[THREADS], count;
extern __shared__ float room[];
__device__ __shared__ unsigned pairs[2][THREADS];
__shared__ __align__(16) float wide[THREADS];

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

// The arrays are read in elements that are larger than their own.
__global__ void aligned(int *out)
{
    __shared__ char odd[3];
    __shared__ __align__(16) char bytes[16 * THREADS];
    const int i = threadIdx.x;
    if (i < 3)
        odd[i] = 0;
    ((int4 *)(void *)bytes)[i] = make_int4(i, 0, 0, 0);
    wide[i] = i;
    __syncthreads();
    const float4 quarter = ((float4 *)(void *)wide)[i / 4];
    const float of_four[] = {quarter.x, quarter.y, quarter.z, quarter.w};
    out[i] = ((int4 *)(void *)bytes)[THREADS - 1 - i].x + (int)of_four[i % 4] + odd[0];
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
    aligned<<<1, THREADS>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < THREADS; i++)
        wrong += out[i] != THREADS - 1;
    cudaFree(in);
    cudaFree(out);
    printf("scopes %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
