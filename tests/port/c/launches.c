/* SPDX-License-Identifier: Apache-2.0 */
/* launches.c - launches with numbers and dim3s, of kernels with 0 to 64 arguments, in two files;
   attributes, occupancy, and errors of launches. */
#include "launches.h"

#include <string.h>

#include <heddle/heddle.h>

#include "check.h"

enum { N = 1000 };

static __device__ int calls;

HD_PORT_KERNEL(count_call)
__global__ void count_call(void)
{
    atomicAdd(&calls, 1);
}
HD_PORT_DEFINE(count_call)

typedef struct pair {
    double a;
    int b;
} pair;

HD_PORT_KERNEL(scale, float *, const float *, float, pair, int)
__global__ void __launch_bounds__(256)
    scale(float *out, const float *__restrict__ in, float a, pair p, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);

    if (i < n)
        out[i] = a * in[i] + (float)p.a + (float)p.b;
}
HD_PORT_DEFINE(scale)

/* The linear number of each thread, and the extents. */
HD_PORT_KERNEL(number, unsigned *, dim3 *)
__global__ void number(unsigned *out, dim3 *extents)
{
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;

    out[block * threads + thread] = block * threads + thread;
    if (block == 0 && thread == 0) {
        extents[0] = gridDim;
        extents[1] = blockDim;
    }
}
HD_PORT_DEFINE(number)

/* Reverses a block in dynamic shared memory. */
HD_PORT_KERNEL(reverse, int *)
__global__ void reverse(int *x)
{
    HD_SHARED_DYN(int, values);

    values[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
}
HD_PORT_DEFINE(reverse)

HD_PORT_KERNEL(sum_many, double *, int, float, double, unsigned char, long long, short, unsigned,
               char, int, float, double, unsigned char, long long, short, unsigned, char, int,
               float, double, unsigned char, long long, short, unsigned, char, int, float, double,
               unsigned char, long long, short, unsigned, char, int, float, double, unsigned char,
               long long, short, unsigned, char, int, float, double, unsigned char, long long,
               short, unsigned, char, int, float, double, unsigned char, long long, short, unsigned,
               char, int, float, double, unsigned char, long long, short, int)
__global__ void sum_many(double *out, int a0, float a1, double a2, unsigned char a3, long long a4,
                         short a5, unsigned a6, char a7, int a8, float a9, double a10,
                         unsigned char a11, long long a12, short a13, unsigned a14, char a15,
                         int a16, float a17, double a18, unsigned char a19, long long a20,
                         short a21, unsigned a22, char a23, int a24, float a25, double a26,
                         unsigned char a27, long long a28, short a29, unsigned a30, char a31,
                         int a32, float a33, double a34, unsigned char a35, long long a36,
                         short a37, unsigned a38, char a39, int a40, float a41, double a42,
                         unsigned char a43, long long a44, short a45, unsigned a46, char a47,
                         int a48, float a49, double a50, unsigned char a51, long long a52,
                         short a53, unsigned a54, char a55, int a56, float a57, double a58,
                         unsigned char a59, long long a60, short a61, int last)
{
    *out = (double)a0 + (double)a1 + (double)a2 + (double)a3 + (double)a4 + (double)a5 +
           (double)a6 + (double)a7 + (double)a8 + (double)a9 + (double)a10 + (double)a11 +
           (double)a12 + (double)a13 + (double)a14 + (double)a15 + (double)a16 + (double)a17 +
           (double)a18 + (double)a19 + (double)a20 + (double)a21 + (double)a22 + (double)a23 +
           (double)a24 + (double)a25 + (double)a26 + (double)a27 + (double)a28 + (double)a29 +
           (double)a30 + (double)a31 + (double)a32 + (double)a33 + (double)a34 + (double)a35 +
           (double)a36 + (double)a37 + (double)a38 + (double)a39 + (double)a40 + (double)a41 +
           (double)a42 + (double)a43 + (double)a44 + (double)a45 + (double)a46 + (double)a47 +
           (double)a48 + (double)a49 + (double)a50 + (double)a51 + (double)a52 + (double)a53 +
           (double)a54 + (double)a55 + (double)a56 + (double)a57 + (double)a58 + (double)a59 +
           (double)a60 + (double)a61 + last;
}
HD_PORT_DEFINE(sum_many)

static void check_shapes(void)
{
    const dim3 grids[] = {HD_PORT_DIM3(3), HD_PORT_DIM3(3, 2), HD_PORT_DIM3(3, 2, 2)};
    const dim3 blocks[] = {HD_PORT_DIM3(32), HD_PORT_DIM3(8, 5), HD_PORT_DIM3(4, 3, 5)};
    static unsigned got[4096];
    unsigned *out;
    dim3 *extents, seen[2];

    static const dim3 constant = HD_PORT_DIM3(7, 5);
    const dim3 same = HD_PORT_DIM3(constant);

    CHECK(same.x == 7 && same.y == 5 && same.z == 1);
    CHECK(grids[0].y == 1 && grids[0].z == 1 && grids[1].y == 2 && grids[1].z == 1);
    CALL(cudaMalloc(&out, sizeof got));
    CALL(cudaMalloc((void **)&extents, sizeof seen));
    for (int g = 0; g < 3; g++)
        for (int b = 0; b < 3; b++) {
            const dim3 grid = grids[g], block = blocks[b];
            const unsigned threads = grid.x * grid.y * grid.z * block.x * block.y * block.z;
            unsigned wrong = 0;

            CALL(cudaMemset(out, 255, sizeof got));
            HD_PORT_LAUNCH((number), grid, block)(out, extents);
            CALL(cudaGetLastError());
            CALL(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
            CALL(cudaMemcpy(seen, extents, sizeof seen, cudaMemcpyDeviceToHost));
            for (unsigned i = 0; i < 4096; i++)
                wrong += got[i] != (i < threads ? i : 0xffffffffu);
            CHECK(wrong == 0);
            CHECK(seen[0].x == grid.x && seen[0].y == grid.y && seen[0].z == grid.z);
            CHECK(seen[1].x == block.x && seen[1].y == block.y && seen[1].z == block.z);
        }
    HD_PORT_LAUNCH((number), HD_PORT_DIM3(2, 2), 16u)(out, extents);
    HD_PORT_LAUNCH((number), (size_t)2, HD_PORT_DIM3(16))(out, extents);
    CALL(cudaMemcpy(seen, extents, sizeof seen, cudaMemcpyDeviceToHost));
    CHECK(seen[0].x == 2 && seen[0].y == 1 && seen[0].z == 1);
    CALL(cudaFree(out));
    CALL(cudaFree(extents));
}

static void check_arguments(void)
{
    static float in[N], got[N];
    const pair p = {0.5, 3};
    float *x, *y;
    double *sum, total = 0;
    int wrong = 0;

    CALL(cudaMalloc(&x, sizeof in));
    CALL(cudaMalloc(&y, sizeof in));
    for (int i = 0; i < N; i++)
        in[i] = (float)i;
    CALL(cudaMemcpy(x, in, sizeof in, cudaMemcpyHostToDevice));
    HD_PORT_LAUNCH((scale), (N + 255) / 256, 256)(y, x, 2, p, N); /* 2 converts to float */
    CALL(cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        wrong += got[i] != 2.0f * in[i] + 3.5f;
    CHECK(wrong == 0);
    CALL(cudaMalloc(&sum, sizeof *sum));
    HD_PORT_LAUNCH((sum_many), 1, 1)
    (sum, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
     25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
     49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 1000);
    CALL(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
    CHECK(total == 61 * 62 / 2 + 1000);
    CALL(cudaFree(x));
    CALL(cudaFree(y));
    CALL(cudaFree(sum));
}

static void check_streams(void)
{
    int *x, host[64], wrong = 0;
    cudaStream_t stream;

    CALL(cudaStreamCreate(&stream));
    CALL(cudaMalloc(&x, sizeof host));
    for (int i = 0; i < 64; i++)
        host[i] = i;
    CALL(cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream));
    HD_PORT_LAUNCH((reverse), 1, 64, sizeof host, stream)(x);
    CALL(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, stream));
    CALL(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; i++)
        wrong += host[i] != 63 - i;
    HD_PORT_LAUNCH((reverse), 1, 64, sizeof host)(x);
    launch_other(x, 64);
    CALL(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        wrong += host[i] != i + 1;
    CHECK(wrong == 0);
    CHECK(other_value == 17);
    CALL(cudaFree(x));
    CALL(cudaStreamDestroy(stream));
}

static void check_calls(void)
{
    int got = -1;

    HD_PORT_LAUNCH((count_call), 3, 32)();
    for (int i = 0; i < 2; i++)
        HD_PORT_LAUNCH((count_call), 1, 1)();
    CALL(cudaMemcpyFromSymbol(&got, calls, sizeof got));
    CHECK(got == 98);
}

static void check_attributes(void)
{
    cudaFuncAttributes attributes;
    int blocks = 0, threads = 0;

    CALL(cudaFuncSetAttribute(reverse, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    CALL(cudaFuncSetCacheConfig(reverse, cudaFuncCachePreferL1));
    CALL(cudaFuncGetAttributes(&attributes, scale));
    CHECK(attributes.maxThreadsPerBlock >= 256);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 128, 0));
    CHECK(blocks > 0);
    CALL(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, scale, 0, 128));
    CHECK(blocks > 0 && threads > 0 && threads <= 128);
}

/* What a launch of too many or no threads is: on GPUs whatever the vendor's runtime says. */
static bool is_bad_shape(cudaError_t error)
{
    return strcmp(hd_backend_name(), "cpu") == 0 ? error == cudaErrorInvalidConfiguration
                                                 : error != cudaSuccess;
}

/* The last error stays until it is read, and is the same in all files. */
static void check_errors(void)
{
    float *x = NULL;
    const pair p = {0, 0};

    CHECK(cudaGetLastError() == cudaSuccess);
    HD_PORT_LAUNCH((scale), 0, 256)(x, x, 1.0f, p, 0);
    CHECK(is_bad_shape(cudaPeekAtLastError()));
    CHECK(is_bad_shape(cudaGetLastError()));
    CHECK(cudaGetLastError() == cudaSuccess);
    HD_PORT_LAUNCH((count_call), 1, HD_PORT_DIM3(1024, 1024))();
    CHECK(is_bad_shape(cudaGetLastError()));
    fail_other();
    CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
    CHECK(device_of_other() == 0);
}

int main(void)
{
    check_shapes();
    check_arguments();
    check_streams();
    check_calls();
    check_attributes();
    check_errors();
    CALL(cudaDeviceSynchronize());
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
