/* SPDX-License-Identifier: Apache-2.0 */
/* test_meet.c - calls in which data alone do not tell a rank that the others have come: barriers,
   and messages that go one way. A thread for each rank, one of which comes late.
   labels: lazy few */
#include "ranks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { LATE_MS = 20, CALLS = 6, BYTES = 1000 };

typedef struct meeting {
    hd_group *group;
    rank_arrays in, out;
    unsigned late;
    atomic_int came; /* the late rank */
} meeting;

typedef struct caller {
    meeting *m;
    unsigned rank;
} caller;

static void come_late(meeting *m, unsigned rank)
{
    const struct timespec pause = {0, LATE_MS * 1000000L};

    if (rank != m->late)
        return;
    (void)nanosleep(&pause, NULL);
    atomic_store(&m->came, 1);
}

static void each_rank(meeting *m, void *(*call)(void *))
{
    pthread_t thread[RANKS];
    caller callers[RANKS];

    for (unsigned r = 0; r < hd_group_size(m->group); r++) {
        callers[r] = (caller){m, r};
        REQUIRE(pthread_create(&thread[r], NULL, call, &callers[r]) == 0);
    }
    for (unsigned r = 0; r < hd_group_size(m->group); r++)
        (void)pthread_join(thread[r], NULL);
}

static void *pass_barrier(void *argument)
{
    const caller *c = argument;

    come_late(c->m, c->rank);
    CHECK_STATUS(hd_group_barrier_rank(c->m->group, c->rank, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize_rank(c->m->group, c->rank), HD_OK);
    CHECK(atomic_load(&c->m->came));
    return NULL;
}

static void barriers(const hd_group_options *options)
{
    meeting m = {.group = ranks_group(ranks_count(), options)};

    REQUIRE(m.group != NULL);
    for (m.late = 0; m.late < hd_group_size(m.group); m.late++) {
        atomic_store(&m.came, 0);
        each_rank(&m, pass_barrier);
    }
    CHECK_STATUS(hd_group_destroy(m.group), HD_OK);
}

TEST(nobody_passes_a_barrier_before_all_have_come)
{
    barriers(NULL);
    barriers(&(hd_group_options){.p2p = HD_GROUP_P2P_OFF});
}

/* Call i: bytes i * BYTES and so on, from the rank before the late one to it. */
static void *send_one_way(void *argument)
{
    const caller *c = argument;
    const unsigned count = hd_group_size(c->m->group), to = c->m->late;
    const unsigned from = (to + count - 1) % count;

    come_late(c->m, c->rank);
    for (size_t i = 0; i < CALLS; i++) {
        const hd_group_message one = {from, to, c->m->in.device[from] + i * BYTES,
                                      c->m->out.device[to] + i * BYTES, BYTES};
        CHECK_STATUS(hd_group_send_receive_rank(c->m->group, c->rank, &one, 1, NULL), HD_OK);
    }
    CHECK_STATUS(hd_group_synchronize_rank(c->m->group, c->rank), HD_OK);
    return NULL;
}

/* In words, and in chunks. */
static void messages(size_t move_word_bytes)
{
    const hd_group_options options = {.timeout_seconds = 2};
    const unsigned count = ranks_count();
    meeting m = {0};

    if (count < 2)
        SKIP("one rank");
    hd__group_forced = (hd__group_tuning){.move_word_bytes = move_word_bytes};
    m.group = ranks_group(count, &options);
    hd__group_forced = (hd__group_tuning){0};
    REQUIRE(m.group != NULL);
    ranks_make(&m.in, m.group, CALLS * BYTES, 0);
    ranks_make(&m.out, m.group, CALLS * BYTES, 0);
    for (m.late = 0; m.late < count && test_now.failures == 0; m.late++) {
        ranks_fill(&m.in, m.group, HD_U8, VALUES_RANDOM, m.late);
        each_rank(&m, send_one_way);
        ranks_check(&m.out, m.group, m.late, m.in.host[(m.late + count - 1) % count],
                    "messages to a late rank");
    }
    ranks_free(&m.in);
    ranks_free(&m.out);
    CHECK_STATUS(hd_group_destroy(m.group), HD_OK);
}

TEST(messages_wait_for_a_late_receiver)
{
    messages(BYTES);
    messages(1);
}

/* A rank that is late for every call, and never for as long as the limit. */
static void *come_late_often(void *argument)
{
    const struct timespec pause = {0, 250000000L};
    const caller *c = argument;

    for (unsigned i = 0; i < CALLS; i++) {
        if (c->rank == c->m->late)
            (void)nanosleep(&pause, NULL);
        CHECK_STATUS(hd_group_barrier_rank(c->m->group, c->rank, NULL), HD_OK);
    }
    CHECK_STATUS(hd_group_synchronize_rank(c->m->group, c->rank), HD_OK);
    return NULL;
}

TEST(the_time_limit_is_that_of_one_operation)
{
    const hd_group_options options = {.timeout_seconds = 1};
    meeting m = {.group = ranks_group(ranks_count(), &options)};

    REQUIRE(m.group != NULL);
    each_rank(&m, come_late_often);
    CHECK_STATUS(hd_group_destroy(m.group), HD_OK);
}

static void *pass_and_miss(void *argument)
{
    const caller *c = argument;

    come_late(c->m, c->rank);
    CHECK_STATUS(hd_group_barrier_rank(c->m->group, c->rank, NULL), HD_OK);
    if (c->rank == 1)
        return NULL;
    CHECK_STATUS(hd_group_barrier_rank(c->m->group, c->rank, NULL), HD_OK);
    CHECK_STATUS(hd_group_synchronize_rank(c->m->group, c->rank), HD_ERR_TIMEOUT);
    CHECK(strstr(hd_error_last()->message, "in vain for rank 1 (device") != NULL);
    return NULL;
}

/* That rank 1 has waited before does not mean that it still does. */
TEST(who_waited_and_then_does_not_come_is_named)
{
    const hd_group_options options = {.timeout_seconds = 1};
    meeting m = {0};

    if (ranks_count() < 2)
        SKIP("one rank");
    m.group = ranks_group(ranks_count(), &options);
    REQUIRE(m.group != NULL);
    each_rank(&m, pass_and_miss);
    CHECK_STATUS(hd_group_destroy(m.group), HD_OK);
}

/* Rank 1 has an element more, for which it alone has another block. */
static void *sum_more(void *argument)
{
    const caller *c = argument;
    meeting *m = c->m;
    const size_t per_block = m->group->tuning.word_threads * HD__GROUP_UNIT;

    CHECK_STATUS(hd_group_all_reduce_rank(m->group, c->rank, m->in.device[c->rank],
                                          m->out.device[c->rank], per_block + (c->rank == 1), HD_U8,
                                          HD_SUM, NULL),
                 HD_OK);
    const hd_status status = hd_group_synchronize_rank(m->group, c->rank);
    if (c->rank == 1) { /* the other one has all that it wanted */
        CHECK_STATUS(status, HD_ERR_TIMEOUT);
        CHECK(strstr(hd_error_last()->message, "in vain for rank 0 (device") != NULL);
    }
    return NULL;
}

TEST(any_block_may_wait_in_vain)
{
    const hd_group_options options = {.algorithm = HD_GROUP_ONE_SHOT, .timeout_seconds = 1};
    meeting m = {0};

    hd__group_forced = (hd__group_tuning){.line_bytes = SIZE_MAX};
    if (ranks_count() >= 2)
        m.group = ranks_group(2, &options);
    hd__group_forced = (hd__group_tuning){0};
    if (!m.group)
        SKIP("one rank");
    ranks_make(&m.in, m.group, 8 * BYTES, 0);
    ranks_make(&m.out, m.group, 8 * BYTES, 0);
    each_rank(&m, sum_more);
    ranks_free(&m.in);
    ranks_free(&m.out);
    CHECK_STATUS(hd_group_destroy(m.group), HD_OK);
}

TEST(streams_of_the_caller_are_waited_for)
{
    hd_stream *streams[RANKS] = {NULL};
    rank_arrays a;
    hd_group *group = ranks_group(ranks_count(), NULL);

    REQUIRE(group != NULL);
    ranks_make(&a, group, BYTES, 0);
    ranks_fill(&a, group, HD_U8, VALUES_RANDOM, 1);
    for (unsigned r = 0; r < a.count; r++)
        REQUIRE(hd_stream_create(hd_group_device(group, r), &streams[r]) == HD_OK);
    CHECK_STATUS(hd_group_all_reduce(group, (const void *const *)(const void *)a.device,
                                     (void *const *)(const void *)a.device, BYTES, HD_U8, HD_SUM,
                                     streams),
                 HD_OK);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    for (unsigned r = 0; r < a.count; r++)
        CHECK_STATUS(hd_stream_query(streams[r]), HD_OK);
    CHECK_STATUS(hd_group_synchronize_rank(group, a.count), HD_ERR_ARGUMENT);
    ranks_free(&a);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
    for (unsigned r = 0; r < RANKS; r++)
        CHECK_STATUS(hd_stream_destroy(streams[r]), HD_OK);
}

TEST_MAIN
