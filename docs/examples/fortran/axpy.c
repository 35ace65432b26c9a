/* SPDX-License-Identifier: Apache-2.0 */
/* axpy.c - the kernel of the example: C, like every kernel. */
#include <heddle/kernel.h>

#include "axpy.h"

/* A thread computes one element; launch with hd_launch_1d. 24 bytes per element. */
HD_KERNEL void axpy_f64(size_t n, double a, const double *HD_RESTRICT x, double *HD_RESTRICT y)
{
    size_t i = hd_global_x();

    if (i < n)
        y[i] = a * x[i] + y[i];
}
HD_DEFINE(axpy_f64)
