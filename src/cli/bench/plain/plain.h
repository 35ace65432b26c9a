/* SPDX-License-Identifier: Apache-2.0 */
/* plain.h - loops as a careful C programmer writes them, for one thread, compiled with the kernels'
   flags: what heddle's calls are compared with on the CPU. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_PLAIN_H
#define HEDDLE_CLI_BENCH_PLAIN_PLAIN_H

#include <heddle/kernel_decl.h>
#include <stddef.h>

/* ---- adi ------------------------------------------------------------------------------------- */

/* One step of hd_adi_steps for a cube of n * n * n points; `memory` holds n * n * n + 2 n elements.
   The rows of all systems are the same, so the pivots are computed once. */
HD_EXTERN void plain_adi_f32(size_t n, float rate, float *u, float *memory);
HD_EXTERN void plain_adi_f64(size_t n, double rate, double *u, double *memory);

/* ---- batch ----------------------------------------------------------------------------------- */

/* Advances the problem at u, of nx points or nx * ny, by `steps`; `spare` is scratch of the same
   size. The result is at u. */
HD_EXTERN void plain_heat_f32(size_t nx, size_t ny, unsigned steps, float r, float *u,
                              float *spare);
HD_EXTERN void plain_heat_f64(size_t nx, size_t ny, unsigned steps, double r, double *u,
                              double *spare);

/* ---- jacobi ---------------------------------------------------------------------------------- */

/* A sweep with fixed sides: the same cells as heddle's, and a norm summed in a different order. */
HD_EXTERN void plain_jacobi2d_f32(size_t nx, size_t ny, const float *from, float *to, double *norm);
HD_EXTERN void plain_jacobi2d_f64(size_t nx, size_t ny, const double *from, double *to,
                                  double *norm);
HD_EXTERN void plain_jacobi3d_f32(size_t nx, size_t ny, size_t nz, const float *from, float *to,
                                  double *norm);
HD_EXTERN void plain_jacobi3d_f64(size_t nx, size_t ny, size_t nz, const double *from, double *to,
                                  double *norm);

/* ---- spmv ------------------------------------------------------------------------------------ */

HD_EXTERN void plain_spmv_f32(size_t rows, const int32_t *offsets, const int32_t *column,
                              const float *value, const float *x, float *y);
HD_EXTERN void plain_spmv_f64(size_t rows, const int32_t *offsets, const int32_t *column,
                              const double *value, const double *x, double *y);

/* ---- transpose ------------------------------------------------------------------------------- */

#ifdef __cplusplus
extern "C" {
#endif

/* Dense matrices of elements of 1, 2, 4, 8 or 16 bytes, block by block. */
void plain_transpose(size_t rows, size_t columns, size_t size, const void *in, void *out);

#ifdef __cplusplus
}
#endif

/* ---- tridiag --------------------------------------------------------------------------------- */

/* Thomas's algorithm for `systems` systems of `rows` rows that alternate in groups of `width`, laid
   out as in hd_tridiag_batch; `above` holds rows * width elements. */
HD_EXTERN void plain_tridiag_f32(size_t rows, size_t systems, size_t width, const float *a,
                                 const float *b, const float *c, const float *d, float *x,
                                 float *above);
HD_EXTERN void plain_tridiag_f64(size_t rows, size_t systems, size_t width, const double *a,
                                 const double *b, const double *c, const double *d, double *x,
                                 double *above);

#endif
