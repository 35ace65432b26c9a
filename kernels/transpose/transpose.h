/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.h - what host code and the transposition kernels share. */
#ifndef HEDDLE_KERNELS_TRANSPOSE_H
#define HEDDLE_KERNELS_TRANSPOSE_H

#include <heddle/kernel_decl.h>

enum {
    HD__TRANSPOSE_THREADS = 256,
    HD__TRANSPOSE_LINE = 32,     /* bytes that a store of the loose kernels fills */
    HD__TRANSPOSE_CLOSE = 16384, /* bytes of rows that stay in a CPU's first cache */
    /* The variants' tiles: elements per side, rows per iteration. */
    HD__TRANSPOSE_EDGE = 32,
    HD__TRANSPOSE_ROWS = 8
};

/* A tile of the loose kernels. */
typedef struct hd__transpose_loose {
    uint32_t rows, columns; /* powers of two */
    uint32_t columns_log;   /* log2 of columns */
    uint32_t near_log;      /* log2 of the vectors of a row of out that lanes store side by side */
    uint32_t vectors;       /* that one of its rows touches, at most HD__TRANSPOSE_THREADS */
    uint32_t pitch;         /* bytes from row to row in shared memory */
    uint32_t bytes;         /* of shared memory */
    uint32_t dense;         /* nothing lies between the rows of in */
    uint32_t flat_in;       /* a tile has whole rows of in, which touch: one piece of memory */
    uint32_t flat_out;      /* the same of out */
} hd__transpose_loose;

/* One launch: out[c * out_stride + r] = in[r * in_stride + c] for r < rows, c < columns. There are
   `across` tiles in a row of `in` and `down` in a column; neighbouring blocks take tiles below each
   other, so that they write along rows of `out`. In place (out == in, square, one stride) the
   kernels that swap take pairs of tiles instead. */
typedef struct hd__transpose_task {
    const void *in;
    void *out;
    size_t rows, columns;             /* of in */
    size_t in_stride, out_stride;     /* elements from row to row */
    uint32_t across, down;            /* tiles */
    uint32_t pairs;                   /* of tiles, in place */
    uint32_t wide;                    /* every row of both begins at a multiple of a vector */
    uint32_t tile_rows, tile_columns; /* of a tile of the fast kernels that one thread takes */
    hd__transpose_loose loose;        /* for the loose kernels */
} hd__transpose_task;

/* Elements per side of a tile of the fast kernels. A thread's vector is 16 bytes, or 8 for elements
   of one byte. With k elements in a vector, a thread transposes k x k elements in registers, and a
   tile is 16 x 16 of these blocks, or 32 x 32 for elements of 16 bytes. */
HD_BOTH unsigned hd__transpose_edge(size_t bytes)
{
    return bytes <= 2 ? 128 : bytes <= 8 ? 64 : 32;
}

/* Bytes of such a vector. */
HD_BOTH unsigned hd__transpose_vector(size_t bytes)
{
    return bytes == 1 ? 8 : 16;
}

/* Whether a block of a grid of x times y takes a further tile: shared memory is reused. */
HD_BOTH int hd__transpose_goes_on(const hd__transpose_task *task, uint32_t x, uint32_t y)
{
    return x < task->down || y < task->across;
}

/* Pairs of tiles (i, j), i >= j, of a square of `side` x `side` tiles lie in a rectangle: row y of
   it holds row side' - 1 - y of the triangle, and behind it row y, where side' is the even number
   from `side` on. */
HD_BOTH uint32_t hd__transpose_pairs(uint32_t side)
{
    const uint32_t even = side + (side & 1);
    return even / 2 * (even + 1);
}

/* The pair with that number; 0 if there is none (odd sides leave gaps). */
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

/* hd__transpose_<bytes>, hd__transpose_loose_<bytes> where rows are not aligned or few,
   hd__transpose_flat_<bytes> where they are short and touch,
   hd__transpose_swap_<bytes> in place, and the variants. */
#define HD__TRANSPOSE_DECLARE(bytes)                                                               \
    HD_DECLARE(hd__transpose_##bytes, hd__transpose_task)                                          \
    HD_DECLARE(hd__transpose_flat_##bytes, hd__transpose_task)                                     \
    HD_DECLARE(hd__transpose_loose_##bytes, hd__transpose_task)                                    \
    HD_DECLARE(hd__transpose_swap_##bytes, hd__transpose_task)                                     \
    HD_DECLARE(hd__transpose_naive_##bytes, hd__transpose_task)                                    \
    HD_DECLARE(hd__transpose_coalesced_##bytes, hd__transpose_task)                                \
    HD_DECLARE(hd__transpose_padded_##bytes, hd__transpose_task)
HD__TRANSPOSE_SIZE_LIST(HD__TRANSPOSE_DECLARE)
#undef HD__TRANSPOSE_DECLARE

#endif
