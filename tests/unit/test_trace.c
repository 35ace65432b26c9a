/* SPDX-License-Identifier: Apache-2.0 */
/* labels: lazy */
/* test_trace.c - what a trace says: kinds, names and sizes, order within and between streams,
   bounds, failures, files. */
#include <math.h>
#include <unistd.h>

#include <heddle/graph.h>
#include <heddle/trace.h>

#include "io/json.h"
#include "park.h"

enum { N = 4096, SPANS = 64, THREADS = 8, TURNS = 12500, TURNS_SMALL = 200 };

/* The spans of one recording, without host calls unless asked for. */
static hd_trace_span spans[SPANS];

static size_t collect(int calls)
{
    size_t count = 0, kept = 0;

    MUST(hd_trace_count(&count, NULL));
    for (size_t i = 0; i < count; i++) {
        hd_trace_span span;

        MUST(hd_trace_get(i, &span));
        if (kept < SPANS && (calls || span.stream != 0))
            spans[kept++] = span;
    }
    return kept;
}

static hd_launch_config on(hd_stream *stream)
{
    return hd_launch_with(hd_dim(4, 1, 1), hd_dim(128, 1, 1), 0, stream);
}

static void do_nothing(void *count)
{
    (*(int *)count)++;
}

static void check_span(const hd_trace_span *span, hd_trace_kind kind, const char *name)
{
    CHECK_EQ_STR(hd_trace_kind_name(span->kind), hd_trace_kind_name(kind));
    CHECK_EQ_STR(span->name, name);
    CHECK_EQ_I64(span->status, HD_OK);
    CHECK_EQ_I64(span->device, 0);
    CHECK(span->begin >= 0 && span->begin <= span->end);
    CHECK(span->asked >= 0 && span->asked <= span->left);
}

TEST(each_operation_is_there_and_in_order)
{
    static int host[N];
    int *x, *pinned, called = 0;
    unsigned number = 0;
    hd_event *event;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_alloc_kind(&pinned, N, HD_MEM_PINNED, 0));
    memset(pinned, 0, N * sizeof *pinned);
    MUST(hd_event_create(0, 0, &event));
    MUST(hd_event_record(event, rig_stream));
    MUST(hd_trace_start(0));
    MUST(hd_copy(x, (const int *)pinned, N, rig_stream));
    MUST(hd_launch(unit_add, on(rig_stream), (size_t)N, (const int *)x, x, 3));
    MUST(hd_fill_zero(x, 10, rig_stream));
    MUST(hd_stream_wait(rig_stream, event));
    MUST(hd_stream_host_function(rig_stream, do_nothing, &called));
    MUST(hd_stream_host_task(rig_stream, do_nothing, &called));
    MUST(hd_copy(x + 100, (const int *)x, 50, rig_stream));
    MUST(hd_copy_blocking(host, (const int *)x, N, rig_stream));
    MUST(hd_trace_stop());
    CHECK_EQ_I64(called, 2);
    REQUIRE(CHECK_EQ_SIZE(collect(0), 8));
    check_span(&spans[0], HD_TRACE_COPY_IN, "copy in");
    check_span(&spans[1], HD_TRACE_KERNEL, "unit_add");
    check_span(&spans[2], HD_TRACE_FILL, "fill");
    check_span(&spans[3], HD_TRACE_WAIT, "wait");
    check_span(&spans[4], HD_TRACE_FUNCTION, "function");
    check_span(&spans[5], HD_TRACE_FUNCTION, "function");
    check_span(&spans[6], HD_TRACE_COPY_ON, "copy on device");
    check_span(&spans[7], HD_TRACE_COPY_OUT, "copy out");
    CHECK_EQ_SIZE(spans[0].bytes, N * sizeof(int));
    CHECK_EQ_SIZE(spans[2].bytes, 10 * sizeof(int));
    CHECK_EQ_SIZE(spans[6].bytes, 50 * sizeof(int));
    CHECK_EQ_U64(spans[1].grid.x, 4);
    CHECK_EQ_U64(spans[1].block.x, 128);
    CHECK_EQ_STR(spans[1].call, "hd_launch");
    for (size_t i = 0; i < 8; i++)
        CHECK(spans[i].kernel == (i == 1 ? hd_kernel_of(unit_add) : NULL));
    MUST(hd_stream_number(rig_stream, &number));
    for (size_t i = 0; i < 8; i++) {
        CHECK_EQ_U64(spans[i].stream, number);
        CHECK_EQ_U64(spans[i].thread, spans[0].thread);
        CHECK(i == 0 || spans[i].begin >= spans[i - 1].end - 1e-6);
        CHECK(i == 0 || spans[i].asked >= spans[i - 1].left);
        /* Clocks of devices are known to some microseconds. */
        CHECK(spans[i].begin >= spans[i].asked - (rig_on_cpu() ? 1e-3 : 1e-4));
    }
    MUST(hd_event_destroy(event));
    rig_drop(pinned);
    rig_drop(x);
}

TEST(host_calls_are_there)
{
    int waits = 0, allocations = 0;
    void *x = NULL;

    rig_open();
    MUST(hd_trace_start(0));
    x = rig_zeroed(1000);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_device_synchronize(0));
    rig_drop(x);
    MUST(hd_trace_stop());
    for (size_t i = 0, count = collect(1); i < count; i++) {
        waits += spans[i].kind == HD_TRACE_CALL && strstr(spans[i].name, "synchronize") != NULL;
        allocations += strcmp(spans[i].name, "hd_alloc_bytes") == 0 && spans[i].bytes == 1000;
        CHECK(spans[i].stream != 0 || spans[i].begin > spans[i].end);
    }
    CHECK_EQ_I64(waits, 2);
    CHECK_EQ_I64(allocations, 1);
}

/* A kernel that a thread lets go after 50 ms, an event, and work of another stream that waits for
   it. How long the kernel took: a device that others use too may have begun it late. */
static double wait_for_a_parked_kernel(int *x, hd_stream *second, hd_event *done)
{
    park p;

    MUST(hd_trace_start(0));
    park_begin(&p, rig_stream);
    MUST(hd_event_record(done, rig_stream));
    MUST(hd_stream_wait(second, done));
    MUST(hd_launch(unit_set, on(second), (size_t)N, x, 2));
    park_go_soon(&p);
    MUST(hd_trace_stop()); /* waits for all three */
    park_join(&p);
    rig_drop(p.flag);
    if (!CHECK_EQ_SIZE(collect(0), 3))
        return 0;
    CHECK(spans[2].begin >= spans[0].end - 2e-6);
    CHECK(spans[1].end >= spans[0].end - 2e-6);
    CHECK(spans[2].stream != spans[0].stream);
    return spans[0].end - spans[0].begin;
}

TEST(waiting_takes_the_time_it_takes)
{
    const double least = rig_on_cpu() ? 0 : 0.04;
    double longest = 0;
    hd_stream *second;
    hd_event *done;
    int *x;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(hd_event_create(0, 0, &done));
    MUST(hd_launch(unit_set, on(second), (size_t)N, x, 1)); /* loads it */
    MUST(hd_device_synchronize(0));
    for (int turn = 0; turn < 10 && longest <= least; turn++) {
        const double took = wait_for_a_parked_kernel(x, second, done);
        longest = took > longest ? took : longest;
    }
    CHECK(longest > least);
    MUST(hd_event_destroy(done));
    MUST(hd_stream_destroy(second));
    rig_drop(x);
}

TEST(states_are_kept_apart)
{
    hd_trace_span span;
    size_t count;

    rig_open();
    CHECK_STATUS(hd_trace_stop(), HD_ERR_STATE);
    MUST(hd_trace_start(0));
    CHECK_STATUS(hd_trace_start(0), HD_ERR_STATE);
    CHECK_STATUS(hd_trace_count(&count, NULL), HD_ERR_STATE);
    CHECK_STATUS(hd_trace_get(0, &span), HD_ERR_STATE);
    CHECK_STATUS(hd_trace_write("/dev/null"), HD_ERR_STATE);
    MUST(hd_trace_stop());
    CHECK_STATUS(hd_trace_stop(), HD_ERR_STATE);
    MUST(hd_trace_count(&count, NULL));
    CHECK_EQ_SIZE(count, 0);
    CHECK_STATUS(hd_trace_get(0, &span), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_trace_get(0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_trace_write(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_trace_write("/no/such/folder/x"), HD_ERR_IO);
    CHECK_STATUS(hd_stream_number(NULL, NULL), HD_ERR_ARGUMENT);
}

TEST(growth_is_bounded_and_said)
{
    size_t count = 0, dropped = 0;
    int *x;

    rig_open();
    x = rig_zeroed(sizeof(int));
    MUST(hd_trace_start(5));
    for (int i = 0; i < 20; i++)
        MUST(hd_fill_zero(x, 1, rig_stream));
    MUST(hd_trace_stop());
    MUST(hd_trace_count(&count, &dropped));
    CHECK_EQ_SIZE(count, 5);
    CHECK_EQ_SIZE(dropped, 15);
    rig_drop(x);
}

/* The detail of an error is the caller's: tracing neither makes nor loses one. */
TEST(failures_are_recorded_and_their_detail_stays)
{
    void *none = NULL;
    int *x;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    hd_error_clear();
    MUST(hd_trace_start(0));
    MUST(hd_fill_zero(x, N, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_I64(hd_error_last()->status, HD_OK);
    CHECK_STATUS(hd_alloc_bytes(&none, (size_t)1 << 60, 1, HD_MEM_DEVICE, 0), HD_ERR_NO_MEMORY);
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_NO_MEMORY);
    MUST(hd_fill_zero(x, N, rig_stream));
    MUST(hd_trace_stop());
    CHECK_EQ_I64(hd_error_last()->status, HD_ERR_NO_MEMORY);
    REQUIRE(collect(1) == 4);
    CHECK_EQ_I64(spans[2].status, HD_ERR_NO_MEMORY);
    CHECK_EQ_I64(spans[3].status, HD_OK);
    rig_drop(x);
}

TEST(ranges_nest)
{
    rig_open();
    CHECK_STATUS(hd_range_pop(), HD_ERR_STATE);
    CHECK_STATUS(hd_range_push(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_range_mark(NULL), HD_ERR_ARGUMENT);
    MUST(hd_range_push("before the trace"));
    MUST(hd_trace_start(0));
    MUST(hd_range_push("outer"));
    MUST(hd_range_push("inner \"quoted\"\n"));
    MUST(hd_range_mark("here"));
    for (int i = 0; i < 100; i++) /* deeper than is recorded */
        MUST(hd_range_push("deep"));
    for (int i = 0; i < 100; i++)
        MUST(hd_range_pop());
    MUST(hd_range_pop());
    MUST(hd_range_pop());
    MUST(hd_range_pop());
    MUST(hd_trace_stop());
    CHECK_STATUS(hd_range_pop(), HD_ERR_STATE);
    size_t count = collect(1);
    REQUIRE(count > 3 && count < SPANS + 1);
    CHECK_EQ_STR(spans[0].name, "here");
    CHECK_EQ_I64(spans[0].kind, HD_TRACE_MARK);
    MUST(hd_trace_count(&count, NULL));
    MUST(hd_trace_get(count - 1, &spans[0]));
    MUST(hd_trace_get(count - 2, &spans[1]));
    CHECK_EQ_STR(spans[0].name, "outer");
    CHECK_EQ_I64(spans[0].kind, HD_TRACE_RANGE);
    CHECK_EQ_STR(spans[1].name, "inner \"quoted\"\n");
    CHECK(spans[0].asked <= spans[1].asked && spans[1].left <= spans[0].left);
}

static void *busy_thread(void *unused)
{
    hd_stream *stream;
    int *x;

    (void)unused;
    MUST(hd_stream_create(0, &stream));
    MUST(hd_alloc(&x, N, 0));
    for (size_t i = 0; i < rig_size(TURNS, TURNS_SMALL); i++) {
        MUST(hd_fill_zero(x, 16, stream));
        if (i % 16 == 0)
            MUST(hd_stream_synchronize(stream));
    }
    MUST(hd_stream_synchronize(stream));
    MUST(hd_stream_destroy(stream));
    MUST(hd_free(x));
    return NULL;
}

TEST(threads_lose_nothing)
{
    pthread_t threads[THREADS];
    unsigned last_of[THREADS] = {0};
    size_t count, fills = 0, known = 0;

    rig_open();
    MUST(hd_trace_start(0));
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, busy_thread, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    MUST(hd_trace_stop());
    MUST(hd_trace_count(&count, NULL));
    for (size_t i = 0; i < count; i++) {
        hd_trace_span span;

        MUST(hd_trace_get(i, &span));
        fills += span.kind == HD_TRACE_FILL && span.begin <= span.end;
        for (size_t k = 0; span.stream && k <= known && k < THREADS; k++) {
            if (k == known)
                last_of[known++] = span.stream;
            if (last_of[k] == span.stream)
                break;
        }
    }
    CHECK_EQ_SIZE(fills, THREADS * rig_size(TURNS, TURNS_SMALL));
    CHECK_EQ_SIZE(known, THREADS);
}

/* A recording can begin and end while other threads are at work. */
TEST(starts_and_stops_beside_threads)
{
    pthread_t threads[THREADS];

    rig_open();
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&threads[i], NULL, busy_thread, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        size_t count;

        MUST(hd_trace_start(100));
        usleep(500);
        MUST(hd_trace_stop());
        MUST(hd_trace_count(&count, NULL));
        CHECK(count <= 100);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

/* A capture over two streams is none of the trace's business; the launch of the graph is. */
TEST(captures_are_left_alone)
{
    hd_event *fork, *join;
    hd_graph_exec *exec;
    hd_stream *second;
    hd_graph *graph;
    size_t nodes = 0;
    int *x, back[N];

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(hd_event_create(0, 0, &fork));
    MUST(hd_event_create(0, 0, &join));
    MUST(hd_device_synchronize(0));
    MUST(hd_trace_start(0));
    MUST(hd_stream_capture_begin(rig_stream));
    MUST(hd_event_record(fork, rig_stream));
    MUST(hd_stream_wait(second, fork));
    MUST(hd_launch(unit_add, on(second), (size_t)N / 2, (const int *)x, x, 2));
    MUST(
        hd_launch(unit_add, on(rig_stream), (size_t)N / 2, (const int *)(x + N / 2), x + N / 2, 1));
    MUST(hd_event_record(join, second));
    MUST(hd_stream_wait(rig_stream, join));
    MUST(hd_launch(unit_add, on(rig_stream), (size_t)N, (const int *)x, x, 3));
    MUST(hd_stream_capture_end(rig_stream, &graph));
    MUST(hd_graph_node_count(graph, &nodes));
    CHECK_EQ_SIZE(nodes, 3);
    MUST(hd_graph_instantiate(graph, &exec));
    MUST(hd_graph_launch(exec, rig_stream));
    MUST(hd_copy_blocking(back, (const int *)x, N, rig_stream));
    MUST(hd_trace_stop());
    CHECK_EQ_I64(back[0], 5);
    CHECK_EQ_I64(back[N - 1], 4);
    size_t count = collect(0);
    CHECK(count >= 2);
    for (size_t i = 0; i < count; i++)
        CHECK(spans[i].kind != HD_TRACE_KERNEL &&
              (spans[i].kind != HD_TRACE_WAIT || spans[i].begin > spans[i].end));
    check_span(&spans[count - 2], HD_TRACE_GRAPH, "graph");
    check_span(&spans[count - 1], HD_TRACE_COPY_OUT, "copy out");
    MUST(hd_graph_exec_destroy(exec));
    MUST(hd_graph_destroy(graph));
    MUST(hd_event_destroy(fork));
    MUST(hd_event_destroy(join));
    MUST(hd_stream_destroy(second));
    rig_drop(x);
}

static const hd__json *event_named(const hd__json *trace, const char *name, const char *cat)
{
    const hd__json *events = hd__json_member(trace, "traceEvents");

    for (size_t i = 0; i < hd__json_length(events); i++) {
        const hd__json *e = hd__json_at(events, i);

        if (strcmp(hd__json_text(e, "name"), name) == 0 &&
            strcmp(hd__json_text(e, "cat"), cat) == 0)
            return e;
    }
    return NULL;
}

static double number(const hd__json *object, const char *key)
{
    double value;

    return hd__json_number(hd__json_member(object, key), &value) ? value : -1;
}

/* Bytes, GB/s and microseconds agree; the last two have three decimals. */
static void check_rate(const hd__json *fill)
{
    const hd__json *args = hd__json_member(fill, "args");
    const double bytes = N * sizeof(int), us = number(fill, "dur"), rate = number(args, "GB/s");

    CHECK_EQ_U64(hd__json_count(args, "bytes"), N * sizeof(int));
    CHECK(us > 0 && fabs(1e3 * rate * us - bytes) <= 0.6 * (us + rate) + 1e-3);
}

/* An operation begins where and when the arrow ends. */
static int meets(const hd__json *arrow, const hd__json *e)
{
    return strcmp(hd__json_text(e, "ph"), "X") == 0 && number(e, "ts") == number(arrow, "ts") &&
           hd__json_count(e, "pid") == hd__json_count(arrow, "pid") &&
           hd__json_count(e, "tid") == hd__json_count(arrow, "tid");
}

/* Every arrow ends where an operation of the stream begins. */
static void check_arrows(const hd__json *trace)
{
    const hd__json *events = hd__json_member(trace, "traceEvents");
    const size_t count = hd__json_length(events);
    int arrows = 0;

    for (size_t i = 0; i < count; i++) {
        const hd__json *arrow = hd__json_at(events, i);
        size_t e = 0;

        if (strcmp(hd__json_text(arrow, "ph"), "f") != 0)
            continue;
        arrows++;
        while (e < count && !meets(arrow, hd__json_at(events, e)))
            e++;
        CHECK(e < count);
    }
    CHECK(arrows > 0);
}

/* The tree of a trace; the test fails without it. */
static hd__json *read_file(const char *path)
{
    char message[HD__IO_MESSAGE] = "";
    hd__json *trace = hd__json_read_file(path, message);

    CHECK_EQ_STR(message, "");
    return trace;
}

/* What unit_set needs in blocks of 128 threads; the CPU engine has no registers. */
static void check_needs(const hd__json *args)
{
    hd_kernel_attributes needs;
    unsigned resident = 0;

    MUST(hd_kernel_get(hd_kernel_of(unit_set), 0, &needs));
    MUST(hd_occupancy(hd_kernel_of(unit_set), 0, 128, 0, &resident));
    CHECK(hd__json_member(args, "static_shared_bytes") != NULL);
    CHECK_EQ_U64(hd__json_count(args, "static_shared_bytes"), needs.shared_bytes);
    CHECK((hd__json_member(args, "registers") != NULL) == (needs.registers > 0));
    CHECK_EQ_U64(hd__json_count(args, "registers"), needs.registers);
    CHECK_EQ_U64(hd__json_count(args, "resident_blocks"), needs.registers ? resident : 0);
}

TEST(the_file_is_json)
{
    const char *path = "test_trace.json";
    const hd__json *kernel;
    hd__json *trace;
    int *x;

    if (hd__json_missing())
        return;
    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_trace_start(6));
    MUST(hd_range_push("a \"range\" \\ \x01\xff"));
    MUST(hd_range_pop());
    MUST(hd_launch(unit_set, on(rig_stream), (size_t)N, x, 1));
    for (int i = 0; i < 10; i++)
        MUST(hd_fill_zero(x, N, rig_stream));
    MUST(hd_trace_stop());
    MUST(hd_trace_write(path));
    trace = read_file(path);
    if (CHECK(trace != NULL)) {
        kernel = event_named(trace, "unit_set", "kernel");
        if (CHECK(kernel != NULL)) {
            CHECK_EQ_STR(hd__json_text(kernel, "ph"), "X");
            CHECK_EQ_STR(hd__json_text(hd__json_member(kernel, "args"), "grid"), "4 x 1 x 1");
            CHECK_EQ_U64(hd__json_count(kernel, "pid"), 1);
            check_needs(hd__json_member(kernel, "args"));
        }
        kernel = event_named(trace, "hd_launch", "call");
        CHECK(kernel != NULL && number(kernel, "dur") > 0);
        kernel = event_named(trace, "fill", "fill");
        if (CHECK(kernel != NULL))
            check_rate(kernel);
        check_arrows(trace);
        CHECK_EQ_U64(hd__json_count(hd__json_member(trace, "otherData"), "dropped"), 6);
    }
    hd__json_free(trace);
    MUST(hd_trace_start(0));
    MUST(hd_range_push("Gr\xc3\xb6\xc3\x9f\x65 \"range\" \\ \x01\xff"));
    MUST(hd_range_pop());
    MUST(hd_trace_stop());
    MUST(hd_trace_write(path));
    trace = read_file(path);
    /* UTF-8 stays; a byte that is none becomes U+FFFD. */
    CHECK(trace != NULL &&
          event_named(trace, "Gr\xc3\xb6\xc3\x9f\x65 \"range\" \\ \x01\xef\xbf\xbd", "range"));
    hd__json_free(trace);
    remove(path);
    rig_drop(x);
}

/* The last test: the stream and the memory of the others are gone afterwards. */
TEST(a_reset_leaves_what_was_done_before)
{
    hd_stream *stream;
    int *x;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_trace_start(0));
    MUST(hd_launch(unit_set, on(rig_stream), (size_t)N, x, 1));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_launch(unit_set, on(rig_stream), (size_t)N, x, 2));
    MUST(hd_stream_destroy(rig_stream));
    rig_stream = NULL;
    MUST(hd_device_reset(0));
    MUST(hd_stream_create(0, &stream));
    x = NULL;
    MUST(hd_alloc(&x, N, 0));
    MUST(hd_launch(unit_set, on(stream), (size_t)N, x, 3));
    MUST(hd_trace_stop());
    REQUIRE(CHECK_EQ_SIZE(collect(0), 3));
    check_span(&spans[0], HD_TRACE_KERNEL, "unit_set");
    check_span(&spans[2], HD_TRACE_KERNEL, "unit_set");
    CHECK(spans[2].begin >= spans[0].end);
    MUST(hd_stream_destroy(stream));
    rig_drop(x);
}

TEST_MAIN
