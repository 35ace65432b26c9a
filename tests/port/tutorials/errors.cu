// Errors: of a call, of a launch, and what is left after they have been read.
#include <cstdio>

static int wrong;
#define gpuErrchk(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char *file, int line)
{
    if (code != cudaSuccess) {
        fprintf(stderr, "GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
        wrong++;
    }
}

__global__ void fill(int *p, int value)
{
    p[threadIdx.x] = value;
}

int main()
{
    int *p, host[32];
    gpuErrchk(cudaMalloc(&p, sizeof host));
    fill<<<1, 2048>>>(p, 1); // more threads than a block has
    wrong += cudaPeekAtLastError() != cudaErrorInvalidConfiguration;
    wrong += cudaGetLastError() != cudaErrorInvalidConfiguration;
    wrong += cudaGetLastError() != cudaSuccess;
    wrong += cudaMemcpy(p, host, sizeof host, (cudaMemcpyKind)77) != cudaErrorInvalidMemcpyDirection;
    wrong += cudaGetLastError() != cudaErrorInvalidMemcpyDirection;
    wrong += cudaSetDevice(1000) != cudaErrorInvalidDevice;
    wrong += cudaGetLastError() != cudaErrorInvalidDevice;
    fill<<<1, 32>>>(p, 7);
    gpuErrchk(cudaPeekAtLastError());
    gpuErrchk(cudaDeviceSynchronize());
    gpuErrchk(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++)
        wrong += host[i] != 7;
    gpuErrchk(cudaFree(p));
    printf("errors %s\n", wrong ? "FAIL" : "PASS");
    return wrong;
}
