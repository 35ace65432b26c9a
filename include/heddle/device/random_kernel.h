/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Random numbers inside kernels and on the host, with the same bits on both: the counter-based
 *  generator Philox, and distributions made from its words. There is no state: a number is a
 *  function of (seed, subsequence, position). C11 and C++17.
 *
 *  A stream of random numbers is selected by a 64-bit seed and a 64-bit subsequence: 2^128 streams
 *  of 2^66 words. Its words come in blocks of four; hd_random_block(seed, subsequence, b) has words
 *  4b to 4b + 3.
 *
 *      element i of    is made of
 *      u32, f32        word i               normals: words 2j, 2j + 1 give elements 2j, 2j + 1
 *      u64, f64        words 2i, 2i + 1     normals: block j gives elements 2j, 2j + 1
 *
 *  The host's bulk calls (random.h) write exactly these elements.
 *
 *  Source: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random numbers: as easy as
 *  1, 2, 3", SC11 (Philox); G. E. P. Box, M. E. Muller, 1958, with the functions of pure_math.h
 *  (normals, within 4.6 ulp (f32) and 4 ulp (f64) of the exact transform in all samples).
 */
#ifndef HEDDLE_DEVICE_RANDOM_KERNEL_H
#define HEDDLE_DEVICE_RANDOM_KERNEL_H

#include <heddle/device/pure_math.h>
#include <heddle/device/vector.h>

/** @defgroup random_kernel Random numbers in kernels
 *  @brief Philox and distributions; host and kernels.
 *  @{
 */

/** The keys of the ten rounds of Philox, a function of the seed. If they are made once (by the
 *  host, as a parameter of the kernel), a round is two products and two exclusive ors. */
typedef struct hd_philox_keys {
    uint32_t k[20]; /**< Two keys per round. */
} hd_philox_keys;

/** Makes the keys of a seed.
 *
 *  @param seed  The seed.
 *  @return The keys.
 */
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

/** Philox 4x32 with ten rounds.
 *
 *  @param counter  The counter.
 *  @param keys     The keys.
 *  @return Four random words.
 */
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

/** Returns a block of a stream, with keys that were made before.
 *
 *  If the upper half of block and the subsequence are the same for all threads, compilers hoist a
 *  tenth of the work out of loops over blocks, and more if block is the same for all threads and
 *  the subsequence is not.
 *
 *  @param keys         Keys of the seed.
 *  @param subsequence  The subsequence.
 *  @param block        Number of the block.
 *  @return Words 4 block to 4 block + 3.
 */
HD_BOTH hd_u32x4 hd_philox_block(const hd_philox_keys *keys, uint64_t subsequence, uint64_t block)
{
    return hd_philox4x32_10(hd_u32x4_make((uint32_t)block, (uint32_t)(block >> 32),
                                          (uint32_t)subsequence, (uint32_t)(subsequence >> 32)),
                            keys);
}

/** Returns a block of a stream.
 *
 *  @param seed         The seed.
 *  @param subsequence  The subsequence.
 *  @param block        Number of the block.
 *  @return Words 4 block to 4 block + 3.
 */
HD_BOTH hd_u32x4 hd_random_block(uint64_t seed, uint64_t subsequence, uint64_t block)
{
    const hd_philox_keys keys = hd_philox_keys_of(seed);

    return hd_philox_block(&keys, subsequence, block);
}

/** Combines two words.
 *
 *  @param low   Lower half.
 *  @param high  Upper half.
 *  @return The 64-bit number.
 */
HD_BOTH uint64_t hd_random_u64(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/** Turns a word into a uniform number.
 *
 *  @param word  32 random bits.
 *  @return A multiple of 2^-24 in [0, 1).
 */
HD_BOTH float hd_uniform_f32(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

/** Turns 64 bits into a uniform number.
 *
 *  @param word  64 random bits.
 *  @return A multiple of 2^-53 in [0, 1).
 */
HD_BOTH double hd_uniform_f64(uint64_t word)
{
    return (double)(word >> 11) * 0x1p-53;
}

/* sqrt(-log2 u), u = (a + 1) / 2^32 or slightly less: never 0, at most sqrt(32). An OR changes the
   exponents of 2u, 96 to 127, to 127, which leaves m of 2u = m 2^-k with m in [1, 2). */
HD_BOTH float hd__normal_radius_f32(uint32_t a)
{
    const float twice = __builtin_fmaf((float)a, 0x1.fffffep-32f, 0x1p-31f);
    const uint32_t bits = hd_f32_bits(twice);
    const float k = 0x1.0000fep+23f - hd_f32_from_bits((bits >> 23) + 0x4b000000u);
    const float t = hd_f32_from_bits(bits | 0x0f800000u) - 2.0f;
    float p = 0x1.b4ed26p-8f; /* -log2(1 + t/2) / t, -1 <= t < 0 */

    p = __builtin_fmaf(p, t, 0x1.8ebf8ap-7f);
    p = __builtin_fmaf(p, t, 0x1.2217c6p-6f);
    p = __builtin_fmaf(p, t, -0x1.b9c1aap-10f);
    p = __builtin_fmaf(p, t, 0x1.929cb2p-6f);
    p = __builtin_fmaf(p, t, -0x1.ea32d2p-5f);
    p = __builtin_fmaf(p, t, 0x1.715becp-3f);
    p = __builtin_fmaf(p, t, -0x1.715472p-1f);
    return hd_sqrt_normal_f32(__builtin_fmaf(p, t, k));
}

/* sin(pi/2 t) / t and cos(pi/2 t), |t| <= 1/2, from y = t^2, times sqrt(2 log 2), which scales the
   radii of the function above to those of normal numbers. */
HD_BOTH float hd__normal_sine_f32(float y)
{
    float p = -0x1.62e23ap-8f;

    p = __builtin_fmaf(p, y, 0x1.80440cp-4f);
    p = __builtin_fmaf(p, y, -0x1.85689cp-1f);
    return __builtin_fmaf(p, y, 0x1.d976f4p+0f);
}

HD_BOTH float hd__normal_cosine_f32(float y)
{
    float p = -0x1.89ad2p-6f;

    p = __builtin_fmaf(p, y, 0x1.31c198p-2f);
    p = __builtin_fmaf(p, y, -0x1.73db76p+0f);
    return __builtin_fmaf(p, y, 0x1.2d6abep+0f);
}

/* The angle from an axis in quarter turns from the upper 23 bits of b: 2^23 values from -1/2 to
   1/2, without 0. */
HD_BOTH float hd__normal_turn_f32(uint32_t b)
{
    return __builtin_fmaf(hd_f32_from_bits((b >> 9) + 0x3f800000u), 0x1.000002p+0f,
                          -0x1.800002p+0f);
}

/* -x if bit 0 of b is set, else x. */
HD_BOTH float hd__normal_sign_f32(float x, uint32_t b)
{
    return hd_f32_from_bits(hd_f32_bits(x) + (b << 31));
}

/** Turns two words into two independent standard normal numbers.
 *
 *  @param a   The radius, with the tail to 6.66.
 *  @param b   The direction: bit 0 is the half of the plane, bit 1 the nearer axis, the upper 23
 *             bits the angle from that axis.
 *  @param z0  Receives the first number.
 *  @param z1  Receives the second number.
 */
HD_BOTH void hd_normal_pair_f32(uint32_t a, uint32_t b, float *z0, float *z1)
{
    const float r = hd__normal_sign_f32(hd__normal_radius_f32(a), b);
    const float t = hd__normal_turn_f32(b), y = t * t;
    const float s = hd__normal_sine_f32(y) * (r * t), c = hd__normal_cosine_f32(y) * r;

    *z0 = b & 2u ? s : c;
    *z1 = b & 2u ? c : s;
}

/** As hd_normal_pair_f32(), with a mean and a standard deviation.
 *
 *  @param a          The radius.
 *  @param b          The direction.
 *  @param mean       Mean.
 *  @param deviation  Standard deviation.
 *  @param z0         Receives the first number.
 *  @param z1         Receives the second number.
 */
HD_BOTH void hd_normal_pair_scaled_f32(uint32_t a, uint32_t b, float mean, float deviation,
                                       float *z0, float *z1)
{
    const float r = hd__normal_sign_f32(hd__normal_radius_f32(a), b) * deviation;
    const float t = hd__normal_turn_f32(b), y = t * t;
    const float s = __builtin_fmaf(hd__normal_sine_f32(y), r * t, mean);
    const float c = __builtin_fmaf(hd__normal_cosine_f32(y), r, mean);

    *z0 = b & 2u ? s : c;
    *z1 = b & 2u ? c : s;
}

/** Turns twice 64 bits into two independent standard normal numbers.
 *
 *  @param a   The radius, with the tail to 9.5.
 *  @param b   The direction: the sign from the upper bit, which of the two is the larger from the
 *             next, the angle from the rest.
 *  @param z0  Receives the first number.
 *  @param z1  Receives the second number.
 */
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

/** @} */

#endif
