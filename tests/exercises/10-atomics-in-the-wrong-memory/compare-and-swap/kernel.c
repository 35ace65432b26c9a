/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - every particle adds its weight to the cell that it is in. */
#include <heddle/kernel.h>

#include "kernel.h"

/* Adds by compare and swap, which hardware has for every memory. */
HD_DEVICE void add(float *sum, float v)
{
    float seen = hd_load_relaxed(sum), before;

    for (;;) {
        before = hd_atomic_cas(sum, seen, seen + v);
        if (hd_f32_bits(before) == hd_f32_bits(seen))
            return;
        seen = before;
    }
}

HD_KERNEL void deposit(size_t n, const uint32_t *HD_RESTRICT cell, const float *HD_RESTRICT weight,
                       float *charge)
{
    size_t i = hd_global_x();

    if (i < n)
        add(&charge[cell[i]], weight[i]);
}
HD_DEFINE(deposit)
