/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - sums of blocks: each warp sums its lanes in a tree in shared memory, then one thread
   sums the warps. */
#include <heddle/kernel.h>

#include "kernel.h"

/* In steps of 1, 2, 4 ... every second, fourth, eighth ... lane adds the sum that lies `step` lanes
   before it. The last lane of the warp ends up with the sum of all. s: an element per lane. */
HD_DEVICE void sum_in_warp(volatile uint32_t *s)
{
    unsigned lane = hd_lane();

    for (unsigned step = 1; step < hd_warp_size(); step *= 2)
        if ((lane + 1) % (2 * step) == 0) {
            uint32_t before = s[lane - step];

            s[lane] = s[lane] + before;
        }
}

HD_KERNEL void block_sums(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT sums)
{
    HD_SHARED(uint32_t, tile, BLOCK);
    size_t i = hd_global_x();
    unsigned t = hd_thread_x();

    tile[t] = i < n ? x[i] : 0;
    sum_in_warp(tile + hd_warp() * hd_warp_size());
    hd_sync_block();
    if (t == 0) {
        uint32_t sum = 0;

        for (unsigned last = hd_warp_size() - 1; last < BLOCK; last += hd_warp_size())
            sum += tile[last];
        sums[hd_block_x()] = sum;
    }
}
HD_DEFINE(block_sums)
