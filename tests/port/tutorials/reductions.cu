// A sum in five steps: interleaved with modulo, interleaved without divergence, sequential
// addresses, first addition while loading, the last warp without barriers.
#include <cstdio>

#define THREADS 128

__global__ void interleaved_modulo(int *g_idata, int *g_odata)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    sdata[tid] = g_idata[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__global__ void interleaved(int *g_idata, int *g_odata)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    sdata[tid] = g_idata[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        int index = 2 * s * tid;
        if (index < blockDim.x)
            sdata[index] += sdata[index + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__global__ void sequential(int *g_idata, int *g_odata)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x;
    sdata[tid] = g_idata[blockIdx.x * blockDim.x + tid];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
__global__ void first_addition(int *g_idata, int *g_odata)
{
    extern __shared__ int sdata[];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
template <unsigned int blockSize> __global__ void last_warp(int *g_idata, int *g_odata)
{
    __shared__ int sdata[blockSize];
    unsigned int tid = threadIdx.x, i = blockIdx.x * (blockSize * 2) + tid;
    int sum = g_idata[i] + g_idata[i + blockSize];
    sdata[tid] = sum;
    __syncthreads();
    for (unsigned int s = blockSize / 2; s >= 32; s >>= 1) {
        if (tid < s)
            sdata[tid] = sum = sum + sdata[tid + s];
        __syncthreads();
    }
    if (tid < 32) {
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (tid == 0)
            g_odata[blockIdx.x] = sum;
    }
}

int main()
{
    const int blocks = 8, n = 2 * blocks * THREADS;
    int *in, *out, expected = 0, wrong = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, 2 * blocks * sizeof(int));
    for (int i = 0; i < n; i++)
        expected += in[i] = i % 101 - 30;
    for (int step = 0; step < 5; step++) {
        const int parts = step < 3 ? 2 * blocks : blocks, bytes = THREADS * sizeof(int);
        switch (step) {
        case 0:
            interleaved_modulo<<<parts, THREADS, bytes>>>(in, out);
            break;
        case 1:
            interleaved<<<parts, THREADS, bytes>>>(in, out);
            break;
        case 2:
            sequential<<<parts, THREADS, bytes>>>(in, out);
            break;
        case 3:
            first_addition<<<parts, THREADS, bytes>>>(in, out);
            break;
        default:
            last_warp<THREADS><<<parts, THREADS>>>(in, out);
        }
        cudaDeviceSynchronize();
        int sum = 0;
        for (int i = 0; i < parts; i++)
            sum += out[i];
        if (sum != expected) {
            fprintf(stderr, "step %d: %d, expected %d\n", step, sum, expected);
            wrong++;
        }
    }
    cudaFree(in);
    cudaFree(out);
    printf("reductions %s\n", wrong ? "FAIL" : "PASS");
    return wrong;
}
