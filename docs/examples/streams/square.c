/* SPDX-License-Identifier: Apache-2.0 */
/* square.c - an element-wise kernel. */
#include <heddle/kernel.h>

#include "square.h"

/* The grid shares the elements out; launch with hd_launch_loop. 8 bytes per element. */
HD_KERNEL void square_f32(size_t n, const float *HD_RESTRICT x, float *HD_RESTRICT y)
{
    HD_FOR(i, n)
        y[i] = x[i] * x[i];
}
HD_DEFINE(square_f32)
