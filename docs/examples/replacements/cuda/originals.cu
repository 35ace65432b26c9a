// SPDX-License-Identifier: Apache-2.0
// originals.cu - the CUDA sides of docs/porting-not-offered.md. Only compiled:
// nvcc -arch=sm_90 -rdc=true -c originals.cu
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdint.h>
#include <stdio.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

enum { FINE = 64, GROUP = 4, TILE = 256, EDGE = 16 };

__device__ float block_sum(float v);

__global__ void refine_cell(float coarse, float *fine)
{
    fine[threadIdx.x] = coarse * (threadIdx.x + 0.5f) / FINE;
}

__global__ void refine(int n, const float *error, float limit, const float *coarse, float *fine)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && error[i] > limit)
        refine_cell<<<1, FINE>>>(coarse[i], fine + i * FINE);
}

__global__ void list_divisors(int n, const unsigned *x, unsigned **lists)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    unsigned *list = lists[i] = (unsigned *)malloc(x[i] * sizeof *list);
    for (unsigned d = 1; d <= x[i]; d++)
        if (x[i] % d == 0)
            *list++ = d;
}

__global__ void report_negative(int n, const float *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && x[i] < 0.0f)
        printf("x[%d] = %g\n", i, x[i]);
}

__global__ void __cluster_dims__(GROUP, 1, 1) group_sums(const float *x, float *sums)
{
    __shared__ float partial;
    cg::cluster_group cluster = cg::this_cluster();
    float v = block_sum(x[blockIdx.x * blockDim.x + threadIdx.x]);

    if (threadIdx.x == 0)
        partial = v;
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0) {
        v = 0.0f;
        for (unsigned r = 0; r < GROUP; r++)
            v += *cluster.map_shared_rank(&partial, r);
        sums[blockIdx.x / GROUP] = v;
    }
    cluster.sync(); // no block ends while its partial sum is read
}

__global__ void tile_products(int tiles, const float *x, float *out)
{
    __shared__ float tile[2][TILE];
    unsigned thread = threadIdx.x;
    const float *at = x + (size_t)blockIdx.x * tiles * TILE + thread;
    float v = 0.0f;

    __pipeline_memcpy_async(&tile[0][thread], at, sizeof *at);
    __pipeline_commit();
    for (int t = 0; t < tiles; t++) {
        if (t + 1 < tiles)
            __pipeline_memcpy_async(&tile[(t + 1) % 2][thread], at + (t + 1) * TILE, sizeof *at);
        __pipeline_commit();
        __pipeline_wait_prior(1); // all but the latest: this tile has arrived
        __syncthreads();
        v += tile[t % 2][thread] * tile[t % 2][TILE - 1 - thread];
        __syncthreads();
    }
    v = block_sum(v);
    if (thread == 0)
        out[blockIdx.x] = v;
}

__global__ void multiply(int n, const half *a, const half *b, float *c)
{
    int i = blockIdx.y * EDGE, j = blockIdx.x * EDGE; // one warp per tile of c
    wmma::fragment<wmma::matrix_a, EDGE, EDGE, EDGE, half, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, EDGE, EDGE, EDGE, half, wmma::row_major> columns;
    wmma::fragment<wmma::accumulator, EDGE, EDGE, EDGE, float> sum;

    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += EDGE) {
        wmma::load_matrix_sync(rows, a + i * n + k, n);
        wmma::load_matrix_sync(columns, b + k * n + j, n);
        wmma::mma_sync(sum, rows, columns, sum);
    }
    wmma::store_matrix_sync(c + i * n + j, sum, n, wmma::mem_row_major);
}

__global__ void invert(int width, int height, cudaSurfaceObject_t image)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float v;

    if (x >= width || y >= height)
        return;
    surf2Dread(&v, image, x * (int)sizeof v, y);
    surf2Dwrite(1.0f - v, image, x * (int)sizeof v, y);
}

__global__ void enlarge(int width, int height, cudaTextureObject_t image, int new_width,
                        int new_height, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x < new_width && y < new_height) // linear filter, clamped; (0.5, 0.5) is the first centre
        out[y * new_width + x] = tex2D<float>(image, (x + 0.5f) * width / new_width,
                                              (y + 0.5f) * height / new_height);
}

__device__ unsigned field(unsigned x, unsigned at, unsigned bits)
{
    unsigned r;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(at), "r"(bits));
    return r;
}

__global__ void unpack(int n, const unsigned *words, unsigned *low, unsigned *high)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word;

    if (i >= n)
        return;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(word) : "l"(words + i));
    low[i] = field(word, 0, 12);
    high[i] = field(word, 12, 20);
}
