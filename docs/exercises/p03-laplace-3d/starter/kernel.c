/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - a sweep by threads for cells, and by threads for columns. */
#include <heddle/kernel.h>

#include "kernel.h"

/* A thread computes one cell. Launch: hd_launch_3d of nx x ny x nz threads, blocks of any shape.
   8 bytes per cell, if the neighbours come from the cache. */
HD_KERNEL void sweep_cells(HD_GRID_CONST extents e, const float *HD_RESTRICT from,
                           float *HD_RESTRICT to)
{
    /* Your part: which cell is it, does it exist, is it on a face? */
    (void)e, (void)from, (void)to;
}
HD_DEFINE(sweep_cells)

/* A thread computes the cells (x, y, 0) to (x, y, nz - 1) one after the other. Launch: hd_launch_3d
   of nx x ny x 1 threads, blocks of any flat shape. 8 bytes per cell, if the four neighbours in the
   plane come from the cache: back and the cell itself are in registers. */
HD_KERNEL void sweep_columns(HD_GRID_CONST extents e, const float *HD_RESTRICT from,
                             float *HD_RESTRICT to)
{
    /* Your part: the same with a loop over z. Load each cell of the column only once. */
    (void)e, (void)from, (void)to;
}
HD_DEFINE(sweep_columns)
