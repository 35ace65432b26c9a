/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Complex numbers in binary32 and binary64. Host and kernels, C11 and C++17; the same bits on
 *  every backend.
 *
 *  Multiplication is the schoolbook formula without fma: each part has an error of at most 2 units
 *  in the last place of the larger of its two products. Division and absolute value do not overflow
 *  or underflow in between: those of hd_c32 are computed in binary64 (within 1 ulp per part);
 *  hd_c64_div() divides by the larger part of the divisor first (R. Smith, CACM 5, 1962);
 *  hd_c64_abs() scales by powers of two and stays within 1 ulp. Infinities and NaN pass through the
 *  formulas.
 */
#ifndef HEDDLE_DEVICE_COMPLEX_H
#define HEDDLE_DEVICE_COMPLEX_H

#include <heddle/device/bits.h>

/** @defgroup complex Complex numbers
 *  @brief Arithmetic of complex numbers; host and kernels.
 *  @{
 */

/** A complex number in binary32. */
typedef struct HD_ALIGN(8) hd_c32 {
    float re, /**< Real part. */
        im;   /**< Imaginary part. */
} hd_c32;

/** A complex number in binary64. */
typedef struct HD_ALIGN(16) hd_c64 {
    double re, /**< Real part. */
        im;    /**< Imaginary part. */
} hd_c64;

/** Makes a complex number.
 *
 *  @param re  Real part.
 *  @param im  Imaginary part.
 *  @return re + i im.
 */
HD_BOTH hd_c32 hd_c32_make(float re, float im)
{
    hd_c32 r;

    r.re = re;
    r.im = im;
    return r;
}

/** Makes a complex number.
 *
 *  @param re  Real part.
 *  @param im  Imaginary part.
 *  @return re + i im.
 */
HD_BOTH hd_c64 hd_c64_make(double re, double im)
{
    hd_c64 r;

    r.re = re;
    r.im = im;
    return r;
}

/** Adds.
 *
 *  @param a  A summand.
 *  @param b  The other summand.
 *  @return a + b.
 */
HD_BOTH hd_c32 hd_c32_add(hd_c32 a, hd_c32 b)
{
    return hd_c32_make(a.re + b.re, a.im + b.im);
}

/** Adds.
 *
 *  @param a  A summand.
 *  @param b  The other summand.
 *  @return a + b.
 */
HD_BOTH hd_c64 hd_c64_add(hd_c64 a, hd_c64 b)
{
    return hd_c64_make(a.re + b.re, a.im + b.im);
}

/** Subtracts.
 *
 *  @param a  Minuend.
 *  @param b  Subtrahend.
 *  @return a - b.
 */
HD_BOTH hd_c32 hd_c32_sub(hd_c32 a, hd_c32 b)
{
    return hd_c32_make(a.re - b.re, a.im - b.im);
}

/** Subtracts.
 *
 *  @param a  Minuend.
 *  @param b  Subtrahend.
 *  @return a - b.
 */
HD_BOTH hd_c64 hd_c64_sub(hd_c64 a, hd_c64 b)
{
    return hd_c64_make(a.re - b.re, a.im - b.im);
}

/** Multiplies.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return a * b.
 */
HD_BOTH hd_c32 hd_c32_mul(hd_c32 a, hd_c32 b)
{
    return hd_c32_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/** Multiplies.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return a * b.
 */
HD_BOTH hd_c64 hd_c64_mul(hd_c64 a, hd_c64 b)
{
    return hd_c64_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

/** Conjugates.
 *
 *  @param a  The number.
 *  @return Its complex conjugate.
 */
HD_BOTH hd_c32 hd_c32_conj(hd_c32 a)
{
    return hd_c32_make(a.re, -a.im);
}

/** Conjugates.
 *
 *  @param a  The number.
 *  @return Its complex conjugate.
 */
HD_BOTH hd_c64 hd_c64_conj(hd_c64 a)
{
    return hd_c64_make(a.re, -a.im);
}

/** Divides.
 *
 *  @param a  Dividend.
 *  @param b  Divisor.
 *  @return a / b.
 */
HD_BOTH hd_c32 hd_c32_div(hd_c32 a, hd_c32 b)
{
    double re = (double)b.re, im = (double)b.im, norm = re * re + im * im;

    return hd_c32_make((float)(((double)a.re * re + (double)a.im * im) / norm),
                       (float)(((double)a.im * re - (double)a.re * im) / norm));
}

/** Divides.
 *
 *  @param a  Dividend.
 *  @param b  Divisor.
 *  @return a / b.
 */
HD_BOTH hd_c64 hd_c64_div(hd_c64 a, hd_c64 b)
{
    double ratio, norm;

    if (__builtin_fabs(b.re) >= __builtin_fabs(b.im)) {
        ratio = b.im / b.re;
        norm = b.re + b.im * ratio;
        return hd_c64_make((a.re + a.im * ratio) / norm, (a.im - a.re * ratio) / norm);
    }
    ratio = b.re / b.im;
    norm = b.re * ratio + b.im;
    return hd_c64_make((a.re * ratio + a.im) / norm, (a.im * ratio - a.re) / norm);
}

/** Returns the absolute value.
 *
 *  @param a  The number.
 *  @return |a|. The square root in binary64 rounds to the correct binary32.
 */
HD_BOTH float hd_c32_abs(hd_c32 a)
{
    return (float)__builtin_sqrt((double)a.re * (double)a.re + (double)a.im * (double)a.im);
}

/** Returns the absolute value.
 *
 *  @param a  The number.
 *  @return |a|.
 */
HD_BOTH double hd_c64_abs(hd_c64 a)
{
    double x = __builtin_fabs(a.re), y = __builtin_fabs(a.im), scale = 1.0;
    double large = x < y ? y : x, small = x < y ? x : y;

    if (small < large * 0x1p-60)
        return large;
    if (large > 0x1p500)
        scale = 0x1p-600;
    else if (small < 0x1p-450)
        scale = 0x1p700;
    large *= scale;
    small *= scale;
    return __builtin_sqrt(__builtin_fma(large, large, small * small)) / scale;
}

/** @} */

#endif
