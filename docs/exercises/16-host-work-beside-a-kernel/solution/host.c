/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - the host side: it prepares chunks and uses results while the device works. */
#include "host.h"
#include "exercise.h"
#include "kernel.h"

enum { BLOCK = 128, BUFFERS = 2 };

/* While the device works on one buffer, the host prepares the other one. An event behind the last
   copy of a chunk says that the host may use both arrays of its buffer again. */
typedef struct buffer {
    uint32_t *in, *out; /* pinned host memory */
    uint32_t *x, *y;    /* device memory */
    hd_event *done;
} buffer;

static void create(buffer *b, size_t n)
{
    TRY(hd_alloc_kind(&b->in, n, HD_MEM_PINNED, 0));
    TRY(hd_alloc_kind(&b->out, n, HD_MEM_PINNED, 0));
    TRY(hd_alloc(&b->x, n, 0));
    TRY(hd_alloc(&b->y, n, 0));
    TRY(hd_event_create(0, 0, &b->done));
}

static void destroy(buffer *b)
{
    TRY(hd_event_destroy(b->done));
    TRY(hd_free(b->y));
    TRY(hd_free(b->x));
    TRY(hd_free(b->out));
    TRY(hd_free(b->in));
}

/* The total of the chunk that is in the buffer, when the device is done with it. */
static uint64_t collect(buffer *b, size_t n)
{
    TRY(hd_event_synchronize(b->done));
    return total_of(n, b->out);
}

void process(size_t chunks, size_t n, uint64_t *totals)
{
    buffer buffers[BUFFERS];
    hd_stream *stream;

    TRY(hd_stream_create(0, &stream));
    for (int i = 0; i < BUFFERS; i++)
        create(&buffers[i], n);
    for (size_t c = 0; c < chunks; c++) {
        buffer *b = &buffers[c % BUFFERS];

        if (c >= BUFFERS) /* the chunk that was in this buffer before */
            totals[c - BUFFERS] = collect(b, n);
        prepare(c, n, b->in);
        TRY(hd_copy(b->x, b->in, n, stream));
        TRY(hd_launch(square_plus_one, hd_launch_loop(n, BLOCK, stream), n, b->x, b->y));
        TRY(hd_copy(b->out, b->y, n, stream));
        TRY(hd_event_record(b->done, stream));
    }
    for (size_t c = chunks > BUFFERS ? chunks - BUFFERS : 0; c < chunks; c++)
        totals[c] = collect(&buffers[c % BUFFERS], n);
    for (int i = 0; i < BUFFERS; i++)
        destroy(&buffers[i]);
    TRY(hd_stream_destroy(stream));
}
