/* SPDX-License-Identifier: Apache-2.0 */
/* labels: several
   test_puts.c - bytes that one device puts into another one's memory, words behind them, and takes
   that wait for the words: every alignment and length, several at a time, takes before the puts. */
#include <heddle/peer.h>

#include "arrays.h"
#include "kernels/puts.h"

enum { MOST = 70000, EACH = MOST + 64, PUTS = 3 };

static const size_t lengths[] = {0,    1,    15,   16,    17,    255,   256,  1023,
                                 4096, 4099, 8192, 16384, 16388, 65537, MOST, 12};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

typedef struct rig {
    int from, to; /* devices */
    hd_stream *puts, *takes;
    unsigned char *source, *landing, *out;
    uint64_t *words;
    unsigned *ticket;
    unsigned char *sent, *came;
} rig;

/* Two devices where one reaches the other. */
static void choose_devices(rig *r)
{
    hd_peer_path path = HD_PATH_SAME;
    int count = 0;

    CHECK_STATUS(hd_device_count(&count), HD_OK);
    if (count > 1 && hd_peer_connect(0, 1, &path) >= 0 && path == HD_PATH_DIRECT)
        r->to = 1;
}

static hd_status rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    choose_devices(r);
    r->sent = malloc(PUTS * EACH);
    r->came = malloc(PUTS * EACH);
    if (!r->sent || !r->came)
        return HD_ERR_NO_MEMORY;
    test_fill(r->sent, PUTS * EACH, HD_U8, VALUES_RANDOM, 7);
    HD_TRY(hd_stream_create(r->from, &r->puts));
    HD_TRY(hd_stream_create(r->to, &r->takes));
    HD_TRY(hd_alloc(&r->source, PUTS * EACH, r->from));
    HD_TRY(hd_alloc_kind(&r->landing, PUTS * EACH, HD_MEM_COHERENT, r->to));
    HD_TRY(hd_alloc(&r->out, PUTS * EACH, r->to));
    HD_TRY(hd_alloc_kind(&r->words, HD__PUTS_MOST, HD_MEM_COHERENT, r->to));
    HD_TRY(hd_alloc(&r->ticket, 1, r->from));
    HD_TRY(hd_fill_zero(r->words, HD__PUTS_MOST, r->takes));
    HD_TRY(hd_stream_synchronize(r->takes));
    HD_TRY(hd_fill_zero(r->ticket, 1, r->puts));
    return hd_copy_blocking(r->source, r->sent, PUTS * EACH, r->puts);
}

static void rig_close(rig *r)
{
    CHECK_STATUS(hd_free(r->ticket), HD_OK);
    CHECK_STATUS(hd_free(r->words), HD_OK);
    CHECK_STATUS(hd_free(r->out), HD_OK);
    CHECK_STATUS(hd_free(r->landing), HD_OK);
    CHECK_STATUS(hd_free(r->source), HD_OK);
    CHECK_STATUS(hd_stream_destroy(r->takes), HD_OK);
    CHECK_STATUS(hd_stream_destroy(r->puts), HD_OK);
    free(r->came);
    free(r->sent);
}

static hd_launch_config grid_of(unsigned blocks, hd_stream *stream)
{
    return hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(HD__PUTS_THREADS, 1, 1), 0, stream);
}

static size_t length_of(size_t round, unsigned put)
{
    return lengths[(round + 5 * put) % LENGTHS];
}

static hd_status send(const rig *r, size_t round, size_t shift, unsigned blocks)
{
    hd__puts puts = {.count = PUTS, .ticket = r->ticket};

    for (unsigned i = 0; i < PUTS; i++)
        puts.put[i] = (hd__put){.from = r->source + i * EACH + shift,
                                .to = r->landing + i * EACH,
                                .bytes = length_of(round, i),
                                .word = &r->words[i],
                                .value = round + 1};
    return hd_launch(hd__puts_send, grid_of(blocks, r->puts), puts);
}

static hd_status take(const rig *r, size_t round, size_t shift, unsigned blocks)
{
    hd__takes takes = {.count = PUTS};

    for (unsigned i = 0; i < PUTS; i++)
        takes.take[i] = (hd__take){.word = {&r->words[i], round + 1},
                                   .from = r->landing + i * EACH,
                                   .to = r->out + i * EACH + shift,
                                   .bytes = length_of(round, i)};
    return hd_launch(hd__puts_take, grid_of(blocks, r->takes), takes);
}

/* What was to come, and nothing beside it. */
static size_t count_wrong(const rig *r, size_t round, size_t from, size_t to)
{
    size_t wrong = 0;

    for (unsigned i = 0; i < PUTS; i++)
        for (size_t k = 0; k < EACH; k++) {
            const int within = k >= to && k < to + length_of(round, i);
            const unsigned char *sent = r->sent + i * EACH + from;
            wrong += r->came[i * EACH + k] != (within ? sent[k - to] : ARRAY_POISON);
        }
    return wrong;
}

/* On one device takes wait for puts that come behind them in no stream that runs beside theirs; nor
   need they under a tool that runs one kernel after another. */
static void one_round(rig *r, size_t round, size_t from, size_t to)
{
    static const unsigned grids[] = {1, 3, 64};
    const unsigned blocks = grids[round % 3];
    const int early = r->from != r->to && round % 2 && !getenv("HEDDLE_SANITIZER");
    unsigned ticket = 1;

    CHECK_STATUS(hd_fill_bytes(r->out, ARRAY_POISON, 1, PUTS * EACH, r->takes), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(r->takes), HD_OK);
    if (early)
        CHECK_STATUS(take(r, round, to, blocks), HD_OK);
    CHECK_STATUS(send(r, round, from, blocks), HD_OK);
    if (r->from == r->to)
        CHECK_STATUS(hd_stream_synchronize(r->puts), HD_OK);
    if (!early)
        CHECK_STATUS(take(r, round, to, blocks), HD_OK);
    CHECK_STATUS(hd_copy_blocking(r->came, r->out, PUTS * EACH, r->takes), HD_OK);
    CHECK_EQ_U64(count_wrong(r, round, from, to), 0);
    CHECK_STATUS(hd_copy_blocking(&ticket, r->ticket, 1, r->puts), HD_OK);
    CHECK_EQ_U64(ticket, 0);
}

TEST(every_length_and_place)
{
    static const size_t places[] = {0, 16, 4, 1, 8, 3, 48};
    rig r;

    CHECK_STATUS(rig_open(&r), HD_OK);
    for (size_t round = 0; round < 2 * LENGTHS; round++)
        one_round(&r, round, places[round % 7], places[round / 2 % 7]);
    rig_close(&r);
}

/* Words alone; what waits for the largest of them, and for such as have come before. */
TEST(words_alone)
{
    hd__puts puts = {.count = HD__PUTS_MOST};
    hd__awaits awaits = {.count = HD__PUTS_MOST};
    uint64_t words[HD__PUTS_MOST] = {0};
    rig r;

    CHECK_STATUS(rig_open(&r), HD_OK);
    puts.ticket = r.ticket;
    for (unsigned i = 0; i < HD__PUTS_MOST; i++) {
        puts.put[i] = (hd__put){.word = &r.words[i], .value = (uint64_t)i << 40 | 5};
        awaits.of[i] = (hd__awaited){&r.words[i], i % 2 ? 5 : (uint64_t)i << 40 | 5};
    }
    CHECK_STATUS(hd_launch(hd__puts_send, grid_of(2, r.puts), puts), HD_OK);
    if (r.from == r.to)
        CHECK_STATUS(hd_stream_synchronize(r.puts), HD_OK);
    CHECK_STATUS(hd_launch(hd__puts_await, hd_launch_1d(1, 1, r.takes), awaits), HD_OK);
    CHECK_STATUS(hd_copy_blocking(words, r.words, HD__PUTS_MOST, r.takes), HD_OK);
    for (unsigned i = 0; i < HD__PUTS_MOST; i++)
        CHECK_EQ_U64(words[i], (uint64_t)i << 40 | 5);
    rig_close(&r);
}

TEST_MAIN
