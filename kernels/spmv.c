/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.c - products of sparse matrices with vectors, of both types and widths of offsets. */
#include <heddle/kernel.h>

#include "spmv.h"

#define SP_OFFSET int32_t
#define SP_WIDTH i32
#include "spmv_cut.inc"
#define SP_T float
#define SP_TYPE f32
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#define SP_T double
#define SP_TYPE f64
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#undef SP_OFFSET
#undef SP_WIDTH

#define SP_OFFSET int64_t
#define SP_WIDTH i64
#include "spmv_cut.inc"
#define SP_T float
#define SP_TYPE f32
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#define SP_T double
#define SP_TYPE f64
#include "spmv.inc"
#undef SP_T
#undef SP_TYPE
#undef SP_OFFSET
#undef SP_WIDTH
