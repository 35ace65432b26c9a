/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - reductions of arrays in device memory, with the same bits on every backend. */
#ifndef HEDDLE_REDUCE_H
#define HEDDLE_REDUCE_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text): what a reduction computes. Sums and norms of nothing are 0, a product is 1;
   min, max, argmin and argmax of nothing are HD_ERR_ARGUMENT. */
#define HD_REDUCE_LIST(X)                                                                          \
    X(HD_SUM, "sum")                                                                               \
    X(HD_PROD, "prod")                                                                             \
    X(HD_MIN, "min")                                                                               \
    X(HD_MAX, "max")                                                                               \
    X(HD_ARGMIN, "argmin")                                                                         \
    X(HD_ARGMAX, "argmax")                                                                         \
    X(HD_NORM1, "norm1")      /* sum of absolute values */                                         \
    X(HD_NORM2, "norm2")      /* square root of the sum of squares */                              \
    X(HD_NORM_INF, "norminf") /* largest absolute value */

typedef enum hd_reduce_op {
#define HD_REDUCE_ENUM_(name, text) name,
    HD_REDUCE_LIST(HD_REDUCE_ENUM_)
#undef HD_REDUCE_ENUM_
        HD_REDUCE_COUNT_
} hd_reduce_op;

/* A 128-bit integer in two's complement, for sums of 64-bit integers (which so never overflow). */
typedef struct hd_i128 {
    uint64_t low;
    int64_t high;
} hd_i128;

/* Result of argmin and argmax: the lowest index of the extreme value, and the value. */
typedef struct hd_arg {
    uint64_t index;
    union {
        uint64_t u64; /* of u8 … u64 */
        int64_t i64;  /* of i8 … i64 */
        float f32;    /* of f16, f32 */
        double f64;
    } value;
} hd_arg;

/* What a result is. Sum: u8…u32 -> HD_RESULT_U64, i8…i32 -> I64 (exact to 2^32 elements of full
   range at least), u64, i64 -> I128 (always exact), f16 and f32 -> F32, f64 -> F64. Product: U64
   or I64 modulo 2^64; floats as sums. Min, max: U64, I64, F32, F64. Argmin, argmax: ARG. Norms:
   integers F64 (added exactly and rounded once; norm2 of 64-bit ones is computed in f64), f16 and
   f32 -> F32, f64 -> F64. docs/reductions.md has all of it in one table. */
typedef enum hd_result {
    HD_RESULT_U64,
    HD_RESULT_I64,
    HD_RESULT_I128,
    HD_RESULT_F32,
    HD_RESULT_F64,
    HD_RESULT_ARG
} hd_result;
hd_status hd_reduce_result(hd_type type, hd_reduce_op op, hd_result *result, size_t *bytes);

const char *hd_reduce_op_name(hd_reduce_op op);

hd_status hd_reduce_workspace(size_t n, hd_type type, hd_reduce_op op, size_t *bytes);

/* The variants side by side, for teaching and comparison: sum, min and max of i32, f32 and f64,
   else HD_ERR_UNSUPPORTED. HD_REDUCE_AUTO is the fast, reproducible one for everything; every other
   one that is not marked (*) gives its bits too. HD_REDUCE_HOST waits for the device. */
#define HD_REDUCE_ALGORITHM_LIST(X)                                                                \
    X(HD_REDUCE_AUTO, "auto", "single pass, tiles in a fixed tree (default)")                      \
    X(HD_REDUCE_TREE, "tree", "shared-memory tree per block, second launch over partials")         \
    X(HD_REDUCE_SHUFFLE, "shuffle", "warp shuffles per block, second launch over partials")        \
    X(HD_REDUCE_HOST, "host", "block partials copied to the host and added there")                 \
    X(HD_REDUCE_ATOMIC, "atomic", "one atomic per block (*)")                                      \
    X(HD_REDUCE_LOCK, "lock", "one locked update per block (*)")

typedef enum hd_reduce_algorithm {
#define HD_REDUCE_ALGORITHM_ENUM_(name, text, what) name,
    HD_REDUCE_ALGORITHM_LIST(HD_REDUCE_ALGORITHM_ENUM_)
#undef HD_REDUCE_ALGORITHM_ENUM_
        HD_REDUCE_ALGORITHM_COUNT_
} hd_reduce_algorithm;

/* Reduces n elements at `in` (memory the stream's device can read; any alignment that the type
   allows on the host is accepted, a multiple of 16 bytes is fastest) and writes one result (see
   hd_reduce_result) to `out` (device or mapped memory, 16-byte aligned). Asynchronous: one launch
   on `stream`. With a workspace it neither allocates nor synchronises and may be captured; NULL
   takes scratch that the stream keeps; host threads may share a stream. Reads each element once:
   n * size bytes. Memory of another device is used through peer access, which is enabled where it
   is possible.

   Order of floating-point operations, the same on every backend, warp size and grid: see
   docs/reductions.md; f16 and f32 accumulate in f32, f64 in f64. A NaN anywhere makes sum, prod,
   min, max and norms NaN (canonical quiet NaN); argmin and argmax then give the first NaN. -0.0
   is below +0.0 for min and max; ties in argmin and argmax go to the lowest index, and there
   -0.0 and +0.0 are equal and the value of either is +0.0.

   HD_ERR_ARGUMENT (also: min, max, argmin or argmax of nothing), HD_ERR_OVERFLOW (n elements have
   more bytes than addresses), HD_ERR_POINTER (memory of another device without peer access,
   pageable host memory; elements or a result beyond the end of their allocation, where the backend
   knows that), HD_ERR_WORKSPACE (too small, larger than its allocation, or scratch would have to
   grow in a capture).
   A thread remembers allocations that passed the check until memory is freed. */
hd_status hd_reduce(const void *in, size_t n, hd_type type, hd_reduce_op op, void *out,
                    hd_workspace *workspace, hd_stream *stream);
hd_status hd_reduce_with(hd_reduce_algorithm algorithm, const void *in, size_t n, hd_type type,
                         hd_reduce_op op, void *out, hd_workspace *workspace, hd_stream *stream);
/* Sum of x[i] * y[i], the product rounded, then added: no fma. Results: floats as HD_SUM; 8- and
   16-bit integers U64 or I64, exact to 2^32 elements of full range; 32-bit ones I128, exact;
   64-bit ones I128, modulo 2^128. Workspace: that of HD_SUM. */
hd_status hd_dot(const void *x, const void *y, size_t n, hd_type type, void *out,
                 hd_workspace *workspace, hd_stream *stream);

/* ---- arrays larger than memory ------------------------------------------------------------- */

/* A reduction of a whole of `n` elements that arrives in chunks, several operations at once. The
   association is that of hd_reduce over all n, so chunk sizes never change a bit. */
typedef struct hd_reduce_chunks hd_reduce_chunks;
/* Elements that a chunk must be a multiple of (all but the last): the tile size, a function of n
   and type alone. */
hd_status hd_reduce_tile(size_t n, hd_type type, size_t *elements);
/* Begins; `ops` of `op_count` operations (1 to HD_REDUCE_COUNT_). Allocates 16 bytes per tile and
   operation on the stream's device; hd_reduce_chunks_destroy frees them. */
hd_status hd_reduce_chunks_begin(size_t n, hd_type type, const hd_reduce_op *ops, size_t op_count,
                                 hd_stream *stream, hd_reduce_chunks **chunks);
/* Adds the next `count` elements at `in` (device memory), in order, on any stream of the device;
   the caller orders the streams with events. `in` is read once per operation. HD_ERR_ARGUMENT when
   count is no multiple of the tile and not the rest, or more than is missing; HD_ERR_POINTER. */
hd_status hd_reduce_chunks_add(hd_reduce_chunks *chunks, const void *in, size_t count,
                               hd_stream *stream);
/* Writes one result per operation to host memory results[i] (hd_reduce_result bytes each) and
   waits for them. HD_ERR_STATE when fewer than n elements were added. May be called again. */
hd_status hd_reduce_chunks_end(hd_reduce_chunks *chunks, void *const *results, hd_stream *stream);
hd_status hd_reduce_chunks_destroy(hd_reduce_chunks *chunks);

#ifdef __cplusplus
}
#endif
#endif
