/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f64.c - the 2-D Jacobi passes of f64. JAC_BLOCKS: blocks that a unit should hold.
   JAC_AHEAD: rows that are on their way, and that the loop takes at a time. */
#include "jacobi_lanes.h"

#define JQ_T double
#define JQ_TYPE f64
#define JQ_VEC hd_f64x2
#define JQ_VEC_N 2
#include "jacobi_quad.inc"

#define JAC_T double
#define JAC_TYPE f64

#define JAC_DEPTH 1
#define JAC_AHEAD 4
#define JAC_BLOCKS 3
#include "jacobi2d_kinds.inc"
#define JAC_KIND h
#define JAC_NORM 1
#define JAC_HELD 1
#define JAC_LINKED 0
#include "jacobi2d.inc"
#undef JAC_DEPTH
#undef JAC_AHEAD
#undef JAC_BLOCKS

#define JAC_DEPTH 2
#define JAC_AHEAD 4
#define JAC_BLOCKS 2
#include "jacobi2d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_AHEAD
#undef JAC_BLOCKS

#define JAC_DEPTH 4
#define JAC_AHEAD 4
#define JAC_BLOCKS 2
#include "jacobi2d_kinds.inc"
#define JAC_KIND h
#define JAC_NORM 1
#define JAC_HELD 1
#define JAC_LINKED 0
#include "jacobi2d.inc"
#undef JAC_DEPTH
#undef JAC_AHEAD
#undef JAC_BLOCKS
