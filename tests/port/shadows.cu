// Host variables, parameters and members that are called as CUDA's indices are.
#include <cstdio>
#include <cuda_runtime.h>

struct shape {
    dim3 gridDim, blockDim;
};

__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = i + gridDim.x;
}

static void launch(const dim3 &gridDim, dim3 blockDim, int *out, int n)
{
    fill<<<gridDim, blockDim>>>(out, n);
}

static int count(const int *out, int n, int blocks)
{
    int right = 0;
    for (int i = 0; i < n; i++)
        right += out[i] == i + blocks;
    return right;
}

int main()
{
    const int n = 333;
    int *out, right = 0;
    cudaMallocManaged(&out, n * sizeof *out);
    dim3 gridDim((n + 63) / 64), blockDim(64);
    fill<<<gridDim, blockDim>>>(out, n);
    cudaDeviceSynchronize();
    right += count(out, n, gridDim.x);
    {
        dim3 gridDim(11);
        launch(gridDim, 32, out, n);
        cudaDeviceSynchronize();
        right += count(out, n, gridDim.x);
    }
    shape s = {gridDim, blockDim};
    s.gridDim.x += 2;
    fill<<<s.gridDim, s.blockDim>>>(out, n);
    cudaDeviceSynchronize();
    right += count(out, n, gridDim.x + 2);
    cudaFree(out);
    printf("shadows %s\n", right == 3 * n ? "PASS" : "FAIL");
    return right != 3 * n;
}
