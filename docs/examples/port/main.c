/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - finds the stars of a series of frames: smooths a frame, chooses a threshold that one
   pixel in a hundred exceeds, and lists these pixels. The next frame is copied meanwhile. */
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>

#include "stars.h"

enum { FRAMES = 4, STARS = 12 };

#define TRY(call)                                                                                  \
    do {                                                                                           \
        char text_[HD_ERROR_TEXT_MAX];                                                             \
        if ((call) < 0) {                                                                          \
            fprintf(stderr, "stars: %s\n", hd_error_format(text_, sizeof text_));                  \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

/* A camera: noise around 20, and stars that drift to the right. */
static void expose(int frame, float *pixels)
{
    unsigned seed = 12345u + (unsigned)frame;

    for (int i = 0; i < N; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = 12.0f + (float)(seed >> 20) / 256.0f;
    }
    seed = 99;
    for (int s = 0; s < STARS; s++) {
        seed = seed * 1664525u + 1013904223u;
        int x = (int)((seed >> 8) % (WIDTH - 40)) + 4 + 2 * frame;
        int y = (int)((seed >> 20) % (HEIGHT - 8)) + 4;
        for (int dy = -3; dy <= 3; dy++)
            for (int dx = -3; dx <= 3; dx++)
                pixels[(y + dy) * WIDTH + x + dx] += 150.0f / (float)(1 + dx * dx + dy * dy);
    }
}

typedef struct device {
    hd_stream *copies, *work;
    hd_event *arrived[2];   /* the frame is in in[b]; host[b] may be written again */
    float *host[2], *in[2]; /* page-locked; on the device */
    float *smoothed, *level, *partial, *total;
    unsigned *bins, *ticket;
    int *found, *count;
} device;

static void create(device *d)
{
    TRY(hd_stream_create(0, &d->copies));
    TRY(hd_stream_create(0, &d->work));
    for (int b = 0; b < 2; b++) {
        TRY(hd_event_create(0, 0, &d->arrived[b]));
        TRY(hd_alloc_kind(&d->host[b], N, HD_MEM_PINNED, 0));
        TRY(hd_alloc(&d->in[b], N, 0));
    }
    TRY(hd_alloc(&d->smoothed, N, 0));
    TRY(hd_alloc(&d->level, 1, 0));
    TRY(hd_alloc(&d->partial, BLOCKS, 0));
    TRY(hd_alloc(&d->total, 1, 0));
    TRY(hd_alloc(&d->bins, BINS, 0));
    TRY(hd_alloc(&d->ticket, 1, 0));
    TRY(hd_alloc(&d->found, N, 0));
    TRY(hd_alloc(&d->count, 1, 0));
    TRY(hd_fill_zero(d->ticket, 1, d->work));
}

static void destroy(device *d)
{
    TRY(hd_free(d->count));
    TRY(hd_free(d->found));
    TRY(hd_free(d->ticket));
    TRY(hd_free(d->bins));
    TRY(hd_free(d->total));
    TRY(hd_free(d->partial));
    TRY(hd_free(d->level));
    TRY(hd_free(d->smoothed));
    for (int b = 0; b < 2; b++) {
        TRY(hd_free(d->in[b]));
        TRY(hd_free(d->host[b]));
        TRY(hd_event_destroy(d->arrived[b]));
    }
    TRY(hd_stream_destroy(d->work));
    TRY(hd_stream_destroy(d->copies));
}

/* Starts the copy of a frame to the device. The frame before the last, which used the same buffers,
   has been reported: the host has waited for its kernels, and these for its copy. */
static void send(device *d, int frame)
{
    int b = frame % 2;

    expose(frame, d->host[b]);
    TRY(hd_copy(d->in[b], d->host[b], N, d->copies));
    TRY(hd_event_record(d->arrived[b], d->copies));
}

static void launch(device *d, int frame)
{
    hd_dim3 tiles = hd_dim((WIDTH + TILE_X - 1) / TILE_X, (HEIGHT + TILE_Y - 1) / TILE_Y, 1);
    hd_launch_config by_tile = hd_launch_with(tiles, hd_dim(TILE_X, TILE_Y, 1), 0, d->work);
    hd_launch_config by_pixel = hd_launch_1d(N, BLOCK, d->work);

    TRY(hd_stream_wait(d->work, d->arrived[frame % 2]));
    TRY(hd_fill_zero(d->bins, BINS, d->work));
    TRY(hd_fill_zero(d->count, 1, d->work));
    TRY(hd_launch(smooth, by_tile, d->in[frame % 2], d->smoothed));
    TRY(hd_launch(histogram, by_pixel, d->smoothed, d->bins));
    TRY(hd_launch(threshold, hd_launch_1d(BINS, BINS, d->work), d->bins, N - N / 100, d->level));
    TRY(hd_launch(find, by_pixel, d->smoothed, d->level, d->found, d->count));
    TRY(hd_launch(flux, by_pixel, d->smoothed, d->level, d->partial, d->ticket, d->total));
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Fetches what was found in a frame and prints it. */
static void report(device *d, int frame)
{
    static int found[N];
    unsigned hash = 0;
    float total;
    int count;

    TRY(hd_copy(&total, d->total, 1, d->work));
    TRY(hd_copy_blocking(&count, d->count, 1, d->work)); /* the next line needs it */
    TRY(hd_copy_blocking(found, d->found, (size_t)count, d->work));
    qsort(found, (size_t)count, sizeof *found, ascending);
    for (int i = 0; i < count; i++)
        hash = hash * 31 + (unsigned)found[i];
    printf("frame %d: %d pixels, hash %08x, flux %.3f\n", frame, count, hash, (double)total);
}

int main(void)
{
    device d;

    create(&d);
    send(&d, 0);
    for (int frame = 0; frame < FRAMES; frame++) {
        launch(&d, frame);
        if (frame + 1 < FRAMES)
            send(&d, frame + 1);
        report(&d, frame);
    }
    destroy(&d);
    return 0;
}
