/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Sparse matrices by rows, and their product with a vector, with the same bits on every backend.
 */
#ifndef HEDDLE_SPARSE_H
#define HEDDLE_SPARSE_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup sparse Sparse matrices
 *  @brief Matrices in compressed sparse rows, and y = A x; docs/conjugate-gradient.md.
 *  @{
 */

/** A matrix in compressed sparse rows. Zero the struct, then set what is not 0.
 *
 *  Entries of row i are offsets[i] to offsets[i + 1] - 1 of column and value, in any order. The
 *  arrays belong to the caller, in host or device memory as a call requires.
 */
typedef struct hd_csr {
    size_t rows,           /**< Rows, below 2^31. */
        columns;           /**< Columns, below 2^31. */
    size_t entries;        /**< Number of entries. */
    hd_type offset_type;   /**< #HD_I32, or #HD_I64 for 2^31 entries and more. */
    hd_type type;          /**< Type of the values: #HD_F32 or #HD_F64. */
    const void *offsets;   /**< rows + 1 of offset_type; the first is 0, the last is entries. */
    const int32_t *column; /**< Column of each entry. */
    const void *value;     /**< Value of each entry. */
} hd_csr;

/** Checks a matrix in host memory: types, extents, offsets that never decrease, columns within the
 *  matrix. Reads offsets and columns once.
 *
 *  @param host  The matrix.
 *  @return HD_OK, HD_ERR_ARGUMENT with the first row that is wrong, or HD_ERR_OVERFLOW for extents
 *          of 2^31 and more or that many entries with 32-bit offsets.
 */
hd_status hd_csr_check(const hd_csr *host);

/** How a matrix in device memory is distributed over blocks: made once, used for many products. */
typedef struct hd_spmv_plan hd_spmv_plan;

/** Makes a plan for products with a matrix. One launch, for which it waits. The caller destroys it.
 *
 *  Takes about 24 bytes of device memory per 2048 rows and entries.
 *
 *  @param matrix  The matrix; its arrays are @ref usable_memory "memory that the stream's device
 *                 can use" and must remain until the plan is destroyed. Contents are trusted: see
 *                 hd_csr_check().
 *  @param stream  Stream, which names the device of the plan.
 *  @param plan    Receives the plan.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_OVERFLOW also as hd_csr_check().
 */
hd_status hd_spmv_plan_create(const hd_csr *matrix, hd_stream *stream, hd_spmv_plan **plan);

/** Destroys a plan; waits for device work that may use it.
 *
 *  @param plan  The plan; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_spmv_plan_destroy(hd_spmv_plan *plan);

/** Computes y = A x. Asynchronous; one launch.
 *
 *  Neither allocates nor synchronises and may be captured. A plan serves one stream at a time.
 *
 *  Products are rounded, then added, in an order that depends on the length of the row only:
 *  neither warp size, launch shape nor the distribution of rows over devices changes a bit. Up to
 *  32 entries: from left to right, beginning with 0. Up to 512: entry k goes to sum k mod 32, and
 *  the 32 sums are added in a tree with ascending strides 1, 2, 4, 8, 16. More: pieces of 2048
 *  entries, each like that with 256 sums, and the sums of pieces likewise. A row without entries
 *  gives +0.
 *
 *  Reads every entry (4 bytes and the value) and every offset once and writes y once; how often x
 *  is read from memory depends on the matrix, at least once.
 *
 *  Source: rows packed into equal shares of rows and entries after D. Merrill and M. Garland,
 *  "Merge-based parallel sparse matrix-vector multiplication" (SC 2016); products through shared
 *  memory after J. Greathouse and M. Daga, "CSR-Adaptive" (SC 2014).
 *
 *  @param plan    The plan.
 *  @param x       columns elements of the matrix's type.
 *  @param y       Receives rows elements; must not overlap x.
 *  @param stream  A stream of the plan's device.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for a stream of another
 *          device.
 */
hd_status hd_spmv(hd_spmv_plan *plan, const void *x, void *y, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
