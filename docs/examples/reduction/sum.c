/* SPDX-License-Identifier: Apache-2.0 */
/* sum.c - the sum of an array in one launch: shuffles within a warp, shared memory between the
   warps of a block, and a ticket that tells the last block to add the blocks' sums. */
#include <heddle/kernel.h>

#include "sum.h"

/* The sum of v over the block, in thread 0; other threads get something else. Every thread of the
   block calls it. Between two calls with the same `warp_sums` there is a barrier. */
HD_DEVICE uint64_t block_sum(uint64_t v, uint64_t *warp_sums)
{
    /* After step d, lane 0 has the sum of lanes 0 to 2 d - 1. */
    for (int d = 1; d < (int)hd_warp_size(); d *= 2)
        v += hd_shfl_down(v, d, (int)hd_warp_size());
    if (hd_lane() == 0)
        warp_sums[hd_warp()] = v;
    hd_sync_block();
    if (hd_thread_x() == 0)
        for (unsigned w = 1; w < hd_warps_per_block(); w++)
            v += warp_sums[w];
    return v;
}

/* A block sums every grid-th stretch of SUM_BLOCK elements; the block that finishes last also sums
   what all blocks found. A thread loads elements hd_global_size_x() apart, so that the lanes of a
   warp read neighbours. Launch: any grid, blocks of SUM_BLOCK. Reads 4 bytes per element. */
HD_KERNEL HD_MAX_THREADS(SUM_BLOCK) void sum_u32(size_t n, const uint32_t *HD_RESTRICT x,
                                                 uint64_t *partial, unsigned *ticket,
                                                 uint64_t *total)
{
    HD_SHARED(uint64_t, warp_sums, HD_MAX_WARPS_PER_BLOCK);
    HD_SHARED(int, last, 1);
    uint64_t v = 0;

    for (size_t i = hd_global_x(); i < n; i += hd_global_size_x())
        v += x[i];
    v = block_sum(v, warp_sums);
    if (hd_thread_x() == 0) {
        partial[hd_block_x()] = v;
        /* Release: the partial sum is visible before the ticket is. Acquire: the block that takes
           the last ticket sees the partial sums of all others. A relaxed atomic would do neither,
           and a fence before it only the first. */
        last[0] = hd_atomic_add_acq_rel(ticket, 1u) == hd_grid_dim_x() - 1;
    }
    hd_sync_block(); /* passes `last`, and what thread 0 has acquired, to the block */
    if (!last[0])
        return;

    v = 0;
    for (size_t i = hd_thread_x(); i < hd_grid_dim_x(); i += SUM_BLOCK)
        v += partial[i];
    v = block_sum(v, warp_sums);
    if (hd_thread_x() == 0) {
        *total = v;
        hd_store_relaxed(ticket, 0u); /* ready for the next launch */
    }
}
HD_DEFINE(sum_u32)
