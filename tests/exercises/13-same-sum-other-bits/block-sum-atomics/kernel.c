/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the device's part of a sum. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread per element: every block sums its elements in a fixed tree and adds the result. */
HD_KERNEL void add_up(size_t n, const float *HD_RESTRICT x, float *sum)
{
    size_t i = hd_global_x();
    float v = hd_block_sum(i < n ? x[i] : 0.0f);

    if (hd_thread_x() == 0)
        (void)hd_atomic_add(sum, v);
}
HD_DEFINE(add_up)
