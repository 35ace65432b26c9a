/* SPDX-License-Identifier: Apache-2.0 */
/* axpy.c - the kernel of the tour: ordinary C that every backend's compiler accepts. */
#include <heddle/kernel.h>

#include "axpy.h"

HD_KERNEL void axpy_f32(size_t n, float a, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    size_t i = hd_global_x();

    if (i < n)
        y[i] = a * x[i] + y[i];
}
HD_DEFINE(axpy_f32)
