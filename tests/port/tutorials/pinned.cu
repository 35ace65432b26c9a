// Pageable, pinned and mapped memory: copies of each kind, a kernel that reads host memory.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>

inline cudaError_t checkCuda(cudaError_t result)
{
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
        exit(1);
    }
    return result;
}

__global__ void doubled(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}

float profileCopies(float *h_a, float *h_b, float *d, unsigned int n)
{
    unsigned int bytes = n * sizeof(float);
    cudaEvent_t startEvent, stopEvent;
    float time;
    checkCuda(cudaEventCreate(&startEvent));
    checkCuda(cudaEventCreateWithFlags(&stopEvent, cudaEventBlockingSync));
    checkCuda(cudaEventRecord(startEvent, 0));
    checkCuda(cudaMemcpy(d, h_a, bytes, cudaMemcpyHostToDevice));
    checkCuda(cudaMemcpy(h_b, d, bytes, cudaMemcpyDeviceToHost));
    checkCuda(cudaEventRecord(stopEvent, 0));
    checkCuda(cudaEventSynchronize(stopEvent));
    checkCuda(cudaEventElapsedTime(&time, startEvent, stopEvent));
    checkCuda(cudaEventDestroy(startEvent));
    checkCuda(cudaEventDestroy(stopEvent));
    return memcmp(h_a, h_b, bytes) == 0 ? time : -1;
}

int main()
{
    const unsigned int n = 1000, bytes = n * sizeof(float);
    float *pageable = (float *)malloc(bytes), *back = (float *)malloc(bytes);
    float *pinned, *pinned_back, *mapped, *mapped_d, *d;
    int wrong = 0;
    checkCuda(cudaMallocHost((void **)&pinned, bytes));
    checkCuda(cudaMallocHost((void **)&pinned_back, bytes));
    checkCuda(cudaHostAlloc((void **)&mapped, bytes, cudaHostAllocMapped));
    checkCuda(cudaHostGetDevicePointer((void **)&mapped_d, mapped, 0));
    checkCuda(cudaMalloc((void **)&d, bytes));
    for (unsigned i = 0; i < n; ++i)
        pageable[i] = mapped[i] = i;
    memcpy(pinned, pageable, bytes);
    wrong += profileCopies(pageable, back, d, n) < 0;
    wrong += profileCopies(pinned, pinned_back, d, n) < 0;
    doubled<<<(n + 255) / 256, 256>>>(mapped_d, d, n);
    checkCuda(cudaMemcpy(pinned, d, bytes, cudaMemcpyDeviceToHost));
    for (unsigned i = 0; i < n; ++i)
        wrong += pinned[i] != 2.0f * i;
    cudaFree(d);
    cudaFreeHost(pinned);
    cudaFreeHost(pinned_back);
    cudaFreeHost(mapped);
    free(pageable);
    free(back);
    printf("pinned %s\n", wrong ? "FAIL" : "PASS");
}
