/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - sums of blocks: each warp sums its lanes, then one thread sums the warps. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void block_sums(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT sums)
{
    HD_SHARED(uint32_t, part, HD_MAX_WARPS_PER_BLOCK); /* one element per warp of the block */
    size_t i = hd_global_x();                          /* the element of this thread */
    unsigned t = hd_thread_x();                        /* the thread's number in its block */
    unsigned lane = hd_lane();                         /* its number in its warp */
    unsigned warp = t >> 5;                            /* the warp's number in its block */
    uint32_t v = i < n ? x[i] : 0;

    v = hd_warp_sum(v); /* every lane gets the sum of all lanes of its warp */
    if (lane == 0)
        part[warp] = v;
    hd_sync_block(); /* now all parts are there */
    if (t == 0) {
        uint32_t sum = 0;

        for (unsigned w = 0; w < BLOCK / 32; w++)
            sum += part[w];
        sums[hd_block_x()] = sum;
    }
}
HD_DEFINE(block_sums)
