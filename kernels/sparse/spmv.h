/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.h - products of sparse matrices with vectors: what host and kernels share. */
#ifndef HEDDLE_KERNELS_SPARSE_SPMV_H
#define HEDDLE_KERNELS_SPARSE_SPMV_H

#include <heddle/kernel_decl.h>

enum {
    HD__SPMV_THREADS = 256,
    /* The order of additions: these decide bits. */
    HD__SPMV_SHORT = 32,   /* entries of a row that is added from left to right, at most */
    HD__SPMV_MEDIUM = 512, /* of one that is added in HD__SPMV_LANES sums */
    HD__SPMV_PIECE = 2048, /* of one piece of a longer row, which has HD__SPMV_SLOTS sums */
    HD__SPMV_LANES = 32,
    HD__SPMV_SLOTS = HD__SPMV_THREADS,
    /* Rows and entries of a chunk; no more than a piece, so that of one row at most one piece
       begins in a chunk. With the end of its last row, where that is short, eight turns of a
       block. */
    HD__SPMV_CHUNK = 2016,
    HD__SPMV_STAGED = HD__SPMV_CHUNK + HD__SPMV_SHORT, /* products in shared memory */
    /* Rows of a chunk that are not short, at most. */
    HD__SPMV_OTHERS = HD__SPMV_CHUNK / HD__SPMV_SHORT + 1,
    HD__SPMV_TURNS = HD__SPMV_STAGED / HD__SPMV_THREADS
};

#define HD__SPMV_CONTINUES ((uint64_t)1 << 63)

/* Row r begins at place offsets[r] + r of a line of rows and entries, which is cut into chunks of
   HD__SPMV_CHUNK places. A chunk has the rows that begin in it, and of rows of more than a piece
   the pieces whose first entry is in it: at most one of a row that began before (kept in
   partials[2 c]) and the first one of its last row (in partials[2 c + 1]). */
typedef struct hd__spmv_task {
    const void *offsets;
    const int32_t *column;
    const void *value;
    const void *x;
    void *y;
    const int32_t *row_of; /* where row r of the matrix stands in y, or NULL: at r */
    const uint32_t *stop;  /* if not NULL and not 0, the kernel does nothing */
    uint32_t *starts;      /* first row of each chunk, and the number of rows behind them */
    uint64_t *entries;     /* of those rows the first entry, and HD__SPMV_CONTINUES where a piece of
                              the row before begins in the chunk */
    uint64_t *ends;        /* of each chunk's rows, without a last one of more than a piece */
    void *partials;        /* two per chunk */
    uint32_t *tickets;     /* of the long row that begins in a chunk; 0 between launches */
    uint32_t rows;
    uint32_t chunks;
} hd__spmv_task;

#define HD__SPMV_KINDS(X)                                                                          \
    X(i32_f32)                                                                                     \
    X(i32_f64)                                                                                     \
    X(i64_f32)                                                                                     \
    X(i64_f64)

#define HD__SPMV_DECLARE(kind) HD_DECLARE(hd__spmv_##kind, hd__spmv_task)
HD__SPMV_KINDS(HD__SPMV_DECLARE)
#undef HD__SPMV_DECLARE
HD_DECLARE(hd__spmv_cut_i32, hd__spmv_task)
HD_DECLARE(hd__spmv_cut_i64, hd__spmv_task)

#endif
