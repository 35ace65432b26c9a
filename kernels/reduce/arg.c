/* SPDX-License-Identifier: Apache-2.0 */
/* arg.c - argmin and argmax of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP arg
#define RED_OPERATION "kernels/reduce/arg.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_arg_u8)
HD_INSTANCE(hd__reduce_arg_i8)
HD_INSTANCE(hd__reduce_arg_u16)
HD_INSTANCE(hd__reduce_arg_i16)
HD_INSTANCE(hd__reduce_arg_u32)
HD_INSTANCE(hd__reduce_arg_i32)
HD_INSTANCE(hd__reduce_arg_u64)
HD_INSTANCE(hd__reduce_arg_i64)
HD_INSTANCE(hd__reduce_arg_f32)
HD_INSTANCE(hd__reduce_arg_f64)
HD_INSTANCE(hd__reduce_arg_f16)
