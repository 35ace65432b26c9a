/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_linked_f64.c - the 2-D Jacobi passes of f64 that are linked to those of other devices.
   Kernels that wait for other launches are in separate files. */
#define JAC_LINKS 1
#include "jacobi_lanes.h"

#define JQ_T double
#define JQ_TYPE f64
#define JQ_VEC hd_f64x2
#define JQ_VEC_N 2
#include "jacobi_quad.inc"

#define JAC_T double
#define JAC_TYPE f64
#define JAC_BITS 64
#define JAC_DEPTH 1
#include "jacobi2d_kinds.inc"
#define JAC_DEPTH 2
#include "jacobi2d_kinds.inc"
#define JAC_DEPTH 4
#include "jacobi2d_kinds.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__jacobi2d_f64_1x)
HD_INSTANCE(hd__jacobi2d_f64_1y)
HD_INSTANCE(hd__jacobi2d_f64_2x)
HD_INSTANCE(hd__jacobi2d_f64_2y)
HD_INSTANCE(hd__jacobi2d_f64_4x)
HD_INSTANCE(hd__jacobi2d_f64_4y)
