/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - reads the members of LAYOUT_ITEMS structs per thread: the same member of each of them,
   then the next member. The structs of a thread are a grid apart, so that every request of a warp
   reads neighbouring structs; their loads are in flight together, since one load of 4 bytes per
   thread does not saturate memory. Launch: n / LAYOUT_ITEMS threads in blocks of LAYOUT_BLOCK;
   4 bytes per member; no shared memory. */
#include <heddle/kernel.h>

#include "layout.h"

HD_KERNEL void layout_read(HD_GRID_CONST layout_reads reads, const uint32_t *in, uint32_t *out)
{
    const size_t pitch = reads.split ? 1 : reads.members, step = reads.split ? reads.n : 1;
    const size_t at = hd_global_x() * pitch, apart = reads.n / LAYOUT_ITEMS * pitch;
    uint32_t m, k, found = 0;

    HD_NO_UNROLL
    for (m = 0; m < reads.used; m++)
        HD_UNROLL
    for (k = 0; k < LAYOUT_ITEMS; k++)
        found |= in[at + k * apart + m * step];
    if (found)
        *out = found;
}
HD_DEFINE(layout_read)
