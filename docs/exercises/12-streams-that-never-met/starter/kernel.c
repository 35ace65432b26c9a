/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the kernel of the exercise; there is nothing wrong with it. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void add_squares(size_t n, const float *HD_RESTRICT x, float *HD_RESTRICT sums)
{
    size_t i = hd_global_x();

    if (i < n)
        sums[i] += x[i] * x[i];
}
HD_DEFINE(add_squares)
