/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.h - tridiagonal systems in plain C, compiled with the kernels' flags. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_TRIDIAG_H
#define HEDDLE_CLI_BENCH_PLAIN_TRIDIAG_H

#include <heddle/kernel_decl.h>

/* Thomas's algorithm for `systems` systems of `rows` rows that alternate in groups of `width`, as
   hd_tridiag_batch has them; `above` holds rows * width elements. */
HD_EXTERN void plain_tridiag_f32(size_t rows, size_t systems, size_t width, const float *a,
                                 const float *b, const float *c, const float *d, float *x,
                                 float *above);
HD_EXTERN void plain_tridiag_f64(size_t rows, size_t systems, size_t width, const double *a,
                                 const double *b, const double *c, const double *d, double *x,
                                 double *above);

#endif
