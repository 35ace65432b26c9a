/* SPDX-License-Identifier: Apache-2.0 */
/* puts.c - stores bytes to other devices' memory, and waits for bytes that they store. */
#include <heddle/kernel.h>

#include "puts.h"
#include "kernels/group/word16.inc"

/* Copies this thread's words of an array; 4 loads in flight before their stores. */
HD_DEVICE void copy_words(const hd_u32x4 *from, hd_u32x4 *to, size_t count)
{
    const size_t step = hd_global_size_x();
    size_t at = hd_global_x();

    for (; at + 3 * step < count; at += 4 * step) {
        const hd_u32x4 a = word_at(from + at), b = word_at(from + at + step);
        const hd_u32x4 c = word_at(from + at + 2 * step), d = word_at(from + at + 3 * step);
        to[at] = a;
        to[at + step] = b;
        to[at + 2 * step] = c;
        to[at + 3 * step] = d;
    }
    for (; at < count; at += step)
        to[at] = word_at(from + at);
}

/* Copies this thread's elements, of less than 16 bytes. */
#define COPY_AS(T, from, to, count)                                                                \
    HD_FOR(i, (size_t)(count)) {                                                                   \
        ((T *)(void *)(to))[i] = ((const T *)(const void *)(from))[i];                             \
    }

/* Copies the last bytes, fewer than 16. */
HD_DEVICE void copy_rest(const unsigned char *from, unsigned char *to, uint64_t bytes)
{
    const uint64_t at = bytes / 16 * 16 + hd_thread_linear();

    if (hd_block_x() == 0 && at < bytes)
        to[at] = from[at];
}

HD_DEVICE void copy_part(const unsigned char *from, unsigned char *to, uint64_t bytes)
{
    const uintptr_t places = (uintptr_t)from | (uintptr_t)to;

    if ((places & 15) == 0) {
        copy_words((const hd_u32x4 *)(const void *)from, (hd_u32x4 *)(void *)to,
                   (size_t)(bytes / 16));
        copy_rest(from, to, bytes);
    } else if (((places | bytes) & 3) == 0) {
        COPY_AS(uint32_t, from, to, bytes / 4)
    } else {
        COPY_AS(unsigned char, from, to, bytes)
    }
}

/* Returns 1 in one thread of the grid: the one that arrives after all blocks have finished. */
HD_DEVICE int is_last(unsigned *ticket)
{
    hd_sync_block();
    if (hd_thread_linear() != 0 || hd_atomic_add_acq_rel(ticket, 1u) + 1 != hd_grid_dim_x())
        return 0;
    hd_store_relaxed(ticket, 0u);
    return 1;
}

HD_DEVICE void publish_to_host(const hd__puts_done *done)
{
    if (done->word)
        hd_store_release_system(done->word, done->value);
}

HD_DEVICE void send_all(const hd__puts *puts)
{
    for (uint32_t i = 0; i < puts->count; i++)
        copy_part(puts->put[i].from, puts->put[i].to, puts->put[i].bytes);
    if (!is_last(puts->ticket))
        return;
    for (uint32_t i = 0; i < puts->count; i++)
        hd_store_release_system(puts->put[i].word, puts->put[i].value);
    publish_to_host(&puts->done);
}

HD_DEVICE void take_all(const hd__takes *takes)
{
    for (uint32_t i = 0; i < takes->count; i++) {
        const hd__take *take = &takes->take[i];
        if (hd_thread_linear() == 0)
            (void)hd_wait_ge_system(take->word.word, take->word.value);
        hd_sync_block();
        copy_part(take->from, take->to, take->bytes);
    }
    if (is_last(takes->ticket))
        publish_to_host(&takes->done);
}

/* Grid: any, 1-D; blocks of 16 threads or more. Stores the bytes of all puts; the last block to
   finish then stores their words with release: a reader that acquires a word sees the bytes. 2
   bytes moved per byte put. */
HD_KERNEL void hd__puts_send(HD_GRID_CONST hd__puts puts)
{
    send_all(&puts);
}
HD_DEFINE(hd__puts_send)

/* One thread waits until each word is at least its value. Bytes that were put before are visible to
   later work in the stream. */
HD_KERNEL void hd__puts_await(HD_GRID_CONST hd__awaits awaits)
{
    for (uint32_t i = 0; i < awaits.count; i++)
        (void)hd_wait_ge_system(awaits.of[i].word, awaits.of[i].value);
}
HD_DEFINE(hd__puts_await)

/* Grid: 1-D, at most as many blocks as are resident at once; blocks of 16 threads or more. First
   does what hd__puts_send does, if there are puts; then waits for the word of each take and copies
   the received bytes to their destination. 2 bytes moved per byte. */
HD_KERNEL void hd__puts_exchange(HD_GRID_CONST hd__puts puts, HD_GRID_CONST hd__takes takes)
{
    if (puts.count)
        send_all(&puts);
    if (takes.count)
        take_all(&takes);
}
HD_DEFINE(hd__puts_exchange)
