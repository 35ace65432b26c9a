// Kernels with default arguments, launched with fewer arguments than parameters.
#include <cstdio>
#include <cuda_runtime.h>

struct Scale {
    float factor;
};

__global__ void add(int *data, int n, int first = 3, int step = 2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] += first + step * i;
}

template <class T, int WIDTH = 4> __global__ void fill(T *data, T value = T(7), int n = WIDTH)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = value;
}

__global__ void late(float *data, Scale scale = {0.5f}, const float *from = nullptr);

int main()
{
    const int n = 100;
    int *data, wrong = 0;
    float *values;
    cudaMallocManaged(&data, n * sizeof *data);
    cudaMallocManaged(&values, 4 * sizeof *values);
    for (int i = 0; i < n; i++)
        data[i] = 0;
    add<<<2, 64>>>(data, n);
    add<<<2, 64>>>(data, n, 10);
    add<<<2, 64>>>(data, n, 0, 1);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += data[i] != 3 + 2 * i + 10 + 2 * i + i;
    fill<int><<<1, 32>>>(data);
    fill<int, 8><<<1, 32>>>(data + 10, 5);
    fill<<<1, 32>>>(data + 20, 9, 2);
    late<<<1, 4>>>(values);
    cudaDeviceSynchronize();
    wrong += data[0] != 7 || data[3] != 7 || data[4] == 7;
    wrong += data[10] != 5 || data[17] != 5 || data[18] == 5;
    wrong += data[20] != 9 || data[21] != 9 || data[22] == 9;
    late<<<1, 4>>>(values, Scale{3}, values);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        wrong += values[i] != 3 * 0.5f * i;
    cudaFree(data);
    cudaFree(values);
    printf("defaults %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}

// The defaults are those of the declaration.
__global__ void late(float *data, Scale scale, const float *from)
{
    int i = threadIdx.x;
    data[i] = (from ? from[i] : i) * scale.factor;
}
