/* SPDX-License-Identifier: Apache-2.0 */
/* test_words.c - words that carry their own flag, waits that give up. */
#include "rig.h"

#include <heddle/peer.h>

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

enum {
    LINE_SIZE = 128,
    LINE_THREADS = 96,
    LINES = 2 * LINE_THREADS / HD_LINE_LANES,
    LINE_ROUNDS = 20000
};

static unsigned line_rounds(void)
{
    return rig_on_cpu() ? ROUNDS : LINE_ROUNDS;
}

static void check_lines(const uint32_t *got, unsigned threads)
{
    for (unsigned t = 0; t < threads; t++) {
        CHECK_EQ_U64(got[2 * t], 0);
        CHECK_EQ_U64(got[2 * t + 1], line_rounds());
    }
}

/* Between two blocks: all lines, some, one; every line that shows its tag is whole. */
TEST(lines_to_and_fro)
{
    static const unsigned used[] = {LINES, LINES / 2 + 1, 1};

    rig_open();
    for (unsigned i = 0; i < sizeof used / sizeof *used; i++) {
        uint32_t got[2 * 2 * LINE_THREADS];
        void *first = rig_zeroed(LINES * (size_t)LINE_SIZE),
             *second = rig_zeroed(LINES * (size_t)LINE_SIZE);
        void *out = rig_zeroed(sizeof got);

        MUST(hd_launch(lines_ping, rig_flat(2, LINE_THREADS), first, second, 0u, line_rounds(),
                       used[i], (uint32_t *)out));
        rig_download(got, out, sizeof got);
        check_lines(got, 2 * LINE_THREADS);
        rig_drop(first);
        rig_drop(second);
        rig_drop(out);
    }
}

/* The same between two devices, where lines are whole between them. */
TEST(lines_between_devices)
{
    hd_stream *stream[2];
    uint32_t *out[2], got[2 * LINE_THREADS];
    void *lines[2];
    hd_peer_path path = HD_PATH_STAGED;
    hd_peer_info info;
    int count = 0;

    rig_open();
    MUST(hd_device_count(&count));
    if (count > 1)
        MUST(hd_peer_connect(0, 1, &path));
    if (path != HD_PATH_DIRECT)
        return;
    MUST(hd_peer_query(0, 1, &info));
    if (!HD_LINES_WHOLE || (info.link != HD_LINK_FABRIC && info.link != HD_LINK_VIRTUAL))
        return;
    for (int d = 0; d < 2; d++) {
        MUST(hd_stream_create(d, &stream[d]));
        MUST(hd_alloc_bytes(&lines[d], LINES, LINE_SIZE, HD_MEM_COHERENT, d));
        MUST(hd_alloc(&out[d], 2 * LINE_THREADS, d));
        MUST(hd_fill_bytes(lines[d], 0, 1, LINES * (size_t)LINE_SIZE, stream[d]));
        MUST(hd_stream_synchronize(stream[d]));
    }
    for (unsigned d = 0; d < 2; d++)
        MUST(hd_launch(lines_ping,
                       hd_launch_with(hd_dim(1, 1, 1), hd_dim(LINE_THREADS, 1, 1), 0, stream[d]),
                       lines[0], lines[1], d, line_rounds(), (unsigned)LINES - 1, out[d]));
    for (int d = 0; d < 2; d++) {
        MUST(hd_copy_blocking(got, out[d], 2 * LINE_THREADS, stream[d]));
        check_lines(got, LINE_THREADS);
    }
    for (int d = 0; d < 2; d++) {
        MUST(hd_free(lines[d]));
        MUST(hd_free(out[d]));
        MUST(hd_stream_destroy(stream[d]));
    }
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
