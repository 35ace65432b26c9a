/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - packs the odd elements of each block together: a ballot tells each lane how many lanes
   of its warp before it have one. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void keep_odd(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT odd,
                        uint32_t *HD_RESTRICT counts)
{
    HD_SHARED(uint32_t, warp_count, HD_MAX_WARPS_PER_BLOCK);
    size_t i = hd_global_x();
    uint32_t v = i < n ? x[i] : 0;
    int is_odd = v % 2 != 0;
    uint64_t votes = hd_mask_bits(hd_ballot(is_odd)); /* bit k: lane k has an odd element */
    uint64_t before = (1u << hd_lane()) - 1;          /* the lanes below this one */
    uint32_t to = hd_popcount(votes & before), total = 0;

    if (hd_lane() == 0)
        warp_count[hd_warp()] = hd_popcount(votes);
    hd_sync_block();
    for (unsigned w = 0; w < hd_warps_per_block(); w++) {
        if (w < hd_warp())
            to += warp_count[w];
        total += warp_count[w];
    }
    if (is_odd)
        odd[hd_block_linear() * BLOCK + to] = v;
    if (hd_thread_x() == 0)
        counts[hd_block_x()] = total;
}
HD_DEFINE(keep_odd)
