/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - sums of a block by a tree in shared memory and by shuffles, and of a whole array. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A block sums BLOCK elements by halving: in each round threads of the lower half add the values
   of the upper half to theirs. Launch: hd_launch_1d of n elements in blocks of BLOCK. 4 bytes per
   element. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void sum_by_tree(size_t n, const int32_t *HD_RESTRICT x,
                                                 int64_t *HD_RESTRICT partial)
{
    HD_SHARED(int64_t, tile, BLOCK);
    const unsigned t = hd_thread_x();
    const size_t i = hd_global_x();

    tile[t] = i < n ? x[i] : 0; /* threads beyond the end stay: all must reach the barriers */
    hd_sync_block();
    for (unsigned half = BLOCK / 2; half > 0; half /= 2)
        if (t < half)
            tile[t] += tile[t + half];
    if (t == 0)
        partial[hd_block_x()] = tile[0];
}
HD_DEFINE(sum_by_tree)

/* The sum of v over the warp, in lane 0; other lanes get something else. Every lane calls it. */
HD_DEVICE int64_t warp_sum(int64_t v)
{
    /* After step d, lane 0 has the sum of lanes 0 to 2 d - 1. The lanes near the upper end add
       something wrong (their own value again), but lane 0 never gets to see it. */
    for (int d = 1; d < (int)hd_warp_size(); d *= 2)
        v += hd_shfl_down(v, d, (int)hd_warp_size());
    return v;
}

/* The sum of v over the block, in thread 0; other threads get something else. Every thread of the
   block calls it. Between two calls with the same `warp_sums` there is a barrier. */
HD_DEVICE int64_t block_sum(int64_t v, int64_t *warp_sums)
{
    v = warp_sum(v);
    if (hd_lane() == 0)
        warp_sums[hd_warp()] = v;
    hd_sync_block();
    if (hd_thread_x() == 0)
        for (unsigned w = 1; w < hd_warps_per_block(); w++)
            v += warp_sums[w];
    return v;
}

/* As sum_by_tree. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void sum_by_shuffles(size_t n, const int32_t *HD_RESTRICT x,
                                                     int64_t *HD_RESTRICT partial)
{
    HD_SHARED(int64_t, warp_sums, HD_MAX_WARPS_PER_BLOCK);
    const size_t i = hd_global_x();
    const int64_t v = block_sum(i < n ? x[i] : 0, warp_sums);

    if (hd_thread_x() == 0)
        partial[hd_block_x()] = v;
}
HD_DEFINE(sum_by_shuffles)

/* Each thread first adds up elements that lie a grid apart, so that the lanes of a warp always read
   neighbours; then a block has one sum, which it adds to *total. Launch: any grid, blocks of BLOCK.
   4 bytes per element. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void sum_all(size_t n, const int32_t *HD_RESTRICT x, int64_t *total)
{
    HD_SHARED(int64_t, warp_sums, HD_MAX_WARPS_PER_BLOCK);
    int64_t v = 0;

    for (size_t i = hd_global_x(); i < n; i += hd_global_size_x())
        v += x[i];
    v = block_sum(v, warp_sums);
    /* One atomic per block. Integers: any order of the blocks gives the same sum. */
    if (hd_thread_x() == 0)
        hd_atomic_add(total, v);
}
HD_DEFINE(sum_all)
