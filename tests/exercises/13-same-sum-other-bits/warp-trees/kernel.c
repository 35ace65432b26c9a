/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the device's part of a sum. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread per element, one result per block: trees of the warps, then warp after warp. */
HD_KERNEL void add_up(size_t n, const float *HD_RESTRICT x, float *HD_RESTRICT tile_sum)
{
    HD_SHARED(float, warp_sum, HD_MAX_WARPS_PER_BLOCK);
    size_t i = hd_global_x();
    float v = i < n ? x[i] : 0.0f;

    for (unsigned d = hd_warp_size() / 2; d > 0; d /= 2)
        v += hd_shfl_down(v, (int)d, hd_warp_size());
    if (hd_lane() == 0)
        warp_sum[hd_warp()] = v;
    hd_sync_block();
    if (hd_thread_x() == 0) {
        v = 0.0f;
        for (unsigned w = 0; w < hd_warps_per_block(); w++)
            v += warp_sum[w];
        tile_sum[hd_block_x()] = v;
    }
}
HD_DEFINE(add_up)
