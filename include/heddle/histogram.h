/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Histograms of arrays in device memory.
 */
#ifndef HEDDLE_HISTOGRAM_H
#define HEDDLE_HISTOGRAM_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup histogram Histograms
 *  @brief Counting elements in bins of equal width; docs/histogram.md.
 *  @{
 */

/** Limits of histograms. */
enum {
    HD_HISTOGRAM_MAX_BINS = 65536 /**< Maximum number of bins. */
};

/** count bins that divide [low, high) evenly.
 *
 *  - u8, u32, i32, u64, i64: low and high are whole numbers, from the type's smallest value to one
 *    above its largest, and a bin holds at least one value: count <= high - low. Element x is
 *    counted in bin floor((x - low) * count / (high - low)), in exact integer arithmetic: an
 *    element on the edge of two bins is in the upper one; with high = low + count the bin is x -
 *    low.
 *  - f32: low and high are rounded to f32 and differ; high may be 2^128, just above the largest
 *    f32. Element x with low <= x < high is in bin min(count - 1, (x - low) * scale), truncated,
 *    where scale is count / (high - low), rounded to f32, and both operations are rounded to f32.
 *    If high - low overflows f32, or scale is not a normal f32, the bin is that of f64.
 *  - f64: low and high are finite. Element x with low <= x < high is in bin
 *    min(count - 1, (x - low) * count / (high - low)), truncated, each operation rounded to f64
 *    from left to right (if high - low is 2^1000 or more, x, low and high are first multiplied by
 *    2^-64). An element on an edge is in the upper bin if these operations are exact, as they are
 *    for whole numbers below 2^53 / count.
 *
 *  A float is in the same bin on every backend, and a larger x is never in a lower bin. -0.0 is
 *  0.0;
 *  -infinity is below low, infinity is at or above high, and NaN is counted separately.
 */
typedef struct hd_bins {
    double low,   /**< Lower bound of the first bin. */
        high;     /**< Upper bound of the last bin, exclusive; above low. */
    size_t count; /**< Number of bins, 1 to #HD_HISTOGRAM_MAX_BINS. */
} hd_bins;

/** count bins that divide [low, last] evenly, both bounds included, given in the element type
 *  itself.
 *
 *  For 64-bit integers that a double cannot hold, and for ranges that end with the type's largest
 *  value. Integers: as hd_bins with [low, last + 1), all exact. Floats: as hd_bins with last for
 *  high, but last itself is in the last bin; low == last puts it into the first.
 */
typedef struct hd_closed_bins {
    hd_scalar low, /**< Lower bound; the member of the element type is used. */
        last;      /**< Upper bound, inclusive. */
    size_t count;  /**< Number of bins, 1 to #HD_HISTOGRAM_MAX_BINS. */
} hd_closed_bins;

/** Returns the workspace that hd_histogram() needs: 0 bytes on GPUs, a private copy of the bins per
 *  block on the CPU engine.
 *
 *  @param n      Number of elements.
 *  @param type   Element type.
 *  @param bins   The bins.
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT, also for bins that hd_histogram() refuses.
 */
hd_status hd_histogram_workspace(size_t n, hd_type type, const hd_bins *bins, size_t *bytes);

/** As hd_histogram_workspace(), for hd_histogram_closed().
 *
 *  @param n      Number of elements.
 *  @param type   Element type.
 *  @param bins   The bins.
 *  @param bytes  Receives the size in bytes.
 *  @return As hd_histogram_workspace().
 */
hd_status hd_histogram_closed_workspace(size_t n, hd_type type, const hd_closed_bins *bins,
                                        size_t *bytes);

/** Counts how many elements lie in each bin. Asynchronous: up to two fills and one launch.
 *
 *  Reads n * size bytes once, whatever the data: equal values take no longer than different ones
 *  while the bins fit into shared memory 32 times (about 512 bins), and each block issues one
 *  atomic per bin at the end. Bins that do not fit into a block's shared memory are split into
 *  parts, each of which reads the elements again, mostly from cache.
 *
 *  Source: private histograms in shared memory, replicated against conflicts: J. Gomez-Luna et al.,
 *  "An optimized approach to histogram computation on GPU", Machine Vision and Applications 24,
 *  2013.
 *
 *  @param in          n elements in @ref usable_memory "memory that the stream's device can use".
 *  @param n           Number of elements; 0 gives zeros.
 *  @param type        u8, u32, i32, u64, i64, f32 or f64.
 *  @param bins        The bins; read before the call returns.
 *  @param count_type  Type of the counts: #HD_U32 or #HD_U64.
 *  @param counts      Receives bins->count counts, in memory that the device can use.
 *  @param outside     Receives three more counts: elements below low, at or above high, and NaN.
 *                     NULL: these are not counted.
 *  @param workspace   hd_histogram_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream      Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for another type or
 *          count_type, too many bins or none, an empty or inverted range, more bins than whole
 *          numbers, a bound that is not finite or not in the type, and overlapping arrays;
 *          HD_ERR_OVERFLOW also for counts of u32 and more than 2^32 - 1 elements.
 */
hd_status hd_histogram(const void *in, size_t n, hd_type type, const hd_bins *bins,
                       hd_type count_type, void *counts, void *outside, hd_workspace *workspace,
                       hd_stream *stream);

/** As hd_histogram(), over a range that includes its last value.
 *
 *  @param in          n elements.
 *  @param n           Number of elements; 0 gives zeros.
 *  @param type        Element type.
 *  @param bins        The bins; read before the call returns.
 *  @param count_type  Type of the counts: #HD_U32 or #HD_U64.
 *  @param counts      Receives bins->count counts.
 *  @param outside     Receives three more counts: elements below low, above last, and NaN; or NULL.
 *  @param workspace   hd_histogram_closed_workspace() bytes, or NULL.
 *  @param stream      Stream.
 *  @return As hd_histogram(); a range of one value is valid.
 */
hd_status hd_histogram_closed(const void *in, size_t n, hd_type type, const hd_closed_bins *bins,
                              hd_type count_type, void *counts, void *outside,
                              hd_workspace *workspace, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
