/* SPDX-License-Identifier: Apache-2.0 */
/* bug_order.c - what streams, events and flags put in order, and what they do not: orders that are
   easily taken for others. */
#include "kern_memory.h"
#include "zoo.h"

enum { N = 256, ROWS = 8, PITCH = 32, ROW = 24 };

static uint32_t seven(size_t i)
{
    (void)i;
    return 7;
}

static uint32_t four_sevens(size_t i)
{
    (void)i;
    return 0x07070707;
}

static hd_launch_config one_block(hd_stream *stream)
{
    return hd_launch_with(hd_dim(1, 1, 1), hd_dim(N, 1, 1), 0, stream);
}

static hd_stream *another_stream(unsigned flags)
{
    hd_stream *stream = NULL;

    MUST(hd_stream_create_with(0, flags, 0, &stream));
    return stream;
}

static uint32_t *host_words(hd_memory_kind kind)
{
    uint32_t *host = NULL;

    MUST(hd_alloc_kind(&host, N, kind, 0));
    for (size_t i = 0; i < N; i++)
        host[i] = x(i);
    return host;
}

static uint32_t *device_view(uint32_t *host)
{
    void *seen = NULL;

    MUST(hd_host_device_pointer(&seen, host, 0));
    return (uint32_t *)seen;
}

/* A copy on a second stream, behind an event or not. What a third one does has no order. */
void run_order_copy(void)
{
    hd_stream *second = another_stream(HD_STREAM_NON_BLOCKING);
    hd_stream *third = another_stream(HD_STREAM_NON_BLOCKING);
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N), *other = zoo_zeroed(N);
    hd_event *event = NULL;

    MUST(hd_event_create(0, 0, &event));
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_set, one_block(third), other, 7u));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u)); /* BUG order_copy */
    MUST(hd_event_record(event, zoo_stream));
    if (!zoo_bug)
        MUST(hd_stream_wait(second, event));
    MUST(hd_copy(out, (const uint32_t *)data, N, second)); /* BUG order_copy */
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    MUST(hd_stream_synchronize(third));
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(other);
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(second));
    MUST(hd_stream_destroy(third));
}

/* A kernel has seen a flag that was raised behind the data: what the host enqueues anywhere, after
   it has waited for that kernel, comes later, too. */
void run_order_learned(void)
{
    const hd_launch_config first = hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, zoo_stream);
    hd_stream *second = another_stream(HD_STREAM_NON_BLOCKING);
    hd_stream *third = another_stream(HD_STREAM_NON_BLOCKING);
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N), *other = zoo_zeroed(N);
    uint32_t *flag = zoo_zeroed(1);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_set, one_block(third), other, 7u));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u)); /* BUG order_learned */
    MUST(hd_launch(memory_announce, first, flag, zoo_bug));
    MUST(hd_launch(memory_await, hd_launch_with(first.grid, first.block, 0, second),
                   (const uint32_t *)flag));
    MUST(hd_stream_synchronize(second));
    MUST(hd_copy(out, (const uint32_t *)data, N, third)); /* BUG order_learned */
    MUST(hd_stream_synchronize(third));
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(other);
    zoo_drop(flag);
    MUST(hd_stream_destroy(second));
    MUST(hd_stream_destroy(third));
}

/* Two fills each write half of a word, on two streams; what is read behind the second one was also
   written by the first. */
void run_order_border(void)
{
    hd_stream *second = another_stream(HD_STREAM_NON_BLOCKING);
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N);
    uint8_t *bytes = (uint8_t *)data;
    hd_event *event = NULL;

    MUST(hd_event_create(0, 0, &event));
    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_fill_bytes(bytes, 7, 1, 2, zoo_stream)); /* BUG order_border */
    MUST(hd_event_record(event, zoo_stream));
    MUST(hd_fill_bytes(bytes + 2, 7, 1, 2, second));
    if (!zoo_bug)
        MUST(hd_stream_wait(second, event));
    /* BUG order_border */
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, 1, four_sevens);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_event_destroy(event));
    MUST(hd_stream_destroy(second));
}

/* Two streams that wait for the default stream do not wait for each other. */
void run_order_blocking(void)
{
    hd_stream *second = another_stream(0);
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u)); /* BUG order_blocking */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    /* BUG order_blocking */
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    zoo_drop(data);
    zoo_drop(out);
    MUST(hd_stream_destroy(second));
}

/* The host waits for one of two streams, and goes on with a third. */
void run_order_host(void)
{
    hd_stream *second = another_stream(HD_STREAM_NON_BLOCKING);
    hd_stream *third = another_stream(HD_STREAM_NON_BLOCKING);
    uint32_t *data = zoo_zeroed(N), *out = zoo_zeroed(N), *other = zoo_zeroed(N);

    MUST(hd_stream_synchronize(zoo_stream));
    MUST(hd_launch(memory_set, one_block(third), other, 7u));
    MUST(hd_launch(memory_set, one_block(zoo_stream), data, 7u)); /* BUG order_host */
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    /* BUG order_host */
    MUST(hd_launch(memory_copy, one_block(second), (const uint32_t *)data, out));
    MUST(hd_stream_synchronize(second));
    zoo_expect(out, N, seven);
    MUST(hd_stream_synchronize(third));
    zoo_drop(data);
    zoo_drop(out);
    zoo_drop(other);
    MUST(hd_stream_destroy(second));
    MUST(hd_stream_destroy(third));
}

/* Host code writes between the rows of a copy that is under way, or into one. */
void run_order_pitch(void)
{
    uint32_t *host = host_words(HD_MEM_PINNED), *out = zoo_zeroed(ROWS * ROW);

    MUST(hd_stream_synchronize(zoo_stream));
    /* BUG order_pitch */
    MUST(hd_copy_2d(out, ROW * sizeof *out, host, PITCH * sizeof *host, ROW * sizeof *host, ROWS,
                    zoo_stream));
    host[2 * PITCH + (zoo_bug ? ROW - 1 : ROW)] = 0; /* BUG order_pitch */
    MUST(hd_stream_synchronize(zoo_stream));
    zoo_drop(out);
    MUST(hd_free(host));
}

/* Two words are read at once, of which a kernel writes the second. */
void run_order_part(void)
{
    uint32_t *host = host_words(HD_MEM_MAPPED), *seen = device_view(host);
    const volatile uint64_t *both = (const volatile uint64_t *)(const void *)host;
    uint32_t second;

    MUST(hd_launch(memory_set, hd_launch_with(hd_dim(1, 1, 1), hd_dim(1, 1, 1), 0, zoo_stream),
                   seen + 1, 7u));
    if (!zoo_bug)
        MUST(hd_stream_synchronize(zoo_stream));
    second = (uint32_t)(both[0] >> 32); /* BUG order_part */
    zoo_expect_value("the second word", second, 7);
    zoo_drop(host);
}

/* A fill raises a flag for the host behind a kernel. */
void run_order_flag(void)
{
    uint32_t *row = host_words(HD_MEM_MAPPED), *flag = host_words(HD_MEM_MAPPED), last;

    flag[0] = 0;
    MUST(hd_launch(memory_set, one_block(zoo_stream), device_view(row), 7u));
    MUST(hd_fill_bytes(device_view(flag), 1, sizeof *flag, 1, zoo_stream));
    while (!zoo_bug && !__atomic_load_n(flag, __ATOMIC_ACQUIRE))
        ;
    last = row[N - 1]; /* BUG order_flag */
    zoo_expect_value("the last element", last, 7);
    zoo_drop(flag);
    zoo_drop(row);
}

/* Host code has used the memory before, and it was freed since. */
void run_order_freed(void)
{
    uint32_t *data = host_words(HD_MEM_MAPPED);
    uint32_t first = data[0];

    zoo_expect_value("the first element", first, x(0));
    MUST(hd_free_async(data, zoo_stream)); /* BUG order_freed */
    MUST(hd_stream_synchronize(zoo_stream));
    if (zoo_bug)
        data[1] = first; /* BUG order_freed */
}

/* The program ends while memory waits to be freed. */
void run_order_pending(void)
{
    hd_stream *second = another_stream(HD_STREAM_NON_BLOCKING);
    uint32_t *data = NULL;

    MUST(hd_alloc_async(&data, N, second)); /* BUG order_pending */
    MUST(hd_fill_zero(data, N, second));
    if (!zoo_bug)
        MUST(hd_free_async(data, second));
}
