/* SPDX-License-Identifier: Apache-2.0 */
/* timing.h - how `heddle bench` measures: batches between two points in time, the sides that are
   compared taking turns, many rounds, median and spread. */
#ifndef HEDDLE_CLI_BENCH_TIMING_H
#define HEDDLE_CLI_BENCH_TIMING_H

#include <stddef.h>

#include <heddle/heddle.h>

enum { TIMING_ROUNDS_MAX = 1001, TIMING_MESSAGE = HD_ERROR_TEXT_MAX };

/* Measures on one stream: with events on a GPU; with the host's clock, from idle stream to idle
   stream, on the CPU, where a peer is a function call. */
typedef struct timing {
    hd_stream *stream;
    hd_event *begin, *end;
    int host_clock;
    int enqueue_only; /* the host's clock, without waiting for the work */
    size_t rounds;
    double batch_seconds; /* what one batch should take at least */
    size_t turn;          /* counts runs of all sides, so that they do not warm each other's data */
    char message[TIMING_MESSAGE];
} timing;

/* One of the things compared. */
typedef struct timing_side {
    int (*run)(void *state, size_t turn); /* enqueues once; 0, or -1 and the timing's message */
    void *state;
    size_t batch; /* runs between two points in time */
    double samples[TIMING_ROUNDS_MAX];
} timing_side;

typedef struct timing_spread {
    double median, least, p10, p90; /* seconds of one run */
} timing_spread;

int timing_open(timing *t, int device, size_t rounds);
void timing_close(timing *t);
/* Runs every side for `rounds` batches, A B C A B C, after a warm-up that also finds how many runs
   make a batch. 0, or -1 with the message set. */
int timing_measure(timing *t, timing_side *sides, size_t count);
/* Sorts the side's samples. */
timing_spread timing_spread_of(timing_side *side, size_t rounds);
/* Takes heddle's last error as message; returns -1. */
int timing_failed_call(timing *t);

#endif
