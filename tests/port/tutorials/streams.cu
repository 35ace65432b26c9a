// Copies and kernels of four streams that overlap, from pinned memory, with an error-check macro.
#include <cstdio>
#include <cstdlib>

#define checkCuda(call)                                                                            \
    do {                                                                                           \
        cudaError_t result = call;                                                                 \
        if (result != cudaSuccess) {                                                               \
            fprintf(stderr, "CUDA error at %s:%d: %s (%s)\n", __FILE__, __LINE__,                  \
                    cudaGetErrorName(result), cudaGetErrorString(result));                         \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

__global__ void kernel(float *a, int offset)
{
    int i = offset + threadIdx.x + blockIdx.x * blockDim.x;
    float x = (float)i;
    a[i] = a[i] + sqrtf(sinf(x) * sinf(x) + cosf(x) * cosf(x));
}

int main()
{
    const int blockSize = 64, nStreams = 4, n = 4 * blockSize * nStreams;
    const int streamSize = n / nStreams, streamBytes = streamSize * sizeof(float);
    float *a, *d_a, maxE = 0;
    checkCuda(cudaMallocHost((void **)&a, n * sizeof(float)));
    checkCuda(cudaMalloc((void **)&d_a, n * sizeof(float)));
    cudaStream_t stream[nStreams];
    for (int i = 0; i < nStreams; ++i)
        checkCuda(cudaStreamCreate(&stream[i]));
    for (int i = 0; i < n; i++)
        a[i] = 0;
    for (int i = 0; i < nStreams; ++i) {
        int offset = i * streamSize;
        checkCuda(cudaMemcpyAsync(&d_a[offset], &a[offset], streamBytes, cudaMemcpyHostToDevice,
                                  stream[i]));
        kernel<<<streamSize / blockSize, blockSize, 0, stream[i]>>>(d_a, offset);
        checkCuda(cudaGetLastError());
        checkCuda(cudaMemcpyAsync(&a[offset], &d_a[offset], streamBytes, cudaMemcpyDeviceToHost,
                                  stream[i]));
    }
    for (int i = 0; i < nStreams; ++i) {
        checkCuda(cudaStreamSynchronize(stream[i]));
        checkCuda(cudaStreamDestroy(stream[i]));
    }
    for (int i = 0; i < n; i++)
        maxE = fmaxf(maxE, fabsf(a[i] - 1.0f));
    checkCuda(cudaFree(d_a));
    checkCuda(cudaFreeHost(a));
    printf("streams %s\n", maxE < 1e-6f ? "PASS" : "FAIL");
    return 0;
}
