/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.h - transposition of matrices in device memory. */
#ifndef HEDDLE_TRANSPOSE_H
#define HEDDLE_TRANSPOSE_H

#include <heddle/heddle.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How it is done: the fast one, and for teaching and comparison what textbooks begin with. All give
   the same result; in place there is only the fast one. */
#define HD_TRANSPOSE_ALGORITHM_LIST(X)                                                             \
    X(HD_TRANSPOSE_AUTO, "auto", "vectors, turned in registers and shared memory (default)")       \
    X(HD_TRANSPOSE_NAIVE, "naive", "reads rows, writes columns")                                   \
    X(HD_TRANSPOSE_COALESCED, "coalesced", "rows in, rows out, through a shared tile")             \
    X(HD_TRANSPOSE_PADDED, "padded", "the same, the tile padded against bank conflicts")

typedef enum hd_transpose_algorithm {
#define HD_TRANSPOSE_ENUM_(name, text, what) name,
    HD_TRANSPOSE_ALGORITHM_LIST(HD_TRANSPOSE_ENUM_)
#undef HD_TRANSPOSE_ENUM_
        HD_TRANSPOSE_ALGORITHM_COUNT_
} hd_transpose_algorithm;

const char *hd_transpose_algorithm_name(hd_transpose_algorithm algorithm);

/* Writes the transpose of the `rows` x `columns` matrix at `in` to `out`: element (r, c), which is
   in[r * in_stride + c], becomes out[c * out_stride + r]. Elements have `element_bytes` bytes: 1,
   2, 4, 8 or 16, and are copied bit by bit. Strides are counted in elements, in_stride >= columns
   and out_stride >= rows; what lies between the rows is neither read nor written. Both pointers are
   multiples of element_bytes; where they and the strides in bytes are multiples of 16 (of 8 for
   elements of one byte) it is fastest. With 0 rows or columns there is nothing to do, and the
   pointers are not looked at.

   In place: out == in, where rows == columns and in_stride == out_stride. Otherwise the two ranges
   of memory must not overlap, but for parts of one larger matrix that lie side by side (in_stride
   == out_stride, no column in both).

   Asynchronous: one launch on `stream`, no memory of its own, may be captured. Each element is read
   and written once: 2 * rows * columns * element_bytes bytes.

   HD_ERR_ARGUMENT (a stride that is too small, element_bytes, alignment, overlap, not square in
   place), HD_ERR_OVERFLOW (a matrix that ends beyond the last address, or 2^32 tiles of 2 KB or
   more), HD_ERR_POINTER (as hd_reduce), HD_ERR_UNSUPPORTED (another algorithm in place). */
hd_status hd_transpose(const void *in, size_t rows, size_t columns, size_t in_stride, void *out,
                       size_t out_stride, size_t element_bytes, hd_stream *stream);
hd_status hd_transpose_with(hd_transpose_algorithm algorithm, const void *in, size_t rows,
                            size_t columns, size_t in_stride, void *out, size_t out_stride,
                            size_t element_bytes, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
