/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c - what is done to a frame. */
#include <heddle/kernel.h>

#include "stars.h"

enum { GROUP = 32, GROUPS = BLOCK / GROUP }; /* threads that share a histogram */

/* A pixel and its four neighbours, from a tile with a border of one pixel. Blocks of 32 x 8. */
HD_KERNEL void smooth(const float *in, float *out)
{
    HD_SHARED2(float, tile, TILE_Y + 2, TILE_X + 2);
    int x = hd_block_x() * TILE_X + hd_thread_x(), y = hd_block_y() * TILE_Y + hd_thread_y();

    for (int row = hd_thread_y(); row < TILE_Y + 2; row += TILE_Y) {
        for (int column = hd_thread_x(); column < TILE_X + 2; column += TILE_X) {
            int from_x = hd_clamp((int)(hd_block_x() * TILE_X) + column - 1, 0, WIDTH - 1);
            int from_y = hd_clamp((int)(hd_block_y() * TILE_Y) + row - 1, 0, HEIGHT - 1);
            tile[row][column] = in[from_y * WIDTH + from_x];
        }
    }
    hd_sync_block();
    if (x < WIDTH && y < HEIGHT) {
        int c = hd_thread_x() + 1, r = hd_thread_y() + 1;
        out[y * WIDTH + x] = 0.6f * tile[r][c] + 0.1f * (tile[r - 1][c] + tile[r + 1][c] +
                                                         tile[r][c - 1] + tile[r][c + 1]);
    }
}
HD_DEFINE(smooth)

/* Counts pixels by brightness. Each group of threads counts in a histogram of its own. */
HD_KERNEL void histogram(const float *x, unsigned *bins)
{
    HD_SHARED2(unsigned, part, GROUPS, BINS);
    int t = hd_thread_x(), group = t / GROUP, i = hd_block_x() * BLOCK + t;

    for (int g = 0; g < GROUPS; g++)
        part[g][t] = 0;
    hd_sync_block();
    if (i < N)
        hd_atomic_add(&part[group][hd_clamp((int)x[i], 0, BINS - 1)], 1);
    hd_sync_block();

    unsigned sum = 0;
    for (int g = 0; g < GROUPS; g++)
        sum += part[g][t];
    if (sum != 0)
        hd_atomic_add(&bins[t], sum);
}
HD_DEFINE(histogram)

/* The brightness that `below` pixels do not reach: a scan of the histogram. One block of BINS. */
HD_KERNEL void threshold(const unsigned *bins, unsigned below, float *level)
{
    int t = hd_thread_x();
    unsigned own = bins[t], v = hd_block_scan_sum(own);

    if (v - own < below && v >= below)
        *level = (float)(t + 1);
}
HD_DEFINE(threshold)

/* The places of the pixels above the threshold, in any order; one atomic per warp. */
HD_KERNEL void find(const float *x, const float *level, int *found, int *count)
{
    int i = hd_block_x() * BLOCK + hd_thread_x(), base = 0;
    int hit = i < N && x[i] >= *level;
    hd_mask votes = hd_ballot(hit);

    if (hd_lane() == 0)
        base = hd_atomic_add(count, hd_mask_count(votes));
    base = hd_broadcast(base, 0);
    if (hit)
        found[base + hd_mask_rank(votes)] = i;
}
HD_DEFINE(find)

/* Returns the sum of v over the block in every thread; s has BLOCK elements. Between two calls with
   the same s there is a barrier. */
HD_DEVICE float block_sum(float v, float *s)
{
    int t = hd_thread_x();

    s[t] = v;
    hd_sync_block();
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride];
        hd_sync_block();
    }
    return s[0];
}

/* How much brighter the pixels above the threshold are. The last block adds the blocks' sums. */
HD_KERNEL void flux(const float *x, const float *level, float *partial, unsigned *ticket,
                    float *total)
{
    HD_SHARED(float, s, BLOCK);
    HD_SHARED(int, last, 1);
    int t = hd_thread_x(), i = hd_block_x() * BLOCK + t;
    float v = block_sum(i < N && x[i] >= *level ? x[i] - *level : 0.0f, s);

    if (t == 0) {
        partial[hd_block_x()] = v;
        last[0] = hd_atomic_add_acq_rel(ticket, 1u) == hd_grid_dim_x() - 1;
        if (last[0])
            hd_store_relaxed(ticket, 0u); /* for the next frame */
    }
    hd_sync_block();
    if (!last[0])
        return;
    v = block_sum(t < BLOCKS ? partial[t] : 0.0f, s);
    if (t == 0)
        *total = v;
}
HD_DEFINE(flux)
