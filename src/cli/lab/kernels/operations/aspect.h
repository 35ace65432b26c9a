/* SPDX-License-Identifier: Apache-2.0 */
/* aspect.h - the kernel of `heddle lab aspect`: a five-point sum in blocks of any shape. */
#ifndef HEDDLE_CLI_LAB_KERNELS_OPERATIONS_ASPECT_H
#define HEDDLE_CLI_LAB_KERNELS_OPERATIONS_ASPECT_H

#include <heddle/kernel_decl.h>

/* Threads per block; words before and after the cells of a row, and rows above and below. */
enum { ASPECT_THREADS = 256, ASPECT_MARGIN = 32, ASPECT_ROWS = 1 };

/* Rows of `pitch` words. Cell (x, y) of out becomes the sum of that cell of `in` and its four
   neighbours, modulo 2^32. One thread per cell; both pointers are to cell (0, 0). */
HD_DECLARE(aspect_sum, uint32_t, const uint32_t *, uint32_t *)

#endif
