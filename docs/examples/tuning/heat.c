/* SPDX-License-Identifier: Apache-2.0 */
/* heat.c - a 5-point stencil whose launch shape is left open. */
#include <heddle/kernel.h>

#include "heat.h"

/* The cells of one thread: x, and `rows` rows from the thread's first one on. The compiler knows
   `rows` and unrolls the loop. Every cell is computed by the same operations in the same order,
   whichever thread does it, so every shape gives the same bits. */
HD_DEVICE void heat_cells(size_t nx, size_t ny, float c, const float *HD_RESTRICT from,
                          float *HD_RESTRICT to, size_t rows)
{
    const size_t x = hd_global_x(), first = hd_global_y() * rows;

    if (x >= nx)
        return;
    for (size_t y = first; y < first + rows && y < ny; y++) {
        const float *cell = from + y * nx + x;
        float v = *cell;
        if (x > 0 && x + 1 < nx && y > 0 && y + 1 < ny)
            v += c * (cell[-1] + cell[1] + *(cell - nx) + cell[nx] - 4.0f * v);
        to[y * nx + x] = v;
    }
}

/* Launch: blocks of any shape that cover nx x ny threads. Memory: about 8 bytes per cell, because
   neighbours come from the cache. */
HD_KERNEL void heat_1(size_t nx, size_t ny, float c, const float *HD_RESTRICT from,
                      float *HD_RESTRICT to)
{
    heat_cells(nx, ny, c, from, to, 1);
}
HD_DEFINE(heat_1)

/* Launch: blocks of any shape that cover nx x (ny / 4, rounded up) threads. */
HD_KERNEL void heat_4(size_t nx, size_t ny, float c, const float *HD_RESTRICT from,
                      float *HD_RESTRICT to)
{
    heat_cells(nx, ny, c, from, to, 4);
}
HD_DEFINE(heat_4)
