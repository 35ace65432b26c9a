/* SPDX-License-Identifier: Apache-2.0 */
/* remote.c - latency of loads and rate of atomics. */
#include <heddle/kernel.h>

#include "remote.h"

/* Pointer chasing by one thread: each load gives the index of the next, so that loads do not
   overlap. Link i is word i * REMOTE_STRIDE. */
HD_KERNEL void remote_chase(unsigned steps, const uint32_t *chain, uint32_t first, uint32_t *last)
{
    uint32_t at = first;

    if (hd_global_x() != 0)
        return;
    for (unsigned i = 0; i < steps; i++)
        at = hd_load_l2(chain + (size_t)at * REMOTE_STRIDE);
    *last = at;
}
HD_DEFINE(remote_chase)

/* Each thread adds 1 to its cell `turns` times; if there are fewer cells than threads, they share
   cells. */
HD_KERNEL void remote_atomics(unsigned turns, uint32_t cells, uint32_t *cell)
{
    const uint32_t mine = (uint32_t)hd_global_x() & (cells - 1u);

    for (unsigned i = 0; i < turns; i++)
        (void)hd_atomic_add_system(cell + mine, 1u);
}
HD_DEFINE(remote_atomics)
