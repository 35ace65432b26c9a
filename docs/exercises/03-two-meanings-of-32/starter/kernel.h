/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernels of the exercise, for main.c and kernel.c. The bitmap has one bit per
   cell of a matrix and 32 cells per word: cell c of row r is bit c % 32 of bits[r * words + c /
   32]. A row has a whole number of words. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 128 }; /* threads of a block */

/* Sets the bit of each cell that is at least `limit`. Arguments: limit, cells, bits. Launch:
   blocks of BLOCK threads, one thread per cell; the number of cells is a multiple of BLOCK. */
HD_DECLARE(make_bitmap, uint32_t, const uint32_t *, uint32_t *)

/* counts[r] = number of bits that are set in row r. Arguments: rows, words of a row, bits, counts.
   Launch: any number of blocks of BLOCK threads; each warp counts every so many rows. */
HD_DECLARE(count_rows, size_t, size_t, const uint32_t *, uint32_t *)

#endif
