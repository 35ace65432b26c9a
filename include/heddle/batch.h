/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h - many small problems at once, each advanced whole in the shared memory of one block. */
#ifndef HEDDLE_BATCH_H
#define HEDDLE_BATCH_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Heat problems of one shape, one behind the other; points of a row are neighbours in memory. */
typedef struct hd_heat_batch {
    size_t problems;
    size_t nx; /* points of a row, 1 or more */
    size_t ny; /* rows; 0: problems of one dimension */
    unsigned steps;
    double coefficient; /* r = diffusivity * dt / dx^2, rounded to the type, of every problem */
    const void *coefficients; /* device memory: one of the type per problem instead; NULL: none */
} hd_heat_batch;

/* Points (nx, or nx * ny) that a problem may have at most on the device: two copies of it have to
   fit the shared memory that a block can have (HD_ATTR_SHARED_PER_BLOCK_MAX). HD_F32 and HD_F64.
   */
hd_status hd_batch_heat_limit(hd_type type, int device, size_t *points);

/* Advances every problem by `steps` explicit steps (forward in time, centred in space) and writes
   the result to `out`; `in` and `out` are device memory of problems * nx * ny elements, the same
   array or apart. The outermost points keep their values. One step, with every operation rounded
   on its own and never fused, the same bits on every backend:

       1-D   u[i]    + r * ((u[i-1] + u[i+1]) - 2 * u[i])
       2-D   u[j][i] + r * (((u[j][i-1] + u[j][i+1]) + (u[j-1][i] + u[j+1][i])) - 4 * u[j][i])

   (stable for r up to 1/2 and 1/4). Asynchronous on `stream`, one launch, needs no workspace.
   Reads and writes each element once, whatever the number of steps.
   HD_ERR_ARGUMENT (also: arrays that overlap in part), HD_ERR_UNSUPPORTED (a problem is too large,
   or of another type), HD_ERR_OVERFLOW, HD_ERR_POINTER. */
hd_status hd_batch_heat(const hd_heat_batch *batch, hd_type type, const void *in, void *out,
                        hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
