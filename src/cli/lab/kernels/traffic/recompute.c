/* SPDX-License-Identifier: Apache-2.0 */
/* recompute.c - grid-stride; 8 bytes and 2 steps + 1 operations per element, or 12 bytes and 1. No
   shared memory. */
#include <heddle/kernel.h>

#include "recompute.h"

HD_KERNEL void recompute_again(size_t n, uint32_t steps, float a, float b,
                               const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        const float x = in[i];
        float w = x - x; /* 0, which the compiler may not assume: x could be infinite */
        uint32_t step;

        for (step = 0; step < steps; step++)
            w = hd_fma(w, a, b);
        out[i] = x * w;
    }
}
HD_DEFINE(recompute_again)

HD_KERNEL void recompute_fetch(size_t n, const float *HD_RESTRICT table,
                               const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[i] = in[i] * table[i];
    }
}
HD_DEFINE(recompute_fetch)
