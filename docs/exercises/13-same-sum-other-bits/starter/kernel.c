/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the device's part of a sum. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread per element: every warp sums its elements in a tree and adds the result to `sum`. */
HD_KERNEL void add_up(size_t n, const float *HD_RESTRICT x, float *sum)
{
    size_t i = hd_global_x();
    float v = i < n ? x[i] : 0.0f;

    for (unsigned d = hd_warp_size() / 2; d > 0; d /= 2)
        v += hd_shfl_down(v, (int)d, hd_warp_size());
    if (hd_lane() == 0)
        (void)hd_atomic_add(sum, v);
}
HD_DEFINE(add_up)
