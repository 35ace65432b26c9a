/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - sums the rows of a matrix. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A warp takes row after row, at a distance of all warps of the grid: right for any number of
   warps. Its lanes go over the columns. */
HD_KERNEL void row_sums(size_t rows, const float *HD_RESTRICT x, float *HD_RESTRICT sums)
{
    size_t warps = hd_global_size_x() / hd_warp_size();

    for (size_t row = hd_global_x() / hd_warp_size(); row < rows; row += warps) {
        float v = 0.0f;

        for (unsigned c = hd_lane(); c < COLUMNS; c += hd_warp_size())
            v += x[row * COLUMNS + c];
        v = hd_warp_sum(v);
        if (hd_lane() == 0)
            sums[row] = v;
    }
}
HD_DEFINE(row_sums)
