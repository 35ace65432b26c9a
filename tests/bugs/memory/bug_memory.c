/* SPDX-License-Identifier: Apache-2.0 */
/* bug_memory.c - memory that is gone, was never written, or belongs to somebody else. */
#include "kern_memory.h"
#include "zoo.h"

#include <stdlib.h>
#include <string.h>

enum { N = 256 };

static uint32_t element(size_t i)
{
    return x(i);
}

static uint32_t zero(size_t i)
{
    (void)i;
    return 0;
}

static uint32_t ends(size_t i)
{
    return (i == 0 ? 0 : x(i - 1)) + (i == N - 1 ? 0 : x(i + 1));
}

static hd_launch_config one_block(void)
{
    return hd_launch_with(hd_dim(1, 1, 1), hd_dim(N, 1, 1), 0, zoo_stream);
}

/* The result of a copy is as it should be. */
static void check_copy(uint32_t *out)
{
    zoo_expect(out, N, element);
    zoo_drop(out);
}

RUN(uninit_shared, uninit_shared, 1, x(i), 1, N, 0, 0, N)
RUN(uninit_part, uninit_part, 1, ends(i), 1, N, 0, 0, N)

/* ---- life time ------------------------------------------------------------------------------- */

void run_freed_use(void)
{
    uint32_t *in = zoo_input(N), *out = zoo_zeroed(N);

    if (zoo_bug)
        MUST(hd_free(in));                                                /* BUG freed_use */
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)in, out)); /* BUG freed_use */
    check_copy(out);
    if (!zoo_bug)
        zoo_drop(in);
}

/* The memory goes in stream order, before the last launch. */
void run_freed_async(void)
{
    uint32_t *in = NULL, *out = zoo_zeroed(N);

    MUST(hd_alloc_async(&in, N, zoo_stream));
    MUST(hd_fill_zero(in, N, zoo_stream));
    if (zoo_bug)
        MUST(hd_free_async(in, zoo_stream));                              /* BUG freed_async */
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)in, out)); /* BUG freed_async */
    zoo_expect(out, N, zero);
    if (!zoo_bug)
        MUST(hd_free_async(in, zoo_stream));
    zoo_drop(out);
}

void run_freed_twice(void)
{
    uint32_t *out = zoo_zeroed(N);

    zoo_expect(out, N, zero);
    MUST(hd_free(out)); /* BUG freed_twice */
    if (zoo_bug)
        (void)hd_free(out); /* BUG freed_twice */
}

void run_freed_inside(void)
{
    uint32_t *out = zoo_zeroed(N);

    zoo_expect(out, N, zero);
    if (zoo_bug)
        (void)hd_free(out + 1); /* BUG freed_inside */
    MUST(hd_free(out));
}

void run_leak(void)
{
    uint32_t *in = zoo_input(N), *out = NULL;

    MUST(hd_alloc(&out, N, 0)); /* BUG leak */
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)in, out));
    zoo_drop(in);
    if (!zoo_bug)
        check_copy(out);
}

/* ---- never written --------------------------------------------------------------------------- */

void run_uninit_global(void)
{
    uint32_t *in = zoo_bug ? zoo_raw(N) : zoo_input(N), *out = zoo_zeroed(N);

    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)in, out));
    check_copy(out);
    zoo_drop(in);
}

/* Who only looks, if atomically, has written nothing. */
void run_uninit_again(void)
{
    uint32_t *in = zoo_bug ? zoo_raw(N) : zoo_input(N), *out = zoo_zeroed(N);

    MUST(hd_launch(memory_look, one_block(), (const uint32_t *)in, out));
    check_copy(out);
    zoo_drop(in);
}

/* All elements but the last one are copied. */
void run_uninit_last(void)
{
    uint32_t *in = zoo_raw(N), *out = zoo_zeroed(N), host[N];

    for (size_t i = 0; i < N; i++)
        host[i] = x(i);
    MUST(hd_copy_blocking(in, (const uint32_t *)host, N - (size_t)zoo_bug, zoo_stream));
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)in, out));
    check_copy(out);
    zoo_drop(in);
}

/* One byte of the last word is missing. */
void run_uninit_byte(void)
{
    uint32_t *in = zoo_raw(N), *out = zoo_zeroed(N);

    MUST(hd_fill_bytes(in, 0, 1, 4 * N - (size_t)zoo_bug, zoo_stream));
    MUST(hd_launch(memory_bytes, one_block(), (const uint8_t *)in, out));
    zoo_expect(out, N, zero);
    zoo_drop(out);
    zoo_drop(in);
}

/* So is the last of four words that are read at once. */
void run_uninit_wide(void)
{
    uint32_t *in = zoo_raw(4 * N), *out = zoo_zeroed(N);

    MUST(hd_fill_bytes(in, 0, 4, 4 * N - (size_t)zoo_bug, zoo_stream));
    MUST(hd_launch(memory_wide, one_block(), (const uint32_t *)in, out));
    zoo_expect(out, N, zero);
    zoo_drop(out);
    zoo_drop(in);
}

static uint32_t threads(size_t i)
{
    (void)i;
    return N;
}

/* A counter that nobody sets to zero. */
void run_uninit_count(void)
{
    uint32_t *count = zoo_bug ? zoo_raw(1) : zoo_zeroed(1);

    MUST(hd_launch(memory_count, one_block(), count));
    zoo_expect(count, 1, threads);
    zoo_drop(count);
}

/* ---- of the host, or of another device ------------------------------------------------------- */

static uint32_t *host_elements(void)
{
    uint32_t *host = malloc(N * sizeof *host);

    if (!host)
        exit(1);
    for (size_t i = 0; i < N; i++)
        host[i] = x(i);
    return host;
}

void run_host_pointer(void)
{
    uint32_t *host = host_elements(), *in = zoo_input(N), *out = zoo_zeroed(N);

    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)(zoo_bug ? host : in), out));
    check_copy(out);
    zoo_drop(in);
    free(host);
}

/* The pointer is inside a structure. */
void run_host_member(void)
{
    uint32_t *host = host_elements(), *in = zoo_input(N), *out = zoo_zeroed(N);
    memory_row row = {zoo_bug ? host : in, N};

    MUST(hd_launch(memory_copy_row, one_block(), row, out));
    check_copy(out);
    zoo_drop(in);
    free(host);
}

static __attribute__((noinline)) memory_row row_of_frame(void)
{
    uint32_t frame[N];
    memory_row row = {NULL, N};

    for (size_t i = 0; i < N; i++)
        frame[i] = x(i);
    row.from = frame + (frame[0] - x(0));
    return row;
}

/* The array was a local one of a function that has returned. */
void run_dead_frame(void)
{
    uint32_t *in = zoo_input(N), *out = zoo_zeroed(N);
    memory_row row = {in, N};

    if (zoo_bug)
        row = row_of_frame();
    MUST(hd_launch(memory_copy_row, one_block(), row, out));
    check_copy(out);
    zoo_drop(in);
}

/* Mapped host memory that was given back before the launch. */
void run_freed_mapped(void)
{
    uint32_t *out = zoo_zeroed(N), *mapped = NULL;
    void *seen = NULL;

    MUST(hd_alloc_kind(&mapped, N, HD_MEM_MAPPED, 0));
    MUST(hd_host_device_pointer(&seen, mapped, 0));
    for (size_t i = 0; i < N; i++)
        mapped[i] = x(i);
    if (zoo_bug)
        MUST(hd_free(mapped)); /* BUG freed_mapped */
    /* BUG freed_mapped */
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)seen, out));
    check_copy(out);
    if (!zoo_bug)
        MUST(hd_free(mapped));
}

/* Host memory whose registration has ended before the launch. */
void run_dead_registration(void)
{
    uint32_t *host = host_elements(), *out = zoo_zeroed(N);
    void *seen = NULL;

    MUST(hd_host_register(host, N * sizeof *host, 0));
    MUST(hd_host_device_pointer(&seen, host, 0));
    if (zoo_bug)
        MUST(hd_host_unregister(host));
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)seen, out));
    check_copy(out);
    if (!zoo_bug)
        MUST(hd_host_unregister(host));
    free(host);
}

void run_device_pointer(void)
{
    uint32_t *in = zoo_input(N), first = 0;

    if (zoo_bug)
        first = in[0]; /* BUG device_pointer */
    else
        MUST(hd_copy_blocking(&first, (const uint32_t *)in, 1, zoo_stream));
    zoo_expect_value("the first element", first, x(0));
    zoo_drop(in);
}

/* The C library reads device memory for the program. */
void run_device_memcpy(void)
{
    uint32_t *in = zoo_input(N), host[N];

    if (zoo_bug)
        memcpy(host, in, sizeof host); /* BUG device_memcpy */
    else
        MUST(hd_copy_blocking(host, (const uint32_t *)in, N, zoo_stream));
    zoo_expect_value("the last element", host[N - 1], x(N - 1));
    zoo_drop(in);
}

/* A kernel of device 0 reads memory of device 1. */
void run_no_peer(void)
{
    uint32_t *in = zoo_input(N), *out = zoo_zeroed(N), *far = NULL;

    if (!zoo_bug)
        MUST(hd_peer_enable(0, 1));
    MUST(hd_alloc(&far, N, 1));
    MUST(hd_copy_peer(far, 1, in, 0, N * sizeof *far, zoo_stream));
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)far, out));
    check_copy(out);
    zoo_drop(far);
    zoo_drop(in);
}

/* The same after the access was taken back. */
void run_peer_gone(void)
{
    uint32_t *out = zoo_zeroed(N), *far = NULL;

    MUST(hd_peer_enable(0, 1));
    MUST(hd_alloc(&far, N, 1));
    MUST(hd_copy_peer(far, 1, out, 0, N * sizeof *far, zoo_stream));
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)far, out));
    MUST(hd_stream_synchronize(zoo_stream));
    if (zoo_bug)
        MUST(hd_peer_disable(0, 1));
    MUST(hd_launch(memory_copy, one_block(), (const uint32_t *)far, out));
    zoo_expect(out, N, zero);
    zoo_drop(out);
    zoo_drop(far);
}

/* ---- host code ------------------------------------------------------------------------------- */

static uint32_t *pinned(void)
{
    uint32_t *host = NULL;

    MUST(hd_alloc_kind(&host, N, HD_MEM_PINNED, 0));
    for (size_t i = 0; i < N; i++)
        host[i] = x(i);
    return host;
}

/* The buffer goes before its last use. */
void run_freed_host(void)
{
    uint32_t *host = pinned(), last = x(N - 1);

    if (zoo_bug)
        MUST(hd_free(host)); /* BUG freed_host */
    last = host[N - 1];      /* BUG freed_host */
    zoo_expect_value("the last element", last, x(N - 1));
    if (!zoo_bug)
        MUST(hd_free(host));
}

/* The loop goes one element too far. */
void run_bounds_pinned(void)
{
    uint32_t *host = pinned(), sum = 0;

    for (size_t i = 0; i < N + (size_t)zoo_bug; i++)
        sum += host[i]; /* BUG bounds_pinned */
    zoo_expect_value("the sum", sum, zoo_sum(0, N));
    MUST(hd_free(host));
}

/* Freed in stream order twice. */
void run_freed_again(void)
{
    uint32_t *data = NULL;

    MUST(hd_alloc_async(&data, N, zoo_stream));
    MUST(hd_fill_zero(data, N, zoo_stream));
    MUST(hd_free_async(data, zoo_stream)); /* BUG freed_again */
    if (zoo_bug)
        (void)hd_free_async(data, zoo_stream); /* BUG freed_again */
}
