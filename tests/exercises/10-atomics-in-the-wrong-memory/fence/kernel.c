/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - every particle adds its weight to the cell that it is in. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread per particle. Many particles are in the same cell. */
HD_KERNEL void deposit(size_t n, const uint32_t *HD_RESTRICT cell, const float *HD_RESTRICT weight,
                       float *charge)
{
    size_t i = hd_global_x();

    if (i < n) {
        (void)hd_atomic_add(&charge[cell[i]], weight[i]);
        hd_fence_system(); /* every device sees it */
    }
}
HD_DEFINE(deposit)
