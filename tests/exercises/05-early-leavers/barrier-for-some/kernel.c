/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - scales each block's elements by the greatest of them. */
#include <heddle/kernel.h>

#include "kernel.h"

/* The greatest of s[0] to s[count - 1], found in a tree: each step halves the number of candidates.
   s is in shared memory and is overwritten; every thread of the block calls this. */
HD_DEVICE uint32_t greatest(uint32_t *s, unsigned count)
{
    unsigned t = hd_thread_x();

    for (unsigned half = BLOCK / 2; half > 0; half /= 2) {
        hd_sync_block(); /* what the other threads wrote is there */
        if (t < half && t + half < count)
            s[t] = hd_max(s[t], s[t + half]);
    }
    hd_sync_block();
    return s[0];
}

HD_KERNEL void percent(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT y)
{
    HD_SHARED(uint32_t, s, BLOCK);
    size_t i = hd_global_x(), first = hd_block_linear() * BLOCK;
    unsigned count = (unsigned)hd_min(n - first, (size_t)BLOCK); /* elements of this block */
    uint32_t most;

    if (i < n) {
        s[hd_thread_x()] = x[i];
        most = greatest(s, count);
        y[i] = x[i] * 100 / most;
    }
}
HD_DEFINE(percent)
