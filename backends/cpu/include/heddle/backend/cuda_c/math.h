/* SPDX-License-Identifier: Apache-2.0 */
/* math.h (CPU) - mathematics in C as C++ overloads it: float if all arguments are, double for
   integers and mixed types; and CUDA's minima, dot products and loads of several types. Not
   <tgmath.h>, which defines the macros of complex numbers, I among them, and lacks abs and modf. */
#ifndef HEDDLE_BACKEND_CUDA_C_MATH_H
#define HEDDLE_BACKEND_CUDA_C_MATH_H

#include <math.h>
#include <stdlib.h>

#include <heddle/backend/port/intrinsics.h>

/* ---- overloads of the C library -------------------------------------------------------------- */

/* A number of the type as which C++ takes an argument. */
#define HD_PORT_KIND_(x) _Generic((x), float : 0.0f, long double : 0.0l, default : 0.0)
#define HD_PORT_OF_(name, kind)                                                                    \
    _Generic((kind), float : name##f, double : name, long double : name##l)
#define HD_PORT_OF_1_(name, x) HD_PORT_OF_(name, HD_PORT_KIND_(x))
#define HD_PORT_OF_2_(name, x, y) HD_PORT_OF_(name, HD_PORT_KIND_(x) + HD_PORT_KIND_(y))
#define HD_PORT_OF_3_(name, x, y, z)                                                               \
    HD_PORT_OF_(name, HD_PORT_KIND_(x) + HD_PORT_KIND_(y) + HD_PORT_KIND_(z))

#define acos(x) HD_PORT_OF_1_(acos, x)(x)
#define acosh(x) HD_PORT_OF_1_(acosh, x)(x)
#define asin(x) HD_PORT_OF_1_(asin, x)(x)
#define asinh(x) HD_PORT_OF_1_(asinh, x)(x)
#define atan(x) HD_PORT_OF_1_(atan, x)(x)
#define atanh(x) HD_PORT_OF_1_(atanh, x)(x)
#define cbrt(x) HD_PORT_OF_1_(cbrt, x)(x)
#define ceil(x) HD_PORT_OF_1_(ceil, x)(x)
#define cos(x) HD_PORT_OF_1_(cos, x)(x)
#define cosh(x) HD_PORT_OF_1_(cosh, x)(x)
#define erf(x) HD_PORT_OF_1_(erf, x)(x)
#define erfc(x) HD_PORT_OF_1_(erfc, x)(x)
#define exp(x) HD_PORT_OF_1_(exp, x)(x)
#define exp2(x) HD_PORT_OF_1_(exp2, x)(x)
#define expm1(x) HD_PORT_OF_1_(expm1, x)(x)
#define floor(x) HD_PORT_OF_1_(floor, x)(x)
#define ilogb(x) HD_PORT_OF_1_(ilogb, x)(x)
#define lgamma(x) HD_PORT_OF_1_(lgamma, x)(x)
#define llrint(x) HD_PORT_OF_1_(llrint, x)(x)
#define llround(x) HD_PORT_OF_1_(llround, x)(x)
#define log(x) HD_PORT_OF_1_(log, x)(x)
#define log10(x) HD_PORT_OF_1_(log10, x)(x)
#define log1p(x) HD_PORT_OF_1_(log1p, x)(x)
#define log2(x) HD_PORT_OF_1_(log2, x)(x)
#define logb(x) HD_PORT_OF_1_(logb, x)(x)
#define lrint(x) HD_PORT_OF_1_(lrint, x)(x)
#define lround(x) HD_PORT_OF_1_(lround, x)(x)
#define nearbyint(x) HD_PORT_OF_1_(nearbyint, x)(x)
#define rint(x) HD_PORT_OF_1_(rint, x)(x)
#define round(x) HD_PORT_OF_1_(round, x)(x)
#define sin(x) HD_PORT_OF_1_(sin, x)(x)
#define sinh(x) HD_PORT_OF_1_(sinh, x)(x)
#define sqrt(x) HD_PORT_OF_1_(sqrt, x)(x)
#define tan(x) HD_PORT_OF_1_(tan, x)(x)
#define tanh(x) HD_PORT_OF_1_(tanh, x)(x)
#define tgamma(x) HD_PORT_OF_1_(tgamma, x)(x)
#define trunc(x) HD_PORT_OF_1_(trunc, x)(x)

#define frexp(x, exponent) HD_PORT_OF_1_(frexp, x)(x, exponent)
#define ldexp(x, exponent) HD_PORT_OF_1_(ldexp, x)(x, exponent)
#define scalbn(x, exponent) HD_PORT_OF_1_(scalbn, x)(x, exponent)
#define scalbln(x, exponent) HD_PORT_OF_1_(scalbln, x)(x, exponent)
#define modf(x, whole) HD_PORT_OF_1_(modf, x)(x, whole)
#define nexttoward(x, y) HD_PORT_OF_1_(nexttoward, x)(x, y)

#define atan2(x, y) HD_PORT_OF_2_(atan2, x, y)(x, y)
#define copysign(x, y) HD_PORT_OF_2_(copysign, x, y)(x, y)
#define fdim(x, y) HD_PORT_OF_2_(fdim, x, y)(x, y)
#define fmax(x, y) HD_PORT_OF_2_(fmax, x, y)(x, y)
#define fmin(x, y) HD_PORT_OF_2_(fmin, x, y)(x, y)
#define fmod(x, y) HD_PORT_OF_2_(fmod, x, y)(x, y)
#define hypot(x, y) HD_PORT_OF_2_(hypot, x, y)(x, y)
#define nextafter(x, y) HD_PORT_OF_2_(nextafter, x, y)(x, y)
#define pow(x, y) HD_PORT_OF_2_(pow, x, y)(x, y)
#define remainder(x, y) HD_PORT_OF_2_(remainder, x, y)(x, y)
#define remquo(x, y, quotient) HD_PORT_OF_2_(remquo, x, y)(x, y, quotient)
#define fma(x, y, z) HD_PORT_OF_3_(fma, x, y, z)(x, y, z)

/* An argument as a floating-point number. */
#define HD_PORT_REAL_(x) _Generic((x), float : (x), long double : (x), default : (double)(x))
#define fabs(x) HD_PORT_OF_1_(fabs, x)(HD_PORT_REAL_(x))
#define abs(x)                                                                                     \
    _Generic((x), float                                                                            \
             : fabsf, double                                                                       \
             : fabs, long double                                                                   \
             : fabsl, long                                                                         \
             : labs, long long                                                                     \
             : llabs, default                                                                      \
             : abs)(x)

/* In C these are macros, whose values differ from those of bool. */
#undef isnan
#define isnan(x) ((bool)(__builtin_isnan(HD_PORT_REAL_(x)) != 0))
#undef isinf
#define isinf(x) ((bool)(__builtin_isinf(HD_PORT_REAL_(x)) != 0))
#undef isfinite
#define isfinite(x) ((bool)(__builtin_isfinite(HD_PORT_REAL_(x)) != 0))
#undef isnormal
#define isnormal(x) ((bool)(__builtin_isnormal(HD_PORT_REAL_(x)) != 0))
#undef signbit
#define signbit(x) ((bool)(__builtin_signbit(HD_PORT_REAL_(x)) != 0))

/* ---- CUDA's overloads ------------------------------------------------------------------------ */

#define rsqrt(x) _Generic((x), float : rsqrtf, default : rsqrt)(x)

/* Of the common type of both. */
#define HD_PORT_EXTREMES_(T, S)                                                                    \
    HD_DEVICE T hd_port_min_##S##_(T a, T b)                                                       \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    HD_DEVICE T hd_port_max_##S##_(T a, T b)                                                       \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
HD_CPU_INTEGERS_(HD_PORT_EXTREMES_)
#undef HD_PORT_EXTREMES_
#define HD_PORT_EXTREME_(which, a, b)                                                              \
    HD_CPU_SELECT_((a) + (b), HD_CPU_CASE_(float, f##which##f), HD_CPU_CASE_(double, f##which),    \
                   HD_CPU_CASE_(int, hd_port_##which##_i32_),                                      \
                   HD_CPU_CASE_(unsigned, hd_port_##which##_u32_),                                 \
                   HD_CPU_CASE_(long, hd_port_##which##_i64_),                                     \
                   HD_CPU_CASE_(unsigned long, hd_port_##which##_u64_),                            \
                   HD_CPU_CASE_(long long, hd_port_##which##_i64l_),                               \
                   HD_CPU_CASE_(unsigned long long, hd_port_##which##_u64l_))                      \
    (a, b)
#define min(a, b) HD_PORT_EXTREME_(min, a, b)
#define max(a, b) HD_PORT_EXTREME_(max, a, b)

#define __dp4a(a, b, c) _Generic((a), unsigned : hd_dp4a_u32, default : hd_dp4a_i32)(a, b, c)

/* A value, not a variable. */
#define HD_PORT_LOADED_(from) ((void)0, *(from))
#define __ldg(from) HD_PORT_LOADED_(from)
#define __ldcg(from) HD_PORT_LOADED_(from)
#define __ldca(from) HD_PORT_LOADED_(from)
#define __ldcs(from) HD_PORT_LOADED_(from)
#define __ldcv(from) HD_PORT_LOADED_(from)
#define __stcg(to, value) ((void)(*(to) = (value)))
#define __stcs(to, value) ((void)(*(to) = (value)))
#define __stwb(to, value) ((void)(*(to) = (value)))
#define __stwt(to, value) ((void)(*(to) = (value)))

#endif
