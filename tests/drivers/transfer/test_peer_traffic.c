/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy several
   test_peer_traffic.c - long sequences of transfers of random sizes, places and directions between
   devices with random access to each other, on streams that come and go, against the same moves in
   host memory. Nothing but events orders one transfer after the other. */
#include <heddle/peer.h>

#include "unit/child.h"
#include "arrays.h"
#include "runtime/peer/peer.h"

enum { MOST = 4, BYTES = 700001 };

typedef struct traffic {
    int count;
    uint64_t random;
    unsigned char *memory[MOST], *model[MOST];
    hd_stream *stream[MOST];
    hd_event *moved[MOST]; /* the last transfer that was issued on a stream of the device */
    int last;              /* whose event that is; -1: none */
} traffic;

static size_t below(traffic *t, size_t limit)
{
    return (size_t)(test_next(&t->random) % limit);
}

static hd_status traffic_open(traffic *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->random = seed;
    t->last = -1;
    HD_TRY(hd_device_count(&t->count));
    t->count = t->count < MOST ? t->count : MOST;
    for (int d = 0; d < t->count; d++) {
        t->model[d] = malloc(BYTES);
        if (!t->model[d])
            return HD_ERR_NO_MEMORY;
        for (size_t i = 0; i < BYTES; i++)
            t->model[d][i] = (unsigned char)test_next(&t->random);
        HD_TRY(hd_alloc(&t->memory[d], BYTES, d));
        HD_TRY(hd_stream_create(d, &t->stream[d]));
        HD_TRY(hd_event_create(d, 0, &t->moved[d]));
        HD_TRY(hd_copy_blocking(t->memory[d], t->model[d], BYTES, t->stream[d]));
    }
    return HD_OK;
}

static void traffic_close(traffic *t)
{
    for (int d = 0; d < t->count; d++) {
        CHECK_STATUS(hd_free(t->memory[d]), HD_OK);
        CHECK_STATUS(hd_stream_destroy(t->stream[d]), HD_OK);
        CHECK_STATUS(hd_event_destroy(t->moved[d]), HD_OK);
        free(t->model[d]);
    }
}

/* One transfer in four is large; streams are replaced while their work may still run. */
static hd_status move(traffic *t)
{
    const int from = (int)below(t, (size_t)t->count);
    const int to = (from + 1 + (int)below(t, (size_t)t->count - 1)) % t->count;
    const int on = below(t, 2) ? from : to;
    const size_t bytes = 1 + below(t, below(t, 4) ? 3000 : BYTES - 1);
    const size_t source = below(t, BYTES - bytes + 1), target = below(t, BYTES - bytes + 1);

    if (below(t, 8) == 0) {
        HD_TRY(hd_stream_destroy(t->stream[on]));
        t->stream[on] = NULL;
        HD_TRY(hd_stream_create(on, &t->stream[on]));
    }
    if (t->last >= 0)
        HD_TRY(hd_stream_wait(t->stream[on], t->moved[t->last]));
    HD_TRY(hd_transfer(t->memory[to] + target, to, t->memory[from] + source, from, bytes,
                       t->stream[on]));
    HD_TRY(hd_event_record(t->moved[on], t->stream[on]));
    t->last = on;
    memmove(t->model[to] + target, t->model[from] + source, bytes);
    return HD_OK;
}

static void sequence(uint64_t seed, size_t moves)
{
    unsigned char *got = malloc(BYTES);
    traffic t;

    REQUIRE(got && traffic_open(&t, seed) == HD_OK);
    for (size_t i = 0; i < moves && t.count > 1; i++)
        if (!CHECK_STATUS(move(&t), HD_OK)) {
            NOTE("move %zu: %s", i, hd_error_last()->message);
            break;
        }
    if (t.last >= 0)
        CHECK_STATUS(hd_event_synchronize(t.moved[t.last]), HD_OK);
    for (int d = 0; d < t.count; d++) {
        CHECK_STATUS(hd_copy_blocking(got, t.memory[d], BYTES, t.stream[d]), HD_OK);
        if (!CHECK(memcmp(got, t.model[d], BYTES) == 0))
            NOTE("device %d, seed %u", d, (unsigned)seed);
    }
    traffic_close(&t);
    free(got);
}

static void sequences(void)
{
    hd__relay_forced.large_slot = 160 << 10;
    for (uint64_t seed = 1; seed <= test_watched(3, 1); seed++)
        sequence(seed, test_watched(300, 60));
    CHECK_STATUS(hd_peer_trim(), HD_OK);
}

TEST(random_access)
{
    char *worlds[][3] = {{"HEDDLE_CPU_DEVICES=2", "HEDDLE_CPU_PEERS=none", NULL},
                         {"HEDDLE_CPU_DEVICES=4", "HEDDLE_CPU_PEERS=none", NULL},
                         {"HEDDLE_CPU_DEVICES=3", "HEDDLE_CPU_PEERS=0-2", NULL},
                         {"HEDDLE_CPU_DEVICES=4", "HEDDLE_CPU_PEERS_BROKEN=0-1,2-3,1-3", NULL}};

    if (strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("worlds are the CPU's");
    for (size_t i = 0; i < 4; i++)
        if (!CHECK_EQ_I64(child_run(worlds[i], sequences), 0))
            NOTE("%s %s", worlds[i][0], worlds[i][1]);
}

TEST(this_machine)
{
    sequences();
}

TEST_MAIN
