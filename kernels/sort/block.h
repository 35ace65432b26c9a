/* SPDX-License-Identifier: Apache-2.0 */
/* block.h - the parts of sorting a tile that do not depend on the key type: digit counts, one row
   per warp, and masks of lanes with equal digits. */
#ifndef HEDDLE_KERNELS_SORT_BLOCK_H
#define HEDDLE_KERNELS_SORT_BLOCK_H

#include <heddle/kernel.h>

#include "sort.h"

#define SO_SUM uint32_t
#define SO_SCAN so_scan
#include "scan.inc"
#undef SO_SUM
#undef SO_SCAN

/* A lane mask in two words: for warps of 32 lanes the compiler knows that the high word is 0 and
   removes it. */
typedef struct so_lanes {
    uint32_t low, high;
} so_lanes;

HD_DEVICE so_lanes so_lanes_of(hd_mask mask)
{
    so_lanes lanes;
    lanes.low = (uint32_t)hd_mask_bits(mask);
    lanes.high = (uint32_t)(hd_mask_bits(mask) >> 32);
    return lanes;
}

HD_DEVICE unsigned so_lanes_count(so_lanes lanes)
{
    return hd_popcount(lanes.low) + hd_popcount(lanes.high);
}

/* The highest lane of a mask that is not empty. */
HD_DEVICE unsigned so_lanes_last(so_lanes lanes)
{
    return lanes.high ? 63u - hd_clz(lanes.high) : 31u - hd_clz(lanes.low);
}

/* The mask of lanes with the same digit as the calling lane. */
HD_DEVICE so_lanes so_peers(unsigned digit)
{
    return so_lanes_of(hd_match_bits(digit, HD__SORT_BITS));
}

/* Warps of a block of HD__SORT_THREADS threads; a constant if the warp size is. */
HD_DEVICE unsigned so_warps(void)
{
    return HD__SORT_THREADS / hd_warp_size();
}

HD_DEVICE void so_clear(uint32_t *counts)
{
    const unsigned all = so_warps() * HD__SORT_BINS;
    for (unsigned i = hd_thread_x(); i < all; i += HD__SORT_THREADS)
        counts[i] = 0;
}

/* Number of keys of the calling thread's digit in all warps; 0 for threads without a digit. */
HD_DEVICE uint32_t so_total(const uint32_t *counts)
{
    const unsigned t = hd_thread_x(), warps = so_warps();
    uint32_t total = 0;
    if (t < HD__SORT_BINS)
        for (unsigned w = 0; w < warps; w++)
            total += counts[w * HD__SORT_BINS + t];
    return total;
}

/* Turns the counts of each warp into the positions at which its keys of each digit begin; `begin`
   is the position of the first key of the calling thread's digit. */
HD_DEVICE void so_spread(uint32_t *counts, uint32_t begin)
{
    const unsigned t = hd_thread_x(), warps = so_warps();
    if (t < HD__SORT_BINS)
        for (unsigned w = 0; w < warps; w++) {
            uint32_t *count = &counts[w * HD__SORT_BINS + t];
            const uint32_t own = *count;
            *count = begin;
            begin += own;
        }
}

#endif
