/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Arithmetic of the short vectors of vector_types.h. Host and kernels, C11 and C++17.
 *
 *  For each vector type V with elements of type T, vector_ops.inc defines V_make(x, y[, z[,
 *  w]]), V_set(s) (all elements s); element by element V_add, V_sub, V_mul, V_div, V_neg, V_min,
 *  V_max and, for floats, V_fma(a, b, c) = a * b + c with one rounding; V_equal(a, b), 1 if all
 *  elements are equal, else 0; V_sum(a) = x + y, (x + y) + z or (x + y) + (z + w); V_dot(a, b), the
 *  sum in that order of the products; and hd_f32x3_cross(a, b), hd_f64x3_cross(a, b).
 *
 *  Integers wrap around; V_sum and V_dot of 8- and 16-bit elements are 32-bit integers. V_div of
 *  integers truncates; as in C, the divisor must not be 0, nor may the quotient overflow (INT32_MIN
 *  / -1). Minimum and maximum are those of minmax.h. No
 *  product is contracted with a sum.
 *
 *  In C++ there are also the operators + - * / with a vector or an element on either side, += -= *=
 *  /=, unary + and -, == and != (of all elements), and for integers & | ^ ~ &= |= ^=.
 */
#ifndef HEDDLE_DEVICE_VECTOR_H
#define HEDDLE_DEVICE_VECTOR_H

#include <heddle/device/minmax.h>
#include <heddle/device/vector_types.h>

/** @defgroup vector Short vectors
 *  @brief Vectors of two, three and four elements; host and kernels.
 *  @{
 */

/* For vector_sizes.inc, which includes the functions for two, three and four elements:
     HD_VEC_E_    suffix of the element type
     HD_VEC_T_    the element type
     HD_VEC_U_    type to compute in (unsigned for integers)
     HD_VEC_R_    type of sums over the elements
     HD_VEC_M_    suffix of the minimum and maximum to use
     HD_VEC_FMA_  fma of floats; undefined for integers
     HD_VEC_MAX_  maximum number of elements */
#define HD_VEC_NAME__(e, n) hd_##e##x##n
#define HD_VEC_NAME_(e, n) HD_VEC_NAME__(e, n)
#define HD_VEC_ HD_VEC_NAME_(HD_VEC_E_, HD_VEC_N_)
#define HD_VEC_CAT__(a, b) a##b
#define HD_VEC_CAT_(a, b) HD_VEC_CAT__(a, b)
#define HD_VEC_OP_(op) HD_VEC_CAT_(HD_VEC_, _##op)

#define HD_VEC_E_ f32
#define HD_VEC_T_ float
#define HD_VEC_U_ float
#define HD_VEC_R_ float
#define HD_VEC_M_ f32
#define HD_VEC_FMA_ __builtin_fmaf
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ f64
#define HD_VEC_T_ double
#define HD_VEC_U_ double
#define HD_VEC_R_ double
#define HD_VEC_M_ f64
#define HD_VEC_FMA_ __builtin_fma
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ i8
#define HD_VEC_T_ int8_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_R_ int32_t
#define HD_VEC_M_ i32
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ u8
#define HD_VEC_T_ uint8_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_R_ uint32_t
#define HD_VEC_M_ u32
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ i16
#define HD_VEC_T_ int16_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_R_ int32_t
#define HD_VEC_M_ i32
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ u16
#define HD_VEC_T_ uint16_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_R_ uint32_t
#define HD_VEC_M_ u32
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ i32
#define HD_VEC_T_ int32_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_R_ int32_t
#define HD_VEC_M_ i32
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ u32
#define HD_VEC_T_ uint32_t
#define HD_VEC_U_ uint32_t
#define HD_VEC_R_ uint32_t
#define HD_VEC_M_ u32
#define HD_VEC_MAX_ 4
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ i64
#define HD_VEC_T_ int64_t
#define HD_VEC_U_ uint64_t
#define HD_VEC_R_ int64_t
#define HD_VEC_M_ i64
#define HD_VEC_MAX_ 2
#include <heddle/detail/arithmetic/vector_sizes.inc>

#define HD_VEC_E_ u64
#define HD_VEC_T_ uint64_t
#define HD_VEC_U_ uint64_t
#define HD_VEC_R_ uint64_t
#define HD_VEC_M_ u64
#define HD_VEC_MAX_ 2
#include <heddle/detail/arithmetic/vector_sizes.inc>

/** @} */

#endif
