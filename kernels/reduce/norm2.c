/* SPDX-License-Identifier: Apache-2.0 */
/* norm2.c - Euclidean norms of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP norm2
#define RED_OPERATION "kernels/reduce/norm2.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_norm2_u8)
HD_INSTANCE(hd__reduce_norm2_i8)
HD_INSTANCE(hd__reduce_norm2_u16)
HD_INSTANCE(hd__reduce_norm2_i16)
HD_INSTANCE(hd__reduce_norm2_u32)
HD_INSTANCE(hd__reduce_norm2_i32)
HD_INSTANCE(hd__reduce_norm2_u64)
HD_INSTANCE(hd__reduce_norm2_i64)
HD_INSTANCE(hd__reduce_norm2_f32)
HD_INSTANCE(hd__reduce_norm2_f64)
HD_INSTANCE(hd__reduce_norm2_f16)
