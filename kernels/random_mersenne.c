/* SPDX-License-Identifier: Apache-2.0 */
/* random_mersenne.c - arrays filled by 1024 Mersenne Twisters. */
#include "random_values.h"

/* Thread `t` makes words [first, first + count) of the new state, one each; all of them depend on
   words that are final, or old and read before any is written. */
HD_DEVICE void rnd_mt_part(uint32_t *state, unsigned first, unsigned count)
{
    const unsigned t = hd_thread_x(), i = first + t;
    uint32_t made = 0;

    if (t < count)
        made = hd__mt_twist(state[i], state[(i + 1) % HD_MT_WORDS],
                            state[(i + HD_MT_SHIFT) % HD_MT_WORDS]);
    hd_sync_block();
    if (t < count)
        state[i] = made;
    hd_sync_block();
}

HD_DEVICE void rnd_mt_turn(uint32_t *state)
{
    if (hd_block_threads() == 1) {
        hd__mt_turn(state);
        return;
    }
    rnd_mt_part(state, 0, HD_MT_WORDS - HD_MT_SHIFT);
    rnd_mt_part(state, HD_MT_WORDS - HD_MT_SHIFT, HD_MT_WORDS - HD_MT_SHIFT);
    rnd_mt_part(state, 2 * (HD_MT_WORDS - HD_MT_SHIFT), 2 * HD_MT_SHIFT - HD_MT_WORDS);
}

HD_DEVICE void rnd_mt_seed(uint32_t *state, const hd__random_task *task, uint32_t lane)
{
    uint32_t key[5];

    key[0] = (uint32_t)task->seed;
    key[1] = (uint32_t)(task->seed >> 32);
    key[2] = (uint32_t)task->subsequence;
    key[3] = (uint32_t)(task->subsequence >> 32);
    key[4] = lane;
    if (hd_thread_x() == 0)
        hd__mt_seed_array(state, key, 5);
    hd_sync_block();
}

#define RND_BODY "random_mersenne.inc"
#include "random_types.inc"
