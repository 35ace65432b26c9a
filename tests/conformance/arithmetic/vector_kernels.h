/* SPDX-License-Identifier: Apache-2.0 */
/* vector_kernels.h - declares the kernels of kern_vector.c. */
#ifndef HEDDLE_TESTS_VECTOR_KERNELS_H
#define HEDDLE_TESTS_VECTOR_KERNELS_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* Rows of results that are vectors. Those from VECTOR_OP_ADD on are computed by operators if the
   kernel file is compiled as C++, otherwise by functions. The scalar is the first element of b. */
enum {
    VECTOR_ADD,
    VECTOR_SUB,
    VECTOR_MUL,
    VECTOR_DIV,
    VECTOR_NEG,
    VECTOR_MIN,
    VECTOR_MAX,
    VECTOR_FMA, /* a * b + a; of integers with two functions */
    VECTOR_OP_ADD,
    VECTOR_OP_SUB,
    VECTOR_OP_MUL,
    VECTOR_OP_DIV,
    VECTOR_OP_NEG,
    VECTOR_OP_ADD_SCALAR, /* a + b.x */
    VECTOR_OP_SCALAR_SUB, /* b.x - a */
    VECTOR_OP_MUL_ASSIGN, /* a *= b */
    VECTOR_OP_DIV_ASSIGN, /* a /= b.x */
    VECTOR_OPS
};
/* Rows of results that are numbers. */
enum { VECTOR_SUM, VECTOR_DOT, VECTOR_EQUAL, VECTOR_EQUAL_SELF, VECTOR_OP_DIFFER, VECTOR_NUMBERS };

/* X(suffix, element, elements, type of sums, alignment). The alignments are those of float2,
   float3, float4 ... in CUDA C++. */
#define VECTOR_LIST(X)                                                                             \
    X(f32x2, float, 2, float, 8)                                                                   \
    X(f32x3, float, 3, float, 4)                                                                   \
    X(f32x4, float, 4, float, 16)                                                                  \
    X(f64x2, double, 2, double, 16)                                                                \
    X(f64x3, double, 3, double, 8)                                                                 \
    X(f64x4, double, 4, double, 16)                                                                \
    X(i8x2, int8_t, 2, int32_t, 2)                                                                 \
    X(i8x3, int8_t, 3, int32_t, 1)                                                                 \
    X(i8x4, int8_t, 4, int32_t, 4)                                                                 \
    X(u8x2, uint8_t, 2, uint32_t, 2)                                                               \
    X(u8x3, uint8_t, 3, uint32_t, 1)                                                               \
    X(u8x4, uint8_t, 4, uint32_t, 4)                                                               \
    X(i16x2, int16_t, 2, int32_t, 4)                                                               \
    X(i16x3, int16_t, 3, int32_t, 2)                                                               \
    X(i16x4, int16_t, 4, int32_t, 8)                                                               \
    X(u16x2, uint16_t, 2, uint32_t, 4)                                                             \
    X(u16x3, uint16_t, 3, uint32_t, 2)                                                             \
    X(u16x4, uint16_t, 4, uint32_t, 8)                                                             \
    X(i32x2, int32_t, 2, int32_t, 8)                                                               \
    X(i32x3, int32_t, 3, int32_t, 4)                                                               \
    X(i32x4, int32_t, 4, int32_t, 16)                                                              \
    X(u32x2, uint32_t, 2, uint32_t, 8)                                                             \
    X(u32x3, uint32_t, 3, uint32_t, 4)                                                             \
    X(u32x4, uint32_t, 4, uint32_t, 16)                                                            \
    X(i64x2, int64_t, 2, int64_t, 16)                                                              \
    X(u64x2, uint64_t, 2, uint64_t, 16)

/* n vectors each of a and b; out, numbers: one row of n per operation. */
#define VECTOR_DECLARE(V, element, elements, sum, alignment)                                       \
    HD_DECLARE(vector_##V, size_t, const hd_##V *, const hd_##V *, hd_##V *, sum *)
VECTOR_LIST(VECTOR_DECLARE)

/* n cross products. */
HD_DECLARE(cross_f32, size_t, const hd_f32x3 *, const hd_f32x3 *, hd_f32x3 *)
HD_DECLARE(cross_f64, size_t, const hd_f64x3 *, const hd_f64x3 *, hd_f64x3 *)

#endif
