/* SPDX-License-Identifier: Apache-2.0 */
/* kern_words.c - words with a tag between two blocks, waits that give up. */
#include <heddle/kernel.h>
#include <heddle/words.h>

#include "words.h"

HD_DEVICE hd_u32x4 receive(const hd_u32x4 *slot, uint32_t tag)
{
    hd_u32x4 words = hd_peek_words_system(slot);
    while (!hd_words_tagged(words, tag))
        words = hd_try_receive_words_system(slot, tag);
    return words;
}

/* Thread t of block 0 and thread t of block 1 send a pair to and fro; each adds to what it got. */
HD_KERNEL void words_ping(void *slots, uint64_t *out, unsigned rounds)
{
    const unsigned threads = hd_block_threads(), t = hd_thread_linear(), me = hd_block_x();
    hd_u32x4 *mine = (hd_u32x4 *)slots + me * threads + t;
    hd_u32x4 *theirs = (hd_u32x4 *)slots + (1 - me) * threads + t;
    uint32_t a = t, b = ~t;

    for (uint32_t round = 1; round <= rounds; round++) {
        if (me == round % 2) {
            hd_send_words_system(theirs, a + round, b * 3u, round);
        } else {
            const hd_u32x4 words = receive(mine, round);
            a = words.x;
            b = words.z;
        }
    }
    out[me * threads + t] = (uint64_t)b << 32 | a;
}
HD_DEFINE(words_ping)

HD_KERNEL void words_try(const uint64_t *flag, uint64_t *out)
{
    out[0] = hd_try_wait_ge_system(flag, 5u);
    out[1] = hd_try_wait_ge_system(flag, 99u);
    out[2] = hd_try_wait_eq_system(flag, 7u);
    out[3] = hd_try_wait_eq_system(flag, 8u);
}
HD_DEFINE(words_try)
