/* SPDX-License-Identifier: Apache-2.0 */
/* sparse.h - sparse matrices by rows, and their product with a vector, with the same bits on every
   backend. */
#ifndef HEDDLE_SPARSE_H
#define HEDDLE_SPARSE_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in compressed sparse rows. Zero the struct, then set what is not 0. Entries of row i are
   offsets[i] to offsets[i + 1] - 1 of column and value, in any order; offsets[0] is 0 and
   offsets[rows] is entries. The arrays are the caller's, host or device memory as a call says. */
typedef struct hd_csr {
    size_t rows, columns; /* below 2^31 */
    size_t entries;
    hd_type offset_type; /* HD_I32, or HD_I64 for 2^31 entries and more */
    hd_type type;        /* HD_F32 or HD_F64 */
    const void *offsets; /* rows + 1 of offset_type */
    const int32_t *column;
    const void *value;
} hd_csr;

/* Checks a matrix in host memory: types, extents, offsets that never fall, columns within the
   matrix. HD_ERR_ARGUMENT names the first row that is wrong. Reads offsets and columns once. */
hd_status hd_csr_check(const hd_csr *host);

/* How a matrix in device memory is shared out over blocks; made once, used for many products. */
typedef struct hd_spmv_plan hd_spmv_plan;

/* Makes a plan for `matrix`, whose arrays are memory that the stream's device can read and stay
   the caller's until the plan is destroyed. Their contents are trusted: see hd_csr_check. Takes
   about 24 bytes of device memory for 2048 rows and entries. One launch on `stream`, for which it
   waits. The caller destroys *plan.
   HD_ERR_ARGUMENT, HD_ERR_OVERFLOW (2^31 entries with 32-bit offsets), HD_ERR_POINTER,
   HD_ERR_NO_MEMORY. */
hd_status hd_spmv_plan_create(const hd_csr *matrix, hd_stream *stream, hd_spmv_plan **plan);
/* Waits for the device's work that may use the plan. NULL is success. */
hd_status hd_spmv_plan_destroy(hd_spmv_plan *plan);

/* y = A x: `x` has matrix->columns elements of the matrix's type, `y` matrix->rows; memory that the
   stream's device can use, aligned to an element; they do not overlap. Asynchronous: one launch on
   `stream`, which is of the plan's device. Neither allocates nor synchronises and may be captured.
   One plan serves one stream at a time.

   Products are rounded, then added, and the order depends on the row's length alone, so neither
   warp size nor launch shape nor how rows are shared out over devices changes a bit. Up to 32
   entries: from left to right, beginning with 0. Up to 512: entry k goes to sum k mod 32, the 32
   sums are added in a tree with ascending strides 1, 2, 4, 8, 16. More: pieces of 2048 entries,
   each like that with 256 sums; the sums of pieces likewise. A row without entries gives +0.

   Reads every entry (4 bytes and the value) and every offset once and writes y once; how often x is
   read from memory is the matrix's matter, at least once. HD_ERR_ARGUMENT, HD_ERR_POINTER.
   Method: rows packed into equal shares of rows and entries after D. Merrill and M. Garland,
   "Merge-based parallel sparse matrix-vector multiplication" (SC 2016); products through shared
   memory after J. Greathouse and M. Daga, "CSR-Adaptive" (SC 2014). */
hd_status hd_spmv(hd_spmv_plan *plan, const void *x, void *y, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
