/* SPDX-License-Identifier: Apache-2.0 */
/* batch.h - heat problems in plain C, compiled with the kernels' flags. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_BATCH_H
#define HEDDLE_CLI_BENCH_PLAIN_BATCH_H

#include <heddle/kernel_decl.h>

/* Advances the problem at u, of nx points or nx * ny, by `steps`; `spare` holds the same and is
   written over. The result is at u. */
HD_EXTERN void plain_heat_f32(size_t nx, size_t ny, unsigned steps, float r, float *u,
                              float *spare);
HD_EXTERN void plain_heat_f64(size_t nx, size_t ny, unsigned steps, double r, double *u,
                              double *spare);

#endif
