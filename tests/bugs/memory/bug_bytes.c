/* SPDX-License-Identifier: Apache-2.0 */
/* bug_bytes.c - bytes, halves and small members of words: shapes of the launches and results. */
#include "kern_bytes.h"
#include "zoo.h"

enum { N = 256, GRID = 3, ALL = GRID * N, IMAGE = 1021 };

static uint32_t mirrored(size_t i)
{
    return x(i / N * N + N - 1 - i % N);
}

RUN_SCRATCH(bytes_halves, bytes_halves, 1, x(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(bytes_pixel, bytes_pixel, 1, x(i), GRID, N, 0, 0, ALL)
RUN(bytes_first, bytes_first, 1, x(i / 4 * 4), GRID, N, 0, 0, ALL)
RUN(bytes_reuse, bytes_reuse, 1, x(i / N * N + i % N / 4) + (i % N < N / 2 && i % 4 == 0), GRID, N,
    0, 0, ALL)
RUN(bytes_reader, bytes_reuse, 2, x(i / N * N + i % N / 4) + (i % N < N / 2 && i % 4 == 0), GRID, N,
    0, 0, ALL)
RUN(bytes_loop, bytes_loop, 1, x(i % N < N / 2 ? i : i - N / 2), GRID, N, 0, 0, ALL)
RUN(bytes_far, bytes_far, 1, x(i) + x(i / N * N + (i + N / 2) % N), GRID, N, 0, 0, ALL)
RUN(bytes_joined, bytes_joined, 1, x(i / N * N + i % N / 4), GRID, N, 0, 0, ALL)
RUN_SCRATCH(bytes_member, bytes_member, 1, x(i), GRID, N, 0, 0, ALL)
RUN(bytes_union, bytes_union, 1, mirrored(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(bytes_field, bytes_field, 1, x(i), GRID, N, 0, 0, ALL)
RUN(bytes_wide, bytes_wide, 1, mirrored(i), GRID, N, 0, 0, ALL)
RUN(bytes_count, bytes_count, 1, x(i) % 2 * 4, GRID, N, 0, 0, ALL)
RUN_SCRATCH(bytes_packed, bytes_packed, 1, x(i), GRID, N, 0, 0, ALL)
RUN(bytes_unset, bytes_unset, 1, mirrored(i), GRID, N, 0, 0, ALL)
RUN(bytes_half, bytes_half, 1, mirrored(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(bytes_copied, bytes_copied, 1, mirrored(i), GRID, N, 0, 0, ALL)

/* Memory that the host has written, of which the checker knows no writer. */
void run_bytes_mapped(void)
{
    uint32_t *out = zoo_zeroed(1), *half = NULL;
    void *seen = NULL;

    MUST(hd_alloc_kind(&half, 1, HD_MEM_MAPPED, 0));
    half[0] = 5;
    MUST(hd_host_device_pointer(&seen, half, 0));
    MUST(hd_launch(bytes_mapped, hd_launch_with(hd_dim(1, 1, 1), hd_dim(N, 1, 1), 0, zoo_stream),
                   zoo_bug, (uint16_t *)seen, out));
    MUST(hd_stream_synchronize(zoo_stream));
    zoo_expect_value("the word", half[0], 1u << 16 | 2);
    zoo_drop(out);
    MUST(hd_free(half));
}

/* Two streams copy parts of an image that meet in the middle of a word; a kernel waits for the
   second one and begins with the last bytes of the first. */
void run_bytes_border(void)
{
    enum { BORDER = IMAGE / 8 * 4 + 2 };
    uint8_t host[IMAGE] = {0}, *from = NULL, *to = NULL;
    hd_stream *second = NULL;
    hd_event *copied = NULL;

    MUST(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &second));
    MUST(hd_event_create(0, 0, &copied));
    MUST(hd_alloc(&from, IMAGE, 0));
    MUST(hd_alloc(&to, IMAGE, 0));
    MUST(hd_copy(from, (const uint8_t *)host, BORDER, zoo_stream)); /* BUG bytes_border */
    MUST(hd_event_record(copied, zoo_stream));
    MUST(hd_copy(from + BORDER, (const uint8_t *)host, IMAGE - BORDER, second));
    if (!zoo_bug)
        MUST(hd_stream_wait(second, copied));
    MUST(hd_launch(bytes_image, hd_launch_1d(8, N, second), 0, (size_t)8,
                   (const uint8_t *)from + BORDER - 2, to));
    MUST(hd_stream_synchronize(second));
    zoo_drop(from);
    zoo_drop(to);
    MUST(hd_event_destroy(copied));
    MUST(hd_stream_destroy(second));
}

/* An image whose bytes are no multiple of four. */
void run_bytes_image(void)
{
    uint8_t host[IMAGE], *from = NULL, *to = NULL;

    for (size_t i = 0; i < IMAGE; i++)
        host[i] = (uint8_t)x(i);
    MUST(hd_alloc(&from, IMAGE, 0));
    MUST(hd_alloc(&to, IMAGE, 0));
    MUST(hd_copy_blocking(from, (const uint8_t *)host, IMAGE, zoo_stream));
    MUST(hd_launch(bytes_image, hd_launch_1d(IMAGE, N, zoo_stream), zoo_bug, (size_t)IMAGE,
                   (const uint8_t *)from, to));
    MUST(hd_copy_blocking(host, (const uint8_t *)to, IMAGE, zoo_stream));
    for (size_t i = 0; i < IMAGE; i++)
        zoo_expect_value("a difference", host[i], (uint8_t)(x(i) - (i + 1 < IMAGE ? x(i + 1) : 0)));
    zoo_drop(from);
    zoo_drop(to);
}
