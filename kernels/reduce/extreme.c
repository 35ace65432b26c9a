/* SPDX-License-Identifier: Apache-2.0 */
/* extreme.c - min and max of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP extreme
#define RED_OPERATION "kernels/reduce/extreme.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_extreme_u8)
HD_INSTANCE(hd__reduce_extreme_i8)
HD_INSTANCE(hd__reduce_extreme_u16)
HD_INSTANCE(hd__reduce_extreme_i16)
HD_INSTANCE(hd__reduce_extreme_u32)
HD_INSTANCE(hd__reduce_extreme_i32)
HD_INSTANCE(hd__reduce_extreme_u64)
HD_INSTANCE(hd__reduce_extreme_i64)
HD_INSTANCE(hd__reduce_extreme_f32)
HD_INSTANCE(hd__reduce_extreme_f64)
HD_INSTANCE(hd__reduce_extreme_f16)
