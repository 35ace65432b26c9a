/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.h - tridiagonal systems, many at once, with the same bits on every backend. */
#ifndef HEDDLE_TRIDIAG_H
#define HEDDLE_TRIDIAG_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A batch of systems of `rows` equations each:
     lower[i] * x[i-1] + diagonal[i] * x[i] + upper[i] * x[i+1] = right[i],   0 <= i < rows.
   Systems stand in groups of `width`, a divisor of `systems`, whose rows alternate: row i of system
   s is element (s / width * rows + i) * width + s % width of each array. So width 1 is system after
   system, width = systems is element i of all systems together, and lines along y of a field with
   nx points along x have width nx. All arrays hold rows * systems elements; lower of row 0 and
   upper of the last row are never used, whatever they are. */
typedef struct hd_tridiag_batch {
    size_t rows;
    size_t systems;
    size_t width;
    hd_type type; /* HD_F32, HD_F64 */
} hd_tridiag_batch;

/* X(name, text, what): HD_TRIDIAG_AUTO chooses by rows and width and takes any; the others are
   there to be compared. All take any layout; their bits differ from one another. */
#define HD_TRIDIAG_ALGORITHM_LIST(X)                                                               \
    X(HD_TRIDIAG_AUTO, "auto", "chunks in registers or shared memory, then PCR over their ends")   \
    X(HD_TRIDIAG_THOMAS, "thomas", "down and up, one thread per system")                           \
    X(HD_TRIDIAG_PCR_SHUFFLE, "pcr-shuffle", "parallel cyclic reduction, at most 32 rows")         \
    X(HD_TRIDIAG_PCR_SHARED, "pcr-shared", "the same in shared memory, at most 1024 rows")

typedef enum hd_tridiag_algorithm {
#define HD_TRIDIAG_ALGORITHM_ENUM_(name, text, what) name,
    HD_TRIDIAG_ALGORITHM_LIST(HD_TRIDIAG_ALGORITHM_ENUM_)
#undef HD_TRIDIAG_ALGORITHM_ENUM_
        HD_TRIDIAG_ALGORITHM_COUNT_
} hd_tridiag_algorithm;

/* What *singular holds when every system was solved. */
#define HD_TRIDIAG_NONE UINT64_MAX

const char *hd_tridiag_algorithm_name(hd_tridiag_algorithm algorithm);

/* Bytes of workspace that are enough on every device. */
hd_status hd_tridiag_workspace(const hd_tridiag_batch *batch, hd_tridiag_algorithm algorithm,
                               size_t *bytes);

/* Solves every system of the batch. lower, diagonal, upper, right and x are memory that the
   stream's device can use, aligned to their elements (16 bytes are fastest, as are rows that make a
   multiple of them where width is 1); x may be the very array of one of the others, else it
   overlaps none. Asynchronous on `stream`. With a workspace it neither allocates nor synchronises
   and may be captured; NULL takes scratch that the stream keeps.

   *singular (device memory, 8-byte aligned, not NULL, in no array) becomes HD_TRIDIAG_NONE or the
   lowest index of a system that was not solved: one that met a pivot of 0 or infinity, or whose
   solution has an element that is infinite or NaN. Other systems are not affected.
   hd_tridiag_check waits and makes an error of it.

   No rows are exchanged (no pivoting). Solved are systems whose diagonal dominates
   (|diagonal| >= |lower| + |upper|, somewhere strictly) and symmetric positive definite ones; any
   other one is solved if no pivot comes out as 0, with an error that small pivots may make large:
   docs/tridiagonal.md has a bound. The bits depend on rows, type and whether width is 1: not on
   the other systems, the device, its warp size, or the run.

   Cost: each array once, 5 * rows * systems elements, where width is 1 and a system has at most
   4096 rows of f32 or 2048 of f64, and for other widths at most 4096 rows where blocks have shared
   memory for 32 bytes of each of 256 rows; else the inputs twice and the chunks' ends, 9.3 to 10.7
   arrays in all. Algorithm: elimination in chunks and parallel cyclic reduction over their ends,
   after Laszlo, Giles and Appleyard, ACM TOMS 42 (2016), and Hockney and Jesshope, "Parallel
   Computers" (1981).

   HD_ERR_ARGUMENT, HD_ERR_OVERFLOW (elements without addresses), HD_ERR_POINTER,
   HD_ERR_UNSUPPORTED (another type; more rows than the algorithm takes), HD_ERR_WORKSPACE. */
hd_status hd_tridiag(const hd_tridiag_batch *batch, const void *lower, const void *diagonal,
                     const void *upper, const void *right, void *x, uint64_t *singular,
                     hd_workspace *workspace, hd_stream *stream);
hd_status hd_tridiag_with(hd_tridiag_algorithm algorithm, const hd_tridiag_batch *batch,
                          const void *lower, const void *diagonal, const void *upper,
                          const void *right, void *x, uint64_t *singular, hd_workspace *workspace,
                          hd_stream *stream);

/* Waits for the stream's work and reads *singular: HD_OK, or HD_ERR_SINGULAR with the index of the
   system in the message. */
hd_status hd_tridiag_check(const uint64_t *singular, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
