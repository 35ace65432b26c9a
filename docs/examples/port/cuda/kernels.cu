// SPDX-License-Identifier: Apache-2.0
// kernels.cu - what is done to a frame.
#include "stars.cuh"

#define FULL_MASK 0xffffffffu

template <typename T> __device__ T clamp(T v, T low, T high)
{
    return v < low ? low : v > high ? high : v;
}

// A pixel and its four neighbours, from a tile with a border of one pixel. Blocks of 32 x 8.
__global__ void smooth(const float *in, float *out)
{
    __shared__ float tile[TILE_Y + 2][TILE_X + 2];
    int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y;

    for (int row = threadIdx.y; row < TILE_Y + 2; row += TILE_Y) {
        for (int column = threadIdx.x; column < TILE_X + 2; column += TILE_X) {
            int from_x = clamp((int)(blockIdx.x * TILE_X) + column - 1, 0, WIDTH - 1);
            int from_y = clamp((int)(blockIdx.y * TILE_Y) + row - 1, 0, HEIGHT - 1);
            tile[row][column] = in[from_y * WIDTH + from_x];
        }
    }
    __syncthreads();
    if (x < WIDTH && y < HEIGHT) {
        int c = threadIdx.x + 1, r = threadIdx.y + 1;
        out[y * WIDTH + x] = 0.6f * tile[r][c] + 0.1f * (tile[r - 1][c] + tile[r + 1][c] +
                                                        tile[r][c - 1] + tile[r][c + 1]);
    }
}

// Counts pixels by brightness. Each warp counts in a histogram of its own.
__global__ void histogram(const float *x, unsigned *bins)
{
    __shared__ unsigned part[BLOCK / 32][BINS];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5, i = blockIdx.x * BLOCK + t;

    for (int b = lane; b < BINS; b += 32)
        part[warp][b] = 0;
    if (i < N)
        atomicAdd(&part[warp][clamp((int)x[i], 0, BINS - 1)], 1);
    __syncthreads();

    unsigned sum = 0;
    for (int w = 0; w < BLOCK / 32; w++)
        sum += part[w][t];
    if (sum != 0)
        atomicAdd(&bins[t], sum);
}

// The brightness that `below` pixels do not reach: a scan of the histogram. One block of BINS.
__global__ void threshold(const unsigned *bins, unsigned below, float *level)
{
    __shared__ unsigned totals[BINS / 32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    unsigned own = bins[t], v = own;

    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(FULL_MASK, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        totals[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        v += totals[w];
    if (v - own < below && v >= below)
        *level = (float)(t + 1);
}

// The places of the pixels above the threshold, in any order; one atomic per warp.
__global__ void find(const float *x, const float *level, int *found, int *count)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x & 31, base = 0;
    bool hit = i < N && x[i] >= *level;
    unsigned votes = __ballot_sync(FULL_MASK, hit);

    if (lane == 0)
        base = atomicAdd(count, __popc(votes));
    base = __shfl_sync(FULL_MASK, base, 0);
    if (hit)
        found[base + __popc(votes & ((1u << lane) - 1))] = i;
}

__device__ void warp_reduce(volatile float *s, int t)
{
    s[t] += s[t + 32];
    s[t] += s[t + 16];
    s[t] += s[t + 8];
    s[t] += s[t + 4];
    s[t] += s[t + 2];
    s[t] += s[t + 1];
}

// Thread 0 gets the sum of v over the block; s has BLOCK elements.
__device__ float block_sum(float v, float *s)
{
    int t = threadIdx.x;

    s[t] = v;
    __syncthreads();
    for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride];
        __syncthreads();
    }
    if (t < 32)
        warp_reduce(s, t);
    return s[0];
}

// How much brighter the pixels above the threshold are. The last block adds the blocks' sums.
__global__ void flux(const float *x, const float *level, float *partial, unsigned *ticket,
                     float *total)
{
    __shared__ float s[BLOCK];
    __shared__ bool last;
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    float v = block_sum(i < N && x[i] >= *level ? x[i] - *level : 0.0f, s);

    if (t == 0) {
        partial[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    v = block_sum(t < BLOCKS ? partial[t] : 0.0f, s);
    if (t == 0)
        *total = v;
}
