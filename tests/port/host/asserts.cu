// assert in kernels, in functions for host and device, and in macros; host functions of streams.
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <cuda_runtime.h>

#define REQUIRE(condition) assert((condition) && "required")

__host__ __device__ int checked(int i)
{
    assert(i != 5);
    return i;
}
__global__ void fails(int *out)
{
    REQUIRE(threadIdx.x < 64);
    out[threadIdx.x] = checked(threadIdx.x);
}
static void CUDART_CB called(void *data)
{
    *(int *)data += 1;
}

int main()
{
    int *out, wrong = 0, host = 0;
    assert(checked(4) == 4);
    cudaMallocManaged(&out, 64 * sizeof *out);
    fails<<<1, 4>>>(out);
    wrong += cudaDeviceSynchronize() != cudaSuccess;
    cudaLaunchHostFunc(0, called, &host);
    wrong += cudaDeviceSynchronize() != cudaSuccess || host != 1;
    fails<<<1, 64>>>(out);
    cudaError_t error = cudaDeviceSynchronize();
    wrong += error != cudaErrorAssert;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    printf("asserts %s\n", wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
