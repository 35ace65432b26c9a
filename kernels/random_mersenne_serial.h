/* SPDX-License-Identifier: Apache-2.0 */
/* random_mersenne_serial.h - eight Mersenne Twisters by one thread: seeded side by side in vectors,
   turned one after another in loops that become vector code. */
#ifndef HEDDLE_KERNELS_RANDOM_MERSENNE_SERIAL_H
#define HEDDLE_KERNELS_RANDOM_MERSENNE_SERIAL_H

#include "random_values.h"

enum {
    RND_TWISTERS = 8,
    RND_MT_MANY = HD__MT_RUN / 3 /* blocks of a run that become elements at a time */
};
_Static_assert((int)RND_MT_MANY <= (int)RND_MANY && HD__MT_RUN % 3 == 0 && HD_MT_WORDS % 8 == 0,
               "runs have three parts, states rows of eight words");

typedef struct rnd_twisters {
    uint32_t state[RND_TWISTERS][HD_MT_WORDS];
} rnd_twisters;

/* hd__mt_seed_array of five words, the last of which is `lane` to lane + 7. The state that it
   begins with, the same for all, is made beside: neither waits for the other. */
HD_WIDE void rnd_mt_make(const hd__random_task *task, uint32_t lane, rnd_twisters *twisters)
{
    const hd_lanes_u32 none = {0}, next = {0, 1, 2, 3, 4, 5, 6, 7};
    uint32_t start = HD_MT_ARRAY_SEED;
    hd_lanes_u32 key[5], v[HD_MT_WORDS], last = none + start;

    key[0] = none + (uint32_t)task->seed;
    key[1] = none + (uint32_t)(task->seed >> 32) + 1u;
    key[2] = none + (uint32_t)task->subsequence + 2u;
    key[3] = none + (uint32_t)(task->subsequence >> 32) + 3u;
    key[4] = next + lane + 4u;
    for (unsigned i = 1; i < HD_MT_WORDS; i++) {
        start = hd__mt_seeded(start, i);
        v[i] = last = ((last ^ last >> 30) * 1664525u ^ start) + key[(i - 1) % 5];
    }
    v[1] = last = ((last ^ last >> 30) * 1664525u ^ v[1]) + key[(HD_MT_WORDS - 1) % 5];
    for (unsigned i = 2; i < HD_MT_WORDS; i++)
        v[i] = last = ((last ^ last >> 30) * 1566083941u ^ v[i]) - i;
    v[1] = ((last ^ last >> 30) * 1566083941u ^ v[1]) - 1u;
    v[0] = none + 0x80000000u;
    for (unsigned i = 0; i < HD_MT_WORDS; i += 8) {
        hd_lanes_turn_u32(&v[i]);
        for (unsigned t = 0; t < RND_TWISTERS; t++)
            hd_lanes_store_u32(&twisters->state[t][i], &v[i + t]);
    }
}

/* hd__mt_turn in parts of which no word depends on another of the same vector. */
HD_WIDE void rnd_mt_turn(uint32_t *state)
{
    const unsigned far = HD_MT_WORDS - HD_MT_SHIFT;

    for (unsigned i = 0; i < far; i++)
        state[i] = hd__mt_twist(state[i], state[i + 1], state[i + HD_MT_SHIFT]);
    for (unsigned i = far; i < HD_MT_WORDS - 1; i++)
        state[i] = hd__mt_twist(state[i], state[i + 1], state[i - far]);
    state[HD_MT_WORDS - 1] = hd__mt_twist(state[HD_MT_WORDS - 1], state[0], state[HD_MT_SHIFT - 1]);
}

/* Blocks `from` to from + RND_MT_MANY - 1 of a run. */
HD_WIDE void rnd_mt_words(const uint32_t *HD_RESTRICT state, unsigned from,
                          rnd_words *HD_RESTRICT words)
{
    for (unsigned j = 0; j < RND_MT_MANY; j++) {
        HD_UNROLL
        for (unsigned k = 0; k < 4; k++)
            words->w[k][j] = hd__mt_temper(state[4 * (from + j) + k]);
    }
}

#endif
