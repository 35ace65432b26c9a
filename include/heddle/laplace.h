/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Jacobi sweeps over 2-D and 3-D fields, and solvers of Laplace's equation from them, with the
 *  same bits on every backend.
 */
#ifndef HEDDLE_LAPLACE_H
#define HEDDLE_LAPLACE_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup laplace Jacobi sweeps
 *  @brief Jacobi sweeps and Laplace's equation; docs/laplace.md.
 *  @{
 */

/** What is at a side of a field. */
typedef enum hd_side {
    HD_SIDE_FIXED,    /**< The outermost cells of that side keep their values (Dirichlet). */
    HD_SIDE_PERIODIC, /**< The neighbour is the cell at the other end; both sides of an axis or
                           none. */
    HD_SIDE_MIRROR,   /**< The neighbour beyond has the value of the cell itself (no flow,
                           Neumann). */
    HD_SIDE_HALO /**< 2-D: the cells beyond lie in memory before and after the field's own, where
                      the owner of that part of a larger field puts them (halo.h). They are read,
                      not written. */
} hd_side;

/** A field and what to do with it. Zero the struct, then set what is not 0.
 *
 *  Cell (x, y, z) of a field is its element z * plane + y * pitch + x; what lies between rows is
 *  neither read nor written.
 */
typedef struct hd_jacobi {
    hd_type type;     /**< #HD_F32 or #HD_F64. */
    size_t nx,        /**< Extent in x, below 2^31 - 1024. */
        ny,           /**< Extent in y, below 2^31 - 1024. */
        nz;           /**< 3-D: extent in z, below 2^31 - 1024. */
    size_t pitch;     /**< Elements from a row to the next; 0: nx. */
    size_t plane;     /**< 3-D: elements from a plane to the next; 0: ny * pitch. */
    hd_side sides[6]; /**< Low x, high x, low y, high y, low z, high z. */
    /** 2-D: device memory, ny rows of nx bytes, held_pitch apart, or NULL. Cells whose byte is
     *  not 0 keep their values. */
    const uint8_t *held;
    size_t held_pitch; /**< Bytes from a row of held to the next; 0: nx. */
    size_t halo;    /**< 2-D with #HD_SIDE_HALO: cells in memory beyond every such side, of field,
                         other and held: at least sweeps; 16 or more are fastest. Rows beyond are as
                         long as the others, including what is beyond their ends: corners are used
                         if sweeps > 1. */
    size_t sweeps;  /**< Sweeps to make. With halos no more than one pass can make, since the cells
                         beyond are as old as the field. */
    unsigned depth; /**< Maximum sweeps per pass over memory; 0: the fastest. Kernels exist for 1,
                         2, 4 and, in 2-D f32, 8; in 3-D for 1 and 2; with held for 1 and 4. A pass
                         uses the largest that depth and the remaining sweeps allow. */
    double *norms;  /**< Device memory for one norm per sweep, or NULL. */
} hd_jacobi;

/** Returns the workspace of hd_jacobi2d() and hd_laplace2d(); 0 without norms.
 *
 *  @param problem  The problem.
 *  @param bytes    Receives the size in bytes.
 *  @return HD_OK or an error that hd_jacobi2d() returns for the problem.
 */
hd_status hd_jacobi2d_workspace(const hd_jacobi *problem, size_t *bytes);

/** Returns the workspace of hd_jacobi3d() and hd_laplace3d(); 0 without norms.
 *
 *  @param problem  The problem.
 *  @param bytes    Receives the size in bytes.
 *  @return HD_OK or an error that hd_jacobi3d() returns for the problem.
 */
hd_status hd_jacobi3d_workspace(const hd_jacobi *problem, size_t *bytes);

/** Makes problem->sweeps Jacobi sweeps of a 2-D field. Asynchronous; one launch per pass, and one
 *  more with norms.
 *
 *  A sweep replaces every cell that is not held by ((north + west) + (south + east)) * 0.25 of the
 *  values before it; north is the neighbour with the lower index in y. Each operation is rounded
 *  once; bits depend on neither depth, launch shape nor warp size. Reads and writes each cell once
 *  per pass: 2 * element size bytes.
 *
 *  norms[s] is the 2-norm of the change in sweep s: the square root of the sum of (new - old)^2
 *  over all cells, which is the norm of the residual of Laplace's equation before that sweep.
 *  Squares and short sums are in the field's type, the rest in f64, in an order that depends on the
 *  extents only (docs/laplace.md). Without cells norms are 0.
 *
 *  Source: C. G. J. Jacobi, 1845; several sweeps per pass: wavefront blocking after D. Wonnacott
 *  (2000) and A. Nguyen et al., "3.5-D blocking" (SC 2010).
 *
 *  @param problem    The problem; read before the call returns.
 *  @param field      The field, in @ref usable_memory "memory that the stream's device can use";
 *                    16-byte alignment, with rows that are multiples of 16 bytes apart, is fastest.
 *  @param other      A second field of the same layout; its contents do not matter. Must not
 *                    overlap field. Left with some earlier sweep, or with the result.
 *  @param result     Receives field or other: the one that holds the last sweep. Set at return.
 *  @param workspace  hd_jacobi2d_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for another type, sides
 *          that are periodic at one end only, pitches that are too small, fields that overlap, and
 *          more sweeps than the halo or one pass allows; HD_ERR_OVERFLOW also for extents that are
 *          too large.
 */
hd_status hd_jacobi2d(const hd_jacobi *problem, void *field, void *other, void **result,
                      hd_workspace *workspace, hd_stream *stream);

/** As hd_jacobi2d(), of a 3-D field.
 *
 *  A sweep replaces every cell by ((((west + east) + (north + south)) + back) + front) * (1 / 6,
 *  rounded to the type); north and back are the neighbours with the lower index in y and z.
 *
 *  @param problem    The problem.
 *  @param field      The field.
 *  @param other      A second field of the same layout.
 *  @param result     Receives field or other: the one that holds the last sweep.
 *  @param workspace  hd_jacobi3d_workspace() bytes, or NULL.
 *  @param stream     Stream.
 *  @return As hd_jacobi2d(); HD_ERR_UNSUPPORTED for held cells and for #HD_SIDE_HALO.
 */
hd_status hd_jacobi3d(const hd_jacobi *problem, void *field, void *other, void **result,
                      hd_workspace *workspace, hd_stream *stream);

/** What hd_laplace2d() or hd_laplace3d() did. */
typedef struct hd_laplace_report {
    void *result;   /**< Which of the two fields holds the solution. */
    size_t sweeps;  /**< Sweeps made. */
    double norm;    /**< 2-norm of the change in the last sweep. */
    int converged;  /**< 1: norm <= tolerance. */
    unsigned depth; /**< Sweeps of the deepest pass over memory. */
} hd_laplace_report;

/** Solves Laplace's equation on a 2-D field by Jacobi sweeps. Waits for the stream after each
 *  group.
 *
 *  Sweeps in groups until the last sweep of a group changed the field by no more than tolerance in
 *  the 2-norm, or problem->sweeps were made.
 *
 *  @param problem    The problem: sweeps is their maximum, norms is device memory for one double
 *                    per sweep of a group.
 *  @param tolerance  0 or more.
 *  @param group      Sweeps per group; 0: 64.
 *  @param field      The initial field.
 *  @param other      A second field of the same layout.
 *  @param report     Receives what was done.
 *  @param workspace  hd_jacobi2d_workspace() bytes, or NULL.
 *  @param stream     Stream, not being captured.
 *  @return As hd_jacobi2d(), with the failures of kernels (@ref common_errors); HD_ERR_ARGUMENT
 *          also if norms is NULL, or the tolerance is negative or NaN.
 */
hd_status hd_laplace2d(const hd_jacobi *problem, double tolerance, size_t group, void *field,
                       void *other, hd_laplace_report *report, hd_workspace *workspace,
                       hd_stream *stream);

/** As hd_laplace2d(), on a 3-D field.
 *
 *  @param problem    The problem.
 *  @param tolerance  0 or more.
 *  @param group      Sweeps per group; 0: 64.
 *  @param field      The initial field.
 *  @param other      A second field of the same layout.
 *  @param report     Receives what was done.
 *  @param workspace  hd_jacobi3d_workspace() bytes, or NULL.
 *  @param stream     Stream, not being captured.
 *  @return As hd_jacobi3d() and hd_laplace2d().
 */
hd_status hd_laplace3d(const hd_jacobi *problem, double tolerance, size_t group, void *field,
                       void *other, hd_laplace_report *report, hd_workspace *workspace,
                       hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
