/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - finds the greatest element of an array, and where it is. */
#include <heddle/kernel.h>

#include "kernel.h"

/* The lock: 0 is free, 1 is taken. */
HD_DEVICE void acquire(unsigned *lock)
{
    while (hd_atomic_cas_acquire(lock, 0u, 1u) != 0)
        ;
}

HD_DEVICE void release(unsigned *lock)
{
    (void)hd_atomic_exch(lock, 0u);
}

/* One thread per element. All elements differ, so one thread of a block has the block's greatest;
   it enters it under the lock, because value and index have to change together. */
HD_KERNEL void find_greatest(size_t n, const float *HD_RESTRICT x, unsigned *lock, greatest *result)
{
    size_t i = hd_global_x();
    float v = i < n ? x[i] : -1.0f, most = hd_block_max(v);

    if (i < n && v == most) {
        acquire(lock);
        if (v > result->value) {
            result->value = v;
            result->index = (uint32_t)i;
        }
        release(lock);
    }
}
HD_DEFINE(find_greatest)
