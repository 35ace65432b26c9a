/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.h - histograms of arrays in device memory. */
#ifndef HEDDLE_HISTOGRAM_H
#define HEDDLE_HISTOGRAM_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HD_HISTOGRAM_MAX_BINS = 65536 };

/* `count` bins, 1 to 65,536, that divide [low, high) evenly; low < high.

   Integers (u8, u32, i32, u64, i64): low and high are whole numbers from the type's smallest value
   to one above its largest, and a bin holds at least one value: count <= high - low. Element x is
   counted in bin floor((x - low) * count / (high - low)), in exact integer arithmetic: an element
   on the edge of two bins is in the upper one; with high = low + count the bin is x - low.
   f32: low and high are rounded to f32 and differ; high may be 2^128, just above the largest f32.
   Element x with low <= x < high is in bin min(count - 1, (x - low) * scale), truncated, where
   scale is count / (high - low), rounded to f32, and both operations are rounded to f32. Where
   high - low overflows f32, or scale is not a normal f32, the bin is that of f64.
   f64: low and high are finite. Element x with low <= x < high is in bin
   min(count - 1, (x - low) * count / (high - low)), truncated, where each operation is rounded to
   f64 from left to right (if high - low is 2^1000 or more: x, low and high times 2^-64 first). An
   element on an edge is in the upper bin wherever these operations are exact, as they are for whole
   numbers below 2^53 / count.

   Floats are in the same bin on every backend, and a larger x is never in a lower bin. -0.0 is 0.0;
   -infinity is below low, infinity at or above high, and NaN is counted apart. */
typedef struct hd_bins {
    double low, high;
    size_t count;
} hd_bins;

/* `count` bins that divide [low, last] evenly: bounds in the elements' own type (the member of that
   type counts), both included, for 64-bit integers that a double does not hold and for ranges that
   end with the type's largest value. Integers: as [low, last + 1) above, all exactly. Floats: as
   above with `last` in place of `high`, but last itself is in the last bin; low == last puts it
   into the first. */
typedef struct hd_closed_bins {
    hd_scalar low, last;
    size_t count;
} hd_closed_bins;

/* Bytes of the workspace that hd_histogram needs: 0 on GPUs, a private copy of the bins for each
   block on the CPU engine. */
hd_status hd_histogram_workspace(size_t n, hd_type type, const hd_bins *bins, size_t *bytes);
hd_status hd_histogram_closed_workspace(size_t n, hd_type type, const hd_closed_bins *bins,
                                        size_t *bytes);

/* Counts how many of the n elements at `in` (u8, u32, i32, u64, i64, f32 or f64; any alignment that
   the type allows) lie in each bin and writes bins->count counts of count_type, HD_U32 or HD_U64,
   to `counts`. `outside` is NULL, or receives three more counts of that type: elements below low,
   those at or above high, those that are NaN; without it they are counted nowhere. All arrays are
   memory that the stream's device can use. n = 0 gives zeros. Asynchronous: up to two fills and one
   launch on `stream`. With a workspace (see above; NULL where 0 bytes are needed or for scratch
   that the stream keeps) it may be captured.

   Cost: n * size bytes, read once, whatever the data: equal values take no longer than different
   ones while the bins fit in shared memory 32 times (512 bins or so), and each block sends one
   atomic per bin in the end. Bins that do not fit in a block's shared memory are cut into parts
   that read the elements again, mostly from the cache.
   (Private histograms in shared memory, replicated against conflicts: J. Gomez-Luna et al., "An
   optimized approach to histogram computation on GPU", Machine Vision and Applications 24, 2013.)

   HD_ERR_ARGUMENT (type, count_type, no bins or too many, an inverted or empty range, more bins
   than whole numbers, a bound that is not finite or that the type does not have), HD_ERR_OVERFLOW
   (n elements have more bytes than addresses; more than 2^32 - 1 elements with counts of u32),
   HD_ERR_POINTER, HD_ERR_WORKSPACE. */
hd_status hd_histogram(const void *in, size_t n, hd_type type, const hd_bins *bins,
                       hd_type count_type, void *counts, void *outside, hd_workspace *workspace,
                       hd_stream *stream);

/* The same over a range that includes its last value. */
hd_status hd_histogram_closed(const void *in, size_t n, hd_type type, const hd_closed_bins *bins,
                              hd_type count_type, void *counts, void *outside,
                              hd_workspace *workspace, hd_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
