/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Poisson counts from Philox's words, with the same bits in kernels and on the host. C11 and
 *  C++17.
 *
 *  Means up to about 600 invert the distribution function by a table, which the host makes once:
 *  its entries are the cumulative probabilities rounded down to multiples of 2^-64 (summed in the
 *  arithmetic of dd.h; their errors are below 2^-80), and a count takes one word, or two if the
 *  first does not decide. Counts in the tails, each tail with a probability below 2^-64, do not
 *  occur. Greater means use rejection: W. Hoermann, "The transformed rejection method for
 *  generating Poisson random variables", 1993, algorithm PTRS.
 */
#ifndef HEDDLE_DEVICE_RANDOM_POISSON_H
#define HEDDLE_DEVICE_RANDOM_POISSON_H

#include <heddle/device/dd.h>
#include <heddle/device/random_kernel.h>

/** @defgroup random_poisson Poisson counts in kernels
 *  @brief Poisson counts; host and kernels.
 *  @{
 */

/** Limits of hd_poisson. */
enum {
    HD_POISSON_CELLS = 448 /**< Maximum number of table entries. */
};

/** Data that depend on the mean only; computed once, by the host. */
typedef struct hd_poisson {
    double mean,                      /**< Mean, 0 to 2^30. */
        log_mean;                     /**< Its logarithm; 0 for 0. */
    double a,                         /**< Parameter a of the rejection. */
        b,                            /**< Parameter b of the rejection. */
        v,                            /**< Parameter v of the rejection. */
        log_alpha;                    /**< Logarithm of parameter alpha of the rejection. */
    uint32_t rejects;                 /**< 1: rejection, no table. */
    uint32_t first,                   /**< Smallest count. */
        cells;                        /**< Number of entries: counts are first to first + cells. */
    uint32_t reserved;                /**< 0. */
    uint64_t below[HD_POISSON_CELLS]; /**< below[k] is 2^64 P(count <= first + k); ascending. */
} hd_poisson;

/* ---- the table ------------------------------------------------------------------------------- */

/* floor(2^64 x), 0 <= x < 1. */
HD_BOTH uint64_t hd__poisson_fixed(hd_dd x)
{
    const double scaled = x.hi * 0x1p32;
    double whole = scaled >= 0x1p32 ? 4294967295.0 : (double)(uint32_t)scaled;
    double rest = (scaled - whole) + x.lo * 0x1p32;

    if (rest < 0.0) {
        whole -= 1.0;
        rest += 1.0;
    }
    return hd_random_u64((uint32_t)(rest * 0x1p32), (uint32_t)whole);
}

/* P(k + 1) from P(k). */
HD_BOTH hd_dd hd__poisson_next(hd_dd p, double mean, uint32_t k)
{
    return hd_dd_div(hd_dd_mul(p, hd_dd_from_f64(mean)), hd_dd_from_f64((double)k + 1.0));
}

/* Probabilities relative to that of the most likely count, in ascending order of counts: those
   below 2^-90 change nothing. */
HD_BOTH void hd__poisson_table(hd_poisson *p)
{
    const double mean = p->mean;
    const hd_dd none = hd_dd_from_f64(0.0);
    hd_dd term = hd_dd_from_f64(1.0), lowest, all = none, sum = none, share;
    uint32_t k = (uint32_t)mean, from;

    for (; k > 0 && term.hi > 0x1p-90; k--)
        term = hd_dd_div(hd_dd_mul(term, hd_dd_from_f64((double)k)), hd_dd_from_f64(mean));
    from = k;
    lowest = term;
    for (; (double)k <= mean || term.hi > 0x1p-90; k++) {
        all = hd_dd_add(all, term);
        term = hd__poisson_next(term, mean, k);
    }
    p->first = p->cells = 0;
    term = lowest;
    for (k = from;; k++) {
        sum = hd_dd_add(sum, term);
        term = hd__poisson_next(term, mean, k);
        share = hd_dd_div(sum, all);
        if (share.hi > 1.0 || (share.hi == 1.0 && share.lo >= -0x1p-64))
            break;
        if (hd__poisson_fixed(share) == 0)
            continue;
        if (p->cells == 0)
            p->first = k;
        if (p->cells == HD_POISSON_CELLS) {
            p->rejects = 1;
            return;
        }
        p->below[p->cells++] = hd__poisson_fixed(share);
    }
    if (p->cells == 0)
        p->first = k;
}

/** Makes the table or the parameters for a mean.
 *
 *  @param mean  0 to 2^30.
 *  @return The table or parameters for hd_random_poisson().
 */
HD_BOTH hd_poisson hd_poisson_make(double mean)
{
    hd_poisson p;

    p.mean = mean;
    p.log_mean = mean > 0.0 ? hd_pure_log_f64(mean) : 0.0;
    p.b = 0.931 + 2.53 * __builtin_sqrt(mean);
    p.a = -0.059 + 0.02483 * p.b;
    p.v = 0.9277 - 3.6224 / (p.b - 2.0);
    p.log_alpha = mean >= 10.0 ? hd_pure_log_f64(1.1239 + 1.1328 / (p.b - 3.4)) : 0.0;
    p.rejects = mean > 1000.0;
    p.first = p.cells = p.reserved = 0;
    if (!p.rejects)
        hd__poisson_table(&p);
    return p;
}

/* Number of entries in [low, high) whose upper half is at most `word`. */
HD_BOTH uint32_t hd__poisson_search(const uint64_t *below, uint32_t low, uint32_t high,
                                    uint32_t word)
{
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if ((uint32_t)(below[middle] >> 32) <= word)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The count of element i if its word equals the upper half of an entry: `at` entries are not above
   it, and 32 more bits decide. */
HD_BOTH uint32_t hd__poisson_decide(uint64_t seed, uint64_t subsequence, uint64_t i,
                                    const hd_poisson *p, const uint64_t *below, uint32_t at,
                                    uint32_t word)
{
    const hd_u32x4 more = hd_random_block(seed, subsequence, ~(i / 4));
    const uint32_t low = i % 4 == 0 ? more.x : i % 4 == 1 ? more.y : i % 4 == 2 ? more.z : more.w;
    const uint64_t both = hd_random_u64(low, word);

    while (at > 0 && below[at - 1] > both)
        at--;
    return p->first + at;
}

/* The count of element i from `word`, with a copy of the table's entries. */
HD_BOTH uint32_t hd__poisson_count(uint64_t seed, uint64_t subsequence, uint64_t i,
                                   const hd_poisson *p, const uint64_t *below, uint32_t word)
{
    const uint32_t at = hd__poisson_search(below, 0, p->cells, word);

    if (at > 0 && (uint32_t)(below[at - 1] >> 32) == word)
        return hd__poisson_decide(seed, subsequence, i, p, below, at, word);
    return p->first + at;
}

/* ---- the rejection --------------------------------------------------------------------------- */

/* log k! by Stirling's series, with an error of at most 1e-13 from k = 10 on. */
HD_BOTH double hd__log_factorial_f64(double k)
{
    double shift = 0.0, product = 1.0, v;

    while (k + shift < 10.0) {
        shift += 1.0;
        product *= k + shift;
    }
    k += shift + 1.0;
    v = 1.0 / (k * k);
    v = (((-1.0 / 1680.0 * v + 1.0 / 1260.0) * v - 1.0 / 360.0) * v + 1.0 / 12.0) / k;
    v = v + (k - 0.5) * hd_pure_log_f64(k) - k + 0.91893853320467274178;
    return shift > 0.0 ? v - hd_pure_log_f64(product) : v;
}

/* One attempt with two uniforms in (0, 1): the count, or -1 for another attempt. */
HD_BOTH double hd__poisson_attempt(const hd_poisson *p, double u, double v)
{
    const double centred = u - 0.5, us = 0.5 - (centred < 0.0 ? -centred : centred);
    const double at = (2.0 * p->a / us + p->b) * centred + p->mean + 0.43;
    double k, left;

    if (!(at >= 0.0) || at >= 4294967295.0)
        return -1.0;
    k = (double)(uint32_t)at;
    if (us >= 0.07 && v <= p->v)
        return k;
    if (us < 0.013 && v > us)
        return -1.0;
    left = hd_pure_log_f64(v) + p->log_alpha - hd_pure_log_f64(p->a / (us * us) + p->b);
    return left <= k * p->log_mean - p->mean - hd__log_factorial_f64(k) ? k : -1.0;
}

/* Attempt t of element i uses block i + t 2^48. */
HD_BOTH uint32_t hd__poisson_rejection(uint64_t seed, uint64_t subsequence, uint64_t i,
                                       const hd_poisson *p)
{
    uint64_t attempt;

    for (attempt = 0; attempt < 65536; attempt++) {
        const hd_u32x4 w = hd_random_block(seed, subsequence, i + (attempt << 48));
        const double u = hd_uniform_f64(hd_random_u64(w.x, w.y)) + 0x1p-54;
        const double v = hd_uniform_f64(hd_random_u64(w.z, w.w)) + 0x1p-54;
        const double k = hd__poisson_attempt(p, u, v);

        if (k >= 0.0)
            return (uint32_t)k;
    }
    return (uint32_t)p->mean;
}

/** Returns an element of a stream of Poisson counts.
 *
 *  @param seed         The seed.
 *  @param subsequence  The subsequence.
 *  @param i            Number of the element, below 2^48; it is made of word i if there is a table.
 *  @param p            Result of hd_poisson_make().
 *  @return The count.
 */
HD_BOTH uint32_t hd_random_poisson(uint64_t seed, uint64_t subsequence, uint64_t i,
                                   const hd_poisson *p)
{
    hd_u32x4 w;

    if (p->rejects)
        return hd__poisson_rejection(seed, subsequence, i, p);
    w = hd_random_block(seed, subsequence, i / 4);
    return hd__poisson_count(seed, subsequence, i, p, p->below,
                             i % 4 == 0   ? w.x
                             : i % 4 == 1 ? w.y
                             : i % 4 == 2 ? w.z
                                          : w.w);
}

/** @} */

#endif
