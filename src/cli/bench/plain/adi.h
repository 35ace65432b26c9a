/* SPDX-License-Identifier: Apache-2.0 */
/* adi.h - a step of alternating directions in plain C, compiled with the kernels' flags. */
#ifndef HEDDLE_CLI_BENCH_PLAIN_ADI_H
#define HEDDLE_CLI_BENCH_PLAIN_ADI_H

#include <heddle/kernel_decl.h>

/* One step of hd_adi_steps for a cube of n * n * n points; `memory` holds n * n * n + 2 n
   elements. The rows of all systems are the same, so their pivots are found once. */
HD_EXTERN void plain_adi_f32(size_t n, float rate, float *u, float *memory);
HD_EXTERN void plain_adi_f64(size_t n, double rate, double *u, double *memory);

#endif
