/* SPDX-License-Identifier: Apache-2.0 */
/* prod.c - products of every element type. */
#include "elements.h"
#include "reduce.h"

#define RED_OP prod
#define RED_OPERATION "kernels/reduce/prod.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_prod_u8)
HD_INSTANCE(hd__reduce_prod_i8)
HD_INSTANCE(hd__reduce_prod_u16)
HD_INSTANCE(hd__reduce_prod_i16)
HD_INSTANCE(hd__reduce_prod_u32)
HD_INSTANCE(hd__reduce_prod_i32)
HD_INSTANCE(hd__reduce_prod_u64)
HD_INSTANCE(hd__reduce_prod_i64)
HD_INSTANCE(hd__reduce_prod_f32)
HD_INSTANCE(hd__reduce_prod_f64)
HD_INSTANCE(hd__reduce_prod_f16)
