/* SPDX-License-Identifier: Apache-2.0 */
/* test_stream.c - streams: order, waiting, priorities, host functions and tasks, default
   streams. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "park.h"

enum { N = 4096 };

static hd_launch_config on(hd_stream *stream)
{
    return hd_launch_with(hd_dim(4, 1, 1), hd_dim(128, 1, 1), 0, stream);
}

TEST(work_of_a_stream_is_in_order)
{
    int *x, back[N], i, wrong = 0;

    rig_open();
    x = rig_zeroed(N * sizeof(int));
    for (i = 0; i < 200; i++)
        MUST(hd_launch(unit_add, on(rig_stream), (size_t)N, (const int *)x, x, i));
    MUST(hd_copy_blocking(back, (const int *)x, N, rig_stream));
    for (i = 0; i < N; i++)
        wrong += back[i] != 199 * 100;
    CHECK_EQ_I64(wrong, 0);
    rig_drop(x);
}

TEST(streams_know_their_device)
{
    hd_stream *stream = NULL;
    int devices, device = -1, i;

    rig_open();
    MUST(hd_device_count(&devices));
    for (i = 0; i < devices; i++) {
        MUST(hd_stream_create(i, &stream));
        MUST(hd_stream_device(stream, &device));
        CHECK_EQ_I64(device, i);
        MUST(hd_stream_destroy(stream));
    }
    MUST(hd_stream_destroy(NULL));
}

TEST(bad_streams)
{
    hd_stream *stream = (hd_stream *)8;
    int device = 3;

    rig_open();
    CHECK_STATUS(hd_stream_create(-1, &stream), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_stream_create(1000, &stream), HD_ERR_DEVICE_INDEX);
    CHECK_STATUS(hd_stream_create(0, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_create_with(0, 77, 0, &stream), HD_ERR_ARGUMENT);
    CHECK(stream == (hd_stream *)8);
    CHECK_STATUS(hd_stream_device(NULL, &device), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_device(rig_stream, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_synchronize(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_query(NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_wait(NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_wait(rig_stream, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_host_function(rig_stream, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_host_task(rig_stream, NULL, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_default(0, (hd_default_stream)9, &stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_default(0, HD_DEFAULT_LEGACY, NULL), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_default(500, HD_DEFAULT_LEGACY, &stream), HD_ERR_DEVICE_INDEX);
    CHECK_EQ_I64(device, 3);
}

TEST(priorities_and_flags)
{
    int64_t least, greatest;
    hd_stream *stream = NULL;
    int *x, back = 0, p;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_STREAM_PRIORITY_LEAST, &least));
    MUST(hd_device_get(0, HD_ATTR_STREAM_PRIORITY_GREATEST, &greatest));
    x = rig_zeroed(N * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    for (p = (int)greatest - 3; p <= (int)least + 3; p++) { /* beyond the ends: clamped */
        MUST(hd_stream_create_with(0, p % 2 ? HD_STREAM_NON_BLOCKING : HD_STREAM_DEFAULT, p,
                                   &stream));
        MUST(hd_launch(unit_set, on(stream), (size_t)N, x, p));
        MUST(hd_copy_blocking(&back, (const int *)x, 1, stream));
        CHECK_EQ_I64(back, p);
        MUST(hd_stream_destroy(stream));
    }
    rig_drop(x);
}

TEST(query_says_when_work_is_done)
{
    int *x, back = 0;

    rig_open();
    x = rig_zeroed(sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_STATUS(hd_stream_query(rig_stream), HD_OK);
    MUST(hd_launch(unit_spin, rig_flat(1, 1), x, (long)rig_size(3000000, 1000)));
    CHECK(hd_stream_query(rig_stream) >= 0);
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_STATUS(hd_stream_query(rig_stream), HD_OK);
    MUST(hd_copy_blocking(&back, (const int *)x, 1, rig_stream));
    CHECK_EQ_I64(back, (int)rig_size(3000000, 1000));
    rig_drop(x);
}

/* Destroying a stream does not lose what is in it. */
TEST(destroy_lets_work_finish)
{
    hd_stream *stream = NULL;
    int *x, back = 0;

    rig_open();
    x = rig_zeroed(2 * sizeof(int));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create(0, &stream));
    MUST(hd_launch(unit_spin, on(stream), x, (long)rig_size(1000, 100)));
    MUST(hd_launch(unit_set, on(stream), (size_t)1, x, 77));
    MUST(hd_stream_destroy(stream));
    MUST(hd_device_synchronize(0));
    MUST(hd_copy_blocking(&back, (const int *)x, 1, rig_stream));
    CHECK_EQ_I64(back, 77);
    rig_drop(x);
}

/* a spins, then writes; b, perhaps of another device, waits for it by an event. */
static void wait_between(int device_a, int device_b)
{
    hd_stream *a = NULL, *b = NULL;
    hd_event *event = NULL;
    int *x = NULL, back = 0;

    MUST(hd_stream_create(device_a, &a));
    MUST(hd_stream_create(device_b, &b));
    MUST(hd_event_create(device_a, 0, &event));
    MUST(hd_stream_wait(b, event)); /* never recorded: does not wait */
    MUST(hd_stream_synchronize(b));
    MUST(hd_alloc(&x, 1, device_a));
    MUST(hd_launch(unit_set, on(a), (size_t)1, x, 0));
    MUST(hd_launch(unit_spin, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, a), x,
                   (long)rig_size(200000, 100)));
    MUST(hd_event_record(event, a));
    MUST(hd_stream_wait(b, event));
    MUST(hd_copy_blocking(&back, (const int *)x, 1, b));
    CHECK_EQ_I64(back, (int)rig_size(200000, 100));
    MUST(hd_event_destroy(event));
    MUST(hd_free(x));
    MUST(hd_stream_destroy(a));
    MUST(hd_stream_destroy(b));
}

TEST(streams_wait_for_events)
{
    int devices;

    rig_open();
    wait_between(0, 0);
    MUST(hd_device_count(&devices));
    if (devices > 1) {
        wait_between(0, 1);
        wait_between(1, 0);
    }
}

/* Several kernels in flight: one waits on the device for what a later launch on another stream
   writes; the launching thread is not held up. */
TEST(a_waiting_kernel_does_not_hold_up_the_host)
{
    hd_stream *a = NULL, *b = NULL;
    hd_kernel_attributes attributes;
    unsigned *flag = NULL;
    int64_t concurrent = 0;

    rig_open();
    MUST(hd_device_get(0, HD_ATTR_CONCURRENT_KERNELS, &concurrent));
    if (!concurrent)
        SKIP("kernels do not run at once");
    /* A GPU loads code on first use and may wait for running kernels to do so: the kernel that
       others wait for is asked for before. */
    MUST(hd_kernel_get(hd_kernel_of(unit_raise), 0, &attributes));
    MUST(hd_alloc_kind(&flag, 1, HD_MEM_COHERENT, 0));
    MUST(hd_fill_bytes(flag, 0, 4, 1, rig_stream));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &a));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &b));
    MUST(hd_launch(unit_wait_for, hd_launch_with(hd_dim(3, 1, 1), hd_dim(1, 1, 1), 0, a),
                   (const unsigned *)flag, 5u));
    CHECK_STATUS(hd_stream_query(a), HD_NOT_READY);
    MUST(hd_launch(unit_raise, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, b), flag, 5u));
    MUST(hd_stream_synchronize(b));
    MUST(hd_stream_synchronize(a));
    MUST(hd_free(flag));
    MUST(hd_stream_destroy(a));
    MUST(hd_stream_destroy(b));
}

typedef struct note {
    int *pinned;
    int seen;
    int calls;
    hd_stream *stream;
    int *device;
} note;

static void look(void *argument)
{
    note *n = argument;

    n->seen = n->pinned[0];
    n->calls++;
}

TEST(host_functions_run_in_order)
{
    note n = {NULL, 0, 0, NULL, NULL};
    int *x, i;

    rig_open();
    MUST(hd_alloc_kind(&n.pinned, 1, HD_MEM_PINNED, 0));
    n.pinned[0] = -1;
    x = rig_zeroed(sizeof(int));
    for (i = 0; i < 20; i++) {
        MUST(hd_launch(unit_set, rig_flat(1, 1), (size_t)1, x, i));
        MUST(hd_copy(n.pinned, (const int *)x, 1, rig_stream));
        MUST(hd_stream_host_function(rig_stream, look, &n));
        MUST(hd_stream_synchronize(rig_stream));
        CHECK_EQ_I64(n.seen, i);
        CHECK_EQ_I64(n.calls, i + 1);
    }
    MUST(hd_free(n.pinned));
    rig_drop(x);
}

static void enqueue_more(void *argument)
{
    note *n = argument;

    n->calls++;
    if (hd_launch(unit_add, on(n->stream), (size_t)N, (const int *)n->device, n->device, 10) < 0)
        n->seen = -1;
}

/* A task enqueues on its own stream; what it enqueued runs before or after later work, but it runs,
   and the later work waits for the task itself. */
TEST(host_tasks_may_enqueue_work)
{
    note n = {NULL, 0, 0, NULL, NULL};
    int back[N], i, wrong = 0;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("racecheck cannot follow a launch from another thread while a host function runs");
    rig_open();
    n.stream = rig_stream;
    n.device = rig_zeroed(N * sizeof(int));
    MUST(hd_launch(unit_set, on(rig_stream), (size_t)N, n.device, 1));
    for (i = 0; i < 10; i++)
        MUST(hd_stream_host_task(rig_stream, enqueue_more, &n));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_device_synchronize(0));
    MUST(hd_copy_blocking(back, (const int *)n.device, N, rig_stream));
    CHECK_EQ_I64(n.calls, 10);
    CHECK_EQ_I64(n.seen, 0);
    for (i = 0; i < N; i++)
        wrong += back[i] != 101;
    CHECK_EQ_I64(wrong, 0);
    rig_drop(n.device);
}

static void slow_note(void *argument)
{
    note *n = argument;

    usleep(50000);
    n->calls++;
}

TEST(later_work_waits_for_a_task)
{
    note n = {NULL, 0, 0, NULL, NULL};

    rig_open();
    MUST(hd_alloc_kind(&n.pinned, 1, HD_MEM_PINNED, 0));
    n.pinned[0] = 4;
    MUST(hd_stream_host_task(rig_stream, slow_note, &n));
    MUST(hd_stream_host_function(rig_stream, look, &n));
    MUST(hd_stream_synchronize(rig_stream));
    CHECK_EQ_I64(n.calls, 2);
    CHECK_EQ_I64(n.seen, 4);
    MUST(hd_free(n.pinned));
}

static hd_status fails(void *argument)
{
    note *n = argument;

    n->calls++;
    return n->calls == 2   ? hd_alloc_bytes(NULL, 1, 1, HD_MEM_DEVICE, 0)
           : n->calls == 3 ? HD_ERR_IO
                           : HD_OK;
}

/* What a host function reports comes once, from the next call that waits; the stream goes on. */
TEST(host_functions_that_fail_are_reported)
{
    note n = {NULL, 0, 0, NULL, NULL};
    int *x, back = 0;

    rig_open();
    x = rig_zeroed(sizeof(int));
    MUST(hd_stream_host_try(rig_stream, fails, &n));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_stream_host_try(rig_stream, fails, &n));
    MUST(hd_stream_host_try(rig_stream, fails, &n)); /* the first of two stays */
    MUST(hd_launch(unit_set, rig_flat(1, 1), (size_t)1, x, 5));
    CHECK_STATUS(hd_stream_synchronize(rig_stream), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "a host function failed: hd_alloc_bytes: ") != NULL);
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_copy_blocking(&back, (const int *)x, 1, rig_stream));
    CHECK_EQ_I64(back, 5);
    CHECK_STATUS(hd_device_state(0), HD_OK);
    n.calls = 2;
    MUST(hd_stream_host_try(rig_stream, fails, &n));
    CHECK_STATUS(hd_device_synchronize(0), HD_ERR_IO);
    MUST(hd_device_synchronize(0));
    CHECK_EQ_I64(n.calls, 3);
    CHECK_STATUS(hd_stream_host_try(rig_stream, NULL, &n), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_stream_host_try(NULL, fails, &n), HD_ERR_ARGUMENT);
    rig_drop(x);
}

/* Blocking streams and the legacy default stream wait for each other. */
TEST(the_legacy_default_stream_synchronises)
{
    hd_stream *legacy = NULL, *again = NULL;
    int *x, back = 0;
    long turns = (long)rig_size(200000, 100);

    rig_open();
    MUST(hd_stream_default(0, HD_DEFAULT_LEGACY, &legacy));
    MUST(hd_stream_default(0, HD_DEFAULT_LEGACY, &again));
    CHECK(legacy == again);
    x = rig_zeroed(sizeof(int));
    MUST(hd_launch(unit_spin, rig_flat(1, 1), x, turns));
    MUST(hd_launch(unit_add, on(legacy), (size_t)1, (const int *)x, x, 1));
    MUST(hd_launch(unit_spin, rig_flat(1, 1), x, turns));
    MUST(hd_stream_synchronize(rig_stream));
    MUST(hd_copy_blocking(&back, (const int *)x, 1, rig_stream));
    CHECK_EQ_I64(back, 2 * turns + 1);
    CHECK_STATUS(hd_stream_destroy(legacy), HD_ERR_ARGUMENT);
    MUST(hd_stream_synchronize(legacy));
    rig_drop(x);
}

/* The same behind a kernel that waits: neither overtakes it, a non-blocking stream does. */
TEST(the_legacy_default_stream_overtakes_nothing)
{
    hd_stream *legacy = NULL, *free_stream = NULL;
    int *x, *pinned = NULL;
    park parked;

    if (getenv("HEDDLE_SANITIZER"))
        SKIP("a sanitizer may wait for one kernel before it launches the next");
    rig_open();
    MUST(hd_stream_default(0, HD_DEFAULT_LEGACY, &legacy));
    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &free_stream));
    MUST(hd_alloc_kind(&pinned, 3, HD_MEM_PINNED, 0));
    x = rig_zeroed(3 * sizeof(int));
    MUST(hd_launch(unit_set, rig_flat(1, 1), (size_t)3, x, 0));
    MUST(hd_device_synchronize(0));
    for (int turn = 0; turn < 2; turn++) { /* who waits for whom */
        hd_stream *first = turn ? legacy : rig_stream, *second = turn ? rig_stream : legacy;

        memset(pinned, 0, 3 * sizeof *pinned);
        park_begin(&parked, first);
        MUST(hd_launch(unit_set, on(first), (size_t)1, x, 5 + turn));
        MUST(hd_copy(pinned, (const int *)x, 1, second));
        MUST(hd_launch(unit_set, on(free_stream), (size_t)1, x + 1, 7 + turn));
        MUST(hd_copy(pinned + 1, (const int *)x + 1, 1, free_stream));
        MUST(hd_stream_synchronize(free_stream));
        CHECK_EQ_I64(pinned[1], 7 + turn);
        CHECK_STATUS(hd_stream_query(second), HD_NOT_READY);
        CHECK_EQ_I64(__atomic_load_n(pinned, __ATOMIC_RELAXED), 0); /* the copy is on its way */
        park_go(&parked);
        MUST(hd_stream_synchronize(second));
        CHECK_EQ_I64(pinned[0], 5 + turn);
        MUST(hd_stream_synchronize(first));
        MUST(hd_free(parked.flag));
    }
    MUST(hd_free(pinned));
    MUST(hd_stream_destroy(free_stream));
    rig_drop(x);
}

static void *my_default(void *result)
{
    hd_stream *stream = NULL;
    int *x = NULL, back = 0;

    MUST(hd_stream_default(0, HD_DEFAULT_PER_THREAD, &stream));
    MUST(hd_alloc(&x, 1, 0));
    MUST(hd_launch(unit_set, on(stream), (size_t)1, x, 31));
    MUST(hd_copy_blocking(&back, (const int *)x, 1, stream));
    CHECK_EQ_I64(back, 31);
    MUST(hd_free(x));
    *(hd_stream **)result = stream;
    return NULL;
}

TEST(each_thread_has_a_default_stream)
{
    hd_stream *mine = NULL, *again = NULL, *other = NULL;
    pthread_t thread;

    rig_open();
    my_default(&mine);
    my_default(&again);
    CHECK(mine == again);
    REQUIRE(pthread_create(&thread, NULL, my_default, &other) == 0);
    pthread_join(thread, NULL);
    CHECK(other != NULL && other != mine);
    CHECK_STATUS(hd_stream_destroy(mine), HD_ERR_ARGUMENT);
}

TEST(the_vendors_handles)
{
    hd_stream *stream = (hd_stream *)8;
    hd_event *event = NULL;
    void *native = NULL;
    int ordinal = -1, device = -1;

    rig_open();
    CHECK_STATUS(hd_stream_native(NULL, &native), HD_ERR_ARGUMENT);
    MUST(hd_event_create(0, 0, &event));
    if (rig_on_cpu()) {
        CHECK_STATUS(hd_stream_native(rig_stream, &native), HD_ERR_UNSUPPORTED);
        CHECK_STATUS(hd_stream_from_native(0, (void *)&ordinal, &stream), HD_ERR_UNSUPPORTED);
        CHECK_STATUS(hd_event_native(event, &native), HD_ERR_UNSUPPORTED);
        CHECK(stream == (hd_stream *)8);
    } else {
        MUST(hd_stream_native(rig_stream, &native));
        MUST(hd_stream_from_native(0, native, &stream));
        MUST(hd_stream_synchronize(stream));
        MUST(hd_stream_destroy(stream)); /* leaves the vendor's stream alone */
        MUST(hd_stream_synchronize(rig_stream));
        MUST(hd_event_native(event, &native));
        MUST(hd_device_native(0, &ordinal));
        MUST(hd_device_from_native(ordinal, &device));
        CHECK_EQ_I64(device, 0);
    }
    MUST(hd_event_destroy(event));
}

TEST_MAIN
