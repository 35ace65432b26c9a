// Transposition through a shared tile with a padding column, timed with events.
#include <stdio.h>
#include <stdlib.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void transposeNoBankConflicts(float *odata, const float *idata)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    int width = gridDim.x * TILE_DIM, height = gridDim.y * TILE_DIM;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
    const int nx = 128, ny = 64, mem_size = nx * ny * sizeof(float);
    dim3 dimGrid(nx / TILE_DIM, ny / TILE_DIM, 1), dimBlock(TILE_DIM, BLOCK_ROWS, 1);
    float *h_idata = (float *)malloc(mem_size), *h_odata = (float *)malloc(mem_size);
    float *d_idata, *d_odata, ms;
    cudaMalloc(&d_idata, mem_size);
    cudaMalloc(&d_odata, mem_size);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            h_idata[j * nx + i] = j * nx + i;
    cudaMemcpy(d_idata, h_idata, mem_size, cudaMemcpyHostToDevice);
    cudaEvent_t startEvent, stopEvent;
    cudaEventCreate(&startEvent);
    cudaEventCreate(&stopEvent);
    cudaEventRecord(startEvent, 0);
    transposeNoBankConflicts<<<dimGrid, dimBlock>>>(d_odata, d_idata);
    cudaEventRecord(stopEvent, 0);
    cudaEventSynchronize(stopEvent);
    cudaEventElapsedTime(&ms, startEvent, stopEvent);
    cudaMemcpy(h_odata, d_odata, mem_size, cudaMemcpyDeviceToHost);
    bool passed = ms >= 0;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++)
            passed = passed && h_odata[i * ny + j] == h_idata[j * nx + i];
    cudaEventDestroy(startEvent);
    cudaEventDestroy(stopEvent);
    cudaFree(d_idata);
    cudaFree(d_odata);
    free(h_idata);
    free(h_odata);
    printf("transpose %s\n", passed ? "PASS" : "FAIL");
    return 0;
}
