/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Reductions of arrays in device memory, with the same bits on every backend.
 */
#ifndef HEDDLE_REDUCE_H
#define HEDDLE_REDUCE_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup reduce Reductions
 *  @brief Sums, products, extremes, norms and dot products; docs/reductions.md.
 *  @{
 */

/** X(name, text): the operations of a reduction. n = 0 gives 0 for sums and norms and 1 for
 *  products; min, max, argmin and argmax of no elements are HD_ERR_ARGUMENT. */
#define HD_REDUCE_LIST(X)                                                                          \
    /** Sum of the elements. */                                                                    \
    X(HD_SUM, "sum")                                                                               \
    /** Product of the elements. */                                                                \
    X(HD_PROD, "prod")                                                                             \
    /** Smallest element. */                                                                       \
    X(HD_MIN, "min")                                                                               \
    /** Largest element. */                                                                        \
    X(HD_MAX, "max")                                                                               \
    /** Smallest element and its lowest index. */                                                  \
    X(HD_ARGMIN, "argmin")                                                                         \
    /** Largest element and its lowest index. */                                                   \
    X(HD_ARGMAX, "argmax")                                                                         \
    /** Sum of absolute values. */                                                                 \
    X(HD_NORM1, "norm1")                                                                           \
    /** Square root of the sum of squares. */                                                      \
    X(HD_NORM2, "norm2")                                                                           \
    /** Largest absolute value. */                                                                 \
    X(HD_NORM_INF, "norminf")

/** Operation of a reduction; the values are those of #HD_REDUCE_LIST. */
typedef enum hd_reduce_op {
#define HD_REDUCE_ENUM_(name, text) name,
    HD_REDUCE_LIST(HD_REDUCE_ENUM_)
#undef HD_REDUCE_ENUM_
        HD_REDUCE_COUNT_
} hd_reduce_op;

/** A 128-bit integer in two's complement: the sum of 64-bit integers, which cannot overflow it. */
typedef struct hd_i128 {
    uint64_t low; /**< Bits 0 to 63. */
    int64_t high; /**< Bits 64 to 127, with the sign. */
} hd_i128;

/** Result of #HD_ARGMIN and #HD_ARGMAX. */
typedef struct hd_arg {
    uint64_t index; /**< Lowest index of the extreme value. */
    /** The extreme value, in the member for the element type. */
    union {
        uint64_t u64; /**< Of u8, u16, u32 and u64. */
        int64_t i64;  /**< Of i8, i16, i32 and i64. */
        float f32;    /**< Of f16 and f32. */
        double f64;   /**< Of f64. */
    } value;          /**< The extreme value. */
} hd_arg;

/** Type of a result.
 *
 *  | operation | u8 u16 u32 | i8 i16 i32 | u64 i64 | f16 f32 | f64 |
 *  |---|---|---|---|---|---|
 *  | sum | U64 | I64 | I128 | F32 | F64 |
 *  | prod (integers modulo 2^64) | U64 | I64 | U64, I64 | F32 | F64 |
 *  | min, max | U64 | I64 | U64, I64 | F32 | F64 |
 *  | argmin, argmax | ARG | ARG | ARG | ARG | ARG |
 *  | norm1, norm2, norminf | F64 | F64 | F64 | F32 | F64 |
 *
 *  Sums of 8- to 32-bit integers are exact up to at least 2^32 elements of full range, sums of
 *  64-bit integers always. Norms of integers are added exactly and rounded once, except norm2 of
 *  64-bit integers, which is computed in f64.
 */
typedef enum hd_result {
    HD_RESULT_U64,  /**< uint64_t, 8 bytes. */
    HD_RESULT_I64,  /**< int64_t, 8 bytes. */
    HD_RESULT_I128, /**< hd_i128, 16 bytes. */
    HD_RESULT_F32,  /**< float, 4 bytes. */
    HD_RESULT_F64,  /**< double, 8 bytes. */
    HD_RESULT_ARG   /**< hd_arg, 16 bytes. */
} hd_result;

/** Returns the type and size of a reduction's result.
 *
 *  @param type    Element type.
 *  @param op      Operation.
 *  @param result  Receives the type of the result.
 *  @param bytes   Receives its size: 4, 8 or 16 bytes.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for bf16, or HD_ERR_ARGUMENT.
 */
hd_status hd_reduce_result(hd_type type, hd_reduce_op op, hd_result *result, size_t *bytes);

/** Returns the name of an operation.
 *
 *  @param op  The operation.
 *  @return Static text such as "sum"; "unknown reduction" for other values.
 */
const char *hd_reduce_op_name(hd_reduce_op op);

/** Returns the workspace that hd_reduce(), hd_reduce_with() and hd_dot() need.
 *
 *  @param n      Number of elements.
 *  @param type   Element type.
 *  @param op     Operation; #HD_SUM for hd_dot().
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for bf16, HD_ERR_OVERFLOW if n is too large, or
 *          HD_ERR_ARGUMENT.
 */
hd_status hd_reduce_workspace(size_t n, hd_type type, hd_reduce_op op, size_t *bytes);

/** X(name, text, what): the algorithms of hd_reduce_with(), for teaching and comparison. All except
 *  #HD_REDUCE_AUTO support sum, min and max of i32, f32 and f64 only. Those not marked (*) give the
 *  bits of #HD_REDUCE_AUTO. */
#define HD_REDUCE_ALGORITHM_LIST(X)                                                                \
    /** The fast, reproducible one: a single pass. For every operation and type. */                \
    X(HD_REDUCE_AUTO, "auto", "single pass, tiles in a fixed tree (default)")                      \
    /** A shared-memory tree per block, and a second launch over partials. */                      \
    X(HD_REDUCE_TREE, "tree", "shared-memory tree per block, second launch over partials")         \
    /** Warp shuffles per block, and a second launch over partials. */                             \
    X(HD_REDUCE_SHUFFLE, "shuffle", "warp shuffles per block, second launch over partials")        \
    /** Block partials are copied to the host and added there: waits for the device. */            \
    X(HD_REDUCE_HOST, "host", "block partials copied to the host and added there")                 \
    /** One atomic per block; bits of floating-point sums may differ between runs. */              \
    X(HD_REDUCE_ATOMIC, "atomic", "one atomic per block (*)")                                      \
    /** One update under a lock per block; bits as of #HD_REDUCE_ATOMIC. */                        \
    X(HD_REDUCE_LOCK, "lock", "one locked update per block (*)")

/** Algorithm of a reduction; the values are those of #HD_REDUCE_ALGORITHM_LIST. */
typedef enum hd_reduce_algorithm {
#define HD_REDUCE_ALGORITHM_ENUM_(name, text, what) name,
    HD_REDUCE_ALGORITHM_LIST(HD_REDUCE_ALGORITHM_ENUM_)
#undef HD_REDUCE_ALGORITHM_ENUM_
        HD_REDUCE_ALGORITHM_COUNT_
} hd_reduce_algorithm;

/** Reduces n elements to one value. Asynchronous; one launch.
 *
 *  Reads each element once: n * element size bytes. The order of floating-point operations is
 *  fixed, the same on every backend, warp size and grid (docs/reductions.md); f16 and f32
 *  accumulate in f32, f64 in f64.
 *
 *  A NaN anywhere makes sum, prod, min, max and norms the canonical quiet NaN; argmin and argmax
 *  then give the first NaN. For min and max -0.0 is below +0.0. For argmin and argmax ties go to
 *  the lowest index, and -0.0 and +0.0 are equal, with +0.0 as the value of either.
 *
 *  @param in         n elements in @ref usable_memory "memory that the stream's device can use".
 *  @param n          Number of elements.
 *  @param type       Element type, not bf16.
 *  @param op         Operation.
 *  @param out        Receives the result (hd_reduce_result()) in stream order: memory that the
 *                    stream's device can use, 16-byte aligned.
 *  @param workspace  hd_reduce_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for min, max, argmin and
 *          argmax of no elements; HD_ERR_UNSUPPORTED for bf16.
 */
hd_status hd_reduce(const void *in, size_t n, hd_type type, hd_reduce_op op, void *out,
                    hd_workspace *workspace, hd_stream *stream);

/** As hd_reduce(), by a given algorithm.
 *
 *  @param algorithm  Algorithm; #HD_REDUCE_HOST waits for the device.
 *  @param in         n elements.
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param op         Operation.
 *  @param out        Receives the result, 16-byte aligned.
 *  @param workspace  hd_reduce_workspace() bytes, or NULL.
 *  @param stream     Stream.
 *  @return As hd_reduce(); HD_ERR_UNSUPPORTED also if the algorithm does not support the type or
 *          operation.
 */
hd_status hd_reduce_with(hd_reduce_algorithm algorithm, const void *in, size_t n, hd_type type,
                         hd_reduce_op op, void *out, hd_workspace *workspace, hd_stream *stream);

/** Computes the dot product: the sum of x[i] * y[i]. Asynchronous; one launch.
 *
 *  Each product is rounded, then added (no fma), in the order of hd_reduce(). Results: floats as
 *  #HD_SUM; 8- and 16-bit integers U64 or I64, exact up to 2^32 elements of full range; 32-bit
 *  integers I128, exact; 64-bit integers I128, modulo 2^128. Reads both arrays once.
 *
 *  @param x          n elements in memory that the stream's device can use.
 *  @param y          n elements in memory that the stream's device can use; may be x.
 *  @param n          Number of elements; 0 gives 0.
 *  @param type       Element type, not bf16.
 *  @param out        Receives the result, 16-byte aligned memory that the stream's device can use.
 *  @param workspace  hd_reduce_workspace() bytes for #HD_SUM, or NULL.
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_UNSUPPORTED for bf16.
 */
hd_status hd_dot(const void *x, const void *y, size_t n, hd_type type, void *out,
                 hd_workspace *workspace, hd_stream *stream);

/** A reduction of n elements that arrive in chunks, with several operations at once.
 *
 *  The order of operations is that of hd_reduce() over all n elements, so the chunk size never
 *  changes a bit of the result.
 */
typedef struct hd_reduce_chunks hd_reduce_chunks;

/** Returns the tile size: chunks, except the last, are multiples of it.
 *
 *  @param n         Number of elements of the whole.
 *  @param type      Element type.
 *  @param elements  Receives the elements of a tile; depends on n and type only.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for bf16, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT.
 */
hd_status hd_reduce_tile(size_t n, hd_type type, size_t *elements);

/** Begins a reduction in chunks. The caller destroys it.
 *
 *  Allocates 16 bytes per tile and operation on the stream's device.
 *
 *  @param n         Number of elements of the whole.
 *  @param type      Element type, not bf16.
 *  @param ops       op_count operations; copied.
 *  @param op_count  1 to HD_REDUCE_COUNT_ operations.
 *  @param stream    Stream, which names the device.
 *  @param chunks    Receives the reduction.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for min, max, argmin and
 *          argmax of no elements; HD_ERR_UNSUPPORTED for bf16; HD_ERR_NO_MEMORY.
 */
hd_status hd_reduce_chunks_begin(size_t n, hd_type type, const hd_reduce_op *ops, size_t op_count,
                                 hd_stream *stream, hd_reduce_chunks **chunks);

/** Adds the next elements, in order. Asynchronous; one launch per operation, each of which reads
 *  the chunk once.
 *
 *  @param chunks  The reduction.
 *  @param in      count elements in memory that the stream's device can use.
 *  @param count   Number of elements: a multiple of hd_reduce_tile(), or all that are missing; 0
 *                 adds nothing.
 *  @param stream  Any stream of the device; the caller orders several streams with events.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also if count is neither, or the
 *          stream belongs to another device.
 */
hd_status hd_reduce_chunks_add(hd_reduce_chunks *chunks, const void *in, size_t count,
                               hd_stream *stream);

/** Computes the results and waits for them. May be called again.
 *
 *  @param chunks   The reduction, to which all n elements were added.
 *  @param results  Host memory, a pointer per operation: results[i] receives hd_reduce_result()
 *                  bytes.
 *  @param stream   A stream that is ordered after the chunks.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_STATE if fewer than n elements were
 *          added.
 */
hd_status hd_reduce_chunks_end(hd_reduce_chunks *chunks, void *const *results, hd_stream *stream);

/** Frees a reduction in chunks; waits for device work that may use it.
 *
 *  @param chunks  The reduction; NULL is success.
 *  @return HD_OK, or HD_ERR_ARGUMENT if it was destroyed before.
 */
hd_status hd_reduce_chunks_destroy(hd_reduce_chunks *chunks);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
