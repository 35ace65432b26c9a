/* SPDX-License-Identifier: Apache-2.0 */
/* kern_math.c - math functions and integer intrinsics, one row of results per function. */
#include <heddle/kernel.h>

#include "math_kernels.h"
#include "typed.h"

#define ROW(name, low, high, bound32, bound64)                                                     \
    out[MATH_##name * n + i] = hd_##name(in[MATH_##name * n + i]);

HD_KERNEL void math_f32(size_t n, const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        MATH_LIST(ROW)
    }
}
HD_DEFINE(math_f32)

HD_KERNEL void math_f64(size_t n, const double *HD_RESTRICT in, double *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        MATH_LIST(ROW)
    }
}
HD_DEFINE(math_f64)

HD_KERNEL void math_fast(size_t n, const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[FAST_EXP * n + i] = hd_fast_exp(in[FAST_EXP * n + i]);
        out[FAST_LOG * n + i] = hd_fast_log(in[FAST_LOG * n + i]);
        out[FAST_SIN * n + i] = hd_fast_sin(in[FAST_SIN * n + i]);
        out[FAST_COS * n + i] = hd_fast_cos(in[FAST_COS * n + i]);
    }
}
HD_DEFINE(math_fast)

HD_KERNEL void math_binary_f32(size_t n, const float *HD_RESTRICT a, const float *HD_RESTRICT b,
                               const float *HD_RESTRICT c, float *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        float s, co;

        out[BINARY_POW * n + i] = hd_pow(hd_abs(a[i]), b[i]);
        out[BINARY_FMA * n + i] = hd_fma(a[i], b[i], c[i]);
        hd_sincospi(a[i], &s, &co);
        out[BINARY_SIN * n + i] = s;
        out[BINARY_COS * n + i] = co;
    }
}
HD_DEFINE(math_binary_f32)

HD_KERNEL void math_binary_f64(size_t n, const double *HD_RESTRICT a, const double *HD_RESTRICT b,
                               const double *HD_RESTRICT c, double *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        double s, co;

        out[BINARY_POW * n + i] = hd_pow(hd_abs(a[i]), b[i]);
        out[BINARY_FMA * n + i] = hd_fma(a[i], b[i], c[i]);
        hd_sincospi(a[i], &s, &co);
        out[BINARY_SIN * n + i] = s;
        out[BINARY_COS * n + i] = co;
    }
}
HD_DEFINE(math_binary_f64)

#define ABS(x) hd_abs(x)
#define T int32_t
#define TS i32
#include "small.inc"
#define T int64_t
#define TS i64
#include "small.inc"
#define T float
#define TS f32
#include "small.inc"
#define T double
#define TS f64
#include "small.inc"
#undef ABS
#define ABS(x) (x)
#define T uint32_t
#define TS u32
#include "small.inc"
#define T uint64_t
#define TS u64
#include "small.inc"

HD_KERNEL void bits_u32(size_t n, const uint32_t *HD_RESTRICT a, const uint32_t *HD_RESTRICT b,
                        uint32_t *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[BITS_POPCOUNT * n + i] = (uint32_t)hd_popcount(a[i]);
        out[BITS_CLZ * n + i] = (uint32_t)hd_clz(a[i]);
        out[BITS_CTZ * n + i] = (uint32_t)hd_ctz(a[i]);
        out[BITS_REVERSE * n + i] = hd_bit_reverse(a[i]);
        out[BITS_MULHI * n + i] = hd_mulhi(a[i], b[i]);
        out[BITS_MULHI_SIGNED * n + i] = (uint32_t)hd_mulhi((int32_t)a[i], (int32_t)b[i]);
    }
}
HD_DEFINE(bits_u32)

HD_KERNEL void bits_u64(size_t n, const uint64_t *HD_RESTRICT a, const uint64_t *HD_RESTRICT b,
                        uint64_t *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        out[BITS_POPCOUNT * n + i] = (uint64_t)hd_popcount(a[i]);
        out[BITS_CLZ * n + i] = (uint64_t)hd_clz(a[i]);
        out[BITS_CTZ * n + i] = (uint64_t)hd_ctz(a[i]);
        out[BITS_REVERSE * n + i] = hd_bit_reverse(a[i]);
        out[BITS_MULHI * n + i] = hd_mulhi(a[i], b[i]);
        out[BITS_MULHI_SIGNED * n + i] = (uint64_t)hd_mulhi((int64_t)a[i], (int64_t)b[i]);
    }
}
HD_DEFINE(bits_u64)
