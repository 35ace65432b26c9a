/* SPDX-License-Identifier: Apache-2.0 */
/* labels: several
   test_puts.c - bytes that one device puts into another one's memory, words behind them, takes that
   wait for the words, and what hosts are told: every alignment and length, several at a time, takes
   before the puts, both in one kernel on both devices. */
#include <heddle/peer.h>

#include "arrays.h"
#include "kernels/peer/puts.h"

enum { MOST = 70000, EACH = MOST + 64, PUTS = 3, SIDES = 2 };

static const size_t lengths[] = {0,    1,    15,   16,    17,    255,   256,  1023,
                                 4096, 4099, 8192, 16384, 16388, 65537, MOST, 12};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

/* Of puts, of takes. */
enum { OF_PUTS, OF_TAKES, KINDS };

/* A device and what it has. */
typedef struct side {
    int device;
    hd_stream *stream;
    unsigned char *source, *landing, *out;
    uint64_t *words;
    unsigned *tickets;
    uint64_t *told, *told_there; /* as the host has it, as the device does */
    unsigned char *sent;
} side;

typedef struct rig {
    side side[SIDES];
    int apart; /* two devices */
    unsigned char *came;
} rig;

/* Two devices where one reaches the other. */
static void choose_devices(rig *r)
{
    hd_peer_path path = HD_PATH_SAME;
    int count = 0;

    CHECK_STATUS(hd_device_count(&count), HD_OK);
    r->apart = count > 1 && hd_peer_connect(0, 1, &path) >= 0 && path == HD_PATH_DIRECT;
    r->side[1].device = r->apart;
}

static hd_status side_open(side *s, uint64_t seed)
{
    void *there;

    s->sent = malloc(PUTS * EACH);
    if (!s->sent)
        return HD_ERR_NO_MEMORY;
    test_fill(s->sent, PUTS * EACH, HD_U8, VALUES_RANDOM, seed);
    HD_TRY(hd_stream_create(s->device, &s->stream));
    HD_TRY(hd_alloc(&s->source, PUTS * EACH, s->device));
    HD_TRY(hd_alloc_kind(&s->landing, PUTS * EACH, HD_MEM_COHERENT, s->device));
    HD_TRY(hd_alloc(&s->out, PUTS * EACH, s->device));
    HD_TRY(hd_alloc_kind(&s->words, HD__PUTS_MAX, HD_MEM_COHERENT, s->device));
    HD_TRY(hd_alloc(&s->tickets, KINDS, s->device));
    HD_TRY(hd_alloc_kind(&s->told, KINDS, HD_MEM_MAPPED, s->device));
    s->told[OF_PUTS] = s->told[OF_TAKES] = 0;
    HD_TRY(hd_host_device_pointer(&there, s->told, s->device));
    s->told_there = there;
    HD_TRY(hd_fill_zero(s->words, HD__PUTS_MAX, s->stream));
    HD_TRY(hd_fill_zero(s->tickets, KINDS, s->stream));
    return hd_copy_blocking(s->source, s->sent, PUTS * EACH, s->stream);
}

static hd_status rig_open(rig *r)
{
    memset(r, 0, sizeof *r);
    choose_devices(r);
    r->came = malloc(PUTS * EACH);
    if (!r->came)
        return HD_ERR_NO_MEMORY;
    HD_TRY(side_open(&r->side[0], 7));
    return side_open(&r->side[1], 8);
}

static void rig_close(rig *r)
{
    for (unsigned i = 0; i < SIDES; i++) {
        side *s = &r->side[i];
        CHECK_STATUS(hd_free(s->told), HD_OK);
        CHECK_STATUS(hd_free(s->tickets), HD_OK);
        CHECK_STATUS(hd_free(s->words), HD_OK);
        CHECK_STATUS(hd_free(s->out), HD_OK);
        CHECK_STATUS(hd_free(s->landing), HD_OK);
        CHECK_STATUS(hd_free(s->source), HD_OK);
        CHECK_STATUS(hd_stream_destroy(s->stream), HD_OK);
        free(s->sent);
    }
    free(r->came);
}

static hd_launch_config grid_of(unsigned blocks, hd_stream *stream)
{
    return hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(HD__PUTS_THREADS, 1, 1), 0, stream);
}

static size_t length_of(size_t round, unsigned put)
{
    return lengths[(round + 5 * put) % LENGTHS];
}

static hd__puts puts_of(const side *from, const side *to, size_t round, size_t shift)
{
    hd__puts puts = {.count = PUTS,
                     .ticket = &from->tickets[OF_PUTS],
                     .done = {&from->told_there[OF_PUTS], round + 1}};

    for (unsigned i = 0; i < PUTS; i++)
        puts.put[i] = (hd__put){.from = from->source + i * EACH + shift,
                                .to = to->landing + i * EACH,
                                .bytes = length_of(round, i),
                                .word = &to->words[i],
                                .value = round + 1};
    return puts;
}

static hd__takes takes_of(const side *s, size_t round, size_t shift)
{
    hd__takes takes = {.count = PUTS,
                       .ticket = &s->tickets[OF_TAKES],
                       .done = {&s->told_there[OF_TAKES], round + 1}};

    for (unsigned i = 0; i < PUTS; i++)
        takes.take[i] = (hd__take){.word = {&s->words[i], round + 1},
                                   .from = s->landing + i * EACH,
                                   .to = s->out + i * EACH + shift,
                                   .bytes = length_of(round, i)};
    return takes;
}

static hd_status take(const side *s, size_t round, size_t shift, unsigned blocks)
{
    const hd__puts none = {.count = 0};

    return hd_launch(hd__puts_exchange, grid_of(blocks, s->stream), none,
                     takes_of(s, round, shift));
}

static void poison(const side *s)
{
    CHECK_STATUS(hd_fill_bytes(s->out, ARRAY_POISON, 1, PUTS * EACH, s->stream), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(s->stream), HD_OK);
}

/* What was to come, and nothing beside it. */
static size_t count_wrong(const unsigned char *came, const side *from, size_t round, size_t shift,
                          size_t to)
{
    size_t wrong = 0;

    for (unsigned i = 0; i < PUTS; i++)
        for (size_t k = 0; k < EACH; k++) {
            const int within = k >= to && k < to + length_of(round, i);
            const unsigned char *sent = from->sent + i * EACH + shift;
            wrong += came[i * EACH + k] != (within ? sent[k - to] : ARRAY_POISON);
        }
    return wrong;
}

/* What has come, what hosts are told, and tickets for the next launch. */
static void check_round(rig *r, const side *from, const side *to, size_t round, size_t shift,
                        size_t at)
{
    unsigned ticket[2] = {1, 1};

    CHECK_STATUS(hd_copy_blocking(r->came, to->out, PUTS * EACH, to->stream), HD_OK);
    CHECK_EQ_U64(count_wrong(r->came, from, round, shift, at), 0);
    CHECK_STATUS(hd_copy_blocking(&ticket[0], &from->tickets[OF_PUTS], 1, from->stream), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&ticket[1], &to->tickets[OF_TAKES], 1, to->stream), HD_OK);
    CHECK_EQ_U64(ticket[0], 0);
    CHECK_EQ_U64(ticket[1], 0);
    CHECK_EQ_U64(from->told[OF_PUTS], round + 1);
    CHECK_EQ_U64(to->told[OF_TAKES], round + 1);
}

/* On one device takes wait for puts that come behind them in no stream that runs beside theirs; nor
   need they under a tool that runs one kernel after another. */
static int may_wait(const rig *r)
{
    return r->apart && !getenv("HEDDLE_SANITIZER");
}

static void one_round(rig *r, size_t round, size_t from, size_t to)
{
    static const unsigned grids[] = {1, 3, 64};
    const unsigned blocks = grids[round % 3];
    const side *source = &r->side[0], *target = &r->side[1];
    const int early = round % 2 && may_wait(r);

    poison(target);
    if (early)
        CHECK_STATUS(take(target, round, to, blocks), HD_OK);
    CHECK_STATUS(hd_launch(hd__puts_send, grid_of(blocks, source->stream),
                           puts_of(source, target, round, from)),
                 HD_OK);
    if (!r->apart)
        CHECK_STATUS(hd_stream_synchronize(source->stream), HD_OK);
    if (!early)
        CHECK_STATUS(take(target, round, to, blocks), HD_OK);
    check_round(r, source, target, round, from, to);
}

static const size_t places[] = {0, 16, 4, 1, 8, 3, 48};

TEST(every_length_and_place)
{
    rig r;

    CHECK_STATUS(rig_open(&r), HD_OK);
    for (size_t round = 0; round < 2 * LENGTHS; round++)
        one_round(&r, round, places[round % 7], places[round / 2 % 7]);
    rig_close(&r);
}

/* Blocks that run at once; virtual devices share one machine, and each counts the whole of it. */
static unsigned resident(int device)
{
    int64_t units = 1, integrated = 0;
    unsigned blocks = 1;

    CHECK_STATUS(hd_device_get(device, HD_ATTR_COMPUTE_UNITS, &units), HD_OK);
    CHECK_STATUS(hd_device_get(device, HD_ATTR_INTEGRATED, &integrated), HD_OK);
    if (!integrated)
        CHECK_STATUS(
            hd_occupancy(hd_kernel_of(hd__puts_exchange), device, HD__PUTS_THREADS, 0, &blocks),
            HD_OK);
    return (unsigned)units * blocks;
}

/* Each device puts and takes in one kernel, and waits for the other one's; or for its own puts, in
   one block, where two may not run at once. */
static void exchange_round(rig *r, size_t round, size_t from, size_t to)
{
    static const unsigned grids[] = {1, 64, 5};
    const int pair = may_wait(r);
    const unsigned sides = pair ? SIDES : 1, most = resident(r->side[0].device);
    const unsigned wanted = pair ? grids[round % 3] : 1, blocks = wanted < most ? wanted : most;

    for (unsigned i = 0; i < sides; i++)
        poison(&r->side[i]);
    for (unsigned i = 0; i < sides; i++) {
        const side *own = &r->side[i], *other = &r->side[sides - 1 - i];
        CHECK_STATUS(hd_launch(hd__puts_exchange, grid_of(blocks, own->stream),
                               puts_of(own, other, round, from), takes_of(own, round, to)),
                     HD_OK);
    }
    for (unsigned i = 0; i < sides; i++)
        check_round(r, &r->side[sides - 1 - i], &r->side[i], round, from, to);
}

TEST(both_in_one_kernel)
{
    rig r;

    CHECK_STATUS(rig_open(&r), HD_OK);
    for (size_t round = 0; round < LENGTHS; round++)
        exchange_round(&r, round, places[round % 7], places[round / 2 % 7]);
    rig_close(&r);
}

/* Puts alone, and nobody told. */
TEST(puts_of_an_exchange)
{
    const hd__takes none = {.count = 0};
    hd__puts puts;
    rig r;

    CHECK_STATUS(rig_open(&r), HD_OK);
    puts = puts_of(&r.side[0], &r.side[1], 3, 0);
    puts.done.word = NULL;
    poison(&r.side[1]);
    CHECK_STATUS(hd_launch(hd__puts_exchange, grid_of(2, r.side[0].stream), puts, none), HD_OK);
    CHECK_STATUS(hd_stream_synchronize(r.side[0].stream), HD_OK);
    CHECK_EQ_U64(r.side[0].told[OF_PUTS], 0);
    r.side[0].told[OF_PUTS] = 4;
    CHECK_STATUS(take(&r.side[1], 3, 0, 2), HD_OK);
    check_round(&r, &r.side[0], &r.side[1], 3, 0, 0);
    rig_close(&r);
}

/* Words alone; what waits for the largest of them, and for such as have come before. */
TEST(words_alone)
{
    hd__puts puts = {.count = HD__PUTS_MAX};
    hd__awaits awaits = {.count = HD__PUTS_MAX};
    uint64_t words[HD__PUTS_MAX] = {0};
    const side *to;
    rig r;

    CHECK_STATUS(rig_open(&r), HD_OK);
    to = &r.side[1];
    puts.ticket = r.side[0].tickets;
    for (unsigned i = 0; i < HD__PUTS_MAX; i++) {
        puts.put[i] = (hd__put){.word = &to->words[i], .value = (uint64_t)i << 40 | 5};
        awaits.of[i] = (hd__awaited){&to->words[i], i % 2 ? 5 : (uint64_t)i << 40 | 5};
    }
    CHECK_STATUS(hd_launch(hd__puts_send, grid_of(2, r.side[0].stream), puts), HD_OK);
    if (!r.apart)
        CHECK_STATUS(hd_stream_synchronize(r.side[0].stream), HD_OK);
    CHECK_STATUS(hd_launch(hd__puts_await, hd_launch_1d(1, 1, to->stream), awaits), HD_OK);
    CHECK_STATUS(hd_copy_blocking(words, to->words, HD__PUTS_MAX, to->stream), HD_OK);
    for (unsigned i = 0; i < HD__PUTS_MAX; i++)
        CHECK_EQ_U64(words[i], (uint64_t)i << 40 | 5);
    rig_close(&r);
}

TEST_MAIN
