/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Transposition of matrices in device memory.
 */
#ifndef HEDDLE_TRANSPOSE_H
#define HEDDLE_TRANSPOSE_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup transpose Transposition
 *  @brief Matrices of any extents and strides; docs/transpose.md.
 *  @{
 */

/** X(name, text, what): the algorithms of hd_transpose_with(): the fast one, and for teaching and
 *  comparison what textbooks begin with. All give the same result; only #HD_TRANSPOSE_AUTO works in
 *  place. */
#define HD_TRANSPOSE_ALGORITHM_LIST(X)                                                             \
    /** The fast one: vectors, transposed in registers and shared memory. */                       \
    X(HD_TRANSPOSE_AUTO, "auto", "vectors, turned in registers and shared memory (default)")       \
    /** Reads rows, writes columns. */                                                             \
    X(HD_TRANSPOSE_NAIVE, "naive", "reads rows, writes columns")                                   \
    /** Reads and writes rows, through a shared-memory tile. */                                    \
    X(HD_TRANSPOSE_COALESCED, "coalesced", "rows in, rows out, through a shared tile")             \
    /** As #HD_TRANSPOSE_COALESCED, the tile padded against bank conflicts. */                     \
    X(HD_TRANSPOSE_PADDED, "padded", "the same, the tile padded against bank conflicts")

/** Algorithm of a transposition; the values are those of #HD_TRANSPOSE_ALGORITHM_LIST. */
typedef enum hd_transpose_algorithm {
#define HD_TRANSPOSE_ENUM_(name, text, what) name,
    HD_TRANSPOSE_ALGORITHM_LIST(HD_TRANSPOSE_ENUM_)
#undef HD_TRANSPOSE_ENUM_
        HD_TRANSPOSE_ALGORITHM_COUNT_
} hd_transpose_algorithm;

/** Returns the name of an algorithm.
 *
 *  @param algorithm  The algorithm.
 *  @return Static text such as "auto"; "unknown algorithm" for other values.
 */
const char *hd_transpose_algorithm_name(hd_transpose_algorithm algorithm);

/** Transposes a matrix: element in[r * in_stride + c] becomes out[c * out_stride + r].
 *  Asynchronous; one launch.
 *
 *  Needs no memory of its own and may be captured. Reads and writes each element once:
 *  2 * rows * columns * element_bytes bytes. Elements are copied bit by bit; what lies between the
 *  rows is neither read nor written. Fastest if both addresses and the strides in bytes are
 *  multiples of 16 (of 8 for elements of one byte).
 *
 *  In place: out == in, with rows == columns and in_stride == out_stride. Otherwise the two memory
 *  ranges must not overlap, except parts of one larger matrix that lie side by side (in_stride ==
 *  out_stride, no column in both).
 *
 *  @param in             The matrix, in @ref usable_memory "memory that the stream's device can
 *                        use", at a multiple of element_bytes. Not used if rows or columns is 0.
 *  @param rows           Number of rows.
 *  @param columns        Number of columns.
 *  @param in_stride      Elements from a row of in to the next, at least columns.
 *  @param out            Receives the transpose.
 *  @param out_stride     Elements from a row of out to the next, at least rows.
 *  @param element_bytes  Bytes per element: 1, 2, 4, 8 or 16.
 *  @param stream         Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for a stride that is too
 *          small, another element size, overlaps, and a matrix in place that is not square;
 *          HD_ERR_OVERFLOW also for 2^32 tiles of 2 KiB or more.
 */
hd_status hd_transpose(const void *in, size_t rows, size_t columns, size_t in_stride, void *out,
                       size_t out_stride, size_t element_bytes, hd_stream *stream);

/** As hd_transpose(), by a given algorithm.
 *
 *  @param algorithm      Algorithm.
 *  @param in             The matrix.
 *  @param rows           Number of rows.
 *  @param columns        Number of columns.
 *  @param in_stride      Elements from a row of in to the next.
 *  @param out            Receives the transpose.
 *  @param out_stride     Elements from a row of out to the next.
 *  @param element_bytes  Bytes per element: 1, 2, 4, 8 or 16.
 *  @param stream         Stream.
 *  @return As hd_transpose(); HD_ERR_UNSUPPORTED in place for all but #HD_TRANSPOSE_AUTO.
 */
hd_status hd_transpose_with(hd_transpose_algorithm algorithm, const void *in, size_t rows,
                            size_t columns, size_t in_stride, void *out, size_t out_stride,
                            size_t element_bytes, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
