/* SPDX-License-Identifier: Apache-2.0 */
/* heat.c - a 5-point stencil on a part of a field. */
#include <heddle/kernel.h>

#include "heat.h"

/* A block computes a rectangle of its own shape, a thread one cell. Launch: hd_launch_3d of nx x ny
   threads. Neighbours of a cell come from the cache: about 8 bytes of memory traffic per cell. */
HD_KERNEL void heat_f32(size_t nx, size_t ny, size_t pitch, float c, const float *HD_RESTRICT from,
                        float *HD_RESTRICT to)
{
    size_t x = hd_global_x(), y = hd_global_y();

    if (x >= nx || y >= ny)
        return;
    const float *cell = from + y * pitch + x; /* with y = 0, cell - pitch is in row -1 */
    float v = *cell;

    if (x > 0 && x + 1 < nx)
        v += c * (cell[-1] + cell[1] + *(cell - pitch) + cell[pitch] - 4.0f * v);
    to[y * pitch + x] = v;
}
HD_DEFINE(heat_f32)
