/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a sweep by threads for cells, and by threads for columns. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A thread computes one cell. Launch: hd_launch_3d of nx x ny x nz threads, blocks of any shape.
   8 bytes per cell, if the neighbours come from the cache. */
HD_KERNEL void sweep_cells(HD_GRID_CONST extents e, const float *HD_RESTRICT from,
                           float *HD_RESTRICT to)
{
    const size_t x = hd_global_x(), y = hd_global_y(), z = hd_global_z();
    const size_t row = e.nx, plane = e.nx * e.ny, i = x + row * y + plane * z;

    if (x >= e.nx || y >= e.ny || z >= e.nz)
        return;
    if (x > 0 && x + 1 < e.nx && y > 0 && y + 1 < e.ny && z > 0 && z + 1 < e.nz)
        to[i] = ((((from[i - 1] + from[i + 1]) + (from[i - row] + from[i + row])) +
                  from[i - plane]) +
                 from[i + plane]) *
                SIXTH;
}
HD_DEFINE(sweep_cells)

/* A thread computes the cells (x, y, 0) to (x, y, nz - 1) one after the other. Launch: hd_launch_3d
   of nx x ny x 1 threads, blocks of any flat shape. 8 bytes per cell, if the four neighbours in the
   plane come from the cache: back and the cell itself are in registers. */
HD_KERNEL void sweep_columns(HD_GRID_CONST extents e, const float *HD_RESTRICT from,
                             float *HD_RESTRICT to)
{
    const size_t x = hd_global_x(), y = hd_global_y();
    const size_t row = e.nx, plane = e.nx * e.ny;

    if (x >= e.nx || y >= e.ny)
        return;
    const int inside = x > 0 && x + 1 < e.nx && y > 0 && y + 1 < e.ny;
    size_t i = x + row * y;
    float back = 0.0f, here = from[i];

    for (size_t z = 0; z < e.nz; z++, i += plane) {
        /* The only load of this column's cells: what is front now is here in the next plane. */
        const float front = z + 1 < e.nz ? from[i + plane] : 0.0f;
        float v = here;

        if (inside && z > 0 && z + 1 < e.nz)
            v = ((((from[i - 1] + from[i + 1]) + (from[i - row] + from[i + row])) + back) + front) *
                SIXTH;
        to[i] = v;
        back = here;
        here = front;
    }
}
HD_DEFINE(sweep_columns)
