/* SPDX-License-Identifier: Apache-2.0 */
/* test_words.c - words that carry their own flag, waits that give up. */
#include "rig.h"

#include "words.h"

enum { THREADS = 96, ROUNDS = 41 };

TEST(words_to_and_fro)
{
    uint64_t got[2 * THREADS];
    void *slots, *out;

    rig_open();
    slots = rig_zeroed(2 * THREADS * 16);
    out = rig_zeroed(sizeof got);
    MUST(hd_launch(words_ping, rig_flat(2, THREADS), slots, (uint64_t *)out, (unsigned)ROUNDS));
    rig_download(got, out, sizeof got);
    for (unsigned t = 0; t < THREADS; t++) {
        uint32_t a[2] = {t, t}, b[2] = {~t, ~t};
        for (uint32_t round = 1; round <= ROUNDS; round++) {
            a[1 - round % 2] = a[round % 2] + round;
            b[1 - round % 2] = b[round % 2] * 3u;
        }
        for (unsigned block = 0; block < 2; block++)
            CHECK_EQ_U64(got[block * THREADS + t], (uint64_t)b[block] << 32 | a[block]);
    }
    rig_drop(slots);
    rig_drop(out);
}

TEST(a_wait_that_gives_up)
{
    const uint64_t seven = 7;
    uint64_t got[4];
    void *flag, *out;

    rig_open();
    flag = rig_upload(&seven, sizeof seven);
    out = rig_zeroed(sizeof got);
    MUST(hd_launch(words_try, rig_flat(1, 1), (const uint64_t *)flag, (uint64_t *)out));
    rig_download(got, out, sizeof got);
    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ_U64(got[i], 7);
    rig_drop(flag);
    rig_drop(out);
}

TEST_MAIN
