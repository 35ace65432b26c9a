/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - a tuner: compares candidates with a reference, then times them. */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "kernel.h"

/* Launches a candidate once. */
static hd_status launch(hd_stream *stream, const problem *p, const candidate *c)
{
    const size_t threads = c->variant == CELLS ? p->nx : (p->nx + 3) / 4; /* in a row */
    const hd_launch_config config = hd_launch_3d(threads, p->ny, 1, c->shape, stream);

    switch (c->variant) {
    case CELLS:
        return hd_launch(step_cells, config, p->nx, p->ny, p->from, p->to);
    case QUADS:
        return hd_launch(step_quads, config, p->nx, p->ny, p->from, p->to);
    default:
        return hd_launch(step_short, config, p->nx, p->ny, p->from, p->to);
    }
}

/* Runs a candidate and compares. */
static hd_status try_once(hd_stream *stream, const problem *p, candidate *c)
{
    const size_t cells = p->nx * p->ny;
    hd_status status;

    /* Not a number, so that no cell looks right that the candidate has not written: the memory
       still holds the result of the candidate before. */
    HD_TRY(hd_fill_bytes(p->to, 0xffffffffu, 4, cells, stream));
    status = launch(stream, p, c);
    if (status == HD_ERR_LAUNCH_CONFIG) {
        c->outcome = OUTCOME_REFUSED; /* nothing was launched; the device is as good as before */
        return HD_OK;
    }
    HD_TRY(status);
    HD_TRY(hd_copy_blocking(p->result, p->to, cells, stream));
    c->outcome = memcmp(p->result, p->expected, cells * sizeof *p->result) == 0 ? OUTCOME_RIGHT
                                                                                : OUTCOME_WRONG;
    return HD_OK;
}

static int ascending(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* The median: a single slow run, of which there are always some, does not change it. */
static hd_status time_candidate(hd_stream *stream, const problem *p, candidate *c, hd_event *start,
                                hd_event *stop)
{
    float times[RUNS];

    for (int r = 0; r < RUNS; r++) {
        HD_TRY(hd_event_record(start, stream));
        HD_TRY(launch(stream, p, c));
        HD_TRY(hd_event_record(stop, stream));
        HD_TRY(hd_event_synchronize(stop));
        HD_TRY(hd_event_elapsed(start, stop, &times[r]));
    }
    qsort(times, RUNS, sizeof *times, ascending);
    c->milliseconds = times[RUNS / 2];
    return HD_OK;
}

hd_status tune(hd_stream *stream, const problem *p, candidate *candidates, int count, int *best)
{
    hd_event *start = NULL, *stop = NULL;
    int device, fastest = -1;
    hd_status status;

    HD_GOTO(status, end, hd_stream_device(stream, &device));
    HD_GOTO(status, end, hd_event_create(device, HD_EVENT_TIMING, &start));
    HD_GOTO(status, end, hd_event_create(device, HD_EVENT_TIMING, &stop));
    for (int i = 0; i < count; i++) {
        candidate *c = &candidates[i];

        HD_GOTO(status, end, try_once(stream, p, c));
        if (c->outcome != OUTCOME_RIGHT) /* how fast a wrong result comes is of no interest */
            continue;
        HD_GOTO(status, end, time_candidate(stream, p, c, start, stop));
        if (fastest < 0 || c->milliseconds < candidates[fastest].milliseconds)
            fastest = i;
    }
    if (fastest < 0)
        status = HD_ERR_UNSUPPORTED;
    else
        *best = fastest;
end:
    hd_event_destroy(stop);
    hd_event_destroy(start);
    return status;
}
