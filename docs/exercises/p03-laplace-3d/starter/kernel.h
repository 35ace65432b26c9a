/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a sweep of Jacobi's method in two variants, for host files and for the kernel file. */
#ifndef LAPLACE_3D_KERNEL_H
#define LAPLACE_3D_KERNEL_H

#include <heddle/kernel_decl.h>

/* A field of nx * ny * nz cells, x innermost: cell (x, y, z) is element x + nx * (y + ny * z). */
typedef struct extents {
    size_t nx, ny, nz;
} extents;

/* 1/6 in float. */
#define SIXTH 0x1.555556p-3f

/* A sweep: every cell inside becomes
       ((((west + east) + (north + south)) + back) + front) * SIXTH
   where west and east are the neighbours at x - 1 and x + 1, north and south those at y - 1 and
   y + 1, back and front those at z - 1 and z + 1, all of the field `from`. Cells of the six outer
   faces keep their value; `to` gets them too. */
HD_DECLARE(sweep_cells, extents, const float *, float *)   /* a thread per cell */
HD_DECLARE(sweep_columns, extents, const float *, float *) /* a thread per column of nz cells */

#endif
