/* SPDX-License-Identifier: Apache-2.0 */
/* workingset.c - coalesced reads of 16 bytes around a working set. Launch: any number of blocks of
   WORKINGSET_BLOCK threads; no shared memory. */
#include <heddle/kernel.h>

#include "workingset.h"

HD_KERNEL HD_MAX_THREADS(WORKINGSET_BLOCK) void workingset_read(uint32_t n, uint32_t steps,
                                                                const hd_u32x4 *in, uint32_t *sums)
{
    const uint32_t parts = n / WORKINGSET_BLOCK;
    const uint32_t first = (uint32_t)((uint64_t)hd_block_x() * parts / hd_grid_dim_x());
    uint32_t i = first * WORKINGSET_BLOCK + hd_thread_x(), sum = 0, step;

    HD_UNROLL_N(4)
    for (step = 0; step < steps; step++) {
        const hd_u32x4 v = in[i];

        sum += v.x + v.y + v.z + v.w;
        i += WORKINGSET_BLOCK;
        i = i < n ? i : i - n;
    }
    sums[hd_global_x()] = sum;
}
HD_DEFINE(workingset_read)
