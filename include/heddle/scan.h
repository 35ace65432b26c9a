/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Scans (prefix sums, minima, maxima) of arrays in device memory, with the same bits on every
 *  backend.
 */
#ifndef HEDDLE_SCAN_H
#define HEDDLE_SCAN_H

#include <heddle/reduce.h>
#include <heddle/detail/scan_kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup scan Scans
 *  @brief Inclusive, exclusive and segmented scans, also with operations of your own; docs/scan.md.
 *  @{
 */

/** Kind of a scan. */
typedef enum hd_scan_kind {
    HD_SCAN_INCLUSIVE, /**< Result i combines elements 0 to i. */
    HD_SCAN_EXCLUSIVE  /**< Result i combines elements 0 to i - 1. */
} hd_scan_kind;

/** X(name, text, what): the algorithms of hd_scan_with(), for teaching and comparison. All except
 *  #HD_SCAN_AUTO support sum, min and max of i32, f32 and f64 only, and no segments. Sums of floats
 *  of those marked (*) have an association of their own, the same in every run. */
#define HD_SCAN_ALGORITHM_LIST(X)                                                                  \
    /** The fast, reproducible one: a single pass with decoupled look-back. */                     \
    X(HD_SCAN_AUTO, "auto", "single pass with look-back (default)")                                \
    /** log2(n) passes over the array (Hillis and Steele). */                                      \
    X(HD_SCAN_HILLIS_STEELE, "hillis", "log2(n) passes over the array, Hillis and Steele (*)")     \
    /** Warp shuffles per block, and launches over block totals. */                                \
    X(HD_SCAN_SHUFFLE, "shuffle", "warp shuffles per block, launches over block totals (*)")       \
    /** Three phases, block totals scanned on the host: waits for the device. */                   \
    X(HD_SCAN_HOST, "host", "three phases, block totals scanned on the host (*)")

/** Algorithm of a scan; the values are those of #HD_SCAN_ALGORITHM_LIST. */
typedef enum hd_scan_algorithm {
#define HD_SCAN_ALGORITHM_ENUM_(name, text, what) name,
    HD_SCAN_ALGORITHM_LIST(HD_SCAN_ALGORITHM_ENUM_)
#undef HD_SCAN_ALGORITHM_ENUM_
        HD_SCAN_ALGORITHM_COUNT_
} hd_scan_algorithm;

/** Returns the workspace that a scan needs, segmented or not.
 *
 *  @param algorithm  Algorithm; #HD_SCAN_AUTO for hd_scan() and hd_scan_segments().
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param bytes      Receives the size in bytes, never 0.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for a type without scans, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT.
 */
hd_status hd_scan_workspace(hd_scan_algorithm algorithm, size_t n, hd_type type, size_t *bytes);

/** Scans n elements. Asynchronous; one launch.
 *
 *  Reads and writes each element once: 2 * n * element size bytes. Sums of integers are modulo 2^32
 *  or 2^64. Sums of floats have the order of docs/scan.md, the same on every backend, warp size,
 *  grid and run; result i depends on elements 0 to i only, so the scan of a longer array begins
 *  with the same bits. A NaN makes its result and all later ones the canonical quiet NaN, also for
 *  min and max, where -0.0 is below +0.0.
 *
 *  Source: D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
 *  NVR-2016-002, with a fixed association (device/look_back.h).
 *
 *  @param in         n elements in @ref usable_memory "memory that the stream's device can use".
 *  @param n          Number of elements.
 *  @param type       i32, u32, i64, u64, f32 or f64.
 *  @param op         #HD_SUM, #HD_MIN or #HD_MAX.
 *  @param kind       Inclusive or exclusive.
 *  @param initial    One element in host memory that precedes everything; read before the call
 *                    returns. With NULL an exclusive scan begins with 0 (sum), the largest value
 *                    (min) or the smallest (max); infinities for floats.
 *  @param out        Receives n results; may be in, but may not overlap it otherwise.
 *  @param workspace  hd_scan_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for overlaps;
 *          HD_ERR_UNSUPPORTED for another type or operation.
 */
hd_status hd_scan(const void *in, size_t n, hd_type type, hd_reduce_op op, hd_scan_kind kind,
                  const void *initial, void *out, hd_workspace *workspace, hd_stream *stream);

/** As hd_scan(), by a given algorithm.
 *
 *  @param algorithm  Algorithm; #HD_SCAN_HOST waits for the device.
 *  @param in         n elements.
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param op         Operation.
 *  @param kind       Inclusive or exclusive.
 *  @param initial    One element in host memory, or NULL.
 *  @param out        Receives n results; may be in.
 *  @param workspace  hd_scan_workspace() bytes for that algorithm, or NULL.
 *  @param stream     Stream.
 *  @return As hd_scan(); HD_ERR_UNSUPPORTED also if the algorithm does not support the type.
 */
hd_status hd_scan_with(hd_scan_algorithm algorithm, const void *in, size_t n, hd_type type,
                       hd_reduce_op op, hd_scan_kind kind, const void *initial, void *out,
                       hd_workspace *workspace, hd_stream *stream);

/** As hd_scan(), starting anew at the first element of every segment. Reads the flags once too.
 *
 *  @param in         n elements.
 *  @param heads      n flags: heads[i] != 0 marks element i as the first of a segment; element 0
 *                    always is one. out may not overlap them.
 *  @param head_type  Type of the flags: #HD_U8 or #HD_U32.
 *  @param n          Number of elements.
 *  @param type       Element type.
 *  @param op         Operation.
 *  @param kind       Inclusive or exclusive.
 *  @param initial    One element in host memory that precedes every segment, or NULL.
 *  @param out        Receives n results; may be in.
 *  @param workspace  hd_scan_workspace() bytes for #HD_SCAN_AUTO, or NULL.
 *  @param stream     Stream.
 *  @return As hd_scan(); HD_ERR_ARGUMENT also for another type of flags.
 */
hd_status hd_scan_segments(const void *in, const void *heads, hd_type head_type, size_t n,
                           hd_type type, hd_reduce_op op, hd_scan_kind kind, const void *initial,
                           void *out, hd_workspace *workspace, hd_stream *stream);

/** Declares the kernel of a scan with elements and an operation of your own.
 *
 *  A kernel file includes <heddle/device/scan.inc>, which documents what it has to define. Host
 *  code declares the kernel with this macro and calls hd_scan_own(&name_kernel, ...).
 *
 *  @param name  Name of the kernel.
 */
#define HD_DECLARE_SCAN(name) HD_DECLARE(name, hd_scan_task)

/** Returns the workspace that hd_scan_own() needs.
 *
 *  @param n      Number of elements.
 *  @param size   Bytes per element: 4 to 64, a multiple of 4.
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT, also for another size.
 */
hd_status hd_scan_own_workspace(size_t n, size_t size, size_t *bytes);

/** As hd_scan(), for elements and an operation of your own.
 *
 *  @param kernel     The kernel, declared by #HD_DECLARE_SCAN.
 *  @param in         n elements.
 *  @param n          Number of elements.
 *  @param size       Bytes per element: 4 to 64, a multiple of 4.
 *  @param kind       Inclusive or exclusive.
 *  @param first      One element in host memory that precedes everything: the neutral element or an
 *                    initial one; not NULL.
 *  @param out        Receives n results; may be in.
 *  @param workspace  hd_scan_own_workspace() bytes, or NULL.
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for another size, or a
 *          kernel that was not made by scan.inc.
 */
hd_status hd_scan_own(const hd_kernel *kernel, const void *in, size_t n, size_t size,
                      hd_scan_kind kind, const void *first, void *out, hd_workspace *workspace,
                      hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
