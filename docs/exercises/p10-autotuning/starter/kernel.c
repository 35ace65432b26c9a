/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a stencil: one cell per thread, or four. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_DEVICE float cell(size_t nx, size_t ny, size_t x, size_t y, const float *from)
{
    const float *here = from + y * nx + x;

    if (x == 0 || y == 0 || x + 1 == nx || y + 1 == ny)
        return *here;
    return ((*(here - nx) + here[-1]) + (here[nx] + here[1])) * 0.25f;
}

/* Launch: hd_launch_3d of nx x ny x 1 threads, blocks of any flat shape. */
HD_KERNEL void step_cells(size_t nx, size_t ny, const float *HD_RESTRICT from,
                          float *HD_RESTRICT to)
{
    const size_t x = hd_global_x(), y = hd_global_y();

    if (x < nx && y < ny)
        to[y * nx + x] = cell(nx, ny, x, y, from);
}
HD_DEFINE(step_cells)

/* Launch: hd_launch_3d of ceil(nx / 4) x ny x 1 threads, blocks of any flat shape. */
HD_KERNEL void step_quads(size_t nx, size_t ny, const float *HD_RESTRICT from,
                          float *HD_RESTRICT to)
{
    const size_t first = 4 * hd_global_x(), y = hd_global_y();

    if (y < ny)
        for (size_t x = first; x < first + 4 && x < nx; x++)
            to[y * nx + x] = cell(nx, ny, x, y, from);
}
HD_DEFINE(step_quads)

/* Launch: as step_quads. Has no test in its loop, and leaves out the rest of a row. */
HD_KERNEL void step_short(size_t nx, size_t ny, const float *HD_RESTRICT from,
                          float *HD_RESTRICT to)
{
    const size_t first = 4 * hd_global_x(), y = hd_global_y();

    if (y < ny && first + 4 <= nx)
        for (size_t x = first; x < first + 4; x++)
            to[y * nx + x] = cell(nx, ny, x, y, from);
}
HD_DEFINE(step_short)
