/* SPDX-License-Identifier: Apache-2.0 */
/* recompute.c - grid-stride over vectors of four elements; 8 bytes and 2 steps + 1 operations per
   element, or 12 bytes and 1. No shared memory.

   Loads of 16 bytes keep as many bytes in flight as memory needs, and the four elements are
   independent, so that the multiply-adds run at the device's rate although each waits for the one
   before. */
#include <heddle/device/vector.h>
#include <heddle/kernel.h>

#include "recompute.h"

HD_KERNEL void recompute_again(size_t vectors, uint32_t steps, float a, float b,
                               const hd_f32x4 *HD_RESTRICT in, hd_f32x4 *HD_RESTRICT out)
{
    hd_f32x4 factor = hd_f32x4_set(a), summand = hd_f32x4_set(b);

    HD_FOR(i, vectors) {
        const hd_f32x4 x = in[i];
        hd_f32x4 w = hd_f32x4_sub(x, x); /* 0, unknown to the compiler: x could be infinite */
        uint32_t step;

        for (step = 0; step < steps; step++)
            w = hd_f32x4_fma(w, factor, summand);
        out[i] = hd_f32x4_mul(x, w);
    }
}
HD_DEFINE(recompute_again)

HD_KERNEL void recompute_fetch(size_t vectors, const hd_f32x4 *HD_RESTRICT table,
                               const hd_f32x4 *HD_RESTRICT in, hd_f32x4 *HD_RESTRICT out)
{
    HD_FOR(i, vectors) {
        out[i] = hd_f32x4_mul(in[i], table[i]);
    }
}
HD_DEFINE(recompute_fetch)
