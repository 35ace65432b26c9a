/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.h - histograms of arrays in device memory. */
#ifndef HEDDLE_HISTOGRAM_H
#define HEDDLE_HISTOGRAM_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HD_HISTOGRAM_MAX_BINS = 65536 };

/* `count` bins, 1 to 65,536, that share [low, high) out evenly; low < high.

   u8, u32: low and high are whole numbers from 0 to 256 or 2^32, and a bin is one value wide at
   least: count <= high - low. Element x is counted in bin floor((x - low) * count / (high - low)),
   exactly; with high = low + count in bin x - low.
   f32: low and high are rounded to f32 first and must be finite and apart by no more than the
   largest f32. Element x with low <= x < high is counted in bin min(count - 1, (x - low) * scale),
   cut to a whole number, where scale is count / (high - low) rounded to f32 and both operations
   round to f32: the same bin on every backend, and a larger x is never in a lower bin. */
typedef struct hd_bins {
    double low, high;
    size_t count;
} hd_bins;

/* Bytes of the workspace that hd_histogram needs: 0 on GPUs, a private copy of the bins for each
   block on the CPU engine. */
hd_status hd_histogram_workspace(size_t n, hd_type type, const hd_bins *bins, size_t *bytes);

/* Counts how many of the n elements at `in` (u8, u32 or f32; any alignment that the type allows)
   lie in each bin and writes bins->count counts of count_type, HD_U32 or HD_U64, to `counts`.
   `outside` is NULL, or receives three more counts of that type: elements below low, those at or
   above high, those that are NaN; without it they are counted nowhere. All arrays are memory that
   the stream's device can use. n = 0 gives zeros. Asynchronous: up to two fills and one launch on
   `stream`. With a workspace (see above; NULL where 0 bytes are needed or for scratch that the
   stream keeps) it may be captured.

   Cost: n * size bytes, read once, whatever the data: equal values take no longer than different
   ones while the bins fit in shared memory 32 times (512 bins or so), and each block sends one
   atomic per bin in the end. Bins that do not fit in a block's shared memory are cut into parts
   that read the elements again, mostly from the cache.
   (Private histograms in shared memory, replicated against conflicts: J. Gomez-Luna et al., "An
   optimized approach to histogram computation on GPU", Machine Vision and Applications 24, 2013.)

   HD_ERR_ARGUMENT (type, count_type, no bins or too many, an inverted or empty range, more bins
   than whole numbers, a range that is not finite), HD_ERR_OVERFLOW (n elements have more bytes than
   addresses; more than 2^32 - 1 elements with counts of u32), HD_ERR_POINTER, HD_ERR_WORKSPACE. */
hd_status hd_histogram(const void *in, size_t n, hd_type type, const hd_bins *bins,
                       hd_type count_type, void *counts, void *outside, hd_workspace *workspace,
                       hd_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
