/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Logarithm, exponential, sine and cosine from +, * and fma only: the same bits on the host and in
 *  kernels of every backend, where the vendors' libraries differ. C11 and C++17.
 *
 *  Bounds of the errors found, in ulp of the exact result (tests/drivers/test_pure_math.c compares
 *  samples of the domain with long double; HEDDLE_TEST_EXHAUSTIVE=1 tests every float, and the
 *  probit with every 211th word):
 *
 *      hd_pure_log_f32        1.14   hd_pure_log_f64        1.3   any x; 0: -infinity, below 0: NaN
 *      hd_pure_exp_f32        1.04   hd_pure_exp_f64        1.0   any x
 *      hd_pure_sincospi_f32   1.61   hd_pure_sincospi_f64   1.5   |x| <= 2^21, 2^50
 *      hd_pure_probit_f32     6                                   all 2^32 words
 *
 *  Source: reduction to a small interval (W. J. Cody, W. Waite, "Software Manual for the Elementary
 *  Functions", 1980), then a minimax polynomial with coefficients rounded one by one; the probit
 *  through erfinv(x) = x P(-log(1 - x^2)) (M. Giles, "Approximating the erfinv function", GPU
 *  Computing Gems, 2011). The polynomials are original.
 */
#ifndef HEDDLE_DEVICE_PURE_MATH_H
#define HEDDLE_DEVICE_PURE_MATH_H

#include <heddle/device/bits.h>

/** @defgroup pure_math Pure mathematics
 *  @brief Elementary functions with the same bits everywhere; host and kernels.
 *  @{
 */

/** Returns the square root, correctly rounded.
 *
 *  @param x  2^-100 to 2^100: backends may not handle other values.
 *  @return The square root of x.
 */
HD_BOTH float hd_sqrt_normal_f32(float x)
{
#ifdef HD_SQRT_NORMAL_F32_
    return HD_SQRT_NORMAL_F32_(x);
#else
    return __builtin_sqrtf(x);
#endif
}

/* ---- f32 ------------------------------------------------------------------------------------- */

/* For a positive normal number: x = m 2^k with m in [2/3, 4/3), log x = k log 2 + log m. */
HD_BOTH float hd__log_normal_f32(float x)
{
    const uint32_t bits = hd_f32_bits(x);
    const uint32_t exponent = (bits - 0x3f2aaaabu) & 0xff800000u;
    const float t = hd_f32_from_bits(bits - exponent) - 1.0f;
    float r = 0x1.26196p-3f;

    r = __builtin_fmaf(r, t, -0x1.3ad1ap-3f);
    r = __builtin_fmaf(r, t, 0x1.1d270ap-3f);
    r = __builtin_fmaf(r, t, -0x1.504588p-3f);
    r = __builtin_fmaf(r, t, 0x1.99ed2p-3f);
    r = __builtin_fmaf(r, t, -0x1.0013e4p-2f);
    r = __builtin_fmaf(r, t, 0x1.5554bep-2f);
    r = __builtin_fmaf(r, t, -0x1.ffffd8p-2f);
    r = __builtin_fmaf(t * t, r, t);
    return __builtin_fmaf((float)(int32_t)exponent, 0x1.62e43p-24f, r);
}

/** Returns the natural logarithm.
 *
 *  @param x  Any number.
 *  @return log x; -infinity for 0, NaN for negative numbers and NaN.
 */
HD_BOTH float hd_pure_log_f32(float x)
{
    if (!(x > 0.0f)) /* 0, negative, NaN */
        return x == 0.0f ? hd_f32_from_bits(0xff800000u) : hd_f32_from_bits(0x7fc00000u);
    if (hd_f32_bits(x) >= 0x7f800000u)
        return x;
    if (hd_f32_bits(x) < 0x00800000u)
        return __builtin_fmaf(-23.0f, 0x1.62e43p-1f, hd__log_normal_f32(x * 0x1p23f));
    return hd__log_normal_f32(x);
}

/* 2^k for -126 <= k <= 127. */
HD_BOTH float hd__power2_f32(int k)
{
    return hd_f32_from_bits((uint32_t)(k + 127) << 23);
}

/* exp x = p 2^k, k the integer nearest to x / log 2: returns p; *biased has k added to the bits of
   1.5 2^23. */
HD_BOTH float hd__exp_parts_f32(float x, uint32_t *biased)
{
    const float magic = __builtin_fmaf(x, 0x1.715476p+0f, 0x1.8p23f), k = magic - 0x1.8p23f;
    float r, p = 0x1.6d5192p-10f;

    *biased = hd_f32_bits(magic);
    r = __builtin_fmaf(k, -0x1.62e43p-1f, x);
    r = __builtin_fmaf(k, 0x1.05c61p-29f, r);
    p = __builtin_fmaf(p, r, 0x1.123cp-7f);
    p = __builtin_fmaf(p, r, 0x1.5554e4p-5f);
    p = __builtin_fmaf(p, r, 0x1.55548ep-3f);
    p = __builtin_fmaf(p, r, 0.5f);
    return __builtin_fmaf(r * r, p, r) + 1.0f;
}

/* For |x| <= 87, where the result is a normal number. */
HD_BOTH float hd__exp_normal_f32(float x)
{
    uint32_t biased;
    const float p = hd__exp_parts_f32(x, &biased);

    return hd_f32_from_bits(hd_f32_bits(p) + (biased << 23));
}

/* Without branches, so that loops vectorise: arguments are limited to a range at whose ends the
   result is infinity or 0; 0 for NaN. */
HD_BOTH float hd__exp_number_f32(float x)
{
    const float low = x > -104.0f ? x : -104.0f;
    uint32_t biased;
    const float p = hd__exp_parts_f32(low < 89.0f ? low : 89.0f, &biased);
    const int whole = (int)(biased - 0x4b400000u); /* 2 factors: only the last product rounds */

    return p * hd__power2_f32(whole / 2) * hd__power2_f32(whole - whole / 2);
}

/** Returns the exponential.
 *
 *  @param x  Any number.
 *  @return exp x; NaN for NaN.
 */
HD_BOTH float hd_pure_exp_f32(float x)
{
    const float e = hd__exp_number_f32(x);

    return x != x ? hd_f32_from_bits(0x7fc00000u) : e;
}

/* sin(pi/2 t) and cos(pi/2 t), |t| <= 1/2, from y = t^2: sine over t, and cosine. */
HD_BOTH float hd__quarter_sine_f32(float y)
{
    float p = -0x1.32bb56p-8f;

    p = __builtin_fmaf(p, y, 0x1.467ebcp-4f);
    p = __builtin_fmaf(p, y, -0x1.4abc2p-1f);
    return __builtin_fmaf(p, y, 0x1.921fb6p+0f);
}

HD_BOTH float hd__quarter_cosine_f32(float y)
{
    float p = 0x1.d46c34p-11f;

    p = __builtin_fmaf(p, y, -0x1.55b13p-6f);
    p = __builtin_fmaf(p, y, 0x1.03c1aep-2f);
    p = __builtin_fmaf(p, y, -0x1.3bd3ccp+0f);
    return __builtin_fmaf(p, y, 1.0f);
}

/** Computes sine and cosine of pi x.
 *
 *  @param x       |x| <= 2^21.
 *  @param sine    Receives sin(pi x).
 *  @param cosine  Receives cos(pi x).
 */
HD_BOTH void hd_pure_sincospi_f32(float x, float *sine, float *cosine)
{
    const float quarters = __builtin_fmaf(x, 2.0f, 0x1.8p23f) - 0x1.8p23f;
    const float t = __builtin_fmaf(x, 2.0f, -quarters), y = t * t;
    const float s = t * hd__quarter_sine_f32(y), c = hd__quarter_cosine_f32(y);
    const unsigned q = (unsigned)(int)quarters & 3u;

    *sine = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
    *cosine = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
}

/* ---- f64 ------------------------------------------------------------------------------------- */

/* (log(1 + t) - t + t^2 / 2) / t^3, -1/3 <= t <= 1/3. */
HD_BOTH double hd__log_rest_f64(double t)
{
    double r = -0x1.5cbcc22864504p-4;

    r = __builtin_fma(r, t, 0x1.5be1a6e6f7d24p-4);
    r = __builtin_fma(r, t, -0x1.320c4b33a9860p-5);
    r = __builtin_fma(r, t, 0x1.565c423c7eca7p-5);
    r = __builtin_fma(r, t, -0x1.d8ddf83e0a9f1p-5);
    r = __builtin_fma(r, t, 0x1.efaeeb0792f9bp-5);
    r = __builtin_fma(r, t, -0x1.fe22156e79738p-5);
    r = __builtin_fma(r, t, 0x1.106a8e14868b4p-4);
    r = __builtin_fma(r, t, -0x1.24a26ecbc9784p-4);
    r = __builtin_fma(r, t, 0x1.3b1da0fd6bcf8p-4);
    r = __builtin_fma(r, t, -0x1.5554a08b429b1p-4);
    r = __builtin_fma(r, t, 0x1.745cb6ff2640bp-4);
    r = __builtin_fma(r, t, -0x1.99999e98a0af7p-4);
    r = __builtin_fma(r, t, 0x1.c71c740433111p-4);
    r = __builtin_fma(r, t, -0x1.ffffffeaffedep-4);
    r = __builtin_fma(r, t, 0x1.24924920c5a27p-3);
    r = __builtin_fma(r, t, -0x1.555555556c631p-3);
    r = __builtin_fma(r, t, 0x1.999999999fe98p-3);
    r = __builtin_fma(r, t, -0x1.ffffffffffeccp-3);
    return __builtin_fma(r, t, 0x1.5555555555539p-2);
}

HD_BOTH double hd__log_normal_f64(double x)
{
    const uint64_t bits = hd_f64_bits(x);
    const uint64_t exponent = (bits - 0x3fe5555555555555u) & 0xfff0000000000000u;
    const double t = hd_f64_from_bits(bits - exponent) - 1.0;
    const double k = (double)((int64_t)exponent >> 52);
    double r = __builtin_fma(hd__log_rest_f64(t), t, -0.5);

    r = __builtin_fma(t * t, r, __builtin_fma(k, 0x1.abc9e3b39803fp-56, t));
    return __builtin_fma(k, 0x1.62e42fefa39efp-1, r);
}

/** Returns the natural logarithm.
 *
 *  @param x  Any number.
 *  @return log x; -infinity for 0, NaN for negative numbers and NaN.
 */
HD_BOTH double hd_pure_log_f64(double x)
{
    if (!(x > 0.0))
        return x == 0.0 ? hd_f64_from_bits(0xfff0000000000000u)
                        : hd_f64_from_bits(0x7ff8000000000000u);
    if (hd_f64_bits(x) >= 0x7ff0000000000000u)
        return x;
    if (hd_f64_bits(x) < 0x0010000000000000u)
        return __builtin_fma(-52.0, 0x1.62e42fefa39efp-1, hd__log_normal_f64(x * 0x1p52));
    return hd__log_normal_f64(x);
}

HD_BOTH double hd__power2_f64(int k)
{
    return hd_f64_from_bits((uint64_t)(k + 1023) << 52);
}

/** Returns the exponential.
 *
 *  @param x  Any number.
 *  @return exp x; NaN for NaN.
 */
HD_BOTH double hd_pure_exp_f64(double x)
{
    double k, r, p;
    int whole;

    if (!(x > -746.0))
        return x != x ? hd_f64_from_bits(0x7ff8000000000000u) : 0.0;
    if (x > 710.0)
        return hd_f64_from_bits(0x7ff0000000000000u);
    k = __builtin_fma(x, 0x1.71547652b82fep+0, 0x1.8p52) - 0x1.8p52;
    r = __builtin_fma(k, -0x1.62e42fefa39efp-1, x);
    r = __builtin_fma(k, -0x1.abc9e3b39803fp-56, r);
    p = 0x1.1f866438e7a03p-29;
    p = __builtin_fma(p, r, 0x1.af6ef5965d780p-26);
    p = __builtin_fma(p, r, 0x1.27e4cfde6fc63p-22);
    p = __builtin_fma(p, r, 0x1.71ddee35d6abep-19);
    p = __builtin_fma(p, r, 0x1.a01a01ab94e7cp-16);
    p = __builtin_fma(p, r, 0x1.a01a01b459157p-13);
    p = __builtin_fma(p, r, 0x1.6c16c16c1568dp-10);
    p = __builtin_fma(p, r, 0x1.111111110e9d8p-7);
    p = __builtin_fma(p, r, 0x1.5555555555557p-5);
    p = __builtin_fma(p, r, 0x1.555555555555cp-3);
    p = __builtin_fma(p, r, 0.5);
    p = __builtin_fma(r * r, p, r) + 1.0;
    whole = (int)k;
    return p * hd__power2_f64(whole / 2) * hd__power2_f64(whole - whole / 2);
}

HD_BOTH double hd__quarter_sine_f64(double y)
{
    double p = 0x1.6e8105c162c84p-28;

    p = __builtin_fma(p, y, 0x1.bafcd59532dd0p-25);
    p = __builtin_fma(p, y, -0x1.e2c6a19cef1d6p-19);
    p = __builtin_fma(p, y, 0x1.50780725558d5p-13);
    p = __builtin_fma(p, y, -0x1.32d2ccc535b92p-8);
    p = __builtin_fma(p, y, 0x1.466bc6774395cp-4);
    p = __builtin_fma(p, y, -0x1.4abbce625bd8cp-1);
    return __builtin_fma(p, y, 0x1.921fb54442d18p+0);
}

HD_BOTH double hd__quarter_cosine_f64(double y)
{
    double p = -0x1.b003bee87d72ap-28;

    p = __builtin_fma(p, y, 0x1.f9c416cb0818bp-22);
    p = __builtin_fma(p, y, -0x1.a6d1e18823be4p-16);
    p = __builtin_fma(p, y, 0x1.e1f50674f21a9p-11);
    p = __builtin_fma(p, y, -0x1.55d3c7e3bf874p-6);
    p = __builtin_fma(p, y, 0x1.03c1f081b5a50p-2);
    p = __builtin_fma(p, y, -0x1.3bd3cc9be45dep+0);
    return __builtin_fma(p, y, 1.0);
}

/** Computes sine and cosine of pi x.
 *
 *  @param x       |x| <= 2^50.
 *  @param sine    Receives sin(pi x).
 *  @param cosine  Receives cos(pi x).
 */
HD_BOTH void hd_pure_sincospi_f64(double x, double *sine, double *cosine)
{
    const double quarters = __builtin_fma(x, 2.0, 0x1.8p52) - 0x1.8p52;
    const double t = __builtin_fma(x, 2.0, -quarters), y = t * t;
    const double s = t * hd__quarter_sine_f64(y), c = hd__quarter_cosine_f64(y);
    const unsigned q = (unsigned)(int64_t)quarters & 3u;

    *sine = q == 0 ? s : q == 1 ? c : q == 2 ? -s : -c;
    *cosine = q == 0 ? c : q == 1 ? -s : q == 2 ? -c : s;
}

/* ---- inverse of the normal distribution ------------------------------------------------------ */

/* erfinv(x) / x times sqrt(2) from w = -log(1 - x^2): for w < 5 a polynomial in q = w - 2.5,
   otherwise in q = sqrt(w) - 3.25. */
HD_BOTH float hd__probit_near_f32(float q)
{
    float r = 0x1.5aceaap-25f;

    r = __builtin_fmaf(r, q, 0x1.04f2080p-21f);
    r = __builtin_fmaf(r, q, -0x1.4eee18p-18f);
    r = __builtin_fmaf(r, q, -0x1.a13c38p-18f);
    r = __builtin_fmaf(r, q, 0x1.442b3ap-12f);
    r = __builtin_fmaf(r, q, -0x1.d0c8dep-10f);
    r = __builtin_fmaf(r, q, -0x1.8332b2p-8f);
    r = __builtin_fmaf(r, q, 0x1.652c86p-2f);
    return __builtin_fmaf(r, q, 0x1.0fc8bep+1f);
}

HD_BOTH float hd__probit_far_f32(float q)
{
    float r = 0x1.0da6d8p-14f;

    r = __builtin_fmaf(r, q, -0x1.da1ac8p-14f);
    r = __builtin_fmaf(r, q, -0x1.8c2e04p-12f);
    r = __builtin_fmaf(r, q, 0x1.83ac6cp-10f);
    r = __builtin_fmaf(r, q, -0x1.47bc8ap-9f);
    r = __builtin_fmaf(r, q, 0x1.c6da14p-9f);
    r = __builtin_fmaf(r, q, -0x1.594ea2p-8f);
    r = __builtin_fmaf(r, q, 0x1.f25a66p-8f);
    r = __builtin_fmaf(r, q, 0x1.6bf11ep+0f);
    return __builtin_fmaf(r, q, 0x1.171f18p+2f);
}

/** Returns the quantile of the standard normal distribution for a random word.
 *
 *  @param word  32 random bits.
 *  @return z with Phi(z) = (word + 1/2) / 2^32, |z| < 6.3; exactly antisymmetric: word and ~word
 *          give z and -z.
 */
HD_BOTH float hd_pure_probit_f32(uint32_t word)
{
    const uint32_t tail = word >> 31 ? ~word : word;
    const float p = __builtin_fmaf((float)tail, 0x1p-32f, 0x1p-33f);
    const float x = __builtin_fmaf((float)(0x7fffffffu - tail), 0x1p-31f, 0x1p-32f); /* 1 - 2p */
    const float w = -hd__log_normal_f32(4.0f * p * (1.0f - p));
    float r, q;

    if (w < 5.0f) {
        q = w - 2.5f;
        r = hd__probit_near_f32(q);
    } else {
        q = hd_sqrt_normal_f32(w) - 3.25f;
        r = hd__probit_far_f32(q);
    }
    return word >> 31 ? x * r : -x * r;
}

/* Likewise without branches, for loops that vectorise. */
HD_BOTH float hd__probit_straight_f32(uint32_t word)
{
    const uint32_t upper = 0u - (word >> 31), tail = word ^ upper;
    const float p = __builtin_fmaf((float)(int32_t)tail, 0x1p-32f, 0x1p-33f);
    const float x = __builtin_fmaf((float)(int32_t)(0x7fffffffu - tail), 0x1p-31f, 0x1p-32f);
    const float w = -hd__log_normal_f32(4.0f * p * (1.0f - p));
    const uint32_t near = w < 5.0f ? 0xffffffffu : 0u;
    const float r = hd_f32_from_bits(
        (hd_f32_bits(hd__probit_near_f32(w - 2.5f)) & near) |
        (hd_f32_bits(hd__probit_far_f32(hd_sqrt_normal_f32(w) - 3.25f)) & ~near));

    return hd_f32_from_bits(hd_f32_bits(x * r) ^ (~upper & 0x80000000u));
}

/** @} */

#endif
