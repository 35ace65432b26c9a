/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Tridiagonal systems, many at once, with the same bits on every backend.
 */
#ifndef HEDDLE_TRIDIAG_H
#define HEDDLE_TRIDIAG_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup tridiag Tridiagonal systems
 *  @brief Batches of tridiagonal systems; docs/tridiagonal.md.
 *  @{
 */

/** A batch of systems of `rows` equations each:
 *
 *      lower[i] * x[i-1] + diagonal[i] * x[i] + upper[i] * x[i+1] = right[i],   0 <= i < rows
 *
 *  Systems are stored in groups of `width` with their rows interleaved: row i of system s is
 *  element (s / width * rows + i) * width + s % width of each array. So width 1 is system after
 *  system, width = systems is element i of all systems together, and lines along y of a field with
 *  nx points along x have width nx. All arrays hold rows * systems elements; lower of row 0 and
 *  upper of the last row are never used.
 */
typedef struct hd_tridiag_batch {
    size_t rows;    /**< Equations per system. */
    size_t systems; /**< Number of systems. */
    size_t width;   /**< Interleaved systems, a divisor of systems. */
    hd_type type;   /**< #HD_F32 or #HD_F64. */
} hd_tridiag_batch;

/** X(name, text, what): the algorithms of hd_tridiag_with(). #HD_TRIDIAG_AUTO chooses by rows and
 *  width and takes any; the others are for comparison. All take any layout; their bits differ. */
#define HD_TRIDIAG_ALGORITHM_LIST(X)                                                               \
    /** Chunks in registers or shared memory, then cyclic reduction over their ends. */            \
    X(HD_TRIDIAG_AUTO, "auto", "chunks in registers or shared memory, then PCR over their ends")   \
    /** Forward elimination and back substitution, one thread per system. */                       \
    X(HD_TRIDIAG_THOMAS, "thomas", "down and up, one thread per system")                           \
    /** Parallel cyclic reduction by warp shuffles, at most 32 rows. */                            \
    X(HD_TRIDIAG_PCR_SHUFFLE, "pcr-shuffle", "parallel cyclic reduction, at most 32 rows")         \
    /** Parallel cyclic reduction in shared memory, at most 1024 rows. */                          \
    X(HD_TRIDIAG_PCR_SHARED, "pcr-shared", "the same in shared memory, at most 1024 rows")

/** Algorithm; the values are those of #HD_TRIDIAG_ALGORITHM_LIST. */
typedef enum hd_tridiag_algorithm {
#define HD_TRIDIAG_ALGORITHM_ENUM_(name, text, what) name,
    HD_TRIDIAG_ALGORITHM_LIST(HD_TRIDIAG_ALGORITHM_ENUM_)
#undef HD_TRIDIAG_ALGORITHM_ENUM_
        HD_TRIDIAG_ALGORITHM_COUNT_
} hd_tridiag_algorithm;

/** Value of *singular if every system was solved. */
#define HD_TRIDIAG_NONE UINT64_MAX

/** Returns the name of an algorithm.
 *
 *  @param algorithm  The value.
 *  @return Static text such as "auto"; "unknown algorithm" for other values.
 */
const char *hd_tridiag_algorithm_name(hd_tridiag_algorithm algorithm);

/** Returns the workspace that a solve needs, enough on every device.
 *
 *  @param batch      The batch.
 *  @param algorithm  Algorithm; #HD_TRIDIAG_AUTO for hd_tridiag().
 *  @param bytes      Receives the size in bytes.
 *  @return HD_OK or an error that hd_tridiag_with() returns for the batch.
 */
hd_status hd_tridiag_workspace(const hd_tridiag_batch *batch, hd_tridiag_algorithm algorithm,
                               size_t *bytes);

/** Solves every system of a batch. Asynchronous.
 *
 *  Does not pivot. Systems are solved whose diagonal dominates (|diagonal| >= |lower| + |upper|,
 *  somewhere strictly), and symmetric positive definite ones; any other is solved unless a pivot
 *  becomes 0, with an error that small pivots may make large (docs/tridiagonal.md has a bound). The
 *  bits depend on rows, type and whether width is 1: not on the other systems, the device, its warp
 *  size or the run.
 *
 *  Reads or writes each array once, 5 * rows * systems elements, if width is 1 and a system has at
 *  most 4096 rows of f32 or 2048 of f64, and for other widths up to 4096 rows if a block has shared
 *  memory for 32 bytes of each of 256 rows; otherwise the inputs twice and the ends of the chunks:
 *  9.3 to 10.7 arrays in all.
 *
 *  Source: elimination in chunks and parallel cyclic reduction over their ends, after Laszlo, Giles
 *  and Appleyard, ACM TOMS 42 (2016), and Hockney and Jesshope, "Parallel Computers" (1981).
 *
 *  @param batch      The batch.
 *  @param lower      Subdiagonal, in @ref usable_memory "memory that the stream's device can use".
 *  @param diagonal   Main diagonal.
 *  @param upper      Superdiagonal.
 *  @param right      Right-hand sides.
 *  @param x          Receives the solutions; may be one of the other arrays, but may not overlap
 *                    them otherwise.
 *  @param singular   Receives, in device memory, 8-byte aligned and in no array, #HD_TRIDIAG_NONE
 *                    or the lowest index of a system that was not solved: one with a pivot of 0 or
 *                    infinity, or with a solution that is not finite. Other systems are not
 *                    affected.
 *  @param workspace  hd_tridiag_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for overlaps and a width
 *          that does not divide systems; HD_ERR_UNSUPPORTED for another type.
 *  @see hd_tridiag_check()
 */
hd_status hd_tridiag(const hd_tridiag_batch *batch, const void *lower, const void *diagonal,
                     const void *upper, const void *right, void *x, uint64_t *singular,
                     hd_workspace *workspace, hd_stream *stream);

/** As hd_tridiag(), by a given algorithm.
 *
 *  @param algorithm  Algorithm.
 *  @param batch      The batch.
 *  @param lower      Subdiagonal.
 *  @param diagonal   Main diagonal.
 *  @param upper      Superdiagonal.
 *  @param right      Right-hand sides.
 *  @param x          Receives the solutions.
 *  @param singular   Receives #HD_TRIDIAG_NONE or the lowest index of a system that was not solved.
 *  @param workspace  hd_tridiag_workspace() bytes for that algorithm, or NULL.
 *  @param stream     Stream.
 *  @return As hd_tridiag(); HD_ERR_UNSUPPORTED also for more rows than the algorithm takes.
 */
hd_status hd_tridiag_with(hd_tridiag_algorithm algorithm, const hd_tridiag_batch *batch,
                          const void *lower, const void *diagonal, const void *upper,
                          const void *right, void *x, uint64_t *singular, hd_workspace *workspace,
                          hd_stream *stream);

/** Waits for the stream and reads *singular.
 *
 *  @param singular  As given to hd_tridiag() or hd_adi_steps().
 *  @param stream    The stream of that call.
 *  @return HD_OK if every system was solved; HD_ERR_SINGULAR with the index of the system in the
 *          message; or as hd_copy_blocking_bytes().
 */
hd_status hd_tridiag_check(const uint64_t *singular, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
