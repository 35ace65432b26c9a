/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f32.c - the 2-D Jacobi passes of f32 for one device. */
#define JAC_LINKS 0
#include "jacobi_lanes.h"

#define JQ_T float
#define JQ_TYPE f32
#define JQ_VEC hd_f32x4
#define JQ_VEC_N 4
#include "jacobi_quad.inc"

#define JAC_T float
#define JAC_TYPE f32
#define JAC_BITS 32
#define JAC_DEPTH 1
#include "jacobi2d_kinds.inc"
#define JAC_DEPTH 2
#include "jacobi2d_kinds.inc"
#define JAC_DEPTH 4
#include "jacobi2d_kinds.inc"
#define JAC_DEPTH 8
#include "jacobi2d_kinds.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__jacobi2d_f32_1n)
HD_INSTANCE(hd__jacobi2d_f32_1p)
HD_INSTANCE(hd__jacobi2d_f32_1h)
HD_INSTANCE(hd__jacobi2d_f32_2n)
HD_INSTANCE(hd__jacobi2d_f32_2p)
HD_INSTANCE(hd__jacobi2d_f32_4n)
HD_INSTANCE(hd__jacobi2d_f32_4p)
HD_INSTANCE(hd__jacobi2d_f32_4h)
HD_INSTANCE(hd__jacobi2d_f32_8n)
HD_INSTANCE(hd__jacobi2d_f32_8p)
