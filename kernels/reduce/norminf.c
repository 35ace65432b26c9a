/* SPDX-License-Identifier: Apache-2.0 */
/* norminf.c - largest absolute values of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP norminf
#define RED_OPERATION "kernels/reduce/norminf.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_norminf_u8)
HD_INSTANCE(hd__reduce_norminf_i8)
HD_INSTANCE(hd__reduce_norminf_u16)
HD_INSTANCE(hd__reduce_norminf_i16)
HD_INSTANCE(hd__reduce_norminf_u32)
HD_INSTANCE(hd__reduce_norminf_i32)
HD_INSTANCE(hd__reduce_norminf_u64)
HD_INSTANCE(hd__reduce_norminf_i64)
HD_INSTANCE(hd__reduce_norminf_f32)
HD_INSTANCE(hd__reduce_norminf_f64)
HD_INSTANCE(hd__reduce_norminf_f16)
