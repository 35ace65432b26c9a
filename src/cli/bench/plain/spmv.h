/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.h - a sparse matrix times a vector in plain C, compiled with the kernels' flags. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_SPMV_H
#define HEDDLE_CLI_BENCH_PLAIN_SPMV_H

#include <heddle/kernel_decl.h>

HD_EXTERN void plain_spmv_f32(size_t rows, const int32_t *offsets, const int32_t *column,
                              const float *value, const float *x, float *y);
HD_EXTERN void plain_spmv_f64(size_t rows, const int32_t *offsets, const int32_t *column,
                              const double *value, const double *x, double *y);

#endif
