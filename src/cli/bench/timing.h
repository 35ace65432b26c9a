/* SPDX-License-Identifier: Apache-2.0 */
/* timing.h - how `heddle bench` measures: timed batches, compared sides in turn, many rounds,
   median and spread. */
#ifndef HEDDLE_CLI_BENCH_TIMING_H
#define HEDDLE_CLI_BENCH_TIMING_H

#include <stddef.h>

#include <heddle/heddle.h>

enum { TIMING_ROUNDS_MAX = 1001, TIMING_MESSAGE = HD_ERROR_TEXT_MAX };

/* Measures on one stream: with events on a GPU; on the CPU, where a vendor library is a function
   call, with the host's clock and an idle stream before and after. */
typedef struct timing {
    hd_stream *stream;
    hd_event *begin, *end;
    int host_clock;
    int enqueue_only; /* the host's clock, without waiting for completion */
    size_t rounds;
    double batch_seconds; /* minimum seconds of a batch */
    size_t turn;          /* counts runs of all sides, so that none warms another's data */
    char message[TIMING_MESSAGE];
} timing;

/* One side of a comparison. */
typedef struct timing_side {
    int (*run)(void *state, size_t turn); /* enqueues one run; 0, or -1 and the timing's message */
    void *state;
    size_t batch; /* runs per timed batch */
    double samples[TIMING_ROUNDS_MAX];
} timing_side;

typedef struct timing_spread {
    double median, least, p10, p90; /* seconds of one run */
} timing_spread;

int timing_open(timing *t, int device, size_t rounds);
void timing_close(timing *t);
/* Measures every side for `rounds` batches, A B C A B C, after a warm-up that also determines the
   runs per batch. 0, or -1 with the message set. */
int timing_measure(timing *t, timing_side *sides, size_t count);
/* Sorts the side's samples. */
timing_spread timing_spread_of(timing_side *side, size_t rounds);
/* Copies heddle's last error to the message; returns -1. */
int timing_failed_call(timing *t);

#endif
