/* SPDX-License-Identifier: Apache-2.0 */
/* workingset.c - coalesced reads of 16 bytes around a working set. Launch: any number of blocks of
   WORKINGSET_BLOCK threads; no shared memory.

   Were the parts read in the same order by all blocks, those behind would find in a cache what the
   first has read, catch up, and from then on share each miss: the rate of one level would look
   like that of the next faster one. */
#include <heddle/kernel.h>

#include "workingset.h"

/* The stride between the parts of block b: odd, so that it reads all parts before any again. */
HD_DEVICE uint32_t stride_of(uint32_t b)
{
    return b * 2246822519u >> 8 | 1;
}

HD_KERNEL HD_MAX_THREADS(WORKINGSET_BLOCK) void workingset_read(uint32_t parts, uint32_t steps,
                                                                const hd_u32x4 *in, uint32_t *sums)
{
    const uint32_t block = (uint32_t)hd_block_x(), stride = stride_of(block);
    uint32_t part = (block * 2654435761u >> 8) & (parts - 1), sum = 0, step;

    HD_UNROLL_N(4)
    for (step = 0; step < steps; step++) {
        const hd_u32x4 v = in[part * WORKINGSET_BLOCK + hd_thread_x()];

        sum += v.x + v.y + v.z + v.w;
        part = (part + stride) & (parts - 1);
    }
    sums[hd_global_x()] = sum;
}
HD_DEFINE(workingset_read)
