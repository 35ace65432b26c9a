/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h - stable sort of keys, and of keys with values, in device memory. */
#ifndef HEDDLE_SORT_H
#define HEDDLE_SORT_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: ascending, by all bits. */
typedef struct hd_sort_options {
    int descending;
    /* Only bits first_bit ... end_bit - 1 of the keys decide; end_bit 0: up to the last. Bit 0 is
       the lowest. Signed and floating-point keys are looked at as unsigned integers in the same
       order: the sign bit turned over, and all others too where a floating-point key is negative.
     */
    unsigned first_bit, end_bit;
} hd_sort_options;

/* Bytes of workspace for n keys of the type with values of value_bytes (0: without values). 0 bytes
   where none is needed. HD_ERR_OVERFLOW, HD_ERR_ARGUMENT, HD_ERR_UNSUPPORTED as below. */
hd_status hd_sort_workspace(size_t n, hd_type type, size_t value_bytes, size_t *bytes);

/* Sorts n keys at keys_in into keys_out; keys_out == keys_in sorts in place, any other overlap is
   an error. Types: u32 i32 f32 u64 i64 f64, else HD_ERR_UNSUPPORTED. Stable in both directions:
   equal keys stay in their order. Floats are in the total order of IEEE 754: negative NaNs,
   -inf ... -0, +0 ... +inf, positive NaNs; NaNs by their bits; every bit of a key is kept.
   `options` may be NULL.

   Asynchronous: one launch up to 1024 keys (2048 of 4 bytes without values); two up to 128 KB of
   keys, where a block may have that much shared memory; else one that counts and one for every 8
   bits (two where n reaches 2^30, and so on). With a workspace it neither allocates nor
   synchronises and may be captured; NULL takes scratch that the stream keeps: as many bytes as the
   input, and 1/8 of that at most. Moves n * size bytes once to count, and reads and writes as many
   for every 8 bits: 36 bytes for a key of 4; few keys are read and written once in each launch. The
   bits of the result are the same on every backend.

   Few keys: networks and merges (docs/sort.md). Others: one-sweep least-significant-digit radix
   sort with look-back: A. Adinets, D. Merrill, Onesweep: A Faster Least Significant Digit Radix
   Sort for GPUs, 2022.

   HD_ERR_ARGUMENT (overlap, alignment below a key's size, bits out of range), HD_ERR_OVERFLOW,
   HD_ERR_POINTER and HD_ERR_WORKSPACE as hd_reduce. */
hd_status hd_sort_keys(const void *keys_in, void *keys_out, size_t n, hd_type type,
                       const hd_sort_options *options, hd_workspace *workspace, hd_stream *stream);

/* The same, and values_out[i] is the value that came with keys_out[i]. Values have 4 or 8 bytes.
   Keys and values are each in place, or not. */
hd_status hd_sort_pairs(const void *keys_in, const void *values_in, void *keys_out,
                        void *values_out, size_t n, hd_type type, size_t value_bytes,
                        const hd_sort_options *options, hd_workspace *workspace, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
