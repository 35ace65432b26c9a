/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The heat equation on a box by alternating directions: three tridiagonal solves per step.
 */
#ifndef HEDDLE_ADI_H
#define HEDDLE_ADI_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup adi Alternating directions
 *  @brief The heat equation on a box, implicit in time; docs/tridiagonal.md.
 *  @{
 */

/** A field of nx * ny * nz points, x innermost, with u = 0 one point beyond each side. Points are
 *  the same distance h apart along all axes. */
typedef struct hd_adi_grid {
    size_t nx,    /**< Points along x, 1 or more. */
        ny,       /**< Points along y, 1 or more. */
        nz;       /**< Points along z, 1 or more. */
    hd_type type; /**< #HD_F32 or #HD_F64. */
    double rate; /**< Conductivity * time step / h^2: above 0, at most 1e30; rounded to the type. */
} hd_adi_grid;

/** Returns the workspace that hd_adi_steps() needs on every device: three fields, and what the
 *  solves need.
 *
 *  @param grid   The grid.
 *  @param bytes  Receives the size in bytes.
 *  @return HD_OK or an error that hd_adi_steps() returns for the grid.
 */
hd_status hd_adi_workspace(const hd_adi_grid *grid, size_t *bytes);

/** Advances a field by steps of du/dt = laplace(u), in place. Asynchronous.
 *
 *  Each step solves, with dxx u = u[i-1] - 2 u[i] + u[i+1],
 *
 *      (1 - rate/2 dxx) (1 - rate/2 dyy) (1 - rate/2 dzz) (u' - u) = rate (dxx + dyy + dzz) u
 *
 *  which is second order in time and stable for every rate (Douglas and Gunn, Numer. Math. 6,
 *  1964). Lines along x are solved as systems one after another, along y and z as interleaved ones,
 *  so nothing is transposed. Moves at most 20 fields per step. The bits depend on grid, u and steps
 *  only.
 *
 *  @param grid       The grid.
 *  @param steps      Number of steps.
 *  @param u          The field, in device memory; advanced in place.
 *  @param singular   Receives, in device memory, #HD_TRIDIAG_NONE, or the line of the last step
 *                    that had a value that is not finite (no pivot is 0, since the diagonal
 *                    dominates). hd_tridiag_check() makes an error of it.
 *  @param workspace  hd_adi_workspace() bytes, or NULL (@ref workspaces).
 *  @param stream     Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for a grid without points
 *          or a rate out of range; HD_ERR_UNSUPPORTED for another type.
 */
hd_status hd_adi_steps(const hd_adi_grid *grid, size_t steps, void *u, uint64_t *singular,
                       hd_workspace *workspace, hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
