/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - scans (prefix sums, minima, maxima) of arrays in device memory, with the same bits on
   every backend. */
#ifndef HEDDLE_SCAN_H
#define HEDDLE_SCAN_H

#include <heddle/reduce.h>
#include <heddle/detail/scan_kernel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Result i of an inclusive scan combines elements 0 ... i, of an exclusive one 0 ... i-1. */
typedef enum hd_scan_kind { HD_SCAN_INCLUSIVE, HD_SCAN_EXCLUSIVE } hd_scan_kind;

/* The variants side by side, for teaching and comparison: sum, min and max of i32, f32 and f64,
   else HD_ERR_UNSUPPORTED; no segments. HD_SCAN_AUTO is the fast, reproducible one for everything;
   sums of floats of a variant marked (*) have an association of their own, the same in every run.
   HD_SCAN_HOST waits for the device. */
#define HD_SCAN_ALGORITHM_LIST(X)                                                                  \
    X(HD_SCAN_AUTO, "auto", "single pass with look-back (default)")                                \
    X(HD_SCAN_HILLIS_STEELE, "hillis", "log2(n) passes over the array, Hillis and Steele (*)")     \
    X(HD_SCAN_SHUFFLE, "shuffle", "warp shuffles per block, launches over block totals (*)")       \
    X(HD_SCAN_HOST, "host", "three phases, block totals scanned on the host (*)")

typedef enum hd_scan_algorithm {
#define HD_SCAN_ALGORITHM_ENUM_(name, text, what) name,
    HD_SCAN_ALGORITHM_LIST(HD_SCAN_ALGORITHM_ENUM_)
#undef HD_SCAN_ALGORITHM_ENUM_
        HD_SCAN_ALGORITHM_COUNT_
} hd_scan_algorithm;

/* Bytes of workspace for a scan of n elements by that algorithm, segmented or not; never 0. */
hd_status hd_scan_workspace(hd_scan_algorithm algorithm, size_t n, hd_type type, size_t *bytes);

/* Scans the n elements at `in` into the n at `out` (memory that the stream's device can reach; any
   alignment that the type allows on the host, multiples of 16 bytes are fastest). `out` may be
   `in`; other overlaps are refused. Types: i32 u32 i64 u64 f32 f64; op: HD_SUM, HD_MIN or HD_MAX.
   `initial`, one element in host memory, precedes everything; with NULL an exclusive scan begins
   with 0 (sum), the largest value (min) or the smallest (max; infinities for floats).
   Asynchronous: one launch on `stream`. With a workspace it neither allocates nor synchronises and
   may be captured; NULL takes scratch that the stream keeps; host threads may share a stream. Reads
   and writes each element once: 2 n size bytes.

   Sums of integers are modulo 2^32 or 2^64. Sums of floats: the order of docs/scan.md, the same on
   every backend, warp size, grid and run; result i depends on elements 0 ... i alone, so the scan
   of a longer array begins with the same bits. NaN becomes the canonical quiet NaN and stays to the
   end, also for min and max; -0.0 is below +0.0 there.

   HD_ERR_ARGUMENT (also: overlaps), HD_ERR_UNSUPPORTED (type or op), HD_ERR_OVERFLOW (more bytes
   than addresses), HD_ERR_POINTER (memory the device cannot use, or beyond the end of its
   allocation, where the backend knows that), HD_ERR_WORKSPACE.
   Source: D. Merrill, M. Garland, NVR-2016-002, with a fixed association (heddle/look_back.h). */
hd_status hd_scan(const void *in, size_t n, hd_type type, hd_reduce_op op, hd_scan_kind kind,
                  const void *initial, void *out, hd_workspace *workspace, hd_stream *stream);
hd_status hd_scan_with(hd_scan_algorithm algorithm, const void *in, size_t n, hd_type type,
                       hd_reduce_op op, hd_scan_kind kind, const void *initial, void *out,
                       hd_workspace *workspace, hd_stream *stream);

/* The same with a fresh start at every head: heads[i] != 0 marks element i as the first of a
   segment (element 0 always is). `initial` precedes every segment. Heads are n elements of type
   HD_U8 or HD_U32, which `out` may not overlap; their bytes are read once too. */
hd_status hd_scan_segments(const void *in, const void *heads, hd_type head_type, size_t n,
                           hd_type type, hd_reduce_op op, hd_scan_kind kind, const void *initial,
                           void *out, hd_workspace *workspace, hd_stream *stream);

/* ---- elements and operations of your own ------------------------------------------------------

   A kernel file includes <heddle/scan.inc>, which says what to define; host code declares the
   kernel with HD_DECLARE_SCAN(name) and scans with hd_scan_own(&name_kernel, ...). */
#define HD_DECLARE_SCAN(name) HD_DECLARE(name, hd_scan_task)

hd_status hd_scan_own_workspace(size_t n, size_t size, size_t *bytes);
/* As hd_scan, for elements of `size` bytes (4 to 64, a multiple of 4). `first`, in host memory,
   precedes everything: a neutral element or an initial one. */
hd_status hd_scan_own(const hd_kernel *kernel, const void *in, size_t n, size_t size,
                      hd_scan_kind kind, const void *first, void *out, hd_workspace *workspace,
                      hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
