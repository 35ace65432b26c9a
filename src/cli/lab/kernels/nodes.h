/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.h - small kernels, dependent or not, for `heddle graph`. */
#ifndef HEDDLE_CLI_LAB_KERNELS_NODES_H
#define HEDDLE_CLI_LAB_KERNELS_NODES_H

#include <heddle/kernel_decl.h>

/* Cell (self, block) becomes the sum of node_turns over the block's threads, and of node_mix over
   the cells of the listed nodes, for the same block. */
HD_DECLARE(node_step, uint32_t *, const uint32_t *, unsigned, unsigned, unsigned)
HD_DECLARE(node_nothing)

/* `turns` steps of a linear congruential generator. */
HD_BOTH uint32_t node_turns(unsigned turns, uint32_t v)
{
    unsigned t;

    for (t = 0; t < turns; t++)
        v = v * 1664525u + 1013904223u;
    return v;
}

HD_BOTH uint32_t node_mix(uint32_t cell)
{
    return cell * 2654435761u + 1u;
}

#endif
