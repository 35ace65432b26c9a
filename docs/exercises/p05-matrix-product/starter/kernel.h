/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - matrix products, for host files and for their kernel file. */
#ifndef MATRIX_PRODUCT_KERNEL_H
#define MATRIX_PRODUCT_KERNEL_H

#include <heddle/kernel_decl.h>

/* A block computes a tile of TILE x TILE elements of c. In product_rows a thread computes ROWS
   elements of a column of the tile, and the block has TILE / ROWS rows of threads. */
enum { TILE = 16, ROWS = 4 };

/* c = a b: a has m rows of k elements, b k rows of n, c m rows of n; rows are contiguous. */
typedef struct sizes {
    size_t m, n, k;
} sizes;

HD_DECLARE(product_plain, sizes, const float *, const float *, float *)
HD_DECLARE(product_tiles, sizes, const float *, const float *, float *)
HD_DECLARE(product_rows, sizes, const float *, const float *, float *)

#endif
