/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a stencil on rows of a part, for host files and for its kernel file. */
#ifndef MPI_RANKS_KERNEL_H
#define MPI_RANKS_KERNEL_H

#include <heddle/kernel_decl.h>

enum { NX = 64 };

/* A step on `rows` rows of NX cells: to = ((north + west) + (south + east)) * 0.25, with the row
   above the first and the one below the last. The first and last column keep their value. `from`
   and `to` point to the first of the rows. Launch: hd_launch_3d of NX x rows x 1 threads. */
HD_DECLARE(step_rows, size_t, const float *, float *)

#endif
