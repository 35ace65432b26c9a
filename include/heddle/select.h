/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - stable compaction of arrays in device memory: select, partition, unique, run lengths.
   All keep the order of the elements and give the same bits on every backend.

   Each call reads the array once and writes what it selects once, in one launch (partition into one
   array in two, which read it twice). Elements are u8, i32, u32, i64, u64, f32 or f64; arrays are
   memory that the stream's device can use, at any alignment that the type allows (an input at a
   multiple of 16 bytes is fastest). Results, the number of selected elements too, are in device or
   mapped memory; calls are asynchronous on `stream`. With a workspace of hd_select_workspace bytes
   a call neither allocates nor synchronises and may be captured; NULL takes scratch that the stream
   keeps. n = 0 writes the number 0.

   Outputs must have room for what is selected, n elements where that is not known. They and *count
   may not begin within the input, but for hd_select with out == in, or within another output.

   (Single pass with decoupled look-back: D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan
   with Decoupled Look-back", NVIDIA, 2016. Blocks wait for blocks that started before them only.)

   HD_ERR_ARGUMENT (type, kind, NULL, overlap), HD_ERR_OVERFLOW (n elements have more bytes than
   addresses, lengths of u32 for more than 2^32 - 1 elements), HD_ERR_POINTER, HD_ERR_WORKSPACE. */
#ifndef HEDDLE_SELECT_H
#define HEDDLE_SELECT_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text): which elements x are selected. Floats compare as in C: NaN is not equal to
   anything, -0.0 equals +0.0. */
#define HD_WHERE_LIST(X)                                                                           \
    X(HD_WHERE_LT, "lt") /* x < value */                                                           \
    X(HD_WHERE_LE, "le")                                                                           \
    X(HD_WHERE_GT, "gt")                                                                           \
    X(HD_WHERE_GE, "ge")                                                                           \
    X(HD_WHERE_EQ, "eq")                                                                           \
    X(HD_WHERE_NE, "ne")                                                                           \
    X(HD_WHERE_FLAGS, "flags") /* those whose flag is not 0 */

typedef enum hd_where_kind {
#define HD_WHERE_ENUM_(name, text) name,
    HD_WHERE_LIST(HD_WHERE_ENUM_)
#undef HD_WHERE_ENUM_
        HD_WHERE_COUNT_
} hd_where_kind;

const char *hd_where_name(hd_where_kind kind);

typedef struct hd_where {
    hd_where_kind kind;
    hd_scalar value;      /* of a comparison, read when the call is made */
    const uint8_t *flags; /* HD_WHERE_FLAGS: n bytes of memory that the device can use */
} hd_where;

/* Bytes of the workspace of any of the calls below. */
hd_status hd_select_workspace(size_t n, hd_type type, size_t *bytes);

/* Writes the selected elements to `out`, in order, and their number to *count. out NULL: only the
   number. out == in is allowed. Moves n * size bytes and those of the selected elements. */
hd_status hd_select(const void *in, size_t n, hd_type type, const hd_where *where, void *out,
                    uint64_t *count, hd_workspace *workspace, hd_stream *stream);

/* The same, and the others to `rejected`, in order. rejected NULL: they follow the selected ones in
   `out`, which has room for n elements; that takes a launch more, which counts them. Moves
   2 * n * size bytes, with rejected NULL 3 * n * size. */
hd_status hd_partition(const void *in, size_t n, hd_type type, const hd_where *where, void *out,
                       void *rejected, uint64_t *count, hd_workspace *workspace, hd_stream *stream);

/* Selects the first element and every one that differs (!=) from the one before it. */
hd_status hd_unique(const void *in, size_t n, hd_type type, void *out, uint64_t *count,
                    hd_workspace *workspace, hd_stream *stream);

/* Runs of equal (not !=) elements: the value of each run to `values`, how many elements it has to
   `lengths`, of length_type HD_U32 or HD_U64, and the number of runs to *count. */
hd_status hd_run_lengths(const void *in, size_t n, hd_type type, void *values, hd_type length_type,
                         void *lengths, uint64_t *count, hd_workspace *workspace,
                         hd_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
