/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Stable compaction of arrays in device memory: select, partition, unique, run lengths.
 */
#ifndef HEDDLE_SELECT_H
#define HEDDLE_SELECT_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup select Selection
 *  @brief Select, partition, unique and run lengths; docs/select.md.
 *
 *  All calls keep the order of the elements and give the same bits on every backend. Elements are
 *  u8, i32, u32, i64, u64, f32 or f64 in @ref usable_memory "memory that the stream's device can
 *  use". Each call reads the array once and writes what it selects once, in one launch; only a
 *  partition into one array needs two, which read it twice. n = 0 writes the count 0.
 *
 *  Outputs have room for what is selected: n elements if that is not known. They and *count must
 *  not begin within the input (except hd_select() with out == in) or within another output.
 *
 *  Source: single pass with decoupled look-back, D. Merrill and M. Garland, "Single-pass Parallel
 *  Prefix Scan with Decoupled Look-back", NVIDIA, 2016. Blocks wait only for blocks that started
 *  before them.
 *  @{
 */

/** X(name, text): the conditions by which elements x are selected. Floats compare as in C: NaN is
 *  not equal to anything, -0.0 equals +0.0. */
#define HD_WHERE_LIST(X)                                                                           \
    /** x < value */                                                                               \
    X(HD_WHERE_LT, "lt")                                                                           \
    /** x <= value */                                                                              \
    X(HD_WHERE_LE, "le")                                                                           \
    /** x > value */                                                                               \
    X(HD_WHERE_GT, "gt")                                                                           \
    /** x >= value */                                                                              \
    X(HD_WHERE_GE, "ge")                                                                           \
    /** x == value */                                                                              \
    X(HD_WHERE_EQ, "eq")                                                                           \
    /** x != value */                                                                              \
    X(HD_WHERE_NE, "ne")                                                                           \
    /** Elements whose flag is not 0. */                                                           \
    X(HD_WHERE_FLAGS, "flags")

/** Kind of a condition; the values are those of #HD_WHERE_LIST. */
typedef enum hd_where_kind {
#define HD_WHERE_ENUM_(name, text) name,
    HD_WHERE_LIST(HD_WHERE_ENUM_)
#undef HD_WHERE_ENUM_
        HD_WHERE_COUNT_
} hd_where_kind;

/** Returns the name of a kind of condition.
 *
 *  @param kind  The kind.
 *  @return Static text such as "lt"; "unknown comparison" for other values.
 */
const char *hd_where_name(hd_where_kind kind);

/** Condition by which elements are selected. */
typedef struct hd_where {
    hd_where_kind kind;   /**< Comparison or flags. */
    hd_scalar value;      /**< Right side of a comparison; read before the call returns. */
    const uint8_t *flags; /**< #HD_WHERE_FLAGS: n bytes of memory that the device can use. */
} hd_where;

/** Returns the workspace that each of the calls below needs.
 *
 *  @param n      Number of elements.
 *  @param type   Element type.
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT, also for another type.
 */
hd_status hd_select_workspace(size_t n, hd_type type, size_t *bytes);

/** Writes the elements that satisfy a condition, in order, and their number. Asynchronous.
 *
 *  Moves n * size bytes and those of the selected elements.
 *
 *  @param in         n elements.
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param where      Condition; read before the call returns.
 *  @param out        Receives the selected elements; may be in; NULL: only count them.
 *  @param count      Receives their number, in device or mapped memory, in stream order.
 *  @param workspace  hd_select_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for another type or outputs
 *          that begin within each other or the input.
 */
hd_status hd_select(const void *in, size_t n, hd_type type, const hd_where *where, void *out,
                    uint64_t *count, hd_workspace *workspace, hd_stream *stream);

/** As hd_select(), and writes the other elements too, in order.
 *
 *  Moves 2 * n * size bytes; if rejected is NULL 3 * n * size bytes in two launches, of which the
 *  first counts.
 *
 *  @param in         n elements.
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param where      Condition; read before the call returns.
 *  @param out        Receives the selected elements; may not be in.
 *  @param rejected   Receives the others; NULL: they follow the selected ones in out, which then
 *                    has room for n elements.
 *  @param count      Receives the number of selected elements.
 *  @param workspace  hd_select_workspace() bytes, or NULL.
 *  @param stream     Stream.
 *  @return As hd_select().
 */
hd_status hd_partition(const void *in, size_t n, hd_type type, const hd_where *where, void *out,
                       void *rejected, uint64_t *count, hd_workspace *workspace, hd_stream *stream);

/** Writes the first element and each one that differs (!=) from the element before it, in order,
 *  and their number. Asynchronous.
 *
 *  @param in         n elements.
 *  @param n          Number of elements.
 *  @param type       Element type. Each NaN differs from every element.
 *  @param out        Receives the elements; may not be in.
 *  @param count      Receives their number.
 *  @param workspace  hd_select_workspace() bytes, or NULL.
 *  @param stream     Stream.
 *  @return As hd_select().
 */
hd_status hd_unique(const void *in, size_t n, hd_type type, void *out, uint64_t *count,
                    hd_workspace *workspace, hd_stream *stream);

/** Run-length encoding: writes value and length of each run of equal (not !=) elements, and the
 *  number of runs. Asynchronous.
 *
 *  @param in           n elements.
 *  @param n            Number of elements.
 *  @param type         Element type.
 *  @param values       Receives the value of each run.
 *  @param length_type  Type of the lengths: #HD_U32 or #HD_U64.
 *  @param lengths      Receives the number of elements of each run.
 *  @param count        Receives the number of runs.
 *  @param workspace    hd_select_workspace() bytes, or NULL.
 *  @param stream       Stream.
 *  @return As hd_select(); HD_ERR_OVERFLOW also for lengths of u32 and more than 2^32 - 1 elements.
 */
hd_status hd_run_lengths(const void *in, size_t n, hd_type type, void *values, hd_type length_type,
                         void *lengths, uint64_t *count, hd_workspace *workspace,
                         hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
