/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - two element-wise kernels. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void scale_f32(size_t n, float a, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    HD_FOR(i, n)
        y[i] = a * x[i];
}
HD_DEFINE(scale_f32)

HD_KERNEL void add_f32(size_t n, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    HD_FOR(i, n)
        y[i] += x[i];
}
HD_DEFINE(add_f32)
