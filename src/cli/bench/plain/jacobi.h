/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.h - Jacobi sweeps with fixed sides in plain C, which the CPU engine is compared
   with: the same cells as heddle's, and a norm in an order of its own. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_JACOBI_H
#define HEDDLE_CLI_BENCH_PLAIN_JACOBI_H

#include <heddle/kernel_decl.h>

HD_EXTERN void plain_jacobi2d_f32(size_t nx, size_t ny, const float *from, float *to, double *norm);
HD_EXTERN void plain_jacobi2d_f64(size_t nx, size_t ny, const double *from, double *to,
                                  double *norm);
HD_EXTERN void plain_jacobi3d_f32(size_t nx, size_t ny, size_t nz, const float *from, float *to,
                                  double *norm);
HD_EXTERN void plain_jacobi3d_f64(size_t nx, size_t ny, size_t nz, const double *from, double *to,
                                  double *norm);

#endif
