/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Many small problems at once, each advanced in the shared memory of one block.
 */
#ifndef HEDDLE_BATCH_H
#define HEDDLE_BATCH_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup batch Batched problems
 *  @brief Many small heat problems in one launch; docs/batch.md.
 *  @{
 */

/** Heat problems of one shape, stored one after another; points of a row are contiguous. */
typedef struct hd_heat_batch {
    size_t problems;    /**< Number of problems. */
    size_t nx;          /**< Points per row, 1 or more. */
    size_t ny;          /**< Rows; 0: one-dimensional problems. */
    unsigned steps;     /**< Time steps. */
    double coefficient; /**< r = diffusivity * dt / dx^2 of every problem, rounded to the type. */
    const void *coefficients; /**< Device memory: r of each problem, in the element type, instead of
                                   coefficient; NULL: none. */
} hd_heat_batch;

/** Returns how many points a problem can have on a device: two copies of it have to fit into the
 *  shared memory that a block can have (#HD_ATTR_SHARED_PER_BLOCK_MAX).
 *
 *  @param type    #HD_F32 or #HD_F64.
 *  @param device  Index of the device.
 *  @param points  Receives the number of points: nx, or nx * ny.
 *  @return HD_OK or one of the @ref common_errors; HD_ERR_UNSUPPORTED for another type.
 */
hd_status hd_batch_heat_limit(hd_type type, int device, size_t *points);

/** Advances every problem by explicit steps (forward in time, centred in space). Asynchronous; one
 *  launch, no workspace.
 *
 *  The outermost points keep their values. One step, with every operation rounded on its own and
 *  never fused, gives the same bits on every backend:
 *
 *      1-D   u[i]    + r * ((u[i-1] + u[i+1]) - 2 * u[i])
 *      2-D   u[j][i] + r * (((u[j][i-1] + u[j][i+1]) + (u[j-1][i] + u[j+1][i])) - 4 * u[j][i])
 *
 *  It is stable for r up to 1/2 and 1/4. Reads and writes each element once, whatever the number of
 *  steps.
 *
 *  @param batch   The problems; read before the call returns.
 *  @param type    #HD_F32 or #HD_F64.
 *  @param in      problems * nx * ny elements (nx if ny is 0), in @ref usable_memory "memory that
 *                 the stream's device can use".
 *  @param out     Receives the result; in, or an array that does not overlap it.
 *  @param stream  Stream.
 *  @return HD_OK or one of the @ref driver_errors; HD_ERR_ARGUMENT also for arrays that overlap in
 *          part and for nx = 0; HD_ERR_UNSUPPORTED for another type and for problems that are too
 *          large.
 */
hd_status hd_batch_heat(const hd_heat_batch *batch, hd_type type, const void *in, void *out,
                        hd_stream *stream);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
