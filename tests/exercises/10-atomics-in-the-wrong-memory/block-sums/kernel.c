/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - every particle adds its weight to the cell that it is in. */
#include <heddle/kernel.h>

#include "kernel.h"

enum { CELLS = 16 };

/* Blocks sum in shared memory first: fewer atomics in host memory. */
HD_KERNEL void deposit(size_t n, const uint32_t *HD_RESTRICT cell, const float *HD_RESTRICT weight,
                       float *charge)
{
    HD_SHARED(float, sum, CELLS);
    size_t i = hd_global_x();
    unsigned t = hd_thread_x();

    if (t < CELLS)
        sum[t] = 0.0f;
    hd_sync_block();
    if (i < n)
        (void)hd_atomic_add_block(&sum[cell[i]], weight[i]);
    hd_sync_block();
    if (t < CELLS)
        (void)hd_atomic_add(&charge[t], sum[t]);
}
HD_DEFINE(deposit)
