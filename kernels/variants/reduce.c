/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.c - the variants of sum, min and max for i32, f32 and f64. */
#include "kernels/reduce/elements.h"
#include "reduce.h"

/* ---- i32 ---- */
#define RED_TYPE i32
#define RED_ELEM int32_t
#define RED_ACC int64_t
#define RED_BYTES 4
#define RED_FINISH(a) (a)

#define RED_OP sum
#define RED_IDENTITY 0
#define RED_COMBINE(a, b) ((a) + (b))
#define RED_ATOMIC(p, a) hd_atomic_add(p, a)
#include "reduce.inc"

#define RED_OP min
#define RED_IDENTITY INT64_MAX
#define RED_COMBINE(a, b) hd_min(a, b)
#define RED_ATOMIC(p, a) hd_atomic_min(p, a)
#include "reduce.inc"

#define RED_OP max
#define RED_IDENTITY INT64_MIN
#define RED_COMBINE(a, b) hd_max(a, b)
#define RED_ATOMIC(p, a) hd_atomic_max(p, a)
#include "reduce.inc"

#undef RED_TYPE
#undef RED_ELEM
#undef RED_ACC
#undef RED_BYTES
#undef RED_FINISH

/* ---- f32 ---- */
#define RED_TYPE f32
#define RED_ELEM float
#define RED_ACC float
#define RED_BYTES 4
#define RED_FINISH(a) red_canonical_f32(a)

#define RED_OP sum
#define RED_IDENTITY -0.0f
#define RED_COMBINE(a, b) ((a) + (b))
#define RED_ATOMIC(p, a) hd_atomic_add(p, a)
#include "reduce.inc"

#define RED_OP min
#define RED_IDENTITY hd_f32_from_bits(0x7f800000u)
#define RED_COMBINE(a, b) hd_min(a, b)
#define RED_ATOMIC(p, a) hd_atomic_min(p, a)
#include "reduce.inc"

#define RED_OP max
#define RED_IDENTITY hd_f32_from_bits(0xff800000u)
#define RED_COMBINE(a, b) hd_max(a, b)
#define RED_ATOMIC(p, a) hd_atomic_max(p, a)
#include "reduce.inc"

#undef RED_TYPE
#undef RED_ELEM
#undef RED_ACC
#undef RED_BYTES
#undef RED_FINISH

/* ---- f64 ---- */
#define RED_TYPE f64
#define RED_ELEM double
#define RED_ACC double
#define RED_BYTES 8
#define RED_FINISH(a) red_canonical_f64(a)

#define RED_OP sum
#define RED_IDENTITY -0.0
#define RED_COMBINE(a, b) ((a) + (b))
#define RED_ATOMIC(p, a) hd_atomic_add(p, a)
#include "reduce.inc"

#define RED_OP min
#define RED_IDENTITY hd_f64_from_bits(0x7ff0000000000000u)
#define RED_COMBINE(a, b) hd_min(a, b)
#define RED_ATOMIC(p, a) hd_atomic_min(p, a)
#include "reduce.inc"

#define RED_OP max
#define RED_IDENTITY hd_f64_from_bits(0xfff0000000000000u)
#define RED_COMBINE(a, b) hd_max(a, b)
#define RED_ATOMIC(p, a) hd_atomic_max(p, a)
#include "reduce.inc"

#undef RED_TYPE
#undef RED_ELEM
#undef RED_ACC
#undef RED_BYTES
#undef RED_FINISH

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__reduce_begin_sum_i32)
HD_INSTANCE(hd__reduce_tree_sum_i32)
HD_INSTANCE(hd__reduce_shuffle_sum_i32)
HD_INSTANCE(hd__reduce_atomic_sum_i32)
HD_INSTANCE(hd__reduce_lock_sum_i32)
HD_INSTANCE(hd__reduce_fold_sum_i32)
HD_INSTANCE(hd__reduce_begin_min_i32)
HD_INSTANCE(hd__reduce_tree_min_i32)
HD_INSTANCE(hd__reduce_shuffle_min_i32)
HD_INSTANCE(hd__reduce_atomic_min_i32)
HD_INSTANCE(hd__reduce_lock_min_i32)
HD_INSTANCE(hd__reduce_fold_min_i32)
HD_INSTANCE(hd__reduce_begin_max_i32)
HD_INSTANCE(hd__reduce_tree_max_i32)
HD_INSTANCE(hd__reduce_shuffle_max_i32)
HD_INSTANCE(hd__reduce_atomic_max_i32)
HD_INSTANCE(hd__reduce_lock_max_i32)
HD_INSTANCE(hd__reduce_fold_max_i32)
HD_INSTANCE(hd__reduce_begin_sum_f32)
HD_INSTANCE(hd__reduce_tree_sum_f32)
HD_INSTANCE(hd__reduce_shuffle_sum_f32)
HD_INSTANCE(hd__reduce_atomic_sum_f32)
HD_INSTANCE(hd__reduce_lock_sum_f32)
HD_INSTANCE(hd__reduce_fold_sum_f32)
HD_INSTANCE(hd__reduce_begin_min_f32)
HD_INSTANCE(hd__reduce_tree_min_f32)
HD_INSTANCE(hd__reduce_shuffle_min_f32)
HD_INSTANCE(hd__reduce_atomic_min_f32)
HD_INSTANCE(hd__reduce_lock_min_f32)
HD_INSTANCE(hd__reduce_fold_min_f32)
HD_INSTANCE(hd__reduce_begin_max_f32)
HD_INSTANCE(hd__reduce_tree_max_f32)
HD_INSTANCE(hd__reduce_shuffle_max_f32)
HD_INSTANCE(hd__reduce_atomic_max_f32)
HD_INSTANCE(hd__reduce_lock_max_f32)
HD_INSTANCE(hd__reduce_fold_max_f32)
HD_INSTANCE(hd__reduce_begin_sum_f64)
HD_INSTANCE(hd__reduce_tree_sum_f64)
HD_INSTANCE(hd__reduce_shuffle_sum_f64)
HD_INSTANCE(hd__reduce_atomic_sum_f64)
HD_INSTANCE(hd__reduce_lock_sum_f64)
HD_INSTANCE(hd__reduce_fold_sum_f64)
HD_INSTANCE(hd__reduce_begin_min_f64)
HD_INSTANCE(hd__reduce_tree_min_f64)
HD_INSTANCE(hd__reduce_shuffle_min_f64)
HD_INSTANCE(hd__reduce_atomic_min_f64)
HD_INSTANCE(hd__reduce_lock_min_f64)
HD_INSTANCE(hd__reduce_fold_min_f64)
HD_INSTANCE(hd__reduce_begin_max_f64)
HD_INSTANCE(hd__reduce_tree_max_f64)
HD_INSTANCE(hd__reduce_shuffle_max_f64)
HD_INSTANCE(hd__reduce_atomic_max_f64)
HD_INSTANCE(hd__reduce_lock_max_f64)
HD_INSTANCE(hd__reduce_fold_max_f64)
