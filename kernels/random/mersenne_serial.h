/* SPDX-License-Identifier: Apache-2.0 */
/* mersenne_serial.h - one thread computes sixteen Mersenne Twisters: two groups of eight, each
   twister in one lane of a vector. */
#ifndef HEDDLE_KERNELS_RANDOM_MERSENNE_SERIAL_H
#define HEDDLE_KERNELS_RANDOM_MERSENNE_SERIAL_H

#include "values.h"

enum {
    RND_GROUP = 8,
    RND_GROUPS = 2,
    RND_MT_MANY = HD__MT_RUN / 3 /* blocks of a run that become elements at a time */
};
_Static_assert((int)RND_MT_MANY <= (int)RND_MANY && HD__MT_RUN % 3 == 0 &&
                   (int)RND_GROUP == (int)HD_LANES_COUNT(uint32_t),
               "runs have three parts, groups a vector's lanes");

typedef struct rnd_twisters {
    hd_lanes_u32 v[RND_GROUPS][HD_MT_WORDS]; /* v[g][i]: word i of the states of group g */
} rnd_twisters;

/* One step of hd__mt_seed_array in both groups, as two independent dependency chains. */
HD_DEVICE void rnd_mt_seed(rnd_twisters *x, unsigned i, uint32_t factor, const hd_lanes_u32 *with,
                           const hd_lanes_u32 *add, hd_lanes_u32 *last)
{
    HD_UNROLL_N(2)
    for (unsigned g = 0; g < RND_GROUPS; g++)
        x->v[g][i] = last[g] = ((last[g] ^ last[g] >> 30) * factor ^ with[g]) + add[g];
}

/* hd__mt_seed_array with five words, the last of which is `lane` to lane + 15. The initial state,
   the same for all, is computed alongside. */
HD_WIDE void rnd_mt_make(const hd__random_task *task, uint32_t lane, rnd_twisters *x)
{
    const hd_lanes_u32 none = {0}, next = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t start = HD_MT_ARRAY_SEED;
    hd_lanes_u32 key[5][RND_GROUPS], last[RND_GROUPS], with[RND_GROUPS] = {none, none};
    hd_lanes_u32 add[RND_GROUPS];

    for (unsigned g = 0; g < RND_GROUPS; g++) {
        key[0][g] = none + (uint32_t)task->seed;
        key[1][g] = none + (uint32_t)(task->seed >> 32) + 1u;
        key[2][g] = none + (uint32_t)task->subsequence + 2u;
        key[3][g] = none + (uint32_t)(task->subsequence >> 32) + 3u;
        key[4][g] = next + (lane + g * RND_GROUP) + 4u;
        last[g] = none + start;
    }
    for (unsigned i = 1; i < HD_MT_WORDS; i++) {
        start = hd__mt_seeded(start, i);
        with[0] = with[1] = none + start;
        rnd_mt_seed(x, i, 1664525u, with, key[(i - 1) % 5], last);
    }
    with[0] = x->v[0][1];
    with[1] = x->v[1][1];
    rnd_mt_seed(x, 1, 1664525u, with, key[(HD_MT_WORDS - 1) % 5], last);
    for (unsigned i = 2; i <= HD_MT_WORDS; i++) {
        const unsigned at = i < HD_MT_WORDS ? i : 1;
        with[0] = x->v[0][at];
        with[1] = x->v[1][at];
        add[0] = add[1] = none - at;
        rnd_mt_seed(x, at, 1566083941u, with, add, last);
    }
    x->v[0][0] = x->v[1][0] = none + 0x80000000u;
}

/* hd__mt_twist. */
HD_DEVICE void rnd_mt_twist(hd_lanes_u32 *here, const hd_lanes_u32 *next, const hd_lanes_u32 *far)
{
    const hd_lanes_u32 y = (*here & 0x80000000u) | (*next & 0x7fffffffu);
    *here = *far ^ y >> 1 ^ ((0u - (y & 1u)) & 0x9908b0dfu);
}

/* hd__mt_turn for a group. */
HD_WIDE void rnd_mt_turn(hd_lanes_u32 *v)
{
    const unsigned far = HD_MT_WORDS - HD_MT_SHIFT;

    for (unsigned i = 0; i < far; i++)
        rnd_mt_twist(&v[i], &v[i + 1], &v[i + HD_MT_SHIFT]);
    for (unsigned i = far; i < HD_MT_WORDS - 1; i++)
        rnd_mt_twist(&v[i], &v[i + 1], &v[i - far]);
    rnd_mt_twist(&v[HD_MT_WORDS - 1], &v[0], &v[HD_MT_SHIFT - 1]);
}

/* hd__mt_temper. */
HD_DEVICE void rnd_mt_temper(const hd_lanes_u32 *v, hd_lanes_u32 *to)
{
    hd_lanes_u32 y = *v;
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    *to = y ^ y >> 18;
}

/* Blocks `from` to from + RND_MT_MANY - 1 of the runs of a group, run t to words[t]. Eight blocks
   at a time; the last eight may overlap the ones before. */
HD_WIDE void rnd_mt_words(const hd_lanes_u32 *HD_RESTRICT v, unsigned from,
                          rnd_words *HD_RESTRICT words)
{
    for (unsigned first = 0; first < RND_MT_MANY; first += RND_GROUP) {
        const unsigned j = hd_min(first, (unsigned)RND_MT_MANY - RND_GROUP);
        for (unsigned k = 0; k < 4; k++) {
            hd_lanes_u32 y[RND_GROUP];
            HD_UNROLL_N(8)
            for (unsigned i = 0; i < RND_GROUP; i++)
                rnd_mt_temper(&v[4 * (from + j + i) + k], &y[i]);
            hd_lanes_turn_u32(y);
            HD_UNROLL_N(8)
            for (unsigned t = 0; t < RND_GROUP; t++)
                hd_lanes_store_u32(&words[t].w[k][j], &y[t]);
        }
    }
}

#endif
