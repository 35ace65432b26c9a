// A convolution with its mask in constant memory and a shared tile with halo cells.
#include <cstdio>

#define MAX_MASK_WIDTH 9
#define TILE_SIZE 64
__constant__ float M[MAX_MASK_WIDTH];

__global__ void convolution_1D(float *N, float *P, int Mask_Width, int Width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float N_ds[TILE_SIZE + MAX_MASK_WIDTH - 1];
    int n = Mask_Width / 2;
    int halo_left = (blockIdx.x - 1) * blockDim.x + threadIdx.x;
    if (threadIdx.x >= blockDim.x - n)
        N_ds[threadIdx.x - (blockDim.x - n)] = (halo_left < 0) ? 0 : N[halo_left];
    N_ds[n + threadIdx.x] = i < Width ? N[i] : 0;
    int halo_right = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
    if (threadIdx.x < n)
        N_ds[n + blockDim.x + threadIdx.x] = (halo_right >= Width) ? 0 : N[halo_right];
    __syncthreads();
    float Pvalue = 0;
    for (int j = 0; j < Mask_Width; j++)
        Pvalue += N_ds[threadIdx.x + j] * M[j];
    if (i < Width)
        P[i] = Pvalue;
}

int main()
{
    const int width = 200, mask_width = 5;
    float h_M[mask_width] = {1, 2, 3, 2, 1}, in[width], out[width], *d_in, *d_out;
    bool right = true;
    for (int i = 0; i < width; i++)
        in[i] = i % 13;
    cudaMalloc(&d_in, sizeof in);
    cudaMalloc(&d_out, sizeof out);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(M, h_M, mask_width * sizeof(float));
    convolution_1D<<<(width + TILE_SIZE - 1) / TILE_SIZE, TILE_SIZE>>>(d_in, d_out, mask_width, width);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < width; i++) {
        float sum = 0;
        for (int j = 0; j < mask_width; j++)
            if (i + j - 2 >= 0 && i + j - 2 < width)
                sum += in[i + j - 2] * h_M[j];
        right = right && sum == out[i];
    }
    cudaFree(d_in);
    cudaFree(d_out);
    printf("convolution %s\n", right ? "PASS" : "FAIL");
}
