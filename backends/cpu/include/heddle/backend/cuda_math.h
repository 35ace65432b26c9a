/* SPDX-License-Identifier: Apache-2.0 */
/* cuda_math.h (CPU) - functions of CUDA's mathematics that C lacks, and its intrinsics, in C11 and
   C++17. The fast forms are the accurate ones here. */
#ifndef HEDDLE_BACKEND_CUDA_MATH_H
#define HEDDLE_BACKEND_CUDA_MATH_H

#include <limits.h>
#include <math.h>

#include <heddle/backend/port/intrinsics.h>

/* ---- functions ------------------------------------------------------------------------------- */

HD_DEVICE float rsqrtf(float x)
{
    return hd_rsqrt(x);
}
HD_DEVICE double rsqrt(double x)
{
    return hd_rsqrt(x);
}
HD_DEVICE float rcbrtf(float x)
{
    return 1 / cbrtf(x);
}
HD_DEVICE double rcbrt(double x)
{
    return 1 / cbrt(x);
}
HD_DEVICE void sincospif(float x, float *s, float *c)
{
    hd_sincospi(x, s, c);
}
HD_DEVICE void sincospi(double x, double *s, double *c)
{
    hd_sincospi(x, s, c);
}
HD_DEVICE float sinpif(float x)
{
    float s, c;
    hd_sincospi(x, &s, &c);
    return s;
}
HD_DEVICE float cospif(float x)
{
    float s, c;
    hd_sincospi(x, &s, &c);
    return c;
}
HD_DEVICE double sinpi(double x)
{
    double s, c;
    hd_sincospi(x, &s, &c);
    return s;
}
HD_DEVICE double cospi(double x)
{
    double s, c;
    hd_sincospi(x, &s, &c);
    return c;
}
HD_DEVICE float norm3df(float x, float y, float z)
{
    return sqrtf(x * x + y * y + z * z);
}
HD_DEVICE double norm3d(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}
HD_DEVICE float rnorm3df(float x, float y, float z)
{
    return 1 / norm3df(x, y, z);
}
HD_DEVICE float rhypotf(float x, float y)
{
    return 1 / hypotf(x, y);
}
HD_DEVICE double normcdf(double x)
{
    return 0.5 * erfc(-x * 0.70710678118654752440);
}
HD_DEVICE float normcdff(float x)
{
    return (float)normcdf(x);
}
HD_DEVICE float fdividef(float x, float y)
{
    return x / y;
}

/* ---- intrinsics ------------------------------------------------------------------------------ */

/* Macros, since the C library declares some of these names for itself. */
#define __expf(x) expf(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __exp10f(x) powf(10.0f, x)
#define __powf(x, y) powf(x, y)
#define __sincosf(x, s, c) sincosf(x, s, c)
HD_DEVICE float __frcp_rn(float x)
{
    return 1 / x;
}
#define HD_PORT_TWO_(suffix, op)                                                                   \
    HD_DEVICE float __f##suffix##_rn(float x, float y)                                             \
    {                                                                                              \
        return x op y;                                                                             \
    }                                                                                              \
    HD_DEVICE double __d##suffix##_rn(double x, double y)                                          \
    {                                                                                              \
        return x op y;                                                                             \
    }
HD_PORT_TWO_(add, +)
HD_PORT_TWO_(sub, -)
HD_PORT_TWO_(mul, *)
HD_PORT_TWO_(div, /)
#undef HD_PORT_TWO_
HD_DEVICE float __fdividef(float x, float y)
{
    return x / y;
}
HD_DEVICE float __fmaf_rn(float x, float y, float z)
{
    return fmaf(x, y, z);
}
HD_DEVICE double __fma_rn(double x, double y, double z)
{
    return fma(x, y, z);
}
HD_DEVICE double __dsqrt_rn(double x)
{
    return sqrt(x);
}
HD_DEVICE double __drcp_rn(double x)
{
    return 1 / x;
}

HD_DEVICE int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
HD_DEVICE int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
HD_DEVICE int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
HD_DEVICE int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}
HD_DEVICE int __ffs(int x)
{
    return __builtin_ffs(x);
}
HD_DEVICE int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
HD_DEVICE unsigned __brev(unsigned x)
{
    return hd_bit_reverse(x);
}
HD_DEVICE unsigned long long __brevll(unsigned long long x)
{
    return hd_bit_reverse(x);
}
HD_DEVICE int __mulhi(int x, int y)
{
    return (int)((long long)x * y >> 32);
}
HD_DEVICE unsigned __umulhi(unsigned x, unsigned y)
{
    return (unsigned)((unsigned long long)x * y >> 32);
}
HD_DEVICE unsigned long long __umul64hi(unsigned long long x, unsigned long long y)
{
    return hd_mulhi(x, y);
}
HD_DEVICE long long __mul64hi(long long x, long long y)
{
    return hd_mulhi(x, y);
}
/* The product of the low 24 bits. */
HD_DEVICE int __mul24(int x, int y)
{
    return (int)((unsigned)((int)((unsigned)x << 8) >> 8) *
                 (unsigned)((int)((unsigned)y << 8) >> 8));
}
HD_DEVICE unsigned __umul24(unsigned x, unsigned y)
{
    return (x & 0xffffffu) * (y & 0xffffffu);
}
HD_DEVICE int __rhadd(int x, int y)
{
    return (int)(((long long)x + y + 1) >> 1);
}
HD_DEVICE int __hadd(int x, int y)
{
    return (int)(((long long)x + y) >> 1);
}
HD_DEVICE unsigned __sad(int x, int y, unsigned z)
{
    return z + (x < y ? (unsigned)y - (unsigned)x : (unsigned)x - (unsigned)y);
}
HD_DEVICE unsigned __usad(unsigned x, unsigned y, unsigned z)
{
    return z + (x < y ? y - x : x - y);
}
HD_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector)
{
    const unsigned long long bytes = (unsigned long long)y << 32 | x;
    unsigned out = 0;
    for (int i = 0; i < 4; i++) {
        const unsigned pick = selector >> 4 * i & 15;
        unsigned byte = (unsigned)(bytes >> 8 * (pick & 7)) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        out |= byte << 8 * i;
    }
    return out;
}
HD_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
HD_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
/* ---- bits and conversions -------------------------------------------------------------------- */

#define HD_PORT_BITS_(name, To, From)                                                              \
    HD_DEVICE To name(From x)                                                                      \
    {                                                                                              \
        To to;                                                                                     \
        __builtin_memcpy(&to, &x, sizeof to);                                                      \
        return to;                                                                                 \
    }
HD_PORT_BITS_(__float_as_int, int, float)
HD_PORT_BITS_(__float_as_uint, unsigned, float)
HD_PORT_BITS_(__int_as_float, float, int)
HD_PORT_BITS_(__uint_as_float, float, unsigned)
HD_PORT_BITS_(__double_as_longlong, long long, double)
HD_PORT_BITS_(__longlong_as_double, double, long long)
#undef HD_PORT_BITS_
HD_DEVICE int __double2hiint(double x)
{
    return (int)(__double_as_longlong(x) >> 32);
}
HD_DEVICE int __double2loint(double x)
{
    return (int)__double_as_longlong(x);
}
HD_DEVICE double __hiloint2double(int high, int low)
{
    return __longlong_as_double(
        (long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
/* Conversions saturate, and NaN becomes 0. LEAST and the number after MOST, PAST, are exact in
   floating point. S: the suffix of functions for type From. */
#define HD_PORT_CONVERT_(from, From, S, to, To, LEAST, MOST, PAST)                                 \
    HD_DEVICE To hd_port_##from##_to_##to##_(From x)                                               \
    {                                                                                              \
        if (!(x == x))                                                                             \
            return 0;                                                                              \
        return x < (From)(LEAST) ? (LEAST) : x >= (From)(PAST) ? (MOST) : (To)x;                   \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rn(From x)                                                      \
    {                                                                                              \
        return hd_port_##from##_to_##to##_(rint##S(x));                                            \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rz(From x)                                                      \
    {                                                                                              \
        return hd_port_##from##_to_##to##_(trunc##S(x));                                           \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_rd(From x)                                                      \
    {                                                                                              \
        return hd_port_##from##_to_##to##_(floor##S(x));                                           \
    }                                                                                              \
    HD_DEVICE To __##from##2##to##_ru(From x)                                                      \
    {                                                                                              \
        return hd_port_##from##_to_##to##_(ceil##S(x));                                            \
    }
#define HD_PORT_CONVERT_ALL_(from, From, S)                                                        \
    HD_PORT_CONVERT_(from, From, S, int, int, INT_MIN, INT_MAX, 0x1p31)                            \
    HD_PORT_CONVERT_(from, From, S, uint, unsigned, 0u, UINT_MAX, 0x1p32)                          \
    HD_PORT_CONVERT_(from, From, S, ll, long long, LLONG_MIN, LLONG_MAX, 0x1p63)                   \
    HD_PORT_CONVERT_(from, From, S, ull, unsigned long long, 0ull, ULLONG_MAX, 0x1p64)
HD_PORT_CONVERT_ALL_(float, float, f)
HD_PORT_CONVERT_ALL_(double, double, )
#undef HD_PORT_CONVERT_ALL_
#undef HD_PORT_CONVERT_
HD_DEVICE double __int2double_rn(int x)
{
    return x;
}
HD_DEVICE double __uint2double_rn(unsigned x)
{
    return x;
}
HD_DEVICE float __double2float_rn(double x)
{
    return (float)x;
}

#endif
