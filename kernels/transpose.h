/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.h - the transposition kernels as host code sees them. */
#ifndef HEDDLE_KERNELS_TRANSPOSE_H
#define HEDDLE_KERNELS_TRANSPOSE_H

#include <heddle/kernel_decl.h>

enum {
    HD__TRANSPOSE_THREADS = 256,
    HD__TRANSPOSE_CLOSE = 16384, /* bytes of rows that stay in a CPU's first cache */
    /* The variants' tiles: so many elements a side, so many rows at once. */
    HD__TRANSPOSE_EDGE = 32,
    HD__TRANSPOSE_ROWS = 8
};

/* One launch: out[c * out_stride + r] = in[r * in_stride + c] for r < rows, c < columns. Tiles are
   numbered along the rows of `in`, `across` of them in a row of tiles. In place (out == in, square,
   one stride) the kernels that swap take pairs of tiles instead. */
typedef struct hd__transpose_task {
    const void *in;
    void *out;
    size_t rows, columns;         /* of in */
    size_t in_stride, out_stride; /* elements from row to row */
    uint32_t tiles;               /* or pairs of tiles */
    uint32_t across;
    uint32_t in_wide, out_wide; /* every row begins at a multiple of a vector */
} hd__transpose_task;

/* Elements a side of a tile of the fast kernels. A thread's vector is 16 bytes, 8 for elements of
   one byte; so many elements are a block of k x k that a thread turns in registers, and a tile is
   16 x 16 of these blocks, or 32 x 32 for elements of 16 bytes. */
HD_BOTH unsigned hd__transpose_edge(size_t bytes)
{
    return bytes <= 2 ? 128 : bytes <= 8 ? 64 : 32;
}

/* Bytes of such a vector. */
HD_BOTH unsigned hd__transpose_vector(size_t bytes)
{
    return bytes == 1 ? 8 : 16;
}

/* Pairs of tiles (i, j), i >= j, of a square of `side` x `side` tiles lie in a rectangle: row y of
   it holds row side' - 1 - y of the triangle, and behind it row y, where side' is the even number
   from `side` on. */
HD_BOTH uint32_t hd__transpose_pairs(uint32_t side)
{
    const uint32_t even = side + (side & 1);
    return even / 2 * (even + 1);
}

/* The pair of that number; 0 where it is none (odd sides leave gaps). */
HD_BOTH int hd__transpose_pair(uint32_t number, uint32_t side, uint32_t *i, uint32_t *j)
{
    const uint32_t even = side + (side & 1);
    const uint32_t y = number / (even + 1), x = number - y * (even + 1);
    *i = x < even - y ? even - 1 - y : y;
    *j = x < even - y ? x : x - (even - y);
    return *i < side;
}

/* X(bytes) */
#define HD__TRANSPOSE_SIZE_LIST(X) X(1) X(2) X(4) X(8) X(16)

/* hd__transpose_<bytes>, hd__transpose_swap_<bytes> in place, and the variants. */
#define HD__TRANSPOSE_DECLARE(bytes)                                                               \
    HD_DECLARE(hd__transpose_##bytes, hd__transpose_task)                                          \
    HD_DECLARE(hd__transpose_swap_##bytes, hd__transpose_task)                                     \
    HD_DECLARE(hd__transpose_naive_##bytes, hd__transpose_task)                                    \
    HD_DECLARE(hd__transpose_coalesced_##bytes, hd__transpose_task)                                \
    HD_DECLARE(hd__transpose_padded_##bytes, hd__transpose_task)
HD__TRANSPOSE_SIZE_LIST(HD__TRANSPOSE_DECLARE)
#undef HD__TRANSPOSE_DECLARE

#endif
