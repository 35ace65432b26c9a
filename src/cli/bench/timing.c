/* SPDX-License-Identifier: Apache-2.0 */
/* timing.c - measures several sides in turn. */
#include "timing.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/arguments.h"
#include "cli/app/progress.h"

enum { BATCH_MAX = 512, WARM_UP_RUNS = 3 };
#define BATCH_SECONDS 1e-3

int timing_failed_call(timing *t)
{
    (void)cli_call_text(t->message, sizeof t->message);
    return -1;
}

int timing_open(timing *t, int device, size_t rounds)
{
    memset(t, 0, sizeof *t);
    t->rounds = rounds;
    t->batch_seconds = BATCH_SECONDS;
    t->host_clock = strcmp(hd_backend_name(), "cpu") == 0;
    if (hd_stream_create(device, &t->stream) < 0 ||
        hd_event_create(device, HD_EVENT_TIMING, &t->begin) < 0 ||
        hd_event_create(device, HD_EVENT_TIMING, &t->end) < 0)
        return timing_failed_call(t);
    return 0;
}

void timing_close(timing *t)
{
    hd_event_destroy(t->begin);
    hd_event_destroy(t->end);
    hd_stream_destroy(t->stream);
}

static int run_batch(timing *t, timing_side *side, size_t runs)
{
    for (size_t i = 0; i < runs; i++)
        if (side->run(side->state, t->turn++) != 0)
            return -1;
    return 0;
}

/* Seconds of `runs` runs. */
static int time_batch(timing *t, timing_side *side, size_t runs, double *seconds)
{
    double began = cli_now();
    int events = !t->host_clock && !t->enqueue_only;
    float milliseconds;

    if (events && hd_event_record(t->begin, t->stream) < 0)
        return timing_failed_call(t);
    if (run_batch(t, side, runs) != 0)
        return -1;
    *seconds = cli_now() - began;
    if (events && hd_event_record(t->end, t->stream) < 0)
        return timing_failed_call(t);
    if (hd_stream_synchronize(t->stream) < 0)
        return timing_failed_call(t);
    if (t->enqueue_only)
        return 0;
    *seconds = cli_now() - began;
    if (!events)
        return 0;
    if (hd_event_elapsed(t->begin, t->end, &milliseconds) < 0)
        return timing_failed_call(t);
    *seconds = 1e-3 * (double)milliseconds;
    return 0;
}

/* Warms up, and doubles the batch until it is long enough to be timed accurately. */
static int find_batch(timing *t, timing_side *side)
{
    double seconds;

    if (time_batch(t, side, WARM_UP_RUNS, &seconds) != 0)
        return -1;
    for (side->batch = 1;; side->batch *= 2) {
        if (time_batch(t, side, side->batch, &seconds) != 0)
            return -1;
        if (seconds >= t->batch_seconds || side->batch >= BATCH_MAX)
            return 0;
    }
}

int timing_measure(timing *t, timing_side *sides, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (find_batch(t, &sides[i]) != 0)
            return -1;
    for (size_t round = 0; round < t->rounds; round++)
        for (size_t i = 0; i < count; i++) {
            double seconds;

            if (time_batch(t, &sides[i], sides[i].batch, &seconds) != 0)
                return -1;
            sides[i].samples[round] = seconds / (double)sides[i].batch;
        }
    return 0;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

timing_spread timing_spread_of(timing_side *side, size_t rounds)
{
    timing_spread spread;

    qsort(side->samples, rounds, sizeof *side->samples, compare);
    spread.median = side->samples[rounds / 2];
    spread.least = side->samples[0];
    spread.p10 = side->samples[rounds / 10];
    spread.p90 = side->samples[rounds - 1 - rounds / 10];
    return spread;
}
