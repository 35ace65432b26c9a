/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - two sums over each block, one after the other, with the same scratch memory. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread adds up for its block: the first lane of the last warp. */
HD_DEVICE int adds_up(void)
{
    return hd_lane() == 0 && hd_warp() == hd_warps_per_block() - 1;
}

/* The sum of v over the threads of the block, in the thread that adds up; 0 in the others. Every
   thread calls this. scratch: shared memory, an element for each warp. */
HD_DEVICE uint32_t sum_of_block(uint32_t v, uint32_t *scratch)
{
    uint32_t sum = 0;

    v = hd_warp_sum(v);
    if (hd_lane() == 0)
        scratch[hd_warp()] = v;
    hd_sync_block(); /* the sums of all warps are there */
    if (adds_up())
        for (unsigned w = 0; w < hd_warps_per_block(); w++)
            sum += scratch[w];
    hd_sync_block(); /* one thread has read scratch: the next call may write to it */
    return sum;
}

HD_KERNEL void moments(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT sums,
                       uint32_t *HD_RESTRICT squares)
{
    HD_SHARED(uint32_t, scratch, HD_MAX_WARPS_PER_BLOCK);
    size_t i = hd_global_x();
    uint32_t v = i < n ? x[i] : 0;
    uint32_t sum = sum_of_block(v, scratch);
    uint32_t square = sum_of_block(v * v, scratch);

    if (adds_up()) {
        sums[hd_block_x()] = sum;
        squares[hd_block_x()] = square;
    }
}
HD_DEFINE(moments)
