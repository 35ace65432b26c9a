// The launch shape that the occupancy calls suggest.
#include <cstdio>

__global__ void MyKernel(int *array, int arrayCount)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < arrayCount)
        array[idx] *= array[idx];
}

int main()
{
    const int count = 1000;
    int *array, blockSize, minGridSize, gridSize, maxActiveBlocks, device, wrong = 0;
    cudaDeviceProp props;
    cudaMallocManaged(&array, count * sizeof(int));
    for (int i = 0; i < count; i++)
        array[i] = i;
    cudaOccupancyMaxPotentialBlockSize(&minGridSize, &blockSize, (void *)MyKernel, 0, count);
    gridSize = (count + blockSize - 1) / blockSize;
    MyKernel<<<gridSize, blockSize>>>(array, count);
    cudaDeviceSynchronize();
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&maxActiveBlocks, MyKernel, blockSize, 0);
    cudaGetDevice(&device);
    cudaGetDeviceProperties(&props, device);
    float occupancy = (maxActiveBlocks * blockSize / props.warpSize) /
                      (float)(props.maxThreadsPerMultiProcessor / props.warpSize);
    wrong += minGridSize < 1 || blockSize < 1 || blockSize > props.maxThreadsPerBlock;
    wrong += !(occupancy > 0 && occupancy <= 1);
    for (int i = 0; i < count; i++)
        wrong += array[i] != i * i;
    cudaFree(array);
    printf("occupancy %s\n", wrong ? "FAIL" : "PASS");
}
