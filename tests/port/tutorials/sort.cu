// A bitonic sort: one launch per stage in global memory.
#include <cstdio>
#include <cstdlib>

__global__ void bitonic_sort_step(float *dev_values, int j, int k)
{
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
    if (ixj > i) {
        if ((i & k) == 0 && dev_values[i] > dev_values[ixj]) {
            float temp = dev_values[i];
            dev_values[i] = dev_values[ixj];
            dev_values[ixj] = temp;
        }
        if ((i & k) != 0 && dev_values[i] < dev_values[ixj]) {
            float temp = dev_values[i];
            dev_values[i] = dev_values[ixj];
            dev_values[ixj] = temp;
        }
    }
}

int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return x < y ? -1 : x > y;
}

int main()
{
    const int threads = 128, blocks = 4, n = threads * blocks;
    float values[n], sorted[n], *dev_values;
    srand(5);
    for (int i = 0; i < n; i++)
        sorted[i] = values[i] = (float)rand() / (float)RAND_MAX;
    cudaMalloc((void **)&dev_values, sizeof values);
    cudaMemcpy(dev_values, values, sizeof values, cudaMemcpyHostToDevice);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j = j >> 1)
            bitonic_sort_step<<<blocks, threads>>>(dev_values, j, k);
    cudaMemcpy(values, dev_values, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(dev_values);
    qsort(sorted, n, sizeof *sorted, compare);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += values[i] != sorted[i];
    printf("sort %s\n", wrong ? "FAIL" : "PASS");
}
