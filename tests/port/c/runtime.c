/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.c - the runtime's calls: memory of every kind, device variables, streams, events, graphs,
   host functions, properties, errors; with and without their default arguments. */
#include <heddle/cuda_names.h>

#include "check.h"

enum { N = 256 };

/* The kernel that a call without types launches; <heddle/cuda_names.hpp> needs its type. */
#ifdef __cplusplus
#define KERNEL(name) name
#else
#define KERNEL(name) (const void *)name
#endif

__constant__ float factors[4];
static __device__ int table[N];
__device__ int counter = 5;

HD_PORT_KERNEL(fill, int *, int, int)
__global__ void fill(int *x, int first, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        x[i] = first + i;
}
HD_PORT_DEFINE(fill)

HD_PORT_KERNEL(use_symbols, float *)
__global__ void use_symbols(float *out)
{
    const int i = (int)threadIdx.x;

    out[i] = factors[i & 3] * (float)table[i];
    atomicAdd(&counter, 1);
}
HD_PORT_DEFINE(use_symbols)

static int is_filled(const int *x, int first, int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] != first + i)
            return 0;
    return 1;
}

static void check_memory(void)
{
    int *x, *y = NULL, *pinned, *managed, *alias, host[N];
    unsigned char *rows, bytes[4][8];
    size_t pitch = 0, available = 0, total = 0;
    void *raw;

    CALL(cudaMalloc(&x, sizeof host));
    CALL(cudaMalloc((void **)&y, sizeof host));
    CALL(cudaMalloc(&raw, 16));
    HD_PORT_LAUNCH((fill), 1, N)(x, 7, N);
    CALL(cudaMemcpy(y, x, sizeof host, cudaMemcpyDeviceToDevice));
    CALL(cudaMemcpy(host, y, sizeof host, cudaMemcpyDefault));
    CHECK(is_filled(host, 7, N));

    CALL(cudaMallocManaged(&managed, sizeof host));
    HD_PORT_LAUNCH((fill), 1, N)(managed, 9, N);
    CALL(cudaDeviceSynchronize());
    CHECK(is_filled(managed, 9, N));
#if CUDART_VERSION < 13000
    CALL(cudaMemPrefetchAsync(managed, sizeof host, 0));
    CALL(cudaMemAdvise(managed, sizeof host, cudaMemAdviseSetReadMostly, 0));
#endif
    CALL(cudaFree(managed));
    CALL(cudaMallocManaged(&managed, sizeof host, cudaMemAttachGlobal));
    CALL(cudaFree(managed));

    CALL(cudaHostAlloc(&pinned, sizeof host, cudaHostAllocMapped));
    CALL(cudaHostGetDevicePointer(&alias, pinned, 0));
    HD_PORT_LAUNCH((fill), 1, N)(alias, 11, N);
    CALL(cudaDeviceSynchronize());
    CHECK(is_filled(pinned, 11, N));
    CALL(cudaFreeHost(pinned));
    CALL(cudaMallocHost(&pinned, sizeof host));
    CALL(cudaFreeHost(pinned));

    CALL(cudaMallocPitch(&rows, &pitch, 8, 4));
    CHECK(pitch >= 8);
    CALL(cudaMemset2D(rows, pitch, 3, 8, 4));
    CALL(cudaMemcpy2D(bytes, 8, rows, pitch, 8, 4, cudaMemcpyDeviceToHost));
    CHECK(bytes[0][0] == 3 && bytes[3][7] == 3);
    CALL(cudaMemset(y, 0, sizeof host));
    CALL(cudaMemsetAsync(y, 1, 4));
    CALL(cudaMemcpy(host, y, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(host[0] == 0x01010101 && host[1] == 0);
    CALL(cudaMemGetInfo(&available, &total));
    CHECK(total >= available && total > 0);
    CALL(cudaFree(rows));
    CALL(cudaFree(raw));
    CALL(cudaFree(x));
    CALL(cudaFree(y));
    CALL(cudaFree(NULL));
}

static void check_symbols(void)
{
    const float scale[4] = {1, 2, 3, 4};
    int values[N], *address = NULL, got = 0, wrong = 0;
    float *out, host[N];
    size_t bytes = 0;

    for (int i = 0; i < N; i++)
        values[i] = i;
    CALL(cudaMemcpyToSymbol(factors, scale, sizeof scale));
    CALL(cudaMemcpyToSymbol(table, values, sizeof values / 2));
    CALL(cudaMemcpyToSymbol(table, values + N / 2, sizeof values / 2, sizeof values / 2));
    CALL(cudaMemcpyToSymbol(table, &values[1], sizeof(int), sizeof(int), cudaMemcpyHostToDevice));
    CALL(cudaMalloc(&out, sizeof host));
    HD_PORT_LAUNCH((use_symbols), 1, N)(out);
    CALL(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        wrong += host[i] != scale[i & 3] * (float)i;
    CHECK(wrong == 0);
    CALL(cudaMemcpyFromSymbol(&got, counter, sizeof got));
    CHECK(got == 5 + N);
    CALL(cudaMemcpyFromSymbol(&got, table, sizeof got, 3 * sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 3);
    CALL(cudaMemcpyFromSymbolAsync(&got, table, sizeof got, 4 * sizeof got, cudaMemcpyDeviceToHost,
                                   0));
    CALL(cudaDeviceSynchronize());
    CHECK(got == 4);
    CALL(cudaGetSymbolAddress((void **)&address, table));
    CALL(cudaMemcpy(&got, address + 5, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 5);
    CALL(cudaGetSymbolAddress((void **)&address, counter));
    HD_PORT_LAUNCH((use_symbols), 1, N)(out);
    CALL(cudaMemcpy(&got, address, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got == 5 + 2 * N);
    CALL(cudaGetSymbolSize(&bytes, table));
    CHECK(bytes == sizeof values);
    CHECK(cudaMemcpyToSymbol(factors, scale, sizeof scale, 4) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CALL(cudaFree(out));
}

static void count(void *at)
{
    ++*(int *)at;
}

static void count_call(cudaStream_t stream, cudaError_t error, void *at)
{
    (void)stream;
    *(int *)at += error == cudaSuccess ? 10 : 0;
}

static void check_streams(void)
{
    int *x, host[N], counted = 0, least = 0, greatest = 0, n = N, first = 21;
    void *arguments[3];
    cudaStream_t a, b, c;
    cudaEvent_t start, stop;
    float ms = -1;

    CALL(cudaStreamCreate(&a));
    CALL(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CALL(cudaStreamCreateWithPriority(&c, cudaStreamDefault, greatest));
    CALL(cudaEventCreate(&start));
    CALL(cudaEventCreateWithFlags(&stop, cudaEventDefault));
    CALL(cudaMallocAsync(&x, sizeof host, a));
    CALL(cudaEventRecord(start, a));
    arguments[0] = &x;
    arguments[1] = &first;
    arguments[2] = &n;
    CALL(cudaLaunchKernel(KERNEL(fill), HD_PORT_DIM3(2), HD_PORT_DIM3(N / 2), arguments, 0, a));
    CALL(cudaLaunchKernel(fill, 2, N / 2, arguments, 0, a));
    CALL(cudaEventRecord(stop, a));
    CALL(cudaStreamWaitEvent(b, stop, 0));
    CALL(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, b));
    CALL(cudaLaunchHostFunc(b, count, &counted));
    CALL(cudaStreamAddCallback(b, count_call, &counted, 0));
    CALL(cudaStreamSynchronize(b));
    CHECK(is_filled(host, 21, N));
    CHECK(counted == 11);
    CALL(cudaEventSynchronize(stop));
    CALL(cudaEventElapsedTime(&ms, start, stop));
    CHECK(ms >= 0);
    CHECK(cudaEventQuery(stop) == cudaSuccess && cudaStreamQuery(b) == cudaSuccess);
    CALL(cudaFreeAsync(x, a));
    CALL(cudaEventRecord(start));
    CALL(cudaStreamWaitEvent(a, start));
    CALL(cudaDeviceSynchronize());
    CALL(cudaEventDestroy(start));
    CALL(cudaEventDestroy(stop));
    CALL(cudaStreamDestroy(a));
    CALL(cudaStreamDestroy(b));
    CALL(cudaStreamDestroy(c));
}

static void check_graphs(void)
{
    int *x, host[N];
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;

    CALL(cudaMalloc(&x, sizeof host));
    CALL(cudaStreamCreate(&stream));
    CALL(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    HD_PORT_LAUNCH((fill), 1, N, 0, stream)(x, 31, N);
    CALL(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream));
    CALL(cudaStreamEndCapture(stream, &graph));
    CALL(cudaGraphInstantiate(&run, graph, NULL, NULL, 0));
    CALL(cudaGraphLaunch(run, stream));
    CALL(cudaStreamSynchronize(stream));
    CHECK(is_filled(host, 31, N));
    CALL(cudaGraphExecDestroy(run));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaStreamDestroy(stream));
    CALL(cudaFree(x));
}

static void check_devices(void)
{
    cudaDeviceProp properties;
    int count = 0, device = -1, warp = 0, version = 0;

    CALL(cudaGetDeviceCount(&count));
    CHECK(count > 0);
    CALL(cudaSetDevice(count - 1));
    CALL(cudaGetDevice(&device));
    CHECK(device == count - 1);
    CALL(cudaSetDevice(0));
    CALL(cudaGetDeviceProperties(&properties, 0));
    CHECK(properties.warpSize == 32 && properties.maxThreadsPerBlock >= 256);
    CHECK(properties.maxThreadsDim[0] > 0 && properties.totalGlobalMem > 0);
    CALL(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
    CHECK(warp == 32);
    CALL(cudaRuntimeGetVersion(&version));
    CHECK(version >= 12000);
    CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
}

static void check_errors(void)
{
    int *x = NULL, host[4];

    CHECK(cudaSetDevice(-1) == cudaErrorInvalidDevice);
    CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaMalloc(&x, (size_t)1 << 60) == cudaErrorMemoryAllocation);
    CHECK(x == NULL && cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMemcpy(host, NULL, sizeof host, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
}

int main(void)
{
    check_memory();
    check_symbols();
    check_streams();
    check_graphs();
    check_devices();
    check_errors();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
