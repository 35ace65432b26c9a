/* SPDX-License-Identifier: Apache-2.0 */
/* test_lazy.c - with lazy streams a missing wait gives a wrong result at some seed, and correct
   code is right at all of them. CPU only. */
#include <fcntl.h>
#include <heddle/graph.h>

#include "child.h"
#include "unit_kernels.h"

enum { N = 500, SEEDS = 24 };

static int good(hd_status status)
{
    if (status != HD_OK)
        test_fail(__FILE__, __LINE__, "%s", hd_error_last()->message);
    return status == HD_OK;
}

/* Stream a makes x, stream b makes y of it. Checks y where `waits` says that b waits for a. */
static void produce_and_consume(int waits)
{
    hd_stream *a = NULL, *b = NULL;
    hd_event *made = NULL;
    int *x = NULL, *y = NULL, back[N], i, wrong = 0;
    hd_launch_config on_a, on_b;

    good(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &a));
    good(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &b));
    good(hd_event_create(0, 0, &made));
    good(hd_alloc(&x, N, 0));
    good(hd_alloc(&y, N, 0));
    good(hd_fill_zero(x, N, a));
    good(hd_stream_synchronize(a));
    on_a = hd_launch_1d(N, 64, a);
    on_b = hd_launch_1d(N, 64, b);
    good(hd_launch(unit_set, on_a, (size_t)N, x, 1));
    good(hd_launch(unit_add, on_a, (size_t)N, (const int *)x, x, 2));
    good(hd_event_record(made, a));
    if (waits)
        good(hd_stream_wait(b, made));
    good(hd_launch(unit_add, on_b, (size_t)N, (const int *)x, y, 10));
    good(hd_copy(back, (const int *)y, N, b));
    good(hd_stream_synchronize(b));
    for (i = 0; i < N; i++)
        wrong += back[i] != 13;
    CHECK_EQ_I64(wrong, 0);
    good(hd_stream_synchronize(a));
    good(hd_free(x));
    good(hd_free(y));
    good(hd_event_destroy(made));
    good(hd_stream_destroy(a));
    good(hd_stream_destroy(b));
}

static void correct(void)
{
    produce_and_consume(1);
}

/* Its failures are what the test is after. */
static void silence(void)
{
    int null = open("/dev/null", O_WRONLY);

    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
}

static void quiet_faulty(void)
{
    silence();
    produce_and_consume(0);
}

/* Correct programs of other shapes: events across devices, tasks, copies, the default stream. */
static void correct_on_two_devices(void)
{
    hd_stream *s[2] = {NULL, NULL};
    hd_event *done = NULL;
    int *x[2] = {NULL, NULL}, back = 0, d;

    for (d = 0; d < 2; d++) {
        good(hd_stream_create(d, &s[d]));
        good(hd_alloc(&x[d], N, d));
    }
    good(hd_event_create(0, 0, &done));
    good(hd_launch(unit_set, hd_launch_1d(N, 64, s[0]), (size_t)N, x[0], 40));
    good(hd_event_record(done, s[0]));
    good(hd_stream_wait(s[1], done));
    good(hd_copy_peer(x[1], 1, x[0], 0, N * sizeof(int), s[1]));
    good(hd_launch(unit_add, hd_launch_1d(N, 64, s[1]), (size_t)N, (const int *)x[1], x[1], 2));
    good(hd_copy_blocking(&back, (const int *)(x[1] + N - 1), 1, s[1]));
    CHECK_EQ_I64(back, 42);
    for (d = 0; d < 2; d++) {
        good(hd_device_synchronize(d));
        good(hd_free(x[d]));
        good(hd_stream_destroy(s[d]));
    }
    good(hd_event_destroy(done));
}

/* A diamond in a graph: x, then two halves of y from it, then z from both. Without one edge the
   last node may see an old half. */
static void diamond(int all_edges)
{
    hd_launch_config config = hd_launch_1d(N, 64, NULL);
    hd_graph *graph = NULL;
    hd_graph_exec *exec = NULL;
    hd_graph_node *top = NULL, *half[2] = {NULL, NULL};
    hd_stream *a = NULL;
    int *x = NULL, *y = NULL, *z = NULL, back[N], i, wrong = 0;

    good(hd_stream_create(0, &a));
    good(hd_alloc(&x, N, 0));
    good(hd_alloc(&y, N, 0));
    good(hd_alloc(&z, N, 0));
    good(hd_fill_zero(y, N, a));
    good(hd_graph_create(0, &graph));
    good(hd_graph_kernel(graph, NULL, 0, &top, unit_set, config, (size_t)N, x, 1));
    for (i = 0; i < 2; i++)
        good(hd_graph_kernel(graph, &top, 1, &half[i], unit_add, config, (size_t)(N / 2),
                             (const int *)(x + i * (N / 2)), y + i * (N / 2), 2));
    good(hd_graph_kernel(graph, half, all_edges ? 2 : 1, NULL, unit_add, config, (size_t)N,
                         (const int *)y, z, 10));
    good(hd_graph_instantiate(graph, &exec));
    good(hd_graph_launch(exec, a));
    good(hd_copy(back, (const int *)z, N, a));
    good(hd_stream_synchronize(a));
    for (i = 0; i < N; i++)
        wrong += back[i] != 13;
    CHECK_EQ_I64(wrong, 0);
    good(hd_graph_exec_destroy(exec));
    good(hd_graph_destroy(graph));
    good(hd_free(x));
    good(hd_free(y));
    good(hd_free(z));
    good(hd_stream_destroy(a));
}

static void correct_diamond(void)
{
    diamond(1);
}

static void quiet_diamond(void)
{
    silence();
    diamond(0);
}

static int run_seed(int seed, void (*body)(void))
{
    char streams[64];
    char *variables[] = {streams, "HEDDLE_CPU_DEVICES=2", NULL};

    snprintf(streams, sizeof streams, "HEDDLE_CPU_STREAMS=lazy:%d", seed);
    return child_run(variables, body);
}

TEST(correct_code_is_right_at_every_seed)
{
    int seed;

    if (strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("lazy streams are the CPU's");
    for (seed = 0; seed < SEEDS; seed++) {
        CHECK_EQ_I64(run_seed(seed, correct), 0);
        CHECK_EQ_I64(run_seed(seed, correct_on_two_devices), 0);
        CHECK_EQ_I64(run_seed(seed, correct_diamond), 0);
    }
}

TEST(a_missing_wait_shows_at_some_seed)
{
    int seed, caught = 0, graphs = 0;

    if (strcmp(hd_backend_name(), "cpu") != 0)
        SKIP("lazy streams are the CPU's");
    for (seed = 0; seed < SEEDS; seed++) {
        caught += run_seed(seed, quiet_faulty) == 1;
        graphs += run_seed(seed, quiet_diamond) == 1;
    }
    NOTE("caught at %d of %d seeds, in a graph at %d", caught, SEEDS, graphs);
    CHECK(caught > 0);
    CHECK(graphs > 0);
}

TEST_MAIN
