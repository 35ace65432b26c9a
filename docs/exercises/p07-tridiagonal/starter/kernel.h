/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - solvers of many tridiagonal systems, for host files and for their kernel file. */
#ifndef TRIDIAGONAL_KERNEL_H
#define TRIDIAGONAL_KERNEL_H

#include <heddle/kernel_decl.h>

/* BLOCK: threads of a block, and the maximum number of rows of a system in shared memory.
   GROUP: lanes that solve a small system, and its maximum number of rows. A group is a whole warp
   on devices with warps of 32 lanes, and half a warp on those with 64. */
enum { BLOCK = 256, GROUP = 32 };

/* Systems of `rows` rows each, one after the other in memory: row i of a system says
       lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = right[i].
   lower of the first row and upper of the last one are not used. */
typedef struct batch {
    size_t rows, systems;
    const float *lower, *diagonal, *upper, *right;
} batch;

HD_DECLARE(solve_shared, batch, float *)   /* a block per system, up to BLOCK rows */
HD_DECLARE(solve_shuffles, batch, float *) /* GROUP lanes per system, up to GROUP rows */

#endif
