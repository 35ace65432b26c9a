/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - the sum of two vectors, and a greeting from one thread. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A thread adds one element. Launch: hd_launch_1d of n elements, so that the last block may have
   threads beyond the end. 12 bytes per element. */
HD_KERNEL void add_f32(size_t n, const float *HD_RESTRICT x, const float *HD_RESTRICT y,
                       float *HD_RESTRICT sum)
{
    const size_t i = hd_global_x();

    (void)n;
    sum[i] = x[i] + y[i];
}
HD_DEFINE(add_f32)

/* Prints "hello from thread T of block B, number I in the grid". Launch: any grid and block. */
HD_KERNEL void hello(unsigned block, unsigned thread, uint32_t *index)
{
    if (hd_block_x() != block || hd_thread_x() != thread)
        return;
    *index = (uint32_t)hd_global_x();
    hd_printf("hello from thread %u of block %u, number %u in the grid\n", thread, block, *index);
}
HD_DEFINE(hello)
