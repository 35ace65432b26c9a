/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_math.h - type-generic arithmetic of kernels on the CPU. Functions without a stated bound are
   the C library's: in glibc at most 1 ulp for exp, log, sin, cos etc. (its manual lists each);
   sqrt, fma, floor, ceil, trunc, rint and round are exact as in IEEE 754. Included by dialect.h. */
#ifndef HEDDLE_BACKEND_CPU_MATH_H
#define HEDDLE_BACKEND_CPU_MATH_H

#include <math.h>

/* ---- integers -------------------------------------------------------------------------------- */

#define HD_CPU_UNSIGNED_OF_(function, x)                                                           \
    HD_CPU_SELECT_(x, HD_CPU_CASE_(unsigned, function##_u32),                                      \
                   HD_CPU_CASE_(unsigned long, function##_u64),                                    \
                   HD_CPU_CASE_(unsigned long long, function##_u64))
#define hd_popcount(x) HD_CPU_UNSIGNED_OF_(hd_popcount, x)(x)
#define hd_clz(x) HD_CPU_UNSIGNED_OF_(hd_clz, x)(x)
#define hd_ctz(x) HD_CPU_UNSIGNED_OF_(hd_ctz, x)(x)
#define hd_bit_reverse(x) HD_CPU_UNSIGNED_OF_(hd_bit_reverse, x)(x)

#define HD_CPU_INT_OF_(function, x)                                                                \
    HD_CPU_SELECT_(                                                                                \
        x, HD_CPU_CASE_(int, function##_i32), HD_CPU_CASE_(unsigned, function##_u32),              \
        HD_CPU_CASE_(long, function##_i64), HD_CPU_CASE_(unsigned long, function##_u64),           \
        HD_CPU_CASE_(long long, function##_i64), HD_CPU_CASE_(unsigned long long, function##_u64))
#define hd_mulhi(a, b) HD_CPU_INT_OF_(hd_mulhi, a)(a, b)

#define HD_CPU_NUMBER_OF_(function, x)                                                             \
    HD_CPU_SELECT_(                                                                                \
        x, HD_CPU_CASE_(float, function##_f32), HD_CPU_CASE_(double, function##_f64),              \
        HD_CPU_CASE_(int, function##_i32), HD_CPU_CASE_(unsigned, function##_u32),                 \
        HD_CPU_CASE_(long, function##_i64), HD_CPU_CASE_(unsigned long, function##_u64),           \
        HD_CPU_CASE_(long long, function##_i64), HD_CPU_CASE_(unsigned long long, function##_u64))
#define hd_min(a, b) HD_CPU_NUMBER_OF_(hd_min, (a) + (b))(a, b)
#define hd_max(a, b) HD_CPU_NUMBER_OF_(hd_max, (a) + (b))(a, b)

/* x limited to [low, high]. */
#define hd_clamp(x, low, high) hd_min(hd_max(x, low), high)

HD_CPU_ALWAYS_ int hd_cpu_abs_i32(int x)
{
    return (int)(x < 0 ? 0u - (unsigned)x : (unsigned)x);
}

HD_CPU_ALWAYS_ long hd_cpu_abs_i64(long x)
{
    return (long)(x < 0 ? 0ul - (unsigned long)x : (unsigned long)x);
}

HD_CPU_ALWAYS_ long long hd_cpu_abs_i64l(long long x)
{
    return (long long)(x < 0 ? 0ull - (unsigned long long)x : (unsigned long long)x);
}

#define hd_abs(x)                                                                                  \
    HD_CPU_SELECT_(x, HD_CPU_FLOAT_CASE_(float, fabsf), HD_CPU_FLOAT_CASE_(double, fabs),          \
                   HD_CPU_CASE_(int, hd_cpu_abs_i32), HD_CPU_CASE_(long, hd_cpu_abs_i64),          \
                   HD_CPU_CASE_(long long, hd_cpu_abs_i64l))                                       \
    (x)

/* ---- floating point -------------------------------------------------------------------------- */

#define HD_CPU_FLOAT_OF_(f32, f64, x)                                                              \
    HD_CPU_SELECT_(x, HD_CPU_FLOAT_CASE_(float, f32), HD_CPU_FLOAT_CASE_(double, f64))
#define HD_CPU_FLOATS_OF_(f32, f64, x)                                                             \
    HD_CPU_SELECT_(x, HD_CPU_CASE_(float, f32), HD_CPU_CASE_(double, f64))

#define hd_fma(a, b, c) HD_CPU_FLOAT_OF_(fmaf, fma, a)(a, b, c)
#define hd_sqrt(x) HD_CPU_FLOAT_OF_(sqrtf, sqrt, x)(x)
#define hd_cbrt(x) HD_CPU_FLOAT_OF_(cbrtf, cbrt, x)(x)
#define hd_floor(x) HD_CPU_FLOAT_OF_(floorf, floor, x)(x)
#define hd_ceil(x) HD_CPU_FLOAT_OF_(ceilf, ceil, x)(x)
#define hd_trunc(x) HD_CPU_FLOAT_OF_(truncf, trunc, x)(x)
#define hd_round(x) HD_CPU_FLOAT_OF_(roundf, round, x)(x)
#define hd_rint(x) HD_CPU_FLOAT_OF_(rintf, rint, x)(x)
#define hd_fmod(x, y) HD_CPU_FLOAT_OF_(fmodf, fmod, x)(x, y)
#define hd_copysign(x, y) HD_CPU_FLOAT_OF_(copysignf, copysign, x)(x, y)
#define hd_exp(x) HD_CPU_FLOAT_OF_(expf, exp, x)(x)
#define hd_exp2(x) HD_CPU_FLOAT_OF_(exp2f, exp2, x)(x)
#define hd_expm1(x) HD_CPU_FLOAT_OF_(expm1f, expm1, x)(x)
#define hd_log(x) HD_CPU_FLOAT_OF_(logf, log, x)(x)
#define hd_log2(x) HD_CPU_FLOAT_OF_(log2f, log2, x)(x)
#define hd_log10(x) HD_CPU_FLOAT_OF_(log10f, log10, x)(x)
#define hd_log1p(x) HD_CPU_FLOAT_OF_(log1pf, log1p, x)(x)
#define hd_sin(x) HD_CPU_FLOAT_OF_(sinf, sin, x)(x)
#define hd_cos(x) HD_CPU_FLOAT_OF_(cosf, cos, x)(x)
#define hd_tan(x) HD_CPU_FLOAT_OF_(tanf, tan, x)(x)
#define hd_asin(x) HD_CPU_FLOAT_OF_(asinf, asin, x)(x)
#define hd_acos(x) HD_CPU_FLOAT_OF_(acosf, acos, x)(x)
#define hd_atan(x) HD_CPU_FLOAT_OF_(atanf, atan, x)(x)
#define hd_atan2(y, x) HD_CPU_FLOAT_OF_(atan2f, atan2, y)(y, x)
#define hd_sinh(x) HD_CPU_FLOAT_OF_(sinhf, sinh, x)(x)
#define hd_cosh(x) HD_CPU_FLOAT_OF_(coshf, cosh, x)(x)
#define hd_tanh(x) HD_CPU_FLOAT_OF_(tanhf, tanh, x)(x)
#define hd_pow(x, y) HD_CPU_FLOAT_OF_(powf, pow, x)(x, y)
#define hd_hypot(x, y) HD_CPU_FLOAT_OF_(hypotf, hypot, x)(x, y)
#define hd_erf(x) HD_CPU_FLOAT_OF_(erff, erf, x)(x)
#define hd_erfc(x) HD_CPU_FLOAT_OF_(erfcf, erfc, x)(x)
#define hd_tgamma(x) HD_CPU_FLOAT_OF_(tgammaf, tgamma, x)(x)
#define hd_lgamma(x) HD_CPU_FLOAT_OF_(lgammaf, lgamma, x)(x)

/* 1 / sqrt(x), two roundings: at most 1 ulp. */
HD_CPU_ALWAYS_ float hd_cpu_rsqrt_f32(float x)
{
    return 1.0f / sqrtf(x);
}

HD_CPU_ALWAYS_ double hd_cpu_rsqrt_f64(double x)
{
    return 1.0 / sqrt(x);
}

#define hd_rsqrt(x) HD_CPU_FLOAT_OF_(hd_cpu_rsqrt_f32, hd_cpu_rsqrt_f64, x)(x)

HD_CPU_ALWAYS_ void hd_cpu_sincos_f32(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = cosf(x);
}

HD_CPU_ALWAYS_ void hd_cpu_sincos_f64(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}

#define hd_sincos(x, s, c) HD_CPU_FLOATS_OF_(hd_cpu_sincos_f32, hd_cpu_sincos_f64, x)(x, s, c)

/* sin(pi x) and cos(pi x). The argument reduction to [-1/4, 1/4] is exact, so that zeros and ones
   are exact; at most 2 ulp. The f32 form computes in f64: at most 0.51 ulp. */
HD_CPU_ALWAYS_ void hd_cpu_sincospi_f64(double x, double *s, double *c)
{
    double turn = x - 2.0 * rint(0.5 * x); /* in [-1, 1] */
    double quarter = rint(2.0 * turn);
    double rest = (turn - 0.5 * quarter) * 3.14159265358979323846;
    double sine = sin(rest), cosine = cos(rest);
    int q = turn == turn ? (int)quarter & 3 : 0;

    *s = q == 0 ? sine : q == 1 ? cosine : q == 2 ? -sine : -cosine;
    *c = q == 0 ? cosine : q == 1 ? -sine : q == 2 ? -cosine : sine;
}

HD_CPU_ALWAYS_ void hd_cpu_sincospi_f32(float x, float *s, float *c)
{
    double sine, cosine;

    hd_cpu_sincospi_f64((double)x, &sine, &cosine);
    *s = (float)sine;
    *c = (float)cosine;
}

#define hd_sincospi(x, s, c) HD_CPU_FLOATS_OF_(hd_cpu_sincospi_f32, hd_cpu_sincospi_f64, x)(x, s, c)

/* Fast forms for f32; on the CPU they are as accurate as the others. */
#define hd_fast_exp(x) expf(x)
#define hd_fast_log(x) logf(x)
#define hd_fast_sin(x) sinf(x)
#define hd_fast_cos(x) cosf(x)

#endif
