/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.h - sparse matrix-vector products: types shared by host code and kernels. */
#ifndef HEDDLE_KERNELS_SPARSE_SPMV_H
#define HEDDLE_KERNELS_SPARSE_SPMV_H

#include <heddle/kernel_decl.h>

enum {
    HD__SPMV_THREADS = 256,
    /* These constants determine the order of additions, and so the bits of results. */
    HD__SPMV_SHORT = 32,   /* maximum entries of a short row, added from left to right */
    HD__SPMV_MEDIUM = 512, /* maximum entries of a medium row, added in HD__SPMV_LANES sums */
    HD__SPMV_PIECE = 2048, /* entries of a piece of a longer row, added in HD__SPMV_SLOTS sums */
    HD__SPMV_LANES = 32,
    HD__SPMV_SLOTS = HD__SPMV_THREADS,
    /* Rows plus entries of a chunk. At most a piece, so that at most one piece of a row begins in a
       chunk. Together with the rest of a short last row it is eight iterations of a block. */
    HD__SPMV_CHUNK = 2016,
    HD__SPMV_STAGED = HD__SPMV_CHUNK + HD__SPMV_SHORT, /* products in shared memory */
    /* Maximum rows of a chunk that are not short. */
    HD__SPMV_OTHERS = HD__SPMV_CHUNK / HD__SPMV_SHORT + 1,
    HD__SPMV_TURNS = HD__SPMV_STAGED / HD__SPMV_THREADS
};

#define HD__SPMV_CONTINUES ((uint64_t)1 << 63)

/* As in merge-path SpMV, rows and entries form one sequence, in which row r begins at position
   offsets[r] + r. It is cut into chunks of HD__SPMV_CHUNK positions, so that the work per chunk is
   bounded whatever the row lengths. Unlike in merge-path, a chunk has the whole rows that begin in
   it. Only rows of more than a piece are cut; a chunk has the pieces whose first entry is in it: at
   most one of a row that began earlier (its sum is in partials[2 c]) and the first one of its last
   row (in partials[2 c + 1]). */
typedef struct hd__spmv_task {
    const void *offsets;
    const int32_t *column;
    const void *value;
    const void *x;
    void *y;
    const int32_t *row_of; /* index in y of row r of the matrix; NULL: r */
    const uint32_t *stop;  /* if not NULL and not 0, the kernel does nothing */
    uint32_t *starts;      /* first row of each chunk, then the number of rows */
    uint64_t *entries; /* their first entries; HD__SPMV_CONTINUES: and a piece of the row before */
    uint64_t *ends;    /* end of each chunk's rows, without a last one of more than a piece */
    void *partials;    /* two per chunk */
    uint32_t *tickets; /* per chunk, for the long row that begins in it; 0 between launches */
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
HD_DECLARE(hd__spmv_split_i32, hd__spmv_task)
HD_DECLARE(hd__spmv_split_i64, hd__spmv_task)

#endif
