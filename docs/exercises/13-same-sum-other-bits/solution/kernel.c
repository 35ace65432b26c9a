/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the device's part of a sum. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread per element, one result per block. Which elements a block adds, and in which order,
   depends on nothing but its number: hd_block_sum is the same tree over the threads of the block at
   every warp size (strides 1, 2, 4 ...), and no block adds to another one's result. */
HD_KERNEL void add_up(size_t n, const float *HD_RESTRICT x, float *HD_RESTRICT tile_sum)
{
    size_t i = hd_global_x();
    float v = hd_block_sum(i < n ? x[i] : 0.0f);

    if (hd_thread_x() == 0)
        tile_sum[hd_block_x()] = v;
}
HD_DEFINE(add_up)
