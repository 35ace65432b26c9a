// A reduction with shuffles, templates and shared memory; ballots; a histogram with atomics.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <typename T> __device__ __forceinline__ T warp_sum(T v)
{
#pragma unroll
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffff, v, d);
    return v;
}

template <typename T, int THREADS> __global__ void reduce(const T *in, T *out, int n)
{
    __shared__ T part[THREADS / 32];
    T v = T(0);
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        v += in[i];
    v = warp_sum(v);
    if ((threadIdx.x & 31) == 0)
        part[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < THREADS / 32 ? part[threadIdx.x] : T(0);
        v = warp_sum(v);
        if (threadIdx.x == 0)
            atomicAdd(out, v);
    }
}

// The rank of each odd value among those of its warp, and the warp's leader.
__global__ void ranks(const int *in, int *rank, int *leader, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned odd = __ballot_sync(0xffffffff, i < n && (in[i] & 1));
    if (i < n) {
        rank[i] = __popc(odd & ((1u << (threadIdx.x & 31)) - 1));
        leader[i] = __ffs(odd) - 1;
    }
}

__global__ void histogram(const int *in, unsigned *bins, int n)
{
    __shared__ unsigned local[7], total;
    if (threadIdx.x < 7)
        local[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[in[i] % 7], 1);
        atomicAdd(&total, 1u);
    }
    __syncthreads();
    if (threadIdx.x < 7)
        atomicAdd(bins + threadIdx.x, local[threadIdx.x]);
    if (threadIdx.x == 7)
        atomicAdd(bins + 7, total);
}

int main()
{
    const int n = 2999;
    std::vector<int> in(n), rank(n), leader(n);
    int *d, *dr, *dl, *sum, got = 0, want = 0, wrong = 0;
    unsigned *bins, found[8], expect[8] = {0};
    for (int i = 0; i < n; i++) {
        in[i] = (i * 37 + i / 5) % 101;
        want += in[i];
        expect[in[i] % 7]++;
        expect[7]++;
    }
    cudaMalloc((void **)&d, n * sizeof(int));
    cudaMalloc((void **)&dr, n * sizeof(int));
    cudaMalloc((void **)&dl, n * sizeof(int));
    cudaMalloc((void **)&sum, sizeof(int));
    cudaMalloc((void **)&bins, sizeof found);
    cudaMemset(sum, 0, sizeof(int));
    cudaMemset(bins, 0, sizeof found);
    cudaMemcpy(d, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    reduce<int, 256><<<5, 256>>>(d, sum, n);
    ranks<<<(n + 63) / 64, 64>>>(d, dr, dl, n);
    histogram<<<4, 96>>>(d, bins, n);
    cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(rank.data(), dr, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(leader.data(), dl, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(found, bins, sizeof found, cudaMemcpyDeviceToHost);
    wrong += got != want;
    for (int i = 0; i < 8; i++)
        wrong += found[i] != expect[i];
    for (int base = 0; base < n; base += 32) {
        int count = 0, first = -1;
        for (int i = base; i < base + 32 && i < n; i++)
            if (in[i] & 1 && first < 0)
                first = i - base;
        for (int i = base; i < base + 32 && i < n; i++) {
            wrong += rank[i] != count || leader[i] != first;
            count += in[i] & 1;
        }
    }
    cudaFree(d);
    cudaFree(dr);
    cudaFree(dl);
    cudaFree(sum);
    cudaFree(bins);
    printf("reduce %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
