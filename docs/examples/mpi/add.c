/* SPDX-License-Identifier: Apache-2.0 */
/* add.c - an element-wise kernel. */
#include <heddle/kernel.h>

#include "add.h"

/* The grid shares the elements out; launch with hd_launch_loop. 24 bytes per element. */
HD_KERNEL void add_i64(size_t n, const int64_t *HD_RESTRICT x, int64_t *HD_RESTRICT sum)
{
    HD_FOR(i, n)
        sum[i] += x[i];
}
HD_DEFINE(add_i64)
