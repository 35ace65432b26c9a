/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - a stencil in three variants, for host files and for the kernel file. */
#ifndef AUTOTUNING_KERNEL_H
#define AUTOTUNING_KERNEL_H

#include <heddle/kernel_decl.h>

/* A step on a field of nx x ny cells: to = ((north + west) + (south + east)) * 0.25; the outermost
   cells keep their value. All variants compute a cell by the same operations. */
HD_DECLARE(step_cells, size_t, size_t, const float *, float *) /* a thread computes one cell */
HD_DECLARE(step_quads, size_t, size_t, const float *, float *) /* four cells of a row */
HD_DECLARE(step_short, size_t, size_t, const float *, float *) /* four, if nx is a multiple of 4 */

#endif
