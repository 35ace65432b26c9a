/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_fold.c - norms from partial sums of both types. */
#include <heddle/kernel.h>

#include "jacobi.h"

#define JF_T float
#define JF_TYPE f32
#include "jacobi_fold.inc"
#undef JF_T
#undef JF_TYPE

#define JF_T double
#define JF_TYPE f64
#include "jacobi_fold.inc"
#undef JF_T
#undef JF_TYPE

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__jacobi_fold_f32)
HD_INSTANCE(hd__jacobi_tiles_f32)
HD_INSTANCE(hd__jacobi_fold_f64)
HD_INSTANCE(hd__jacobi_tiles_f64)
