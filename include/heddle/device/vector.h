/* SPDX-License-Identifier: Apache-2.0 */
/* vector.h - short vectors aligned to their size, for 8- and 16-byte loads and stores. Host and
   kernels, C11 and C++17.

   For each type V: V_make(x, y[, z, w]), V_set(s) (all elements s), element by element V_add,
   V_sub, V_mul, V_min, V_max and, for floats, V_fma(a, b, c) = a * b + c with one rounding;
   V_sum is x + y, or (x + y) + (z + w). Integers wrap around; min and max as in minmax.h. */
#ifndef HEDDLE_DEVICE_VECTOR_H
#define HEDDLE_DEVICE_VECTOR_H

#include <heddle/device/minmax.h>

typedef struct HD_ALIGN(8) hd_f32x2 {
    float x, y;
} hd_f32x2;

typedef struct HD_ALIGN(16) hd_f32x4 {
    float x, y, z, w;
} hd_f32x4;

typedef struct HD_ALIGN(16) hd_f64x2 {
    double x, y;
} hd_f64x2;

typedef struct HD_ALIGN(8) hd_i32x2 {
    int32_t x, y;
} hd_i32x2;

typedef struct HD_ALIGN(16) hd_i32x4 {
    int32_t x, y, z, w;
} hd_i32x4;

typedef struct HD_ALIGN(8) hd_u32x2 {
    uint32_t x, y;
} hd_u32x2;

typedef struct HD_ALIGN(16) hd_u32x4 {
    uint32_t x, y, z, w;
} hd_u32x4;

typedef struct HD_ALIGN(16) hd_i64x2 {
    int64_t x, y;
} hd_i64x2;

typedef struct HD_ALIGN(16) hd_u64x2 {
    uint64_t x, y;
} hd_u64x2;

/* HD_VEC_: name; HD_VEC_T_: element; HD_VEC_U_: type to compute in (unsigned for integers);
   HD_VEC_S_: suffix of the element type; HD_VEC_N_: elements. */
#define HD_VEC_CAT__(a, b) a##b
#define HD_VEC_CAT_(a, b) HD_VEC_CAT__(a, b)
#define HD_VEC_OP_(op) HD_VEC_CAT_(HD_VEC_, _##op)

#define HD_VEC_ hd_f32x2
#define HD_VEC_T_ float
#define HD_VEC_U_ float
#define HD_VEC_S_ f32
#define HD_VEC_FMA_ __builtin_fmaf
#define HD_VEC_N_ 2
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_f32x4
#define HD_VEC_T_ float
#define HD_VEC_U_ float
#define HD_VEC_S_ f32
#define HD_VEC_FMA_ __builtin_fmaf
#define HD_VEC_N_ 4
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_f64x2
#define HD_VEC_T_ double
#define HD_VEC_U_ double
#define HD_VEC_S_ f64
#define HD_VEC_FMA_ __builtin_fma
#define HD_VEC_N_ 2
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_i32x2
#define HD_VEC_T_ int32_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_S_ i32
#define HD_VEC_N_ 2
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_i32x4
#define HD_VEC_T_ int32_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_S_ i32
#define HD_VEC_N_ 4
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_u32x2
#define HD_VEC_T_ uint32_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_S_ u32
#define HD_VEC_N_ 2
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_u32x4
#define HD_VEC_T_ uint32_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_S_ u32
#define HD_VEC_N_ 4
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_i64x2
#define HD_VEC_T_ int64_t
#define HD_VEC_U_ uint64_t
#define HD_VEC_S_ i64
#define HD_VEC_N_ 2
#include <heddle/detail/vector_ops.inc>

#define HD_VEC_ hd_u64x2
#define HD_VEC_T_ uint64_t
#define HD_VEC_U_ uint64_t
#define HD_VEC_S_ u64
#define HD_VEC_N_ 2
#include <heddle/detail/vector_ops.inc>

#endif
