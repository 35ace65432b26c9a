/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - the kernel whose launches `heddle bench launch` compares; the vendor library has the
   same kernel in the vendor's language. */
#include <heddle/kernel.h>

#include "bench.h"

/* y = a * x + y, one element per thread; 12 bytes each. */
HD_KERNEL void launch_axpy_f32(size_t n, float a, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    size_t i = hd_global_x();

    if (i < n)
        y[i] = a * x[i] + y[i];
}
HD_DEFINE(launch_axpy_f32)
