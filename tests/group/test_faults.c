/* SPDX-License-Identifier: Apache-2.0 */
/* test_faults.c - participants that fail or do not come: a status for everybody, soon, and nothing
   left behind. labels: faults few */
#include "ranks.h"

#include "../drivers/devices.h"
#include "drivers/group/plan.h"

#include <pthread.h>

#include "fault_kernels.h"

enum { N = 5000 };
static const double limit = 0.25; /* seconds */

typedef struct rig {
    hd_group *group;
    unsigned count;
    rank_arrays in;
    size_t free_before[RANKS];
} rig;

static int rig_open(rig *g, hd_group_algorithm algorithm)
{
    const hd_group_options options = {.timeout_seconds = limit, .algorithm = algorithm};

    g->count = ranks_devices();
    if (g->count < 2)
        return 0;
    for (unsigned r = 0; r < g->count; r++)
        CHECK_STATUS(hd_device_memory((int)r, &g->free_before[r], NULL), HD_OK);
    g->group = ranks_group(g->count, &options);
    if (!g->group)
        return 0;
    ranks_make(&g->in, g->group, N * sizeof(float), 0);
    ranks_fill(&g->in, g->group, HD_F32, VALUES_SMALL, 1);
    return 1;
}

static void rig_close(rig *g)
{
    ranks_free(&g->in);
    CHECK_STATUS(hd_group_destroy(g->group), HD_OK);
    for (unsigned r = 0; r < g->count; r++) {
        size_t free_now = 0;
        CHECK_STATUS(hd_device_memory((int)r, &free_now, NULL), HD_OK);
        if (strcmp(hd_backend_name(), "cpu") == 0)
            CHECK_EQ_SIZE(free_now, g->free_before[r]);
    }
}

static hd_status enqueue(rig *g, unsigned r)
{
    return hd_group_all_reduce_rank(g->group, r, g->in.device[r], g->in.device[r], N, HD_F32,
                                    HD_SUM, NULL);
}

static void check_names(unsigned rank, const rig *g)
{
    char name[64];
    snprintf(name, sizeof name, "rank %u (device %d)", rank, hd_group_device(g->group, rank));
    if (!strstr(hd_error_last()->message, name))
        test_fail(__FILE__, __LINE__, "\"%s\" does not name %s", hd_error_last()->message, name);
}

/* Every later call of every rank says the same. */
static void check_everybody(rig *g, hd_status expected, unsigned rank)
{
    for (unsigned r = 0; r < g->count; r++) {
        CHECK_STATUS(enqueue(g, r), expected);
        check_names(rank, g);
        CHECK_STATUS(hd_group_synchronize_rank(g->group, r), expected);
        check_names(rank, g);
    }
    CHECK_STATUS(hd_group_barrier(g->group, NULL), expected);
}

/* The last rank never calls. */
static void missing_rank(hd_group_algorithm algorithm)
{
    rig g;
    double begin;

    if (!rig_open(&g, algorithm))
        SKIP("one device");
    begin = test_seconds();
    for (unsigned r = 0; r + 1 < g.count; r++)
        CHECK_STATUS(enqueue(&g, r), HD_OK);
    CHECK_STATUS(hd_group_synchronize(g.group), HD_ERR_TIMEOUT);
    check_names(g.count - 1, &g);
    if (test_seconds() - begin > 20 * limit + (double)test_watched(0, 20))
        test_fail(__FILE__, __LINE__, "took %g s with a limit of %g s", test_seconds() - begin,
                  limit);
    check_everybody(&g, HD_ERR_TIMEOUT, g.count - 1);
    rig_close(&g);
}

TEST(a_rank_that_does_not_come_words)
{
    missing_rank(HD_GROUP_ONE_SHOT);
}

TEST(a_rank_that_does_not_come_two_shot)
{
    missing_rank(HD_GROUP_TWO_SHOT);
}

TEST(a_rank_that_does_not_come_lines)
{
    hd__group_forced = (hd__group_tuning){.line_bytes = 1};
    missing_rank(HD_GROUP_ONE_SHOT);
    missing_rank(HD_GROUP_TWO_SHOT);
    hd__group_forced = (hd__group_tuning){0};
}

TEST(a_rank_that_does_not_come_chunks)
{
    missing_rank(HD_GROUP_DIRECT);
}

TEST(a_rank_that_does_not_come_copies)
{
    missing_rank(HD_GROUP_COPIES);
}

TEST(a_rank_that_does_not_come_ring)
{
    missing_rank(HD_GROUP_RING);
}

/* Nobody calls hd_group_synchronize: waiting for a stream ends too. */
TEST(a_stream_that_waits_ends)
{
    rig g;

    if (!rig_open(&g, HD_GROUP_BY_SIZE))
        SKIP("one device");
    CHECK_STATUS(enqueue(&g, 0), HD_OK);
    (void)hd_stream_synchronize(hd_group_stream(g.group, 0));
    CHECK_STATUS(hd_group_synchronize(g.group), HD_ERR_TIMEOUT);
    rig_close(&g);
}

TEST(a_rank_whose_kernel_fails)
{
    rig g;

    if (!rig_open(&g, HD_GROUP_BY_SIZE))
        SKIP("one device");
    CHECK_STATUS(
        hd_launch(group_fault,
                  hd_launch_with(hd_dim(1, 1, 1), hd_dim(32, 1, 1), 0, hd_group_stream(g.group, 1)),
                  33u),
        HD_OK);
    for (unsigned r = 0; r < g.count; r++)
        CHECK_STATUS(enqueue(&g, r), HD_OK);
    CHECK_STATUS(hd_group_synchronize(g.group), HD_ERR_ASSERT);
    check_names(1, &g);
    check_everybody(&g, HD_ERR_ASSERT, 1);
    rig_close(&g);
}

static void *abort_later(void *group)
{
    const struct timespec moment = {0, 30000000};
    (void)nanosleep(&moment, NULL);
    CHECK_STATUS(hd_group_abort(group), HD_OK);
    return NULL;
}

TEST(aborted_from_another_thread)
{
    pthread_t thread;
    rig g;

    if (!rig_open(&g, HD_GROUP_BY_SIZE))
        SKIP("one device");
    CHECK_STATUS(enqueue(&g, 0), HD_OK);
    REQUIRE(pthread_create(&thread, NULL, abort_later, g.group) == 0);
    CHECK_STATUS(hd_group_synchronize(g.group), HD_ERR_STATE);
    (void)pthread_join(thread, NULL);
    CHECK_STATUS(enqueue(&g, 1), HD_ERR_STATE);
    rig_close(&g);
}

/* Destroyed while a rank waits in vain. */
TEST(destroyed_in_the_middle)
{
    rig g;

    if (!rig_open(&g, HD_GROUP_BY_SIZE))
        SKIP("one device");
    CHECK_STATUS(enqueue(&g, 0), HD_OK);
    CHECK_STATUS(hd_group_destroy(g.group), HD_OK);
    for (unsigned r = 0; r < g.count; r++)
        CHECK_STATUS(hd_free(g.in.base[r]), HD_OK);
}

/* One device has no memory left. */
TEST(no_memory_on_one_device)
{
    enum { LEAST = 256 }; /* bytes that every allocation is a multiple of */
    const unsigned count = ranks_devices();
    static void *taken[1 << 18];
    size_t left[RANKS], used = 0, free_bytes = 0, size = 0;
    int devices[RANKS];
    hd_group *group = NULL;

    if (count < 2)
        SKIP("one device");
    for (unsigned r = 0; r < count; r++) {
        int to = (int)r;
        devices[r] = to;
        if (r > 0) /* what connecting allocates and keeps */
            CHECK_STATUS(hd_peer_connect(0, to, NULL), HD_OK);
    }
    CHECK_STATUS(hd_device_memory(1, &size, NULL), HD_OK);
    for (size = size / 2 / LEAST * LEAST; size >= LEAST; size = size / 2 / LEAST * LEAST)
        while (used < sizeof taken / sizeof *taken &&
               hd_alloc_bytes(&taken[used], size, 1, HD_MEM_DEVICE, 1) == HD_OK)
            used++;
    for (unsigned r = 0; r < count; r++)
        CHECK_STATUS(hd_device_memory((int)r, &left[r], NULL), HD_OK);
    CHECK_STATUS(hd_group_create(devices, count, NULL, &group), HD_ERR_NO_MEMORY);
    CHECK(group == NULL);
    CHECK(strstr(hd_error_last()->message, "rank 1 (device 1)") != NULL);
    for (unsigned r = 0; r < count && strcmp(hd_backend_name(), "cpu") == 0; r++) {
        CHECK_STATUS(hd_device_memory((int)r, &free_bytes, NULL), HD_OK);
        CHECK_EQ_SIZE(free_bytes, left[r]);
    }
    while (used > 0)
        CHECK_STATUS(hd_free(taken[--used]), HD_OK);
    CHECK_STATUS(hd_group_create(devices, count, NULL, &group), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
}

TEST(arguments)
{
    const int one[] = {0}, twice[] = {0, 0}, far[] = {0, 99};
    hd_group *group = NULL;
    float *x = NULL;

    CHECK_STATUS(hd_group_create(NULL, 1, NULL, &group), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_create(one, 0, NULL, &group), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_create(one, HD_GROUP_MAX_RANKS + 1, NULL, &group), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_create(twice, 2, NULL, &group), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_create(far, 2, NULL, &group), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_group_create(one, 1, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_create(one, 1, NULL, &group), HD_OK);
    CHECK_STATUS(hd_alloc(&x, 16, 0), HD_OK);
    const void *in[] = {x};
    void *out[] = {x + 1};
    CHECK_STATUS(hd_group_all_reduce(group, in, out, 8, HD_F32, HD_SUM, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_all_reduce(group, in, out, 8, HD_F32, HD_NORM1, NULL),
                 HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_group_all_reduce(group, in, NULL, 8, HD_F32, HD_SUM, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_all_reduce(NULL, in, out, 8, HD_F32, HD_SUM, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 1, x, x, 8, HD_F32, HD_SUM, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_broadcast_rank(group, 0, x, 8, HD_F32, 1, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 0, x, x, 17, HD_F32, HD_SUM, NULL),
                 HD_ERR_POINTER);
    CHECK_STATUS(hd_group_all_reduce_rank(group, 0, x, x, SIZE_MAX / 2, HD_F32, HD_SUM, NULL),
                 HD_ERR_OVERFLOW);
    CHECK_STATUS(hd_group_synchronize(group), HD_OK);
    CHECK_STATUS(hd_group_destroy(group), HD_OK);
    CHECK_STATUS(hd_group_destroy(NULL), HD_OK);
    CHECK_STATUS(hd_free(x), HD_OK);
}

TEST_MAIN
