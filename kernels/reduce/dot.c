/* SPDX-License-Identifier: Apache-2.0 */
/* dot.c - dot products of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP dot
#define RED_OPERATION "kernels/reduce/dot.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_dot_u8)
HD_INSTANCE(hd__reduce_dot_i8)
HD_INSTANCE(hd__reduce_dot_u16)
HD_INSTANCE(hd__reduce_dot_i16)
HD_INSTANCE(hd__reduce_dot_u32)
HD_INSTANCE(hd__reduce_dot_i32)
HD_INSTANCE(hd__reduce_dot_u64)
HD_INSTANCE(hd__reduce_dot_i64)
HD_INSTANCE(hd__reduce_dot_f32)
HD_INSTANCE(hd__reduce_dot_f64)
HD_INSTANCE(hd__reduce_dot_f16)
