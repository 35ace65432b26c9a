/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - sums the rows of a matrix. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A warp per row; its lanes go over the columns. */
HD_KERNEL void row_sums(size_t rows, const float *HD_RESTRICT x, float *HD_RESTRICT sums)
{
    size_t row = hd_global_x() / hd_warp_size();
    float v = 0.0f;

    if (row < rows) {
        for (unsigned c = hd_lane(); c < COLUMNS; c += hd_warp_size())
            v += x[row * COLUMNS + c];
        v = hd_warp_sum(v);
        if (hd_lane() == 0)
            sums[row] = v;
    }
}
HD_DEFINE(row_sums)
