/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi3d_f32.c - the 3-D Jacobi passes of f32. JAC_THREADS is hd__jacobi3d_threads; JAC_BLOCKS:
   resident blocks per compute unit. */
#include "jacobi_lanes.h"

#define JQ_T float
#define JQ_TYPE f32
#define JQ_VEC hd_f32x4
#define JQ_VEC_N 4
#include "jacobi_quad.inc"

#define JAC_T float
#define JAC_TYPE f32

#define JAC_DEPTH 1
#define JAC_THREADS 384
#define JAC_BLOCKS 3
#include "jacobi3d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_THREADS
#undef JAC_BLOCKS

#define JAC_DEPTH 2
#define JAC_THREADS 512
#define JAC_BLOCKS 1
#include "jacobi3d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_THREADS
#undef JAC_BLOCKS

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__jacobi3d_f32_1n)
HD_INSTANCE(hd__jacobi3d_f32_1p)
HD_INSTANCE(hd__jacobi3d_f32_2n)
HD_INSTANCE(hd__jacobi3d_f32_2p)
