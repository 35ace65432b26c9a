/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - copies of one stream overlap with kernels of another one, and events keep them in
   order. Two buffers: while a kernel reads one of them, the next chunk is copied to the other. */
#include <stdio.h>
#include <string.h>

#include <heddle/heddle.h>

#include "square.h"

enum { CHUNK = 1 << 16, CHUNKS = 8, BUFFERS = 2 };

typedef struct work {
    hd_stream *copies, *kernels;
    hd_event *arrived[BUFFERS]; /* the chunk is in the buffer */
    hd_event *free[BUFFERS];    /* the kernel has read the buffer */
    float *buffer[BUFFERS];     /* device memory, a chunk each */
    float *squares;             /* device memory, all chunks */
    float *host, *result;       /* page-locked: only there do copies run beside kernels */
} work;

static hd_status create(work *w)
{
    HD_TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &w->copies));
    HD_TRY(hd_stream_create_with(0, HD_STREAM_NON_BLOCKING, 0, &w->kernels));
    for (int b = 0; b < BUFFERS; b++) {
        HD_TRY(hd_event_create(0, 0, &w->arrived[b]));
        HD_TRY(hd_event_create(0, 0, &w->free[b]));
        HD_TRY(hd_alloc(&w->buffer[b], CHUNK, 0));
    }
    HD_TRY(hd_alloc(&w->squares, CHUNK * CHUNKS, 0));
    HD_TRY(hd_alloc_kind(&w->host, CHUNK * CHUNKS, HD_MEM_PINNED, 0));
    return hd_alloc_kind(&w->result, CHUNK * CHUNKS, HD_MEM_PINNED, 0);
}

static void destroy(work *w)
{
    hd_free(w->result);
    hd_free(w->host);
    hd_free(w->squares);
    for (int b = 0; b < BUFFERS; b++) {
        hd_free(w->buffer[b]);
        hd_event_destroy(w->free[b]);
        hd_event_destroy(w->arrived[b]);
    }
    hd_stream_destroy(w->kernels);
    hd_stream_destroy(w->copies);
}

/* Enqueues everything at once; the host waits in the last call only. */
static hd_status run(work *w, int with_event)
{
    for (int c = 0; c < CHUNKS; c++) {
        const int b = c % BUFFERS;
        const hd_launch_config config = hd_launch_loop(CHUNK, 256, w->kernels);

        if (c >= BUFFERS) /* else nobody has used the buffer yet */
            HD_TRY(hd_stream_wait(w->copies, w->free[b]));
        HD_TRY(hd_copy(w->buffer[b], w->host + c * CHUNK, CHUNK, w->copies));
        HD_TRY(hd_event_record(w->arrived[b], w->copies));

        if (with_event)
            HD_TRY(hd_stream_wait(w->kernels, w->arrived[b]));
        HD_TRY(hd_launch(square_f32, config, CHUNK, w->buffer[b], w->squares + c * CHUNK));
        HD_TRY(hd_event_record(w->free[b], w->kernels));
    }
    return hd_copy_blocking(w->result, w->squares, CHUNK * CHUNKS, w->kernels);
}

int main(int argc, char **argv)
{
    const int with_event = argc < 2 || strcmp(argv[1], "--without-event") != 0;
    char text[HD_ERROR_TEXT_MAX];
    int wrong = 0;
    work w = {0};
    hd_status status = create(&w);

    if (status >= 0) {
        for (int i = 0; i < CHUNK * CHUNKS; i++)
            w.host[i] = (float)(i % 1000);
        status = run(&w, with_event);
    }
    if (status < 0)
        fprintf(stderr, "streams: %s\n", hd_error_format(text, sizeof text));
    for (int i = 0; status >= 0 && i < CHUNK * CHUNKS; i++)
        wrong += w.result[i] != (float)((i % 1000) * (i % 1000));
    if (status >= 0)
        printf("%d chunks of %d numbers: %d wrong squares\n", CHUNKS, CHUNK, wrong);
    destroy(&w);
    return status < 0 || wrong > 0;
}
