/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f64.c - the 2-D Jacobi passes of f64 for one device. */
#define JAC_LINKS 0
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

HD_INSTANCE(hd__jacobi2d_f64_1n)
HD_INSTANCE(hd__jacobi2d_f64_1p)
HD_INSTANCE(hd__jacobi2d_f64_1h)
HD_INSTANCE(hd__jacobi2d_f64_2n)
HD_INSTANCE(hd__jacobi2d_f64_2p)
HD_INSTANCE(hd__jacobi2d_f64_4n)
HD_INSTANCE(hd__jacobi2d_f64_4p)
HD_INSTANCE(hd__jacobi2d_f64_4h)
