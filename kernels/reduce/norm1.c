/* SPDX-License-Identifier: Apache-2.0 */
/* norm1.c - sums of absolute values of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP norm1
#define RED_OPERATION "kernels/reduce/norm1.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_norm1_u8)
HD_INSTANCE(hd__reduce_norm1_i8)
HD_INSTANCE(hd__reduce_norm1_u16)
HD_INSTANCE(hd__reduce_norm1_i16)
HD_INSTANCE(hd__reduce_norm1_u32)
HD_INSTANCE(hd__reduce_norm1_i32)
HD_INSTANCE(hd__reduce_norm1_u64)
HD_INSTANCE(hd__reduce_norm1_i64)
HD_INSTANCE(hd__reduce_norm1_f32)
HD_INSTANCE(hd__reduce_norm1_f64)
HD_INSTANCE(hd__reduce_norm1_f16)
