/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  IEEE binary16 and bfloat16 with the same bits on every backend. Host and kernels, C11 and C++17.
 *
 *  hd_f16: 1 sign, 5 exponent, 10 fraction bits; largest 65504, smallest subnormal 2^-24. hd_bf16:
 *  the upper half of a binary32; 7 fraction bits; smallest subnormal 2^-133. Every operation is
 *  correctly rounded to nearest, ties to even; subnormals are kept; what exceeds the largest number
 *  becomes infinity. Every NaN result is the quiet NaN without sign or payload (0x7e00, 0x7fc0,
 *  0x7fc00000).
 *
 *  For each format F (hd_f16, hd_bf16) and its pair F2 (hd_f16x2, hd_bf16x2), half_ops.inc defines
 *  the arithmetic: F_add, F_sub, F_mul, F_div, F_fma(a, b, c) = a * b + c with one rounding,
 *  F_neg, F_abs, F_lt, F_le, F_eq, F_min, F_max, F_from_i32 and F_from_u32. Pairs have the same
 *  arithmetic element by element, without comparisons, and F2_make(x, y), F2_set(s),
 *  F2_from_f32(x, y), F2_bits and F2_from_bits.
 *
 *  In C++ there are also the operators + - * / and their assignments for numbers and pairs, unary
 *  -, comparisons (for pairs == and !=, which compare both elements), and explicit conversions to
 *  float and double. No conversion is implicit: F_from_f32 converts a float.
 *
 *  Cost: GPUs that have instructions for a format use them (hd_f16: all; hd_bf16: NVIDIA's from
 *  sm_80 on), with one or two more per operation to replace the hardware's NaN. F_div is a binary32
 *  division. Other processors convert to binary32 and back by integer code.
 */
/* Why the arithmetic below is correctly rounded: +, -, *, / are computed in binary32 and rounded
   once more. For a format of p bits the second rounding is harmless if the first keeps at least 2p
   + 2 bits (S. Figueroa, "When is double rounding innocuous?", 1995): 24 = 2 * 11 + 2. For
   subnormal results: sums are exact; products have at most 22 bits and are exact or far below half
   of the smallest number; a quotient of two p-bit numbers that is not a midpoint differs from every
   midpoint by more than the error of the first rounding. fma has no such guarantee, so its sum is
   first rounded to odd in binary64 (S. Boldo, G. Melquiond, "Emulation of a FMA and correctly
   rounded sums", 2008). */
#ifndef HEDDLE_DEVICE_HALF_H
#define HEDDLE_DEVICE_HALF_H

#include <heddle/device/minmax.h>

/** @defgroup half 16-bit floats
 *  @brief IEEE binary16 and bfloat16; host and kernels.
 *  @{
 */

/* 1 in device code if the backend has the instructions, as hd_prim_<format>_<operation>_. */
#ifndef HD_NATIVE_F16_
#define HD_NATIVE_F16_ 0
#endif
#ifndef HD_NATIVE_F16_MINMAX_
#define HD_NATIVE_F16_MINMAX_ 0
#endif
#ifndef HD_NATIVE_BF16_
#define HD_NATIVE_BF16_ 0
#endif
#ifndef HD_NATIVE_BF16_MINMAX_
#define HD_NATIVE_BF16_MINMAX_ 0
#endif

/** A binary16 number. */
typedef struct hd_f16 {
    uint16_t bits; /**< Its bits. */
#ifdef __cplusplus
    explicit HD_METHOD_BOTH operator float() const;  /* as hd_f16_to_f32 */
    explicit HD_METHOD_BOTH operator double() const; /* as hd_f16_to_f32 */
#endif
} hd_f16;

/** A bfloat16 number. */
typedef struct hd_bf16 {
    uint16_t bits; /**< Its bits. */
#ifdef __cplusplus
    explicit HD_METHOD_BOTH operator float() const;  /* as hd_bf16_to_f32 */
    explicit HD_METHOD_BOTH operator double() const; /* as hd_bf16_to_f32 */
#endif
} hd_bf16;

/** Two binary16 numbers in 4 bytes. */
typedef struct HD_ALIGN(4) hd_f16x2 {
    hd_f16 x, /**< The first. */
        y;    /**< The second. */
} hd_f16x2;

/** Two bfloat16 numbers in 4 bytes. */
typedef struct HD_ALIGN(4) hd_bf16x2 {
    hd_bf16 x, /**< The first. */
        y;     /**< The second. */
} hd_bf16x2;

#define HD_F16_NAN_BITS 0x7e00u  /**< Bits of the NaN that binary16 operations return. */
#define HD_BF16_NAN_BITS 0x7fc0u /**< Bits of the NaN that bfloat16 operations return. */

/** Returns the binary16 number with given bits.
 *
 *  @param bits  The bits.
 *  @return The number.
 */
HD_BOTH hd_f16 hd_f16_from_bits(uint16_t bits)
{
    hd_f16 h;

    h.bits = bits;
    return h;
}

/** Returns the bits of a binary16 number.
 *
 *  @param h  The number.
 *  @return Its bits.
 */
HD_BOTH uint16_t hd_f16_bits(hd_f16 h)
{
    return h.bits;
}

/** Returns the bfloat16 number with given bits.
 *
 *  @param bits  The bits.
 *  @return The number.
 */
HD_BOTH hd_bf16 hd_bf16_from_bits(uint16_t bits)
{
    hd_bf16 h;

    h.bits = bits;
    return h;
}

/** Returns the bits of a bfloat16 number.
 *
 *  @param h  The number.
 *  @return Its bits.
 */
HD_BOTH uint16_t hd_bf16_bits(hd_bf16 h)
{
    return h.bits;
}

/** Rounds a float to binary16.
 *
 *  @param x  The float.
 *  @return The nearest number, ties to even.
 */
HD_BOTH hd_f16 hd_f16_from_f32(float x)
{
#if HD_NATIVE_F16_
    return hd_f16_from_bits(x != x ? (uint16_t)HD_F16_NAN_BITS : hd_prim_f16_narrow_(x));
#else
    uint32_t bits = hd_f32_bits(x), sign = bits >> 16 & 0x8000u, a = bits & 0x7fffffffu, r;

    if (a > 0x7f800000u)
        return hd_f16_from_bits(HD_F16_NAN_BITS);
    if (a >= 0x477ff000u) { /* 65520, midway to 65536: ties to even goes up */
        r = 0x7c00u;
    } else if (a >= 0x38800000u) { /* 2^-14 and above: drop 13 bits of the fraction */
        r = a - 0x38000000u;
        r = (r + 0xfffu + (r >> 13 & 1u)) >> 13;
    } else { /* the sum with 0.5 has the step 2^-24: the adder rounds */
        r = hd_f32_bits(hd_f32_from_bits(a) + 0.5f) - 0x3f000000u;
    }
    return hd_f16_from_bits((uint16_t)(sign | r));
#endif
}

/** Converts a binary16 number to float. Exact.
 *
 *  @param h  The number.
 *  @return The same number; the canonical NaN for NaN.
 */
HD_BOTH float hd_f16_to_f32(hd_f16 h)
{
#if HD_NATIVE_F16_
    const float x = hd_prim_f16_widen_(h.bits);

    return x != x ? hd_f32_from_bits(HD_F32_NAN_BITS) : x;
#else
    uint32_t sign = (uint32_t)(h.bits & 0x8000u) << 16, a = h.bits & 0x7fffu, r;

    if (a > 0x7c00u)
        return hd_f32_from_bits(HD_F32_NAN_BITS);
    if (a == 0x7c00u)
        r = 0x7f800000u;
    else if (a >= 0x400u)
        r = (a << 13) + 0x38000000u;
    else
        r = hd_f32_bits((float)a * 0x1p-24f);
    return hd_f32_from_bits(sign | r);
#endif
}

/** Rounds a float to bfloat16.
 *
 *  @param x  The float.
 *  @return The nearest number, ties to even.
 */
HD_BOTH hd_bf16 hd_bf16_from_f32(float x)
{
#if HD_NATIVE_BF16_
    return hd_bf16_from_bits(x != x ? (uint16_t)HD_BF16_NAN_BITS : hd_prim_bf16_narrow_(x));
#else
    uint32_t bits = hd_f32_bits(x);

    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return hd_bf16_from_bits(HD_BF16_NAN_BITS);
    return hd_bf16_from_bits((uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16));
#endif
}

/** Converts a bfloat16 number to float. Exact.
 *
 *  @param h  The number.
 *  @return The same number; the canonical NaN for NaN.
 */
HD_BOTH float hd_bf16_to_f32(hd_bf16 h)
{
    if ((h.bits & 0x7fffu) > 0x7f80u)
        return hd_f32_from_bits(HD_F32_NAN_BITS);
    return hd_f32_from_bits((uint32_t)h.bits << 16);
}

/** Rounds a double to binary16, once.
 *
 *  @param x  The double.
 *  @return The nearest number, ties to even.
 */
HD_BOTH hd_f16 hd_f16_from_f64(double x)
{
    uint64_t bits = hd_f64_bits(x), a = bits & 0x7fffffffffffffffu, r;

    if (a > 0x7ff0000000000000u)
        return hd_f16_from_bits(HD_F16_NAN_BITS);
    if (a >= 0x40effe0000000000u) { /* 65520 */
        r = 0x7c00u;
    } else if (a >= 0x3f10000000000000u) { /* 2^-14 */
        r = a - 0x3f00000000000000u;
        r = (r + 0x1ffffffffffu + (r >> 42 & 1u)) >> 42;
    } else {
        r = hd_f64_bits(hd_f64_from_bits(a) + 0x1p28) - 0x41b0000000000000u;
    }
    return hd_f16_from_bits((uint16_t)((bits >> 48 & 0x8000u) | r));
}

/** Rounds a double to bfloat16, once.
 *
 *  @param x  The double.
 *  @return The nearest number, ties to even.
 */
HD_BOTH hd_bf16 hd_bf16_from_f64(double x)
{
    uint64_t bits = hd_f64_bits(x), a = bits & 0x7fffffffffffffffu, r;

    if (a > 0x7ff0000000000000u)
        return hd_bf16_from_bits(HD_BF16_NAN_BITS);
    if (a >= 0x47eff00000000000u) { /* (2 - 2^-8) * 2^127 */
        r = 0x7f80u;
    } else if (a >= 0x3810000000000000u) { /* 2^-126 */
        r = a - 0x3800000000000000u;
        r = (r + 0xfffffffffffu + (r >> 45 & 1u)) >> 45;
    } else {
        r = hd_f64_bits(hd_f64_from_bits(a) + 0x1p-81) - 0x3ae0000000000000u;
    }
    return hd_bf16_from_bits((uint16_t)((bits >> 48 & 0x8000u) | r));
}

/* a + b rounded to odd: the exact sum, or of its two neighbours the one with an odd last bit. */
HD_BOTH double hd_add_to_odd_(double a, double b)
{
    double sum = a + b, back = sum - a, error = (a - (sum - back)) + (b - back);
    uint64_t bits = hd_f64_bits(sum);

    /* Exact, infinite or NaN (error is 0 or NaN), or odd already. */
    if (!(error < 0.0 || error > 0.0) || (bits & 1u) != 0)
        return sum;
    return hd_f64_from_bits((error > 0.0) == (sum > 0.0) ? bits + 1 : bits - 1);
}

/* The functions of one format and of its pairs. */
#define HD_HALF_CAT__(a, b) a##b
#define HD_HALF_CAT_(a, b) HD_HALF_CAT__(a, b)
#define HD_HALF_OP_(op) HD_HALF_CAT_(HD_HALF_, _##op)
#define HD_HALF2_OP_(op) HD_HALF_CAT_(HD_HALF2_, _##op)

#define HD_HALF_ hd_f16
#define HD_HALF2_ hd_f16x2
#define HD_HALF_NAN_ HD_F16_NAN_BITS
#define HD_HALF_INFINITY_ 0x7c00u
#define HD_HALF_NATIVE_ HD_NATIVE_F16_
#define HD_HALF_NATIVE_MINMAX_ HD_NATIVE_F16_MINMAX_
#define HD_HALF_PRIM_(op) hd_prim_f16_##op##_
#define HD_HALF2_PRIM_(op) hd_prim_f16x2_##op##_
#include <heddle/detail/arithmetic/half_ops.inc>

#define HD_HALF_ hd_bf16
#define HD_HALF2_ hd_bf16x2
#define HD_HALF_NAN_ HD_BF16_NAN_BITS
#define HD_HALF_INFINITY_ 0x7f80u
#define HD_HALF_NATIVE_ HD_NATIVE_BF16_
#define HD_HALF_NATIVE_MINMAX_ HD_NATIVE_BF16_MINMAX_
#define HD_HALF_PRIM_(op) hd_prim_bf16_##op##_
#define HD_HALF2_PRIM_(op) hd_prim_bf16x2_##op##_
#include <heddle/detail/arithmetic/half_ops.inc>

#ifdef __cplusplus
HD_METHOD_BOTH inline hd_f16::operator float() const
{
    return hd_f16_to_f32(*this);
}

HD_METHOD_BOTH inline hd_f16::operator double() const
{
    return (double)hd_f16_to_f32(*this);
}

HD_METHOD_BOTH inline hd_bf16::operator float() const
{
    return hd_bf16_to_f32(*this);
}

HD_METHOD_BOTH inline hd_bf16::operator double() const
{
    return (double)hd_bf16_to_f32(*this);
}
#endif

/** @} */

#endif
