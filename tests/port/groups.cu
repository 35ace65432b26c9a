// Cooperative groups: tiles, a sum over the grid between two barriers, 16-bit floats.
#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;

__global__ void sums(int *data, int *total, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank(), v = i < n ? data[i] : 0;
    for (int d = tile.size() / 2; d > 0; d /= 2)
        v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0)
        atomicAdd(total, v);
    grid.sync();
    if (i < n)
        data[i] = *total - data[i];
}

__global__ void scale(__half *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = __hmul(x[i], __float2half(0.5f));
}

int main()
{
    const int n = 200;
    int *data, *total, wrong = 0, want = 0, size = n;
    __half *h;
    cudaMallocManaged(&data, n * sizeof(int));
    cudaMallocManaged(&total, sizeof(int));
    cudaMallocManaged(&h, n * sizeof(__half));
    *total = 0;
    for (int i = 0; i < n; i++) {
        data[i] = i * i % 23;
        want += data[i];
        h[i] = __float2half((float)i);
    }
    void *args[] = {&data, &total, &size};
    cudaLaunchCooperativeKernel((void *)sums, dim3(4), dim3(64), args, 0, 0);
    scale<<<4, 64>>>(h, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += data[i] != want - i * i % 23 || __half2float(h[i]) != i * 0.5f;
    cudaFree(data);
    cudaFree(total);
    cudaFree(h);
    printf("groups %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
