/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Stable sort of keys, and of keys with values, in device memory.
 */
#ifndef HEDDLE_SORT_H
#define HEDDLE_SORT_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup sort Sort
 *  @brief Sorting keys, and keys with values; docs/sort.md.
 *  @{
 */

/** Order of a sort. All zero: ascending, by all bits. */
typedef struct hd_sort_options {
    int descending;     /**< Not 0: descending. */
    unsigned first_bit, /**< First bit of a key that is compared; bit 0 is the lowest. Signed and
                             floating-point keys are compared as unsigned integers of the same
                             order: with the sign bit inverted, and in negative floating-point keys
                             all other bits too. */
        end_bit;        /**< One above the last bit that is compared; 0: all bits from first_bit. */
} hd_sort_options;

/** Returns the workspace that a sort needs.
 *
 *  @param n            Number of keys.
 *  @param type         Type of the keys.
 *  @param value_bytes  Bytes per value: 4 or 8; 0 without values.
 *  @param bytes        Receives the size in bytes; 0 if none is needed.
 *  @return HD_OK, HD_ERR_UNSUPPORTED for another type, HD_ERR_OVERFLOW, or HD_ERR_ARGUMENT.
 */
hd_status hd_sort_workspace(size_t n, hd_type type, size_t value_bytes, size_t *bytes);

/** Sorts n keys. Stable, also in descending order: equal keys keep their order. Asynchronous.
 *
 *  Floats are in the total order of IEEE 754: negative NaNs, -inf ... -0, +0 ... +inf, positive
 *  NaNs, NaNs by their bits. Every bit of a key is kept. The result is the same on every backend.
 *
 *  Launches: one up to 1024 keys (2048 of 4 bytes without values); two up to 128 KiB of keys on
 *  devices whose blocks can have that much shared memory; otherwise one that counts and one per 8
 *  bits (two per 8 bits from 2^30 keys on, and so on). Moves n * size bytes to count, and twice
 *  that per 8 bits: 36 bytes for a 4-byte key. Scratch: as many bytes as the input, and at most 1/8
 *  more.
 *
 *  Source: onesweep least-significant-digit radix sort with look-back, A. Adinets and D. Merrill,
 *  "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022; for few keys sorting
 *  networks and merges (docs/sort.md).
 *
 *  @param keys_in    n keys in @ref usable_memory "memory that the stream's device can use".
 *  @param keys_out   Receives the sorted keys; keys_in sorts in place, any other overlap is an
 *                    error.
 *  @param n          Number of keys.
 *  @param type       u32, i32, f32, u64, i64 or f64.
 *  @param options    Order; NULL: ascending, by all bits.
 *  @param workspace  hd_sort_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for overlaps and bits out
 *          of range; HD_ERR_UNSUPPORTED for another type.
 */
hd_status hd_sort_keys(const void *keys_in, void *keys_out, size_t n, hd_type type,
                       const hd_sort_options *options, hd_workspace *workspace, hd_stream *stream);

/** As hd_sort_keys(), with a value per key: values_out[i] is the value that came with keys_out[i].
 *
 *  @param keys_in      n keys.
 *  @param values_in    n values.
 *  @param keys_out     Receives the sorted keys; may be keys_in.
 *  @param values_out   Receives the values; may be values_in. Keys and values must not overlap.
 *  @param n            Number of keys.
 *  @param type         Type of the keys.
 *  @param value_bytes  Bytes per value: 4 or 8.
 *  @param options      Order; NULL: ascending, by all bits.
 *  @param workspace    hd_sort_workspace() bytes, or NULL.
 *  @param stream       Stream.
 *  @return As hd_sort_keys(); HD_ERR_ARGUMENT also for another value_bytes.
 */
hd_status hd_sort_pairs(const void *keys_in, const void *values_in, void *keys_out,
                        void *values_out, size_t n, hd_type type, size_t value_bytes,
                        const hd_sort_options *options, hd_workspace *workspace, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
