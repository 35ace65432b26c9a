/* SPDX-License-Identifier: Apache-2.0 */
/* kern_vector.c - arithmetic of every vector type on the device. */
#include <heddle/kernel.h>

#include "vector_kernels.h"

#define R float
#define V_FLOAT 1
#define V f32x2
#include "vector_kernel.inc"
#define V f32x3
#include "vector_kernel.inc"
#define V f32x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R double
#define V_FLOAT 1
#define V f64x2
#include "vector_kernel.inc"
#define V f64x3
#include "vector_kernel.inc"
#define V f64x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R int32_t
#define V_FLOAT 0
#define V i8x2
#include "vector_kernel.inc"
#define V i8x3
#include "vector_kernel.inc"
#define V i8x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R uint32_t
#define V_FLOAT 0
#define V u8x2
#include "vector_kernel.inc"
#define V u8x3
#include "vector_kernel.inc"
#define V u8x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R int32_t
#define V_FLOAT 0
#define V i16x2
#include "vector_kernel.inc"
#define V i16x3
#include "vector_kernel.inc"
#define V i16x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R uint32_t
#define V_FLOAT 0
#define V u16x2
#include "vector_kernel.inc"
#define V u16x3
#include "vector_kernel.inc"
#define V u16x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R int32_t
#define V_FLOAT 0
#define V i32x2
#include "vector_kernel.inc"
#define V i32x3
#include "vector_kernel.inc"
#define V i32x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R uint32_t
#define V_FLOAT 0
#define V u32x2
#include "vector_kernel.inc"
#define V u32x3
#include "vector_kernel.inc"
#define V u32x4
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R int64_t
#define V_FLOAT 0
#define V i64x2
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

#define R uint64_t
#define V_FLOAT 0
#define V u64x2
#include "vector_kernel.inc"
#undef R
#undef V_FLOAT

HD_KERNEL void cross_f32(size_t n, const hd_f32x3 *HD_RESTRICT a, const hd_f32x3 *HD_RESTRICT b,
                         hd_f32x3 *HD_RESTRICT out)
{
    HD_FOR(i, n)
        out[i] = hd_f32x3_cross(a[i], b[i]);
}
HD_DEFINE(cross_f32)

HD_KERNEL void cross_f64(size_t n, const hd_f64x3 *HD_RESTRICT a, const hd_f64x3 *HD_RESTRICT b,
                         hd_f64x3 *HD_RESTRICT out)
{
    HD_FOR(i, n)
        out[i] = hd_f64x3_cross(a[i], b[i]);
}
HD_DEFINE(cross_f64)
