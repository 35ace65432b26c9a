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

    /* Your part: fill the tile (what is in it beyond the end of x?), then the rounds. */
    tile[t] = 0;
    (void)n, (void)x;
    if (t == 0)
        partial[hd_block_x()] = tile[0];
}
HD_DEFINE(sum_by_tree)

/* The sum of v over the warp, in lane 0; other lanes get something else. Every lane calls it. */
HD_DEVICE int64_t warp_sum(int64_t v)
{
    /* Your part: hd_shfl_down, and no number that is true for one warp size only. */
    return v;
}

/* The sum of v over the block, in thread 0; other threads get something else. Every thread of the
   block calls it. Between two calls with the same `warp_sums` there is a barrier. */
HD_DEVICE int64_t block_sum(int64_t v, int64_t *warp_sums)
{
    /* Your part: the sums of the warps meet in shared memory. */
    (void)warp_sums;
    return warp_sum(v);
}

/* As sum_by_tree. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void sum_by_shuffles(size_t n, const int32_t *HD_RESTRICT x,
                                                     int64_t *HD_RESTRICT partial)
{
    HD_SHARED(int64_t, warp_sums, HD_MAX_WARPS_PER_BLOCK);

    /* Your part. */
    (void)warp_sums, (void)n, (void)x, (void)partial;
}
HD_DEFINE(sum_by_shuffles)

/* Each thread first adds up elements that lie a grid apart, so that the lanes of a warp always read
   neighbours; then a block has one sum, which it adds to *total. Launch: any grid, blocks of BLOCK.
   4 bytes per element. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void sum_all(size_t n, const int32_t *HD_RESTRICT x, int64_t *total)
{
    HD_SHARED(int64_t, warp_sums, HD_MAX_WARPS_PER_BLOCK);

    /* Your part: a loop, block_sum, an addition that other blocks cannot disturb. */
    (void)warp_sums, (void)n, (void)x, (void)total;
}
HD_DEFINE(sum_all)
