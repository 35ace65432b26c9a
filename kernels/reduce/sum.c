/* SPDX-License-Identifier: Apache-2.0 */
/* sum.c - sums of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP sum
#define RED_OPERATION "kernels/reduce/sum.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_sum_u8)
HD_INSTANCE(hd__reduce_sum_i8)
HD_INSTANCE(hd__reduce_sum_u16)
HD_INSTANCE(hd__reduce_sum_i16)
HD_INSTANCE(hd__reduce_sum_u32)
HD_INSTANCE(hd__reduce_sum_i32)
HD_INSTANCE(hd__reduce_sum_u64)
HD_INSTANCE(hd__reduce_sum_i64)
HD_INSTANCE(hd__reduce_sum_f32)
HD_INSTANCE(hd__reduce_sum_f64)
HD_INSTANCE(hd__reduce_sum_f16)
