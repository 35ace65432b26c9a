/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Double-double arithmetic: about 32 decimal digits from pairs of doubles. Host and kernels, C11
 *  and C++17; the same bits on every backend.
 *
 *  A number is hi + lo with hi = the double nearest to hi + lo. u = 2^-53. Operands and results are
 *  finite, and far enough from overflow and underflow that the error terms are representable (for
 *  products: magnitudes between 2^-900 and 2^900, or 0). Error bounds relative to the result: add
 *  and sub 3u^2 + 13u^3; mul 4u^2 (with fma); div 15u^2 + 56u^3; sqrt 25/8 u^2.
 *
 *  Source: D. Knuth (two_sum); M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error
 *  bounds for basic building blocks of double-word arithmetic", ACM TOMS 44, 2017; V. Lefevre, N.
 *  Louvet, J.-M. Muller, J. Picot, L. Rideau, "Accurate calculation of Euclidean norms using
 *  double-word arithmetic", ACM TOMS 49, 2023.
 */
#ifndef HEDDLE_DEVICE_DD_H
#define HEDDLE_DEVICE_DD_H

#include <heddle/device/bits.h>

/** @defgroup dd Double-double
 *  @brief About 32 decimal digits from pairs of doubles; host and kernels.
 *  @{
 */

/** A double-double number hi + lo. */
typedef struct HD_ALIGN(16) hd_dd {
    double hi, /**< The double nearest to the number. */
        lo;    /**< The rest. */
} hd_dd;

/** Adds two doubles exactly, for any order of magnitudes.
 *
 *  @param a  A summand.
 *  @param b  The other summand.
 *  @return hi + lo = a + b exactly.
 */
HD_BOTH hd_dd hd_two_sum(double a, double b)
{
    hd_dd r;
    double b_part;

    r.hi = a + b;
    b_part = r.hi - a;
    r.lo = (a - (r.hi - b_part)) + (b - b_part);
    return r;
}

/** As hd_two_sum(), for |a| >= |b| or a = 0.
 *
 *  @param a  The larger summand.
 *  @param b  The other summand.
 *  @return hi + lo = a + b exactly.
 */
HD_BOTH hd_dd hd_fast_two_sum(double a, double b)
{
    hd_dd r;

    r.hi = a + b;
    r.lo = b - (r.hi - a);
    return r;
}

/** Multiplies two doubles exactly.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return hi + lo = a * b exactly.
 */
HD_BOTH hd_dd hd_two_prod(double a, double b)
{
    hd_dd r;

    r.hi = a * b;
    r.lo = __builtin_fma(a, b, -r.hi);
    return r;
}

/** Converts a double.
 *
 *  @param x  The double.
 *  @return x + 0.
 */
HD_BOTH hd_dd hd_dd_from_f64(double x)
{
    hd_dd r;

    r.hi = x;
    r.lo = 0.0;
    return r;
}

/** Returns the nearest double.
 *
 *  @param a  The number.
 *  @return hi + lo, rounded.
 */
HD_BOTH double hd_dd_to_f64(hd_dd a)
{
    return a.hi + a.lo;
}

/** Negates.
 *
 *  @param a  The number.
 *  @return -a.
 */
HD_BOTH hd_dd hd_dd_neg(hd_dd a)
{
    a.hi = -a.hi;
    a.lo = -a.lo;
    return a;
}

/** Adds.
 *
 *  @param a  A summand.
 *  @param b  The other summand.
 *  @return a + b.
 */
HD_BOTH hd_dd hd_dd_add(hd_dd a, hd_dd b)
{
    hd_dd s = hd_two_sum(a.hi, b.hi), t = hd_two_sum(a.lo, b.lo);
    hd_dd v = hd_fast_two_sum(s.hi, s.lo + t.hi);

    return hd_fast_two_sum(v.hi, t.lo + v.lo);
}

/** Subtracts.
 *
 *  @param a  Minuend.
 *  @param b  Subtrahend.
 *  @return a - b.
 */
HD_BOTH hd_dd hd_dd_sub(hd_dd a, hd_dd b)
{
    return hd_dd_add(a, hd_dd_neg(b));
}

/** Multiplies.
 *
 *  @param a  A factor.
 *  @param b  The other factor.
 *  @return a * b.
 */
HD_BOTH hd_dd hd_dd_mul(hd_dd a, hd_dd b)
{
    hd_dd c = hd_two_prod(a.hi, b.hi);
    double cross = __builtin_fma(a.hi, b.lo, a.lo * b.lo);

    cross = __builtin_fma(a.lo, b.hi, cross);
    return hd_fast_two_sum(c.hi, c.lo + cross);
}

/** Divides.
 *
 *  @param a  Dividend.
 *  @param b  Divisor, not 0.
 *  @return a / b.
 */
HD_BOTH hd_dd hd_dd_div(hd_dd a, hd_dd b)
{
    double quotient = a.hi / b.hi;
    hd_dd c = hd_two_prod(b.hi, quotient);
    hd_dd back = hd_fast_two_sum(c.hi, __builtin_fma(b.lo, quotient, c.lo));
    double rest = (a.hi - back.hi) + (a.lo - back.lo);

    return hd_fast_two_sum(quotient, rest / b.hi);
}

/** Returns the square root.
 *
 *  @param a  The number, not negative.
 *  @return The square root of a.
 */
HD_BOTH hd_dd hd_dd_sqrt(hd_dd a)
{
    double root, rest;

    if (a.hi == 0.0)
        return a;
    root = __builtin_sqrt(a.hi);
    rest = a.lo + __builtin_fma(-root, root, a.hi);
    return hd_fast_two_sum(root, rest / (2.0 * root));
}

/** @} */

#endif
