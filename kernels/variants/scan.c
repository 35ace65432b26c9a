/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - the variants of sum, min and max. */
#include <heddle/kernel.h>

#include "scan.h"

#define SV_OP sum
#define SV_TYPE u32
#define SV_T uint32_t
#define SV_JOIN(a, b) ((a) + (b))
#define SV_FINISH(v) (v)
#include "scan.inc"

#define SV_OP sum
#define SV_TYPE f32
#define SV_T float
#define SV_JOIN(a, b) ((a) + (b))
#define SV_FINISH(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#include "scan.inc"

#define SV_OP sum
#define SV_TYPE f64
#define SV_T double
#define SV_JOIN(a, b) ((a) + (b))
#define SV_FINISH(v) ((v) != (v) ? hd_f64_from_bits(HD_F64_NAN_BITS) : (v))
#include "scan.inc"

#define SV_OP min
#define SV_TYPE i32
#define SV_T int32_t
#define SV_JOIN(a, b) hd_min(a, b)
#define SV_FINISH(v) (v)
#include "scan.inc"

#define SV_OP min
#define SV_TYPE f32
#define SV_T float
#define SV_JOIN(a, b) hd_min(a, b)
#define SV_FINISH(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#include "scan.inc"

#define SV_OP min
#define SV_TYPE f64
#define SV_T double
#define SV_JOIN(a, b) hd_min(a, b)
#define SV_FINISH(v) ((v) != (v) ? hd_f64_from_bits(HD_F64_NAN_BITS) : (v))
#include "scan.inc"

#define SV_OP max
#define SV_TYPE i32
#define SV_T int32_t
#define SV_JOIN(a, b) hd_max(a, b)
#define SV_FINISH(v) (v)
#include "scan.inc"

#define SV_OP max
#define SV_TYPE f32
#define SV_T float
#define SV_JOIN(a, b) hd_max(a, b)
#define SV_FINISH(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#include "scan.inc"

#define SV_OP max
#define SV_TYPE f64
#define SV_T double
#define SV_JOIN(a, b) hd_max(a, b)
#define SV_FINISH(v) ((v) != (v) ? hd_f64_from_bits(HD_F64_NAN_BITS) : (v))
#include "scan.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__scan_step_sum_u32)
HD_INSTANCE(hd__scan_block_sum_u32)
HD_INSTANCE(hd__scan_add_sum_u32)
HD_INSTANCE(hd__scan_finish_sum_u32)
HD_INSTANCE(hd__scan_step_sum_f32)
HD_INSTANCE(hd__scan_block_sum_f32)
HD_INSTANCE(hd__scan_add_sum_f32)
HD_INSTANCE(hd__scan_finish_sum_f32)
HD_INSTANCE(hd__scan_step_sum_f64)
HD_INSTANCE(hd__scan_block_sum_f64)
HD_INSTANCE(hd__scan_add_sum_f64)
HD_INSTANCE(hd__scan_finish_sum_f64)
HD_INSTANCE(hd__scan_step_min_i32)
HD_INSTANCE(hd__scan_block_min_i32)
HD_INSTANCE(hd__scan_add_min_i32)
HD_INSTANCE(hd__scan_finish_min_i32)
HD_INSTANCE(hd__scan_step_min_f32)
HD_INSTANCE(hd__scan_block_min_f32)
HD_INSTANCE(hd__scan_add_min_f32)
HD_INSTANCE(hd__scan_finish_min_f32)
HD_INSTANCE(hd__scan_step_min_f64)
HD_INSTANCE(hd__scan_block_min_f64)
HD_INSTANCE(hd__scan_add_min_f64)
HD_INSTANCE(hd__scan_finish_min_f64)
HD_INSTANCE(hd__scan_step_max_i32)
HD_INSTANCE(hd__scan_block_max_i32)
HD_INSTANCE(hd__scan_add_max_i32)
HD_INSTANCE(hd__scan_finish_max_i32)
HD_INSTANCE(hd__scan_step_max_f32)
HD_INSTANCE(hd__scan_block_max_f32)
HD_INSTANCE(hd__scan_add_max_f32)
HD_INSTANCE(hd__scan_finish_max_f32)
HD_INSTANCE(hd__scan_step_max_f64)
HD_INSTANCE(hd__scan_block_max_f64)
HD_INSTANCE(hd__scan_add_max_f64)
HD_INSTANCE(hd__scan_finish_max_f64)
