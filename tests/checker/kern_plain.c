/* SPDX-License-Identifier: Apache-2.0 */
/* kern_plain.c - kernels as they are written every day: nothing for the checker to say, not even
   about their speed. Arrays of PLAIN_N by PLAIN_N numbers. */
#include <heddle/kernel.h>

#include "kern_plain.h"

enum { N = PLAIN_N, TILE = 32, SMALL = 16, BINS = 64 };

/* Blocks of 16 by 16: the mean of five, the edge is copied. */
HD_KERNEL void plain_stencil(const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    size_t x = hd_global_x(), y = hd_global_y(), i = y * N + x;

    if (x > 0 && x + 1 < N && y > 0 && y + 1 < N)
        out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - N] + in[i + N]);
    else
        out[i] = in[i];
}
HD_DEFINE(plain_stencil)

/* Blocks of 32 by 8, rows of the tile padded by one. */
HD_KERNEL void plain_transpose(const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_SHARED2(float, tile, TILE, TILE + 1);
    unsigned x = hd_thread_x(), x0 = hd_block_x() * TILE, y0 = hd_block_y() * TILE;

    for (unsigned y = hd_thread_y(); y < TILE; y += hd_block_dim_y())
        tile[y][x] = in[(size_t)(y0 + y) * N + x0 + x];
    hd_sync_block();
    for (unsigned y = hd_thread_y(); y < TILE; y += hd_block_dim_y())
        out[(size_t)(x0 + y) * N + y0 + x] = tile[x][y];
}
HD_DEFINE(plain_transpose)

/* Blocks of 16 by 16. */
HD_KERNEL void plain_product(const float *HD_RESTRICT a, const float *HD_RESTRICT b,
                             float *HD_RESTRICT out)
{
    HD_SHARED2(float, left, SMALL, SMALL);
    HD_SHARED2(float, right, SMALL, SMALL);
    unsigned x = hd_thread_x(), y = hd_thread_y();
    size_t row = hd_global_y(), column = hd_global_x();
    float sum = 0;

    for (unsigned k0 = 0; k0 < N; k0 += SMALL) {
        left[y][x] = a[row * N + k0 + x];
        right[y][x] = b[(k0 + y) * N + column];
        hd_sync_block();
        for (unsigned k = 0; k < SMALL; k++)
            sum += left[y][k] * right[k][x];
        hd_sync_block();
    }
    out[row * N + column] = sum;
}
HD_DEFINE(plain_product)

/* Blocks of 256: a tree over shared memory. */
HD_KERNEL void plain_sum(const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_SHARED(float, s, 256);
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    for (unsigned stride = hd_block_dim_x() / 2; stride > 0; stride /= 2) {
        hd_sync_block();
        if (t < stride)
            s[t] += s[t + stride];
    }
    if (t == 0)
        out[hd_block_x()] = s[0];
}
HD_DEFINE(plain_sum)

HD_KERNEL void plain_histogram(const float *HD_RESTRICT in, unsigned *HD_RESTRICT bins)
{
    HD_SHARED(unsigned, mine, BINS);
    unsigned t = hd_thread_x();

    if (t < BINS)
        mine[t] = 0;
    hd_sync_block();
    (void)hd_atomic_add(&mine[(unsigned)(in[hd_global_x()] * BINS) % BINS], 1u);
    hd_sync_block();
    if (t < BINS)
        (void)hd_atomic_add(&bins[t], mine[t]);
}
HD_DEFINE(plain_histogram)

/* A warp for each row. */
HD_KERNEL void plain_rows(const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    size_t row = (size_t)hd_block_x() * hd_warps_per_block() + hd_warp();
    float sum = 0;

    if (row >= N)
        return;
    for (unsigned x = hd_lane(); x < N; x += hd_warp_size())
        sum += in[row * N + x];
    sum = hd_warp_sum(sum);
    if (hd_lane() == 0)
        out[row] = sum;
}
HD_DEFINE(plain_rows)

HD_KERNEL void plain_vector(const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    const hd_f32x4 *from = (const hd_f32x4 *)(const void *)in;
    hd_f32x4 *to = (hd_f32x4 *)(void *)out;
    size_t i = hd_global_x();

    to[i] = hd_f32x4_add(from[i], hd_f32x4_mul(from[i], from[i]));
}
HD_DEFINE(plain_vector)

/* Keeps every third number or so. */
HD_KERNEL void plain_pack(const float *HD_RESTRICT in, float *HD_RESTRICT out, unsigned *count)
{
    float v = in[hd_global_x()];
    unsigned slot = hd_take(count, v < 0.33f);

    if (v < 0.33f)
        out[slot] = v;
}
HD_DEFINE(plain_pack)

/* Leaves out what lies behind the end. */
HD_KERNEL void plain_tail(size_t n, const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    size_t i = hd_global_x();

    if (i >= n)
        return;
    out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
}
HD_DEFINE(plain_tail)
