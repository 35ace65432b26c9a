/* SPDX-License-Identifier: Apache-2.0 */
/* mersenne.c - arrays filled by 1024 Mersenne Twisters. */
#include "values.h"

#if HD_SERIAL_THREADS
#include "mersenne_serial.h"
#else
enum {
    QUADS = HD_MT_WORDS / 4,
    QUAD_SHIFT = HD_MT_SHIFT / 4,
    MAKERS = (HD_MT_WORDS - HD_MT_SHIFT) / 4 /* quads that do not depend on each other */
};

/* Quad q of the next state: words 4q to 4q + 3. It reads these words, the word after them and the
   words 397 further on. Each of those is either new already or old; old ones are read before any
   thread overwrites them. */
HD_DEVICE hd_u32x4 rnd_mt_quad(const hd_u32x4 *state, unsigned q)
{
    const unsigned far = q + QUAD_SHIFT < QUADS ? q + QUAD_SHIFT : q + QUAD_SHIFT - QUADS;
    const hd_u32x4 here = state[q], f = state[far];
    const uint32_t next = state[q + 1 < QUADS ? q + 1 : 0].x;
    const uint32_t last = state[far + 1 < QUADS ? far + 1 : 0].x;

    return hd_u32x4_make(hd__mt_twist(here.x, here.y, f.y), hd__mt_twist(here.y, here.z, f.z),
                         hd__mt_twist(here.z, here.w, f.w), hd__mt_twist(here.w, next, last));
}

HD_DEVICE hd_u32x4 rnd_mt_temper(hd_u32x4 w)
{
    return hd_u32x4_make(hd__mt_temper(w.x), hd__mt_temper(w.y), hd__mt_temper(w.z),
                         hd__mt_temper(w.w));
}

HD_DEVICE void rnd_mt_seed(hd_u32x4 *state, const hd__random_task *task, uint32_t lane)
{
    uint32_t key[5];

    key[0] = (uint32_t)task->seed;
    key[1] = (uint32_t)(task->seed >> 32);
    key[2] = (uint32_t)task->subsequence;
    key[3] = (uint32_t)(task->subsequence >> 32);
    key[4] = lane;
    if (hd_thread_x() == 0)
        hd__mt_seed_array((uint32_t *)(void *)state, key, 5);
    hd_sync_block();
}
#endif

#define RND_BODY "kernels/random/mersenne.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__random_mt19937_bits_u32)
HD_INSTANCE(hd__random_mt19937_bits_u64)
HD_INSTANCE(hd__random_mt19937_uniform_f32)
HD_INSTANCE(hd__random_mt19937_normal_f32)
HD_INSTANCE(hd__random_mt19937_lognormal_f32)
HD_INSTANCE(hd__random_mt19937_uniform_f64)
HD_INSTANCE(hd__random_mt19937_normal_f64)
HD_INSTANCE(hd__random_mt19937_lognormal_f64)
