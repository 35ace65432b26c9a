/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi2d_f32.c - the 2-D Jacobi passes of f32. JAC_BLOCKS: blocks that a unit should hold.
   JAC_AHEAD: rows that are on their way, and that the loop takes at a time; with eight sweeps more
   than two of them make a loop that does not fit where instructions are kept. */
#include "jacobi_lanes.h"

#define JQ_T float
#define JQ_TYPE f32
#define JQ_VEC hd_f32x4
#define JQ_VEC_N 4
#include "jacobi_quad.inc"

#define JAC_T float
#define JAC_TYPE f32

#define JAC_DEPTH 1
#define JAC_AHEAD 2
#define JAC_BLOCKS 8
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
#define JAC_BLOCKS 5
#include "jacobi2d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_AHEAD
#undef JAC_BLOCKS

#define JAC_DEPTH 4
#define JAC_AHEAD 4
#define JAC_BLOCKS 4
#include "jacobi2d_kinds.inc"
#define JAC_KIND h
#define JAC_NORM 1
#define JAC_HELD 1
#define JAC_LINKED 0
#include "jacobi2d.inc"
#undef JAC_DEPTH
#undef JAC_AHEAD
#undef JAC_BLOCKS

#define JAC_DEPTH 8
#define JAC_AHEAD 2
#define JAC_BLOCKS 3
#include "jacobi2d_kinds.inc"
#undef JAC_DEPTH
#undef JAC_AHEAD
#undef JAC_BLOCKS
