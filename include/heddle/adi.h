/* SPDX-License-Identifier: Apache-2.0 */
/* adi.h - the heat equation on a box by alternating directions: three tridiagonal solves a step. */
#ifndef HEDDLE_ADI_H
#define HEDDLE_ADI_H

#include <heddle/data.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A field of nx * ny * nz points, x innermost, with u = 0 one point beyond each side; distances h
   are the same along all axes. rate is (conductivity * time step) / h^2. */
typedef struct hd_adi_grid {
    size_t nx, ny, nz;
    hd_type type; /* HD_F32, HD_F64 */
    double rate;  /* above 0; rounded to the type */
} hd_adi_grid;

/* Bytes of workspace that are enough on every device: three fields and what the solves need. */
hd_status hd_adi_workspace(const hd_adi_grid *grid, size_t *bytes);

/* Advances u (device memory, in place) by `steps` steps of du/dt = laplace(u):
     (1 - rate/2 dxx) (1 - rate/2 dyy) (1 - rate/2 dzz) (u' - u) = rate (dxx + dyy + dzz) u
   with dxx u = u[i-1] - 2 u[i] + u[i+1]: second order in time, stable for every rate (Douglas and
   Gunn, Numer. Math. 6, 1964). Lines along x are solved as systems one after another, along y and z
   as alternating ones, so nothing is transposed. Asynchronous on `stream`.

   *singular as hd_tridiag has it: HD_TRIDIAG_NONE, or the line of the last step that had a value
   that is not finite (the rows dominate: no pivot is 0); hd_tridiag_check makes an error of it.
   Cost: at most 20 fields of memory traffic a step. The bits depend on grid, u and steps alone.
   HD_ERR_ARGUMENT, HD_ERR_OVERFLOW, HD_ERR_POINTER, HD_ERR_UNSUPPORTED, HD_ERR_WORKSPACE. */
hd_status hd_adi_steps(const hd_adi_grid *grid, size_t steps, void *u, uint64_t *singular,
                       hd_workspace *workspace, hd_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
