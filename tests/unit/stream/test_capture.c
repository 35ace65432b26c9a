/* SPDX-License-Identifier: Apache-2.0 */
/* test_capture.c - streams that record a graph: fork and join, what is replayed, what a capture
   does not stand. labels: lazy */
#include <heddle/graph.h>
#include <pthread.h>
#include <stdlib.h>

#include "park.h"
#include "partial.h"

enum { N = 1000 };

static hd_launch_config on(hd_stream *stream)
{
    return hd_launch_1d(N, 128, stream);
}

static hd_stream *new_stream(void)
{
    hd_stream *stream = NULL;

    rig_open();
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &stream));
    return stream;
}

static int first_of(const int *x, hd_stream *stream)
{
    int back = 0;

    MUST(hd_copy_blocking(&back, x, 1, stream));
    return back;
}

static hd_graph_exec *ready(hd_graph *graph)
{
    hd_graph_exec *exec = NULL;

    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_destroy(graph));
    return exec;
}

TEST(what_a_stream_does_is_recorded)
{
    hd_stream *stream = new_stream();
    hd_graph *graph = NULL;
    hd_graph_exec *exec;
    size_t nodes = 0;
    int *x = rig_zeroed(N * sizeof(int)), *pinned = NULL, capturing = 7, i;

    MUST(hd_alloc_kind(&pinned, 2 * N, HD_MEM_PINNED, 0));
    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < 2 * N; i++)
        pinned[i] = i < N ? 0 : -3;
    MUST(hd_stream_capturing(stream, &capturing));
    CHECK_EQ_I64(capturing, 0);
    MUST(hd_stream_capture_begin(stream));
    MUST(hd_stream_capturing(stream, &capturing));
    CHECK_EQ_I64(capturing, 1);
    MUST(hd_launch(unit_add, on(stream), (size_t)N, (const int *)x, x, 5));
    MUST(hd_copy(pinned, (const int *)x, N, stream));
    MUST(hd_fill_bytes(x + 1, 9, 4, 1, stream));
    MUST(hd_copy_2d(x + N / 2, 8, pinned + N, 4, 4, N / 4, stream)); /* every second element */
    MUST(hd_stream_capture_end(stream, &graph));
    MUST(hd_stream_synchronize(stream));
    CHECK_EQ_I64(pinned[0], 0); /* nothing ran */
    CHECK_EQ_I64(first_of(x, stream), 0);
    MUST(hd_graph_node_count(graph, &nodes));
    CHECK_EQ_U64(nodes, 4);
    exec = ready(graph);
    for (i = 1; i < 5; i++) {
        MUST(hd_graph_launch(exec, stream));
        MUST(hd_stream_synchronize(stream));
        CHECK_EQ_I64(pinned[0], 5 * i);
        CHECK_EQ_I64(pinned[1], i == 1 ? 5 : 14);
        CHECK_EQ_I64(first_of(x + 1, stream), 9);
        CHECK_EQ_I64(first_of(x + N - 2, stream), -3);
        CHECK_EQ_I64(first_of(x + N - 1, stream), 5 * i);
    }
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_free(pinned));
    MUST(hd_stream_destroy(stream));
    rig_drop(x);
}

/* x on one stream, y on another that joins, then both together. */
static void fork_and_join(hd_stream *a, hd_stream *b, hd_event *event, int *x, int *y)
{
    MUST(hd_launch(unit_add, on(a), (size_t)N, (const int *)x, x, 1));
    MUST(hd_event_record(event, a));
    MUST(hd_stream_wait(b, event));
    MUST(hd_launch(unit_add, on(b), (size_t)N, (const int *)x, y, 100));
    MUST(hd_launch(unit_add, on(a), (size_t)N, (const int *)x, x + N, 1000));
    MUST(hd_event_record(event, b));
    MUST(hd_stream_wait(a, event));
    MUST(hd_launch(unit_add, on(a), (size_t)N, (const int *)y, x, -90));
}

TEST(streams_fork_and_join)
{
    hd_stream *a = new_stream(), *b = new_stream();
    hd_event *event = NULL;
    hd_graph *graph = NULL;
    hd_graph_exec *exec;
    int *x = rig_zeroed(2 * N * sizeof(int)), *y = rig_zeroed(N * sizeof(int)), capturing = 0, i;
    size_t nodes = 0;

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_stream_capture_begin(a));
    fork_and_join(a, b, event, x, y);
    MUST(hd_stream_capturing(b, &capturing));
    CHECK_EQ_I64(capturing, 1);
    MUST(hd_stream_capture_end(a, &graph));
    MUST(hd_stream_capturing(b, &capturing));
    CHECK_EQ_I64(capturing, 0);
    MUST(hd_graph_node_count(graph, &nodes));
    CHECK_EQ_U64(nodes, 4);
    exec = ready(graph);
    for (i = 1; i < 6; i++) {
        MUST(hd_graph_launch(exec, i % 2 ? a : b));
        CHECK_EQ_I64(first_of(x, i % 2 ? a : b), 11 * i);
        CHECK_EQ_I64(first_of(x + N, i % 2 ? a : b), 11 * i - 10 + 1000);
    }
    MUST(hd_stream_synchronize(a));
    MUST(hd_stream_synchronize(b));
    fork_and_join(a, b, event, x, y); /* the streams and the event are as ever */
    CHECK_EQ_I64(first_of(x, a), 66);
    MUST(hd_stream_synchronize(b));
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(a));
    MUST(hd_stream_destroy(b));
    rig_drop(x);
    rig_drop(y);
}

static hd_status count_calls(void *argument)
{
    ++*(int *)argument;
    return *(int *)argument == 2 ? HD_ERR_IO : HD_OK;
}

static void count_plain(void *argument)
{
    ++*(int *)argument;
}

TEST(host_functions_and_tasks_are_recorded)
{
    hd_stream *stream;
    hd_graph *graph = NULL;
    hd_graph_exec *exec;
    int calls[3] = {0, 0, 0}, i;

    if (captures_partially())
        SKIP(PARTIAL);
    stream = new_stream();
    MUST(hd_stream_capture_begin(stream));
    MUST(hd_stream_host_function(stream, count_plain, &calls[0]));
    MUST(hd_stream_host_task(stream, count_plain, &calls[1]));
    MUST(hd_stream_host_try(stream, count_calls, &calls[2]));
    MUST(hd_stream_capture_end(stream, &graph));
    exec = ready(graph);
    for (i = 1; i < 4; i++) {
        MUST(hd_graph_launch(exec, stream));
        CHECK_STATUS(hd_stream_synchronize(stream), i == 2 ? HD_ERR_IO : HD_OK);
        CHECK_EQ_I64(calls[0], i);
        CHECK_EQ_I64(calls[1], i);
        CHECK_EQ_I64(calls[2], i);
    }
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_stream_destroy(stream));
}

TEST(captures_update_an_exec)
{
    hd_stream *stream = new_stream();
    hd_graph *graph[2] = {NULL, NULL};
    hd_graph_exec *exec = NULL;
    int *x = rig_zeroed(N * sizeof(int)), i;

    MUST(hd_stream_synchronize(rig_stream));
    for (i = 0; i < 2; i++) {
        MUST(hd_stream_capture_begin(stream));
        MUST(hd_launch(unit_set, on(stream), (size_t)N, x, i));
        MUST(hd_launch(unit_add, on(stream), (size_t)N, (const int *)x, x, 10));
        MUST(hd_stream_capture_end(stream, &graph[i]));
    }
    MUST(hd_graph_instantiate(graph[0], &exec));
    for (i = 0; i < 2; i++) {
        MUST(hd_graph_exec_update(exec, graph[i]));
        MUST(hd_graph_launch(exec, stream));
        CHECK_EQ_I64(first_of(x, stream), 10 + i);
        MUST(hd_graph_destroy(graph[i]));
    }
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_stream_destroy(stream));
    rig_drop(x);
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* Ends a capture that went wrong; the stream works again. */
static void expect_lost(hd_stream *stream)
{
    hd_graph *graph = NULL;
    int capturing = 1;

    CHECK_STATUS(hd_stream_capture_end(stream, &graph), HD_ERR_STATE);
    CHECK(graph == NULL);
    MUST(hd_stream_capturing(stream, &capturing));
    CHECK_EQ_I64(capturing, 0);
    MUST(hd_stream_synchronize(stream));
}

TEST(waiting_loses_the_capture)
{
    hd_stream *stream;
    hd_event *event = NULL;
    int *x, way;

    if (captures_partially())
        SKIP(PARTIAL);
    stream = new_stream();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_event_create(0, 0, &event));
    for (way = 0; way < 5; way++) {
        MUST(hd_stream_capture_begin(stream));
        MUST(hd_launch(unit_set, on(stream), (size_t)N, x, 1));
        MUST(hd_event_record(event, stream));
        if (way == 0)
            CHECK_STATUS(hd_stream_synchronize(stream), HD_ERR_STATE);
        else if (way == 1)
            CHECK_STATUS(hd_stream_query(stream), HD_ERR_STATE);
        else if (way == 2)
            CHECK_STATUS(hd_event_synchronize(event), HD_ERR_STATE);
        else if (way == 3)
            CHECK_STATUS(hd_event_query(event), HD_ERR_STATE);
        else
            CHECK_STATUS(hd_device_synchronize(0), HD_ERR_STATE);
        if (way < 2) {
            expect_lost(stream);
            continue;
        }
        hd_graph *graph = NULL; /* a vendor may bear with these */
        hd_status status = hd_stream_capture_end(stream, &graph);
        CHECK(status == HD_ERR_STATE || (status == HD_OK && !rig_on_cpu()));
        MUST(hd_graph_destroy(graph));
    }
    MUST(hd_launch(unit_set, on(stream), (size_t)N, x, 4));
    CHECK_EQ_I64(first_of(x, stream), 4);
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(stream));
    rig_drop(x);
}

TEST(some_calls_are_refused_and_the_capture_goes_on)
{
    hd_stream *stream = new_stream();
    hd_graph *graph = NULL;
    hd_graph_exec *exec, *inner;
    size_t nodes = 0;
    int *x = rig_zeroed(N * sizeof(int)), *more = NULL, plain[N] = {0};

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_graph_create(0, &graph));
    inner = ready(graph);
    MUST(hd_stream_capture_begin(stream));
    MUST(hd_launch(unit_set, on(stream), (size_t)N, x, 6));
    CHECK_STATUS(hd_alloc_async(&more, N, stream), HD_ERR_STATE);
    CHECK_STATUS(hd_free_async(x, stream), HD_ERR_STATE);
    CHECK_STATUS(hd_copy(x, (const int *)plain, N, stream), HD_ERR_STATE);
    CHECK_STATUS(hd_copy(plain, (const int *)x, N, stream), HD_ERR_STATE);
    CHECK_STATUS(hd_graph_launch(inner, stream), HD_ERR_STATE);
    CHECK(more == NULL);
    MUST(hd_stream_capture_end(stream, &graph));
    MUST(hd_graph_node_count(graph, &nodes));
    CHECK_EQ_U64(nodes, 1);
    exec = ready(graph);
    MUST(hd_graph_launch(exec, stream));
    CHECK_EQ_I64(first_of(x, stream), 6);
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_exec_destroy(inner));
    MUST(hd_stream_destroy(stream));
    rig_drop(x);
}

/* The legacy default stream waits for blocking streams, so it is refused while one is captured. */
TEST(a_refusal_names_the_call)
{
    hd_stream *stream = NULL, *legacy = NULL;
    int *x = rig_zeroed(N * sizeof(int));

    if (!rig_on_cpu())
        SKIP("the vendor words its refusals itself");
    MUST(hd_stream_create(0, &stream));
    MUST(hd_stream_default(0, HD_DEFAULT_LEGACY, &legacy));
    for (int way = 0; way < 2; way++) {
        hd_graph *graph = NULL;

        MUST(hd_stream_capture_begin(stream));
        if (way == 0)
            CHECK_STATUS(hd_launch(unit_set, on(legacy), (size_t)N, x, 7), HD_ERR_STATE);
        else
            CHECK_STATUS(hd_fill_zero(x, N, legacy), HD_ERR_STATE);
        CHECK_EQ_STR(hd_error_last()->call, way == 0 ? "hd_launch" : "hd_fill_bytes");
        CHECK_STATUS(hd_stream_capture_end(stream, &graph), HD_ERR_STATE);
    }
    MUST(hd_stream_destroy(stream));
    rig_drop(x);
}

TEST(a_stream_that_joined_has_to_be_waited_for)
{
    hd_stream *a = new_stream(), *b = new_stream();
    hd_event *event = NULL;
    int *x = rig_zeroed(N * sizeof(int)), capturing = 1;

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_stream_capture_begin(a));
    MUST(hd_launch(unit_set, on(a), (size_t)N, x, 1));
    MUST(hd_event_record(event, a));
    MUST(hd_stream_wait(b, event));
    MUST(hd_launch(unit_set, on(b), (size_t)N, x, 2));
    expect_lost(a);
    MUST(hd_stream_capturing(b, &capturing));
    CHECK_EQ_I64(capturing, 0);
    if (rig_on_cpu()) /* of a capture that is over; a vendor may bear with it */
        CHECK_STATUS(hd_stream_wait(b, event), HD_ERR_STATE);
    MUST(hd_event_record(event, a));
    MUST(hd_stream_wait(b, event));
    MUST(hd_stream_synchronize(b));
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(a));
    MUST(hd_stream_destroy(b));
    rig_drop(x);
}

TEST(events_from_outside_are_refused)
{
    hd_stream *a = new_stream(), *b = new_stream();
    hd_event *event = NULL;
    hd_graph *graph = NULL;
    int *x = rig_zeroed(N * sizeof(int));

    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_event_record(event, b));
    MUST(hd_stream_capture_begin(a));
    CHECK_STATUS(hd_stream_wait(a, event), HD_ERR_STATE);
    (void)hd_stream_capture_end(a, &graph); /* a vendor may bear with it */
    MUST(hd_graph_destroy(graph));
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(a));
    MUST(hd_stream_destroy(b));
    rig_drop(x);
}

TEST(the_legacy_default_stream)
{
    hd_stream *legacy = NULL, *blocking = NULL, *free_stream;
    hd_graph *graph = NULL;
    int *x;

    if (captures_partially())
        SKIP(PARTIAL);
    free_stream = new_stream();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_default(0, HD_DEFAULT_LEGACY, &legacy));
    MUST(hd_stream_create(0, &blocking));
    CHECK_STATUS(hd_stream_capture_begin(legacy), HD_ERR_STATE);
    MUST(hd_stream_capture_begin(blocking));
    CHECK_STATUS(hd_launch(unit_set, on(legacy), (size_t)N, x, 1), HD_ERR_STATE);
    CHECK(hd_stream_capture_end(blocking, &graph) == HD_ERR_STATE || !rig_on_cpu());
    MUST(hd_graph_destroy(graph));
    graph = NULL;
    MUST(hd_stream_capture_begin(free_stream));
    MUST(hd_launch(unit_set, on(legacy), (size_t)N, x, 2));
    MUST(hd_stream_capture_end(free_stream, &graph));
    CHECK_EQ_I64(first_of(x, legacy), 2);
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(blocking));
    MUST(hd_stream_destroy(free_stream));
    rig_drop(x);
}

static void *end_elsewhere(void *stream)
{
    hd_graph *graph = NULL;

    CHECK_STATUS(hd_stream_capture_end(stream, &graph), HD_ERR_STATE);
    return NULL;
}

TEST(ends_and_beginnings)
{
    hd_stream *stream = new_stream();
    hd_graph *graph = NULL;
    pthread_t thread;
    int capturing = 0;

    CHECK_STATUS(hd_stream_capture_end(stream, &graph), HD_ERR_STATE);
    CHECK_STATUS(hd_stream_capture_begin(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_capture_end(NULL, &graph), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_capturing(stream, NULL), HD_ERR_ARGUMENT);
    MUST(hd_stream_capture_begin(stream));
    CHECK_STATUS(hd_stream_capture_end(stream, NULL), HD_ERR_ARGUMENT);
    if (pthread_create(&thread, NULL, end_elsewhere, stream) == 0)
        (void)pthread_join(thread, NULL);
    MUST(hd_stream_capturing(stream, &capturing));
    CHECK_EQ_I64(capturing, 1);
    MUST(hd_stream_capture_end(stream, &graph));
    MUST(hd_graph_destroy(graph));
    MUST(hd_stream_destroy(stream));
}

TEST(allocations_wait_for_the_end)
{
    hd_stream *stream;
    void *host = NULL;

    if (captures_partially())
        SKIP(PARTIAL);
    stream = new_stream();
    MUST(hd_stream_capture_begin(stream));
    CHECK_STATUS(hd_alloc_bytes(&host, 1, 64, HD_MEM_DEVICE, 0), HD_ERR_STATE);
    MUST(hd_stream_destroy(stream)); /* and its capture with it */
    MUST(hd_alloc_bytes(&host, 1, 64, HD_MEM_DEVICE, 0));
    rig_drop(host);
}

TEST_MAIN
