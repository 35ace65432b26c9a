/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Short vectors aligned to their size, for 8- and 16-byte loads and stores. Host and kernels, C11
 *  and C++17.
 *
 *  For each type V, detail/vector_ops.inc defines V_make(x, y[, z, w]), V_set(s) (all elements s),
 *  element by element V_add, V_sub, V_mul, V_min, V_max and, for floats, V_fma(a, b, c) = a * b + c
 *  with one rounding; V_sum is x + y, or (x + y) + (z + w). Integers wrap around; minimum and
 *  maximum are those of minmax.h.
 */
#ifndef HEDDLE_DEVICE_VECTOR_H
#define HEDDLE_DEVICE_VECTOR_H

#include <heddle/device/minmax.h>

/** @defgroup vector Short vectors
 *  @brief Vectors of 8 and 16 bytes; host and kernels.
 *  @{
 */

/** Two binary32 elements, 8-byte aligned. */
typedef struct HD_ALIGN(8) hd_f32x2 {
    float x, /**< First element. */
        y;   /**< Second element. */
} hd_f32x2;

/** Four binary32 elements, 16-byte aligned. */
typedef struct HD_ALIGN(16) hd_f32x4 {
    float x, /**< First element. */
        y,   /**< Second element. */
        z,   /**< Third element. */
        w;   /**< Fourth element. */
} hd_f32x4;

/** Two binary64 elements, 16-byte aligned. */
typedef struct HD_ALIGN(16) hd_f64x2 {
    double x, /**< First element. */
        y;    /**< Second element. */
} hd_f64x2;

/** Two signed 32-bit integer elements, 8-byte aligned. */
typedef struct HD_ALIGN(8) hd_i32x2 {
    int32_t x, /**< First element. */
        y;     /**< Second element. */
} hd_i32x2;

/** Four signed 32-bit integer elements, 16-byte aligned. */
typedef struct HD_ALIGN(16) hd_i32x4 {
    int32_t x, /**< First element. */
        y,     /**< Second element. */
        z,     /**< Third element. */
        w;     /**< Fourth element. */
} hd_i32x4;

/** Two unsigned 32-bit integer elements, 8-byte aligned. */
typedef struct HD_ALIGN(8) hd_u32x2 {
    uint32_t x, /**< First element. */
        y;      /**< Second element. */
} hd_u32x2;

/** Four unsigned 32-bit integer elements, 16-byte aligned. */
typedef struct HD_ALIGN(16) hd_u32x4 {
    uint32_t x, /**< First element. */
        y,      /**< Second element. */
        z,      /**< Third element. */
        w;      /**< Fourth element. */
} hd_u32x4;

/** Two signed 64-bit integer elements, 16-byte aligned. */
typedef struct HD_ALIGN(16) hd_i64x2 {
    int64_t x, /**< First element. */
        y;     /**< Second element. */
} hd_i64x2;

/** Two unsigned 64-bit integer elements, 16-byte aligned. */
typedef struct HD_ALIGN(16) hd_u64x2 {
    uint64_t x, /**< First element. */
        y;      /**< Second element. */
} hd_u64x2;

/* HD_VEC_: name; HD_VEC_T_: element; HD_VEC_U_: type to compute in (unsigned for integers);
   HD_VEC_S_: suffix of the element type; HD_VEC_N_: number of elements. */
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

/** @} */

#endif
