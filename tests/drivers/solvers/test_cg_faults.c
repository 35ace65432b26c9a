/* SPDX-License-Identifier: Apache-2.0 */
/* test_cg_faults.c - a device of a solver fails in the middle of a solution: the call says so soon,
   the work of all others has ended, and nothing is left behind.
   labels: faults lazy peers */
#include "arrays.h"
#include "devices.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/cg.h>

#include "drivers/sparse/cg_plan.h"
#include "kern_jacobi_fault.h"

enum { N = 16384, DEVICES = 3 };

/* -1, 2, -1: N iterations and more, which take seconds. */
typedef struct chain {
    int32_t offsets[N + 1], column[3 * N];
    double value[3 * N], b[N], x[N];
} chain;

static hd_csr chain_make(chain *c)
{
    hd_csr matrix = {0};
    int32_t at = 0;

    for (int32_t i = 0; i < N; i++) {
        c->offsets[i] = at;
        for (int32_t k = i > 0 ? i - 1 : 0; k <= i + 1 && k < N; k++, at++) {
            c->column[at] = k;
            c->value[at] = k == i ? 2 : -1;
        }
        c->b[i] = 1 + i % 7;
        c->x[i] = 0;
    }
    c->offsets[N] = at;
    matrix.rows = matrix.columns = N;
    matrix.entries = (size_t)at;
    matrix.offset_type = HD_I32;
    matrix.type = HD_F64;
    matrix.offsets = c->offsets;
    matrix.column = c->column;
    matrix.value = c->value;
    return matrix;
}

/* What another thread does to a device while the solver iterates. */
typedef struct fault {
    hd_stream *on;
    int lose;
} fault;

static void *fault_later(void *argument)
{
    const struct timespec moment = {0, 20000000};
    const fault *f = argument;
    const hd_launch_config config = hd_launch_with(hd_dim(1, 1, 1), hd_dim(f->lose ? 1 : 32, 1, 1),
                                                   0, f->on);

    (void)nanosleep(&moment, NULL);
    if (f->lose)
        CHECK_STATUS(hd_launch(jacobi_poke, config, NULL), HD_OK);
    else
        CHECK_STATUS(hd_launch(jacobi_fault, config, 33u), HD_OK);
    return NULL;
}

static void check_ended(const hd_cg *solver, unsigned failed)
{
    for (unsigned rank = 0; rank < solver->count; rank++)
        if (rank != failed) {
            CHECK_STATUS(hd_stream_query(solver->parts[rank].stream), HD_OK);
            CHECK_STATUS(hd_stream_query(solver->parts[rank].copies), HD_OK);
        }
}

static const int devices[DEVICES] = {2, 0, 1};

/* before[i]: what device i had free. */
static hd_cg *open_solver(chain *c, const hd_cg_options *options, size_t before[DEVICES])
{
    const hd_csr matrix = chain_make(c);
    hd_cg *solver = NULL;

    for (int i = 0; i < DEVICES; i++)
        before[i] = test_free_bytes(i);
    CHECK_STATUS(hd_cg_create(devices, DEVICES, &matrix, options, &solver), HD_OK);
    return solver;
}

static void fail_in_the_middle(const hd_cg_options *options, unsigned failed, int lose)
{
    static chain c;
    size_t before[DEVICES];
    hd_cg_report report = {0};
    char name[32];
    pthread_t thread;
    fault f;

    hd_cg *solver = open_solver(&c, options, before);
    if (!solver)
        return;
    /* the graph is made, if there is one: nobody else may use its streams meanwhile */
    REQUIRE(hd_cg_solve(solver, c.b, c.x, 0, 4, &report) == HD_OK);
    f = (fault){solver->parts[failed].stream, lose};
    REQUIRE(pthread_create(&thread, NULL, fault_later, &f) == 0);
    const double begin = test_seconds();
    const hd_status status = hd_cg_solve(solver, c.b, c.x, 0, 1000 * (size_t)N, &report);
    (void)pthread_join(thread, NULL);
    snprintf(name, sizeof name, "device %d", devices[failed]);
    const int expected = lose ? status == HD_ERR_ILLEGAL_ADDRESS || status == HD_ERR_DEVICE_LOST
                              : status == HD_ERR_ASSERT;
    if (!expected || !strstr(hd_error_last()->message, name))
        test_fail(__FILE__, __LINE__, "rank %u, lost %d, by %s and %s: %d \"%s\"", failed, lose,
                  hd_cg_issue_name(options->issue), hd_cg_sums_name(options->sums), (int)status,
                  hd_error_last()->message);
    if (test_seconds() - begin > 10 + (double)test_watched(0, 50))
        test_fail(__FILE__, __LINE__, "took %g s", test_seconds() - begin);
    check_ended(solver, lose ? failed : DEVICES);
    CHECK_STATUS(hd_cg_solve(solver, c.b, c.x, 0, 4, &report), HD_ERR_STATE);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    for (int i = 0; i < DEVICES; i++)
        if (!lose || i != devices[failed])
            CHECK_EQ_U64(test_free_bytes(i), before[i]);
    if (lose)
        CHECK_STATUS(hd_device_reset(devices[failed]), HD_OK);
}

static void all_ways(int lose)
{
    for (unsigned way = 0; way < 4; way++) {
        const hd_cg_options options = {HD_CG_JACOBI, way & 1 ? HD_CG_STREAMS : HD_CG_GRAPH,
                                       way & 2 ? HD_CG_GROUP : HD_CG_EVENTS, 4};
        fail_in_the_middle(&options, way % DEVICES, lose);
    }
}

/* What connecting devices keeps is there before. */
static void connect_all(void)
{
    for (int a = 0; a < DEVICES; a++)
        for (int b = 0; b < a; b++)
            CHECK_STATUS(hd_peer_connect(a, b, NULL), HD_OK);
}

TEST(a_kernel_fails_in_the_middle)
{
    if (!test_own_devices(DEVICES))
        SKIP("fewer than 3 devices, or not ours alone");
    connect_all();
    all_ways(0);
}

TEST(a_device_is_lost_in_the_middle)
{
    if (!test_own_devices(DEVICES))
        SKIP("fewer than 3 devices, or not ours alone");
    connect_all();
    all_ways(1);
}

/* One device has no event to say that it is ready: others have work by then. */
static void enqueue_half(const hd_cg_options *options, unsigned failed)
{
    static chain c;
    size_t before[DEVICES];
    hd_cg_report report = {0};

    hd_cg *solver = open_solver(&c, options, before);
    if (!solver)
        return;
    hd_event *ready = solver->parts[failed].ready;
    const double begin = test_seconds();
    solver->parts[failed].ready = NULL;
    CHECK_STATUS(hd_cg_solve(solver, c.b, c.x, 0, 100, &report), HD_ERR_ARGUMENT);
    solver->parts[failed].ready = ready;
    if (test_seconds() - begin > 10 + (double)test_watched(0, 50))
        test_fail(__FILE__, __LINE__, "took %g s", test_seconds() - begin);
    check_ended(solver, DEVICES);
    CHECK_STATUS(hd_cg_solve(solver, c.b, c.x, 0, 4, &report), HD_ERR_STATE);
    CHECK_STATUS(hd_cg_destroy(solver), HD_OK);
    for (int i = 0; i < DEVICES; i++)
        CHECK_EQ_U64(test_free_bytes(i), before[i]);
}

TEST(enqueueing_fails_half_way)
{
    if (!test_own_devices(DEVICES))
        SKIP("fewer than 3 devices, or not ours alone");
    connect_all();
    for (unsigned way = 0; way < 4; way++)
        for (unsigned failed = 0; failed < DEVICES; failed++) {
            const hd_cg_options options = {HD_CG_JACOBI, way & 1 ? HD_CG_STREAMS : HD_CG_GRAPH,
                                           way & 2 ? HD_CG_GROUP : HD_CG_EVENTS, 4};
            enqueue_half(&options, failed);
        }
}

TEST_MAIN
