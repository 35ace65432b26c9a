/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.c - small kernels that depend on each other. */
#include <heddle/kernel.h>

#include "nodes.h"

/* A block computes one cell; each thread computes one number and reads every hd_block_threads()-th
   node of the list. Reads 8 bytes per node of the list, writes 4; shared memory: that of
   hd_block_sum. */
HD_KERNEL void node_step(uint32_t *cells, const uint32_t *list, unsigned count, unsigned self,
                         unsigned turns)
{
    uint32_t blocks = hd_grid_dim_x(), block = hd_block_x();
    uint32_t v = node_turns(turns, self + (uint32_t)hd_global_x());
    unsigned i;

    for (i = hd_thread_linear(); i < count; i += hd_block_threads())
        v += node_mix(cells[list[i] * blocks + block]);
    v = hd_block_sum(v);
    if (hd_thread_linear() == 0)
        cells[self * blocks + block] = v;
}
HD_DEFINE(node_step)

HD_KERNEL void node_nothing(void)
{
}
HD_DEFINE(node_nothing)
