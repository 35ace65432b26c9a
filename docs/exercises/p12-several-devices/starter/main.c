/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - one field on all devices, in three ways. Every cell has to have the host's bits. */
#include <time.h>

#include <heddle/peer.h>

#include "exercise.h"

#include "host.h"

enum { NY = 37, ROWS = NY + 2 }; /* with the boundary rows */

static float start[ROWS * NX], expected[ROWS * NX], result[ROWS * NX];

static void solve_host(void)
{
    static float fields[2][ROWS * NX];

    for (int i = 0; i < ROWS * NX; i++)
        start[i] = i < NX ? 100.0f : (float)(i * 7 % 31);
    memcpy(fields[0], start, sizeof start);
    memcpy(fields[1], start, sizeof start);
    for (int s = 0; s < STEPS; s++)
        for (int y = 1; y <= NY; y++)
            for (int x = 1; x < NX - 1; x++) {
                const float *here = &fields[s % 2][y * NX + x];

                fields[1 - s % 2][y * NX + x] = ((here[-NX] + here[-1]) + (here[NX] + here[1])) *
                                                0.25f;
            }
    memcpy(expected, fields[STEPS % 2], sizeof expected);
}

/* Part i of count: its first row in the field, and how many it has. */
static size_t first_row(int i, int count)
{
    return (size_t)NY * (size_t)i / (size_t)count;
}

static void create(plate *p)
{
    for (int i = 0; i < p->count; i++) {
        part *q = &p->parts[i];

        q->device = i;
        q->ny = first_row(i + 1, p->count) - first_row(i, p->count);
        TRY(hd_stream_create_with(i, HD_STREAM_NON_BLOCKING, 0, &q->stream));
        TRY(hd_stream_create_with(i, HD_STREAM_NON_BLOCKING, 0, &q->edges));
        TRY(hd_event_create(i, 0, &q->sent));
        TRY(hd_event_create(i, 0, &q->edged));
        TRY(hd_event_create(i, 0, &q->interior));
        TRY(hd_alloc_kind(&q->host, 2 * NX, HD_MEM_PINNED, i));
        for (int f = 0; f < 2; f++)
            TRY(hd_alloc(&q->field[f], (q->ny + 2) * NX, i));
    }
    for (int i = 0; i + 1 < p->count; i++) /* decides now whether transfers go directly */
        TRY(hd_peer_connect(i, i + 1, NULL));
}

static void destroy(plate *p)
{
    for (int i = 0; i < p->count; i++)
        TRY(hd_device_synchronize(i));
    for (int i = 0; i < p->count; i++) {
        part *q = &p->parts[i];

        for (int f = 0; f < 2; f++)
            TRY(hd_free(q->field[f]));
        TRY(hd_free(q->host));
        TRY(hd_event_destroy(q->interior));
        TRY(hd_event_destroy(q->edged));
        TRY(hd_event_destroy(q->sent));
        TRY(hd_stream_destroy(q->edges));
        TRY(hd_stream_destroy(q->stream));
    }
}

static double now(void)
{
    struct timespec t;

    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run(const char *name, hd_status (*function)(plate *), plate *p)
{
    double begin;

    for (int i = 0; i < p->count; i++) {
        const part *q = &p->parts[i];

        for (int f = 0; f < 2; f++)
            TRY(hd_copy_blocking(q->field[f], start + first_row(i, p->count) * NX, (q->ny + 2) * NX,
                                 q->stream));
    }
    begin = now();
    TRY(function(p));
    fprintf(stderr, "%s on %d devices: %.3f ms\n", name, p->count, 1e3 * (now() - begin));
    for (int i = 0; i < p->count; i++) {
        const part *q = &p->parts[i];

        TRY(hd_copy_blocking(result + (first_row(i, p->count) + 1) * NX, q->field[STEPS % 2] + NX,
                             q->ny * NX, q->stream));
    }
    for (size_t y = 1; y <= NY; y++)
        for (size_t x = 0; x < NX; x++)
            if (exercise_bits(result[y * NX + x]) != exercise_bits(expected[y * NX + x]))
                return exercise_wrong("%s: row %zu, column %zu is %.9g, expected %.9g", name, y, x,
                                      (double)result[y * NX + x], (double)expected[y * NX + x]);
    return 0;
}

int main(void)
{
    plate p = {.count = 0};
    int wrong;

    TRY(hd_device_count(&p.count));
    if (p.count < 2) {
        fputs("error: this practical needs two devices: set HEDDLE_CPU_DEVICES=2\n", stderr);
        return 2;
    }
    if (p.count > PARTS_MAX)
        p.count = PARTS_MAX;
    solve_host();
    create(&p);
    wrong = run("run_through_host", run_through_host, &p) ||
            run("run_by_transfers", run_by_transfers, &p) ||
            run("run_overlapped", run_overlapped, &p);
    if (!wrong)
        printf("the middle of the field: %a\n", (double)expected[(NY / 2) * NX + NX / 2]);
    destroy(&p);
    return wrong;
}
