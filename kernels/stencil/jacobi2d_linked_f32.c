/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_linked_f32.c - the 2-D Jacobi passes of f32 that are linked to those of other devices.
   Kernels that wait for other launches are in separate files. */
#define JAC_LINKS 1
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

HD_INSTANCE(hd__jacobi2d_f32_1x)
HD_INSTANCE(hd__jacobi2d_f32_1y)
HD_INSTANCE(hd__jacobi2d_f32_2x)
HD_INSTANCE(hd__jacobi2d_f32_2y)
HD_INSTANCE(hd__jacobi2d_f32_4x)
HD_INSTANCE(hd__jacobi2d_f32_4y)
HD_INSTANCE(hd__jacobi2d_f32_8x)
HD_INSTANCE(hd__jacobi2d_f32_8y)
