/* SPDX-License-Identifier: Apache-2.0 */
/* bug_stream.c - streams without order, events in the wrong place, host memory that a copy still
   needs. The second stream never synchronises by itself. */
#include "kern_memory.h"
#include "zoo.h"

#include <stdlib.h>

enum { N = 256, LARGE = 1 << 20 };

static uint32_t element(size_t i)
{
    return x(i);
}

static uint32_t seven(size_t i)
{
    (void)i;
    return 7;
}

static hd_stream *second_stream(int device)
{
    hd_stream *stream = NULL;

    MUST(hd_stream_create_with(device, HD_STREAM_NON_BLOCKING, 0, &stream));
    return stream;
}

static hd_event *new_event(void)
{
    hd_event *event = NULL;

    MUST(hd_event_create(0, 0, &event));
    return event;
}

static hd_launch_config one_block(hd_stream *stream)
{
    return hd_launch_with(hd_dim(1, 1, 1), hd_dim(N, 1, 1), 0, stream);
}

/* Two kernels, of which the second reads what the first has written: writer on the first stream,
   reader on the second. How the event is used says what is wrong. */
typedef enum { NO_EVENT, EVENT_EARLY, EVENT_OTHER, EVENT_NEVER } event_use;

static void write_then_read(event_use use)
{
    hd_stream *second = second_stream(0);
    hd_event *event = new_event(), *other = new_event();
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_event_record(other, zoo_stream));
    if (zoo_bug && use == EVENT_EARLY)
        MUST(hd_event_record(event, zoo_stream));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u));
    if (!zoo_bug || use == EVENT_OTHER)
        MUST(hd_event_record(event, zoo_stream));
    if (zoo_bug && use == EVENT_OTHER)
        MUST(hd_stream_wait(second, other));
    else if (!zoo_bug || use != NO_EVENT)
        MUST(hd_stream_wait(second, event)); /* BUG event_unrecorded */
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_event_destroy(event));
    MUST(hd_event_destroy(other));
    MUST(hd_stream_destroy(second));
}

void run_stream_kernels(void)
{
    write_then_read(NO_EVENT);
}

void run_event_early(void)
{
    write_then_read(EVENT_EARLY);
}

void run_event_other(void)
{
    write_then_read(EVENT_OTHER);
}

void run_event_unrecorded(void)
{
    write_then_read(EVENT_NEVER);
}

/* Cleanup that is reached twice. */
void run_event_twice(void)
{
    hd_event *event = new_event();

    MUST(hd_event_destroy(event));
    if (zoo_bug)
        (void)hd_event_destroy(event); /* BUG event_twice */
}

void run_stream_twice(void)
{
    hd_stream *second = second_stream(0), *third;

    MUST(hd_stream_destroy(second));
    third = second_stream(0); /* is not to be hit */
    if (zoo_bug)
        (void)hd_stream_destroy(second); /* BUG stream_twice */
    MUST(hd_stream_synchronize(third));
    MUST(hd_stream_destroy(third));
}

void run_stream_gone(void)
{
    hd_stream *second = second_stream(0);

    if (!zoo_bug)
        MUST(hd_stream_synchronize(second));
    MUST(hd_stream_destroy(second));
    if (zoo_bug)
        (void)hd_stream_synchronize(second); /* BUG stream_gone */
}

/* Lets `later` wait for what `earlier` has now, unless it is the bug. */
static void order(hd_stream *earlier, hd_stream *later)
{
    hd_event *event = new_event();

    if (!zoo_bug) {
        MUST(hd_event_record(event, earlier));
        MUST(hd_stream_wait(later, event));
    }
    MUST(hd_event_destroy(event));
}

/* A copy reads what a kernel of another stream overwrites. */
void run_stream_copy(void)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_input(N), *out = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_copy(out, (const uint32_t *)data, N, zoo_stream)); /* BUG stream_copy */
    order(zoo_stream, second);
    MUST(hd_launch(memory_set, one_block(second), data, 7u)); /* BUG stream_copy */
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, element);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_stream_destroy(second));
}

/* A kernel behind a fill raises a flag, and one on another stream waits for it: what is behind that
   comes after the fill. */
void run_stream_flag(void)
{
    const hd_launch_config first = hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, zoo_stream);
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_raw(N), *out = zoo_zeroed(N), *flag = zoo_zeroed(1);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_fill_bytes(data, 7, 4, N, zoo_stream)); /* BUG stream_flag */
    MUST(hd_launch(memory_announce, first, flag, zoo_bug));
    MUST(hd_launch(memory_await, hd_launch_with(first.grid, first.block, 0, second),
                   (const uint32_t *)flag));
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(flag);
    MUST(hd_stream_destroy(second));
}

/* What a kernel reads is overwritten on another stream, by a kernel and by a fill, behind one that
   saw a flag raised behind the reader: any order will do, since reads end with their kernel. */
void run_stream_reuse(void)
{
    const hd_launch_config one = hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, zoo_stream);
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_input(2 * N), *out = zoo_zeroed(2 * N), *flag = zoo_zeroed(1);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_copy, hd_launch_with(hd_dim(2, 1, 1), hd_dim(N, 1, 1), 0, zoo_stream),
                   (const uint32_t *)data, out));
    MUST(hd_launch(memory_announce, one, flag, 1));
    if (!zoo_bug)
        MUST(hd_launch(memory_await, hd_launch_with(one.grid, one.block, 0, second),
                       (const uint32_t *)flag));
    MUST(hd_launch(memory_set, one_block(second), data, 7u));
    MUST(hd_fill_bytes(data + N, 7, 4, N, second)); /* BUG stream_reuse */
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, 2 * N, element);
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(flag);
    MUST(hd_stream_destroy(second));
}

/* Kernels of two streams read the same memory; the first stream overwrites it, by a kernel or by a
   fill, behind its own reader only. */
static void overwrite_two_readers(int fill)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_input(N), *out = zoo_zeroed(N), *other = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_copy, one_block(zoo_stream), (const uint32_t *)data, out));
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, other));
    order(second, zoo_stream);
    if (fill)
        MUST(hd_fill_bytes(data, 7, 4, N, zoo_stream)); /* BUG stream_readers_fill */
    else
        MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u));
    MUST(hd_stream_synchronize(second));
    zoo_expect(other, N, element);
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(other);
    MUST(hd_stream_destroy(second));
}

void run_stream_readers(void)
{
    overwrite_two_readers(0);
}

void run_stream_readers_fill(void)
{
    overwrite_two_readers(1);
}

/* A kernel and a copy of another stream read the same memory, which the stream of the copy then
   overwrites. */
void run_stream_copied(void)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_input(N), *out = zoo_zeroed(N), *other = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_copy, one_block(zoo_stream), (const uint32_t *)data, out));
    MUST(hd_copy(other, (const uint32_t *)data, N, second));
    order(zoo_stream, second);
    MUST(hd_launch(memory_set, one_block(second), data, 7u));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, element);
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(other);
    MUST(hd_stream_destroy(second));
}

/* A fill on one stream, a kernel on another. */
void run_stream_fill(void)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_raw(N), *out = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_fill_bytes(data, 7, 4, N, zoo_stream)); /* BUG stream_fill */
    order(zoo_stream, second);
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data,
                   out)); /* BUG stream_fill */
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_stream_destroy(second));
}

/* The default stream is taken to wait for a stream that does not synchronise with it. */
void run_stream_default(void)
{
    hd_stream *second = second_stream(0), *standard = NULL;
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_stream_default(0, HD_DEFAULT_LEGACY, &standard));
    MUST(hd_launch(memory_set, one_block(second), data, 7u)); /* BUG stream_default */
    order(second, standard);
    MUST(hd_launch(memory_copy, one_block(standard), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(standard));
    zoo_expect(out, N, seven);
    MUST(hd_stream_synchronize(second));
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_stream_destroy(second));
}

/* Two kernels of two streams count in the same place, one of them without atomics. */
void run_stream_write(void)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 5u));
    order(zoo_stream, second);
    MUST(hd_launch(memory_set, one_block(second), data, 7u));
    MUST(hd_stream_synchronize(second));
    zoo_expect(data, N, seven);
    zoo_drop(data);
    MUST(hd_stream_destroy(second));
}

/* The memory goes in the order of one stream, while a kernel of another may use it. */
void run_free_in_use(void)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = NULL, *out = zoo_zeroed(N);

    MUST(hd_alloc_async(&data, N, zoo_stream));
    MUST(hd_fill_bytes(data, 7, 4, N, zoo_stream));
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data,
                   out)); /* BUG free_in_use */
    order(second, zoo_stream);
    MUST(hd_free_async(data, zoo_stream)); /* BUG free_in_use */
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(out);
    MUST(hd_stream_destroy(second));
}

/* Freed while a kernel that has used the memory waits for the host, and will use it again. */
void run_free_in_wait(void)
{
    hd_stream *second = second_stream(0);
    uint32_t *data = NULL, *out = zoo_zeroed(N), *flag = NULL;

    MUST(hd_alloc_kind(&flag, 1, HD_MEM_MAPPED, 0));
    __atomic_store_n(flag, 0, __ATOMIC_RELEASE);
    MUST(hd_alloc_async(&data, N, zoo_stream));
    MUST(hd_fill_bytes(data, 7, 4, N, zoo_stream));
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_wait, one_block(second), flag, (const uint32_t *)data,
                   out)); /* BUG free_in_wait */
    if (!zoo_bug) {
        __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
        order(second, zoo_stream);
    }
    MUST(hd_free_async(data, zoo_stream)); /* BUG free_in_wait */
    MUST(hd_stream_synchronize(zoo_stream));
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(out);
    MUST(hd_free(flag));
    MUST(hd_stream_destroy(second));
}

/* hd_free waits for the device of the memory, not for one that uses it from afar. */
void run_free_from_afar(void)
{
    hd_stream *second = second_stream(1);
    uint32_t *data = zoo_input(N), *out = NULL;

    MUST(hd_peer_enable(1, 0));
    MUST(hd_alloc(&out, N, 1));
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data,
                   out)); /* BUG free_from_afar */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(second));
    MUST(hd_free(data)); /* BUG free_from_afar */
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, element);
    MUST(hd_free(out));
    MUST(hd_stream_destroy(second));
}

/* A kernel of device 1 reads through peer access what device 0 writes. */
void run_devices_order(void)
{
    hd_stream *second = second_stream(1);
    uint32_t *data = zoo_zeroed(N), *out = NULL;

    MUST(hd_peer_enable(1, 0));
    MUST(hd_peer_enable(0, 1));
    MUST(hd_alloc(&out, N, 1));
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u));
    order(zoo_stream, second);
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_stream_destroy(second));
}

static uint32_t all_threads(size_t i)
{
    return i ? 0 : 2 * N;
}

/* Kernels of two devices count in one place at the same time. */
void run_devices_scope(void)
{
    hd_stream *second = second_stream(1);
    uint32_t *count = zoo_zeroed(1);

    MUST(hd_peer_enable(1, 0));
    MUST(hd_stream_synchronize(zoo_stream));
    if (zoo_bug) {
        MUST(hd_launch(memory_count, one_block(zoo_stream), count));
        MUST(hd_launch(memory_count, one_block(second), count));
    } else {
        MUST(hd_launch(memory_count_system, one_block(zoo_stream), count));
        MUST(hd_launch(memory_count_system, one_block(second), count));
    }
    MUST(hd_stream_synchronize(second));
    zoo_expect(count, 1, all_threads);
    zoo_drop(count);
    MUST(hd_stream_destroy(second));
}

/* ---- host memory ----------------------------------------------------------------------------- */

static uint32_t *pinned(size_t n)
{
    uint32_t *host = NULL;

    MUST(hd_alloc_kind(&host, n, HD_MEM_PINNED, 0));
    for (size_t i = 0; i < n; i++)
        host[i] = x(i);
    return host;
}

/* Reads the result of a copy to pinned memory before the stream is done. */
void run_host_early(void)
{
    uint32_t *in = zoo_input(N), *host = pinned(N), last;

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_copy(host, (const uint32_t *)in, N, zoo_stream)); /* BUG host_early */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    last = host[N - 1]; /* BUG host_early */
    zoo_expect_value("the last element", last, x(N - 1));
    zoo_drop(in);
    MUST(hd_free(host));
}

/* The event that the host waits for is recorded before the copy. */
void run_host_event(void)
{
    uint32_t *in = zoo_input(N), *host = pinned(N), last;
    hd_event *event = new_event();

    MUST(hd_stream_synchronize(zoo_stream));
    if (zoo_bug)
        MUST(hd_event_record(event, zoo_stream));
    MUST(hd_copy(host, (const uint32_t *)in, N, zoo_stream)); /* BUG host_event */
    if (!zoo_bug)
        MUST(hd_event_record(event, zoo_stream));
    MUST(hd_event_synchronize(event));
    last = host[N - 1]; /* BUG host_event */
    zoo_expect_value("the last element", last, x(N - 1));
    zoo_drop(in);
    MUST(hd_free(host));
    MUST(hd_event_destroy(event));
}

/* Fills a pinned buffer anew while a copy from it may be on its way. */
void run_host_reuse(void)
{
    uint32_t *out = zoo_zeroed(N), *host = pinned(N);

    MUST(hd_copy(out, (const uint32_t *)host, N, zoo_stream)); /* BUG host_reuse */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    host[N - 1] = 0; /* BUG host_reuse */
    zoo_expect(out, N, element);
    zoo_drop(out);
    MUST(hd_free(host));
}

/* The same with plain memory, from which a copy may also be taken later. */
static void reuse_plain(size_t n)
{
    uint32_t *out = zoo_zeroed(n), *host = malloc(n * sizeof *host);

    if (!host)
        exit(1);
    for (size_t i = 0; i < n; i++)
        host[i] = x(i);
    MUST(hd_copy(out, (const uint32_t *)host, n, zoo_stream)); /* BUG host_pageable host_100k */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    host[n - 1] = 0; /* BUG host_pageable host_100k */
    zoo_expect(out, n, element);
    zoo_drop(out);
    free(host);
}

void run_host_pageable(void)
{
    reuse_plain(LARGE);
}

/* Little more than what copies take at once. */
void run_host_100k(void)
{
    reuse_plain(100 << 8);
}

/* Reads a plain array before the copy into it is done. */
void run_host_plain(void)
{
    static uint32_t host[N];
    uint32_t *in = zoo_input(N), last;

    MUST(hd_copy(host, (const uint32_t *)in, N, zoo_stream)); /* BUG host_plain */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    last = host[N - 1]; /* BUG host_plain */
    MUST(hd_stream_synchronize(zoo_stream));
    zoo_expect_value("the last element", last, x(N - 1));
    zoo_drop(in);
}

static uint32_t *mapped(hd_memory_kind kind)
{
    uint32_t *host = NULL;

    MUST(hd_alloc_kind(&host, N, kind, 0));
    for (size_t i = 0; i < N; i++)
        host[i] = x(i);
    return host;
}

/* Reads in place what a kernel may still write. */
void run_host_mapped(void)
{
    uint32_t *host = mapped(HD_MEM_MAPPED), last;
    void *seen = NULL;

    MUST(hd_host_device_pointer(&seen, host, 0));
    MUST(hd_launch(memory_set, one_block(zoo_stream), (uint32_t *)seen, 7u));
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    last = host[N - 1]; /* BUG host_mapped */
    zoo_expect_value("the last element", last, 7);
    zoo_drop(host);
}

/* Waits for a flag that the kernel raises, and reads what it stands for. */
void run_host_volatile(void)
{
    uint32_t *row = mapped(HD_MEM_MAPPED), *flag = mapped(HD_MEM_MAPPED), last;
    void *seen_row = NULL, *seen_flag = NULL;

    flag[0] = 0;
    MUST(hd_host_device_pointer(&seen_row, row, 0));
    MUST(hd_host_device_pointer(&seen_flag, flag, 0));
    MUST(
        hd_launch(memory_tell, one_block(zoo_stream), (uint32_t *)seen_row, (uint32_t *)seen_flag));
    if (zoo_bug)
        while (!*(volatile uint32_t *)flag) /* BUG host_volatile */
            ;
    else
        while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
            ;
    last = row[N - 1]; /* BUG host_volatile */
    zoo_expect_value("the last element", last, N - 1);
    zoo_drop(flag);
    zoo_drop(row);
}

/* Writes to managed memory that a kernel may still read. */
void run_host_managed(void)
{
    uint32_t *data = mapped(HD_MEM_MANAGED), *out = zoo_zeroed(N);

    MUST(hd_launch(memory_copy, one_block(zoo_stream), (const uint32_t *)data, out));
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    data[0] = 0; /* BUG host_managed */
    zoo_expect(out, N, element);
    zoo_drop(out);
    zoo_drop(data);
}
