/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi3d_f64.c - the 3-D Jacobi passes of f64. JAC_THREADS is hd__jacobi3d_threads; JAC_BLOCKS:
   resident blocks per compute unit. */
#include "jacobi_lanes.h"

#define JQ_T double
#define JQ_TYPE f64
#define JQ_VEC hd_f64x2
#define JQ_VEC_N 2
#include "jacobi_quad.inc"

#define JAC_T double
#define JAC_TYPE f64

#define JAC_DEPTH 1
#define JAC_THREADS 256
#define JAC_BLOCKS 3
#include "jacobi3d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_THREADS
#undef JAC_BLOCKS

#define JAC_DEPTH 2
#define JAC_THREADS 256
#define JAC_BLOCKS 1
#include "jacobi3d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_THREADS
#undef JAC_BLOCKS

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__jacobi3d_f64_1n)
HD_INSTANCE(hd__jacobi3d_f64_1p)
HD_INSTANCE(hd__jacobi3d_f64_2n)
HD_INSTANCE(hd__jacobi3d_f64_2p)
