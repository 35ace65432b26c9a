/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - running sums in one launch: each block sums its tile, waits for the sum of everything
   before the tile, and passes on the sum that includes it. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void running_sum(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT y,
                           unsigned *flag, uint32_t *prefix, unsigned *counter)
{
    HD_SHARED(uint32_t, before, 1);
    unsigned tile = hd_block_x(); /* the BLOCK elements that this block works on */
    size_t i = (size_t)tile * BLOCK + hd_thread_x();
    uint32_t sum = hd_block_scan_sum(i < n ? x[i] : 0); /* of the tile's elements up to i */

    (void)counter;
    if (hd_thread_x() == BLOCK - 1) { /* its `sum` is that of the whole tile */
        before[0] = 0;
        if (tile > 0) {
            while (hd_load_acquire(&flag[tile - 1]) == 0)
                ;
            before[0] = prefix[tile - 1];
        }
        prefix[tile] = before[0] + sum;
        hd_store_release(&flag[tile], 1u); /* prefix[tile] may be read now */
    }
    hd_sync_block();
    if (i < n)
        y[i] = before[0] + sum;
}
HD_DEFINE(running_sum)
