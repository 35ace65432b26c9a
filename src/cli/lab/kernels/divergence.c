/* SPDX-License-Identifier: Apache-2.0 */
/* divergence.c - two paths of the same instructions. Launch: blocks of DIVERGENCE_BLOCK threads; no
   shared memory. */
#include <heddle/kernel.h>

#include "divergence.h"

/* Both paths have the same operations on the same table, so that a step of either takes the same
   time. Compilers cannot merge them: multipliers and shifts differ. */
HD_DEVICE uint32_t path_a(const uint32_t *table, uint32_t v, uint32_t turns)
{
    uint32_t t;

    HD_NO_UNROLL
    for (t = 0; t < turns; t++)
        v = v * 1664525u + table[v >> 8 & (DIVERGENCE_TABLE - 1)];
    return v;
}

HD_DEVICE uint32_t path_b(const uint32_t *table, uint32_t v, uint32_t turns)
{
    uint32_t t;

    HD_NO_UNROLL
    for (t = 0; t < turns; t++)
        v = v * 22695477u + table[v >> 16 & (DIVERGENCE_TABLE - 1)];
    return v;
}

HD_KERNEL void divergence_work(HD_GRID_CONST divergence_split split, const uint32_t *in,
                               uint32_t *out)
{
    uint32_t v = (uint32_t)hd_global_x() * 2654435761u;
    int a = hd_lane() * split.of < split.taken * hd_warp_size();

    if (split.by_warp)
        a = (hd_block_x() * hd_warps_per_block() + hd_warp()) % split.of < split.taken;
    if (a)
        v = path_a(in, v, split.turns);
    else
        v = path_b(in, v, split.turns);
    if (v == 1)
        *out = v;
}
HD_DEFINE(divergence_work)

HD_KERNEL void branches_run(HD_GRID_CONST branches_work work, const uint32_t *in,
                            const uint32_t *elements, uint32_t *out)
{
    uint32_t i = (uint32_t)hd_global_x(), v = i * 2654435761u;
    int a = work.which != BRANCHES_BOUNDARY;

    if (i >= work.count)
        return;
    if (work.which == BRANCHES_ELEMENTS)
        a = elements[i] < work.below;
    if (work.which == BRANCHES_FIELD)
        a = branches_inside(i, work.width, work.count / work.width);
    if (a)
        v = path_a(in, v, work.turns);
    else
        v = path_b(in, v, work.turns);
    if (v == 1)
        *out = v;
}
HD_DEFINE(branches_run)
