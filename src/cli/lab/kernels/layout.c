/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - reads the members of one struct per thread, one after the other. Launch: n threads in
   blocks of LAYOUT_BLOCK; 4 bytes per member; no shared memory. */
#include <heddle/kernel.h>

#include "layout.h"

HD_KERNEL void layout_read(HD_GRID_CONST layout_reads reads, const uint32_t *in, uint32_t *out)
{
    size_t at = hd_global_x() * (reads.split ? 1 : reads.members);
    size_t step = reads.split ? reads.n : 1;
    uint32_t m, found = 0;

    HD_NO_UNROLL
    for (m = 0; m < reads.used; m++)
        found |= in[at + m * step];
    if (found)
        *out = found;
}
HD_DEFINE(layout_read)
