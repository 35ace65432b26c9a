/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.c - products of sparse matrices with vectors, of both types and widths of offsets. */
#include <heddle/kernel.h>

#include "spmv.h"

/* SP_RESIDENT: resident blocks per compute unit. More blocks have more loads in flight, but leave
   fewer registers per thread, which must hold its data and 64-bit offsets. */

#define SP_OFFSET int32_t
#define SP_WIDTH i32
#include "spmv_split.inc"
#define SP_T float
#define SP_TYPE f32
#define SP_RESIDENT 8
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#undef SP_RESIDENT
#define SP_T double
#define SP_TYPE f64
#define SP_RESIDENT 6
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#undef SP_RESIDENT
#undef SP_OFFSET
#undef SP_WIDTH

#define SP_OFFSET int64_t
#define SP_WIDTH i64
#include "spmv_split.inc"
#define SP_T float
#define SP_TYPE f32
#define SP_RESIDENT 5
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#undef SP_RESIDENT
#define SP_T double
#define SP_TYPE f64
#define SP_RESIDENT 4
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#undef SP_RESIDENT
#undef SP_OFFSET
#undef SP_WIDTH

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__spmv_split_i32)
HD_INSTANCE(hd__spmv_i32_f32)
HD_INSTANCE(hd__spmv_i32_f64)
HD_INSTANCE(hd__spmv_split_i64)
HD_INSTANCE(hd__spmv_i64_f32)
HD_INSTANCE(hd__spmv_i64_f64)
