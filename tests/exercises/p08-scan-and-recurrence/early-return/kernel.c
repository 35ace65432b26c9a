/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a scan in three launches: within blocks, over their totals, and both together. */
#include <heddle/kernel.h>

#include "kernel.h"

/* The map that applies `first` and then `second`. */
HD_DEVICE map then(map first, map second)
{
    const map both = {second.s * first.s, second.s * first.u + second.u};

    return both;
}

/* The maps of the lanes up to the own one as one map. Every lane of the warp calls it. */
HD_DEVICE map warp_scan(map m)
{
    for (int d = 1; d < (int)hd_warp_size(); d *= 2) {
        const map below = {hd_shfl_up(m.s, d, (int)hd_warp_size()),
                           hd_shfl_up(m.u, d, (int)hd_warp_size())};

        /* Lanes below d already have everything, and got their own map back from the shuffle. The
           maps of lower lanes come first: the order matters, since maps do not commute. */
        if (hd_lane() >= (unsigned)d)
            m = then(below, m);
    }
    return m;
}

/* The maps of the threads up to the own one as one map. Every thread of the block calls it.
   warp_totals: HD_MAX_WARPS_PER_BLOCK elements in shared memory. */
HD_DEVICE map block_scan(map m, map *warp_totals)
{
    map before = {1, 0}; /* x -> x */

    m = warp_scan(m);
    if (hd_lane() == hd_warp_size() - 1)
        warp_totals[hd_warp()] = m;
    hd_sync_block();
    for (unsigned w = 0; w < hd_warp(); w++)
        before = then(before, warp_totals[w]);
    return then(before, m);
}

/* A thread per element. Reads 8 bytes per element and writes 8. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void scan_blocks(size_t n, const map *HD_RESTRICT maps,
                                                 map *HD_RESTRICT inside, map *HD_RESTRICT totals)
{
    HD_SHARED(map, warp_totals, HD_MAX_WARPS_PER_BLOCK);

    const size_t i = hd_global_x();
    if (i >= n)
        return;
    const map m = block_scan(maps[i], warp_totals);

    if (i < n)
        inside[i] = m;
    if (hd_thread_x() ==
        BLOCK - 1) /* exists in every block, and its maps beyond n change nothing */
        totals[hd_block_x()] = m;
}
HD_DEFINE(scan_blocks)

/* A thread per total. */
HD_KERNEL HD_MAX_THREADS(BLOCK) void scan_totals(size_t blocks, const map *HD_RESTRICT totals,
                                                 map *HD_RESTRICT before)
{
    HD_SHARED(map, warp_totals, HD_MAX_WARPS_PER_BLOCK);

    const size_t b = hd_thread_x();
    const map nothing = {1, 0};
    const map m = block_scan(b < blocks ? totals[b] : nothing, warp_totals);

    if (b == 0)
        before[0] = nothing;
    if (b + 1 < blocks) /* what ends here comes before the next one */
        before[b + 1] = m;
}
HD_DEFINE(scan_totals)

/* A thread per element. Reads 8 bytes per element and writes 4. */
HD_KERNEL void apply_maps(size_t n, uint32_t v0, const map *HD_RESTRICT inside,
                          const map *HD_RESTRICT before, uint32_t *HD_RESTRICT v)
{
    const size_t i = hd_global_x();

    if (i >= n)
        return;
    const map m = then(before[hd_block_x()], inside[i]);

    v[i] = m.s * v0 + m.u;
}
HD_DEFINE(apply_maps)
