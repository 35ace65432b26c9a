/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Three generators with a state, besides the counter-based one of random_kernel.h, for comparison
 *  and for programs that need their numbers. Host and kernels, the same words on both. C11 and
 *  C++17.
 *
 *  Source: MRG32k3a: P. L'Ecuyer, "Good parameters and implementations for combined multiple
 *  recursive random number generators", Operations Research 47, 1999; substreams 2^76 apart,
 *  streams 2^127 apart by powers of its matrices. XORWOW: G. Marsaglia, "Xorshift RNGs", 2003.
 *  MT19937: M. Matsumoto, T. Nishimura, "Mersenne Twister", 1998, seeded by array as in their
 *  version of 2002.
 */
#ifndef HEDDLE_DEVICE_RANDOM_GENERATORS_H
#define HEDDLE_DEVICE_RANDOM_GENERATORS_H

#include <heddle/device/random_kernel.h>

/** @defgroup random_generators Generators with a state
 *  @brief MRG32k3a, XORWOW and MT19937; host and kernels.
 *  @{
 */

/* ---- MRG32k3a: 24 bytes, period 2^191 -------------------------------------------------------- */

#define HD_MRG_M1 4294967087u /**< First modulus of MRG32k3a. */
#define HD_MRG_M2 4294944443u /**< Second modulus of MRG32k3a. */

/** State of MRG32k3a: 24 bytes, period 2^191. */
typedef struct hd_mrg32k3a {
    uint32_t a[3], /**< First recurrence, oldest word first. */
        b[3];      /**< Second recurrence, oldest word first. */
} hd_mrg32k3a;

/** A jump of MRG32k3a: two matrices that advance the two recurrences some number of steps. */
typedef struct hd_mrg32k3a_jump {
    uint32_t a[9], /**< Matrix modulo #HD_MRG_M1, by rows. */
        b[9];      /**< Matrix modulo #HD_MRG_M2, by rows. */
} hd_mrg32k3a_jump;

/** Makes a state whose six words are the seed.
 *
 *  @param seed  1 to 4294944442; L'Ecuyer's example has 12345.
 *  @return The state.
 */
HD_BOTH hd_mrg32k3a hd_mrg32k3a_make(uint32_t seed)
{
    hd_mrg32k3a g;
    int i;

    for (i = 0; i < 3; i++)
        g.a[i] = g.b[i] = seed;
    return g;
}

/* (low + more) modulo 2^32 - c, if more and c together are below 2^32 - c. */
HD_BOTH uint32_t hd__mrg_add(uint32_t low, uint32_t more, uint32_t c)
{
    const uint32_t sum = low + more;

    return sum < more || sum >= 0u - c ? sum + c : sum;
}

/** Returns the next word and advances the state.
 *
 *  @param g  The state.
 *  @return 0 to M1 - 1. Divided by M1 + 1, with M1 for 0, it is L'Ecuyer's uniform number.
 */
HD_BOTH uint32_t hd_mrg32k3a_next(hd_mrg32k3a *g)
{
    /* 2^32 is 209 modulo M1 and 22853 modulo M2: upper halves are folded down instead of
       dividing. */
    const uint64_t p = 1403580u * (uint64_t)g->a[1] + 810728u * (uint64_t)(HD_MRG_M1 - g->a[0]);
    const uint64_t q = 527612u * (uint64_t)g->b[2] + 1370589u * (uint64_t)(HD_MRG_M2 - g->b[0]);
    const uint64_t once = (uint32_t)q + (q >> 32) * 22853u; /* below 2^36 */
    const uint32_t a = hd__mrg_add((uint32_t)p, (uint32_t)(p >> 32) * 209u, 209u);
    const uint32_t b = hd__mrg_add((uint32_t)once, (uint32_t)(once >> 32) * 22853u, 22853u);

    g->a[0] = g->a[1];
    g->a[1] = g->a[2];
    g->a[2] = a;
    g->b[0] = g->b[1];
    g->b[1] = g->b[2];
    g->b[2] = b;
    return a >= b ? a - b : a + (HD_MRG_M1 - b);
}

HD_BOTH void hd__mrg_apply(const uint32_t *matrix, uint32_t *v, uint32_t m)
{
    uint32_t out[3];
    int i, j;

    for (i = 0; i < 3; i++) {
        uint64_t sum = 0;
        for (j = 0; j < 3; j++)
            sum += (uint64_t)matrix[3 * i + j] * v[j] % m;
        out[i] = (uint32_t)(sum % m);
    }
    for (i = 0; i < 3; i++)
        v[i] = out[i];
}

/* left = left * right */
HD_BOTH void hd__mrg_multiply(uint32_t *left, const uint32_t *right, uint32_t m)
{
    int i, j, k;

    for (i = 0; i < 3; i++) {
        uint32_t row[3];
        for (j = 0; j < 3; j++) {
            uint64_t sum = 0;
            for (k = 0; k < 3; k++)
                sum += (uint64_t)left[3 * i + k] * right[3 * k + j] % m;
            row[j] = (uint32_t)(sum % m);
        }
        for (j = 0; j < 3; j++)
            left[3 * i + j] = row[j];
    }
}

/** Advances a state by a jump.
 *
 *  @param g     The state.
 *  @param jump  The jump.
 */
HD_BOTH void hd_mrg32k3a_go(hd_mrg32k3a *g, const hd_mrg32k3a_jump *jump)
{
    hd__mrg_apply(jump->a, g->a, HD_MRG_M1);
    hd__mrg_apply(jump->b, g->b, HD_MRG_M2);
}

/** Returns the jump of one step.
 *
 *  @return The jump.
 */
HD_BOTH hd_mrg32k3a_jump hd_mrg32k3a_step(void)
{
    hd_mrg32k3a_jump j;
    int i;

    for (i = 0; i < 9; i++)
        j.a[i] = j.b[i] = i == 1 || i == 5 ? 1u : 0u;
    j.a[6] = HD_MRG_M1 - 810728u;
    j.a[7] = 1403580u;
    j.b[6] = HD_MRG_M2 - 1370589u;
    j.b[8] = 527612u;
    return j;
}

/** Returns the jump twice as far.
 *
 *  @param jump  The jump.
 *  @return The jump of twice as many steps.
 */
HD_BOTH hd_mrg32k3a_jump hd_mrg32k3a_twice(hd_mrg32k3a_jump jump)
{
    const hd_mrg32k3a_jump once = jump;

    hd__mrg_multiply(jump.a, once.a, HD_MRG_M1);
    hd__mrg_multiply(jump.b, once.b, HD_MRG_M2);
    return jump;
}

/** Advances a state by count * 2^power steps.
 *
 *  @param g      The state.
 *  @param count  Factor of the steps.
 *  @param power  Exponent of the steps.
 */
HD_BOTH void hd_mrg32k3a_skip(hd_mrg32k3a *g, uint64_t count, unsigned power)
{
    hd_mrg32k3a_jump jump = hd_mrg32k3a_step();

    for (; power > 0; power--)
        jump = hd_mrg32k3a_twice(jump);
    for (; count > 0; count >>= 1) {
        if (count & 1u)
            hd_mrg32k3a_go(g, &jump);
        jump = hd_mrg32k3a_twice(jump);
    }
}

/* ---- XORWOW: 24 bytes, period 2^192 - 2^32 --------------------------------------------------- */

/** State of XORWOW: 24 bytes, period 2^192 - 2^32. */
typedef struct hd_xorwow {
    uint32_t x[5], /**< State of the xorshift, not all 0. */
        d;         /**< State of the Weyl sequence. */
} hd_xorwow;

/** Returns the next word and advances the state.
 *
 *  @param g  The state.
 *  @return The word.
 */
HD_BOTH uint32_t hd_xorwow_next(hd_xorwow *g)
{
    const uint32_t t = g->x[0] ^ g->x[0] >> 2, last = g->x[4];
    int i;

    for (i = 0; i < 4; i++)
        g->x[i] = g->x[i + 1];
    g->x[4] = (last ^ last << 4) ^ (t ^ t << 1);
    g->d += 362437u;
    return g->d + g->x[4];
}

/** Makes a state of 192 bits from Philox: any two streams, and any two lanes of one, start at
 *  independent positions of the period.
 *
 *  @param seed         The seed.
 *  @param subsequence  The subsequence.
 *  @param lane         Number of the lane.
 *  @return The state.
 */
HD_BOTH hd_xorwow hd_xorwow_make(uint64_t seed, uint64_t subsequence, uint64_t lane)
{
    const hd_u32x4 p = hd_random_block(seed, subsequence, 2 * lane);
    const hd_u32x4 q = hd_random_block(seed, subsequence, 2 * lane + 1);
    hd_xorwow g;

    g.x[0] = p.x | 1u;
    g.x[1] = p.y;
    g.x[2] = p.z;
    g.x[3] = p.w;
    g.x[4] = q.x;
    g.d = q.y;
    return g;
}

/* ---- MT19937: 2.5 KB, period 2^19937 - 1 ----------------------------------------------------- */

/** Constants of MT19937. */
enum {
    HD_MT_WORDS = 624,          /**< Words of the state. */
    HD_MT_SHIFT = 397,          /**< Distance of the recurrence in words. */
    HD_MT_ARRAY_SEED = 19650218 /**< Seed to which the key of hd_mt19937_seed_array() is added. */
};

/** State of MT19937: 2.5 KB, period 2^19937 - 1. */
typedef struct hd_mt19937 {
    uint32_t state[HD_MT_WORDS]; /**< Words of the state. */
    uint32_t used;               /**< How many of them have been returned. */
} hd_mt19937;

/* Word i of a seeded state, from the previous word. */
HD_BOTH uint32_t hd__mt_seeded(uint32_t before, uint32_t i)
{
    return 1812433253u * (before ^ before >> 30) + i;
}

HD_BOTH void hd__mt_seed(uint32_t *state, uint32_t seed)
{
    uint32_t i;

    state[0] = seed;
    for (i = 1; i < HD_MT_WORDS; i++)
        state[i] = hd__mt_seeded(state[i - 1], i);
}

HD_BOTH void hd__mt_seed_array(uint32_t *state, const uint32_t *key, uint32_t count)
{
    uint32_t i = 1, j = 0, k;

    hd__mt_seed(state, HD_MT_ARRAY_SEED);
    for (k = count > HD_MT_WORDS ? count : (uint32_t)HD_MT_WORDS; k > 0; k--) {
        state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1664525u) + key[j] + j;
        if (++i == HD_MT_WORDS) {
            state[0] = state[HD_MT_WORDS - 1];
            i = 1;
        }
        if (++j == count)
            j = 0;
    }
    for (k = HD_MT_WORDS - 1; k > 0; k--) {
        state[i] = (state[i] ^ (state[i - 1] ^ state[i - 1] >> 30) * 1566083941u) - i;
        if (++i == HD_MT_WORDS) {
            state[0] = state[HD_MT_WORDS - 1];
            i = 1;
        }
    }
    state[0] = 0x80000000u;
}

/* The next word from three words of the state: the one at its place, the next one, and the one 397
   further on. */
HD_BOTH uint32_t hd__mt_twist(uint32_t here, uint32_t next, uint32_t far)
{
    const uint32_t y = (here & 0x80000000u) | (next & 0x7fffffffu);

    return far ^ y >> 1 ^ (y & 1u ? 0x9908b0dfu : 0u);
}

HD_BOTH uint32_t hd__mt_temper(uint32_t y)
{
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
}

HD_BOTH void hd__mt_turn(uint32_t *state)
{
    uint32_t i;

    for (i = 0; i < HD_MT_WORDS; i++)
        state[i] = hd__mt_twist(state[i], state[(i + 1) % HD_MT_WORDS],
                                state[(i + HD_MT_SHIFT) % HD_MT_WORDS]);
}

/** Sets a state from a seed.
 *
 *  @param g     The state.
 *  @param seed  The seed.
 */
HD_BOTH void hd_mt19937_seed(hd_mt19937 *g, uint32_t seed)
{
    hd__mt_seed(g->state, seed);
    g->used = HD_MT_WORDS;
}

/** Sets a state from a key of several words.
 *
 *  @param g      The state.
 *  @param key    count words.
 *  @param count  Number of words, at least 1.
 */
HD_BOTH void hd_mt19937_seed_array(hd_mt19937 *g, const uint32_t *key, uint32_t count)
{
    hd__mt_seed_array(g->state, key, count);
    g->used = HD_MT_WORDS;
}

/** Returns the next word and advances the state.
 *
 *  @param g  The state.
 *  @return The word.
 */
HD_BOTH uint32_t hd_mt19937_next(hd_mt19937 *g)
{
    if (g->used == HD_MT_WORDS) {
        hd__mt_turn(g->state);
        g->used = 0;
    }
    return hd__mt_temper(g->state[g->used++]);
}

/** @} */

#endif
