/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a scan in three launches: within blocks, over their totals, and both together. */
#include <heddle/kernel.h>

#include "kernel.h"

/* The map that applies `first` and then `second`. */
HD_DEVICE map then(map first, map second)
{
    /* Your part: s2 (s1 x + u1) + u2 = ... */
    (void)first;
    return second;
}

/* The maps of the lanes up to the own one as one map. Every lane of the warp calls it. */
HD_DEVICE map warp_scan(map m)
{
    /* Your part: hd_shfl_up with the distances 1, 2, 4 ... of both members. */
    return m;
}

/* The maps of the threads up to the own one as one map. Every thread of the block calls it.
   warp_totals: HD_MAX_WARPS_PER_BLOCK elements in shared memory. */
HD_DEVICE map block_scan(map m, map *warp_totals)
{
    /* Your part: warp_scan, then the totals of the warps before the own one. */
    (void)warp_totals;
    return warp_scan(m);
}

/* A thread per element. Reads 8 bytes per element and writes 8. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void scan_blocks(size_t n, const map *HD_RESTRICT maps,
                                                 map *HD_RESTRICT inside, map *HD_RESTRICT totals)
{
    HD_SHARED(map, warp_totals, HD_MAX_WARPS_PER_BLOCK);

    /* Your part. Which map changes nothing? */
    (void)warp_totals, (void)n, (void)maps, (void)inside, (void)totals;
}
HD_DEFINE(scan_blocks)

/* A thread per total. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void scan_totals(size_t blocks, const map *HD_RESTRICT totals,
                                                 map *HD_RESTRICT before)
{
    HD_SHARED(map, warp_totals, HD_MAX_WARPS_PER_BLOCK);

    /* Your part: the same scan, but element b gets what comes before it. */
    (void)warp_totals, (void)blocks, (void)totals, (void)before;
}
HD_DEFINE(scan_totals)

/* A thread per element. Reads 8 bytes per element and writes 4. */
HD_KERNEL void apply_maps(size_t n, uint32_t v0, const map *HD_RESTRICT inside,
                          const map *HD_RESTRICT before, uint32_t *HD_RESTRICT v)
{
    /* Your part: first the map of the blocks before, then that within the block. */
    (void)n, (void)v0, (void)inside, (void)before, (void)v;
}
HD_DEFINE(apply_maps)
