/* SPDX-License-Identifier: Apache-2.0 */
/* random_kernel.h - random numbers inside kernels and on the host, with the same bits on both: the
   counter-based generator Philox and what turns its words into distributions. Nothing here has a
   state: a number is a function of (seed, subsequence, position). C11 and C++17.

   A stream is named by a 64-bit seed and a 64-bit subsequence: 2^128 streams of 2^66 words. Its
   words come in blocks of four; hd_random_block(seed, subsequence, b) holds words 4b to 4b + 3.
     element i of    is made of
     u32, f32        word i               normals: words 2j, 2j + 1 give elements 2j, 2j + 1
     u64, f64        words 2i, 2i + 1     normals: block j gives elements 2j, 2j + 1
   The host's bulk calls (random.h) write exactly these elements.

   Philox: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
   1, 2, 3", SC11. Normals: G. E. P. Box, M. E. Muller, 1958, with the functions of pure_math.h;
   normals were within 3.5 ulp (f32) and 4 (f64) of the exact transform in all samples. */
#ifndef HEDDLE_RANDOM_KERNEL_H
#define HEDDLE_RANDOM_KERNEL_H

#include <heddle/pure_math.h>
#include <heddle/vector.h>

/* The keys of the ten rounds: a function of the seed. Where they are made once (by the host, a
   parameter of the kernel), a round is two products and two exclusive ors. */
typedef struct hd_philox_keys {
    uint32_t k[20];
} hd_philox_keys;

HD_BOTH hd_philox_keys hd_philox_keys_of(uint64_t seed)
{
    hd_philox_keys keys;
    uint32_t round;

    for (round = 0; round < 10; round++) {
        keys.k[2 * round] = (uint32_t)seed + 0x9e3779b9u * round;
        keys.k[2 * round + 1] = (uint32_t)(seed >> 32) + 0xbb67ae85u * round;
    }
    return keys;
}

/* One round of Philox. */
HD_BOTH hd_u32x4 hd__philox_round(hd_u32x4 c, uint32_t key0, uint32_t key1)
{
    const uint64_t p = (uint64_t)0xd2511f53u * c.x, q = (uint64_t)0xcd9e8d57u * c.z;

    return hd_u32x4_make((uint32_t)(q >> 32) ^ c.y ^ key0, (uint32_t)q,
                         (uint32_t)(p >> 32) ^ c.w ^ key1, (uint32_t)p);
}

/* Philox 4x32 with ten rounds. */
HD_BOTH hd_u32x4 hd_philox4x32_10(hd_u32x4 counter, const hd_philox_keys *keys)
{
    counter = hd__philox_round(counter, keys->k[0], keys->k[1]);
    counter = hd__philox_round(counter, keys->k[2], keys->k[3]);
    counter = hd__philox_round(counter, keys->k[4], keys->k[5]);
    counter = hd__philox_round(counter, keys->k[6], keys->k[7]);
    counter = hd__philox_round(counter, keys->k[8], keys->k[9]);
    counter = hd__philox_round(counter, keys->k[10], keys->k[11]);
    counter = hd__philox_round(counter, keys->k[12], keys->k[13]);
    counter = hd__philox_round(counter, keys->k[14], keys->k[15]);
    counter = hd__philox_round(counter, keys->k[16], keys->k[17]);
    return hd__philox_round(counter, keys->k[18], keys->k[19]);
}

/* Words 4 block to 4 block + 3 of a stream of the seed that the keys are of. Where the block's
   upper half and the subsequence are the same for all threads, compilers lift a tenth of the work
   out of loops over blocks; where the block is the same and the subsequence is not, more. */
HD_BOTH hd_u32x4 hd_philox_block(const hd_philox_keys *keys, uint64_t subsequence, uint64_t block)
{
    return hd_philox4x32_10(hd_u32x4_make((uint32_t)block, (uint32_t)(block >> 32),
                                          (uint32_t)subsequence, (uint32_t)(subsequence >> 32)),
                            keys);
}

HD_BOTH hd_u32x4 hd_random_block(uint64_t seed, uint64_t subsequence, uint64_t block)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    return hd_philox_block(&keys, subsequence, block);
}

/* Two words as one number: the second is the upper half. */
HD_BOTH uint64_t hd_random_u64(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/* Uniform in [0, 1): multiples of 2^-24, of 2^-53. */
HD_BOTH float hd_uniform_f32(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

HD_BOTH double hd_uniform_f64(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

/* Two independent standard normals: the radius from `a`, with the tail to 6.7, the direction from
   `b`: its upper bit the sign, the next one which of the two is the larger, the rest the angle
   within 45 degrees of an axis. sqrt(2) is in the coefficients. */
HD_BOTH void hd_normal_pair_f32(uint32_t a, uint32_t b, float *z0, float *z1)
{
    /* (a + 1/2) / 2^32, a little less so that it never is 1 */
    const float u = __builtin_fmaf((float)a, 0x1.fffffep-33f, 0x1p-33f);
    const float r = hd_sqrt_normal_f32(-hd__log_normal_f32(u));
    const float t = (float)(int32_t)(b * 4u + 2u) * 0x1p-32f; /* quarter turns, |t| < 1/2 */
    const float y = t * t;
    float s = -0x1.aeb2e6p-8f, c = -0x1.d9028p-6f;

    s = __builtin_fmaf(s, y, 0x1.cda954p-4f);
    s = __builtin_fmaf(s, y, -0x1.d3ba98p-1f);
    s = __builtin_fmaf(s, y, 0x1.1c5832p+1f) * (r * t);
    c = __builtin_fmaf(c, y, 0x1.6f40fep-2f);
    c = __builtin_fmaf(c, y, -0x1.bea56ap+0f);
    c = __builtin_fmaf(c, y, 0x1.6a09e6p+0f) * r;
    c = hd_f32_from_bits(hd_f32_bits(c) ^ (b & 0x80000000u));
    *z0 = b & 0x40000000u ? s : c;
    *z1 = b & 0x40000000u ? c : s;
}

/* The same in double precision from 64 bits each; the tail reaches 9.5. */
HD_BOTH void hd_normal_pair_f64(uint64_t a, uint64_t b, double *z0, double *z1)
{
    const double u = __builtin_fma((double)a, 0x1.fffffffffffffp-65, 0x1p-65);
    const double r = __builtin_sqrt(-2.0 * hd__log_normal_f64(u));
    const double t = (double)(int64_t)(b * 4u + 2u) * 0x1p-64;
    const double y = t * t;
    const double s = hd__quarter_sine_f64(y) * (r * t);
    double c = hd__quarter_cosine_f64(y) * r;

    c = hd_f64_from_bits(hd_f64_bits(c) ^ (b & 0x8000000000000000u));
    *z0 = b >> 62 & 1u ? s : c;
    *z1 = b >> 62 & 1u ? c : s;
}

/* ---- Poisson --------------------------------------------------------------------------------- */

/* log k! by Stirling's series, from ten on within 1e-13 of it. */
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

/* What depends on the mean alone, 0 <= mean <= 2^30; made once, by the host. */
typedef struct hd_poisson {
    double mean, log_mean, none; /* none: probability of 0 */
    double a, b, v, log_alpha;   /* of the rejection */
} hd_poisson;

HD_BOTH hd_poisson hd_poisson_make(double mean)
{
    hd_poisson p;

    p.mean = mean;
    p.log_mean = mean > 0.0 ? hd_pure_log_f64(mean) : 0.0;
    p.none = hd_pure_exp_f64(-mean);
    p.b = 0.931 + 2.53 * __builtin_sqrt(mean);
    p.a = -0.059 + 0.02483 * p.b;
    p.v = 0.9277 - 3.6224 / (p.b - 2.0);
    p.log_alpha = mean >= 10.0 ? hd_pure_log_f64(1.1239 + 1.1328 / (p.b - 3.4)) : 0.0;
    return p;
}

/* One attempt of the rejection with two uniforms in (0, 1): the count, or -1 for another attempt.
   W. Hoermann, "The transformed rejection method for generating Poisson random variables", 1993,
   algorithm PTRS; for means from 10 on. */
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

/* Element i < 2^48 of a stream of Poisson counts: attempt t uses the block i + t 2^48. Means below
   10 invert the distribution function with one uniform. */
HD_BOTH uint32_t hd_random_poisson(uint64_t seed, uint64_t subsequence, uint64_t i,
                                   const hd_poisson *p)
{
    uint64_t attempt;

    for (attempt = 0; attempt < 65536; attempt++) {
        const hd_u32x4 w = hd_random_block(seed, subsequence, i + (attempt << 48));
        const double u = hd_uniform_f64(hd_random_u64(w.x, w.y)) + 0x1p-54;
        const double v = hd_uniform_f64(hd_random_u64(w.z, w.w)) + 0x1p-54;
        double k;

        if (p->mean < 10.0) {
            double term = p->none, sum = p->none;
            uint32_t count = 0;

            while (u > sum && count < 128) {
                count++;
                term *= p->mean / (double)count;
                sum += term;
            }
            return count;
        }
        k = hd__poisson_attempt(p, u, v);
        if (k >= 0.0)
            return (uint32_t)k;
    }
    return (uint32_t)p->mean;
}

#endif
