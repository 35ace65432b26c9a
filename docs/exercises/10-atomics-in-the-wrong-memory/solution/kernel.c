/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - every particle adds its weight to the cell that it is in. */
#include <heddle/kernel.h>

#include "kernel.h"

/* One thread per particle. Many particles are in the same cell, and other devices add to the same
   cells, in memory that is not this device's own. Only the _system form is an atomic operation for
   all of them; the plain form may use an instruction that works in device memory only. */
HD_KERNEL void deposit(size_t n, const uint32_t *HD_RESTRICT cell, const float *HD_RESTRICT weight,
                       float *charge)
{
    size_t i = hd_global_x();

    if (i < n)
        (void)hd_atomic_add_system(&charge[cell[i]], weight[i]);
}
HD_DEFINE(deposit)
