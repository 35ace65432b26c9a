// A sum with cooperative groups: the block, tiles of a warp, coalesced threads, and the grid.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <typename Group> __device__ int reduce_sum(Group g, int val)
{
    for (int i = g.size() / 2; i > 0; i /= 2)
        val += g.shfl_down(val, i);
    return val;
}

__global__ void sum_kernel(int *sum, const int *input, int n)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += input[i];
    mine = reduce_sum(tile, mine);
    if (tile.thread_rank() == 0)
        atomicAdd(sum, mine);
}

__device__ int atomicAggInc(int *counter)
{
    cg::coalesced_group g = cg::coalesced_threads();
    int prev = 0;
    if (g.thread_rank() == 0)
        prev = atomicAdd(counter, g.size());
    return g.thread_rank() + g.shfl(prev, 0);
}
__global__ void filter(int *dst, int *counter, const int *src, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && src[i] > 4)
        dst[atomicAggInc(counter)] = src[i];
}

__global__ void two_phases(int *data, int n)
{
    cg::grid_group grid = cg::this_grid();
    unsigned i = grid.thread_rank();
    if (i < n)
        data[i] = i;
    grid.sync();
    int other = i < n ? data[n - 1 - i] : 0;
    grid.sync();
    if (i < n)
        data[i] = other;
}

int main()
{
    int n = 1000;
    int *data, *kept, *counters, sum = 0, count = 0, wrong = 0;
    cudaMallocManaged(&data, n * sizeof(int));
    cudaMallocManaged(&kept, n * sizeof(int));
    cudaMallocManaged(&counters, 2 * sizeof(int));
    counters[0] = counters[1] = 0;
    for (int i = 0; i < n; i++) {
        data[i] = i % 9;
        sum += data[i];
        count += data[i] > 4;
    }
    sum_kernel<<<3, 128>>>(&counters[0], data, n);
    filter<<<(n + 127) / 128, 128>>>(kept, &counters[1], data, n);
    cudaDeviceSynchronize();
    wrong += counters[0] != sum || counters[1] != count;
    for (int i = 0; i < count; i++)
        wrong += kept[i] <= 4;
    void *args[] = {&data, &n};
    wrong += cudaLaunchCooperativeKernel((void *)two_phases, dim3(4), dim3(256), args) != cudaSuccess;
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += data[i] != n - 1 - i;
    cudaFree(data);
    cudaFree(kept);
    cudaFree(counters);
    printf("cooperative %s\n", wrong ? "FAIL" : "PASS");
}
