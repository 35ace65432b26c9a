/* SPDX-License-Identifier: Apache-2.0 */
/* defaultstream.h - `heddle streams default`: its experiments and their data. */
#ifndef HEDDLE_CLI_LAB_STREAMS_DEFAULTSTREAM_H
#define HEDDLE_CLI_LAB_STREAMS_DEFAULTSTREAM_H

#include "default_threads.h"
#include "stream_work.h"

enum {
    DEFAULT_N = 4 * STREAM_WORK_BLOCK,
    DEFAULT_BLOCKS = 4,
    DEFAULT_EXPERIMENTS = 8,
    DEFAULT_CHANCES = 3,
    DEFAULT_NAME = 64
};

typedef struct default_experiment {
    char name[DEFAULT_NAME];
    const char *which; /* default stream */
    const char *expected;
    int (*check)(const hd_trace_span *spans, size_t count);
    unsigned at_once;
    double seconds; /* from the first begin to the last end */
    int holds, verified;
} default_experiment;

typedef struct default_room {
    cli_job job;
    size_t streams;
    unsigned turns;
    double kernel_seconds; /* wanted */
    int openmp, posix;     /* kinds of threads requested */
    hd_default_stream which;
    float *in[CLI_THREADS_MAX], *out[CLI_THREADS_MAX]; /* on the device */
    float *source, *result[CLI_THREADS_MAX];           /* pinned */
    float *dummy[CLI_THREADS_MAX];                     /* output of the dummy kernels */
    hd_status status[CLI_THREADS_MAX];
    default_experiment experiments[DEFAULT_EXPERIMENTS];
    size_t count;
} default_room;

/* Runs the experiments with one kind of default stream, each in a trace range of its name. */
int default_run(default_room *r, hd_default_stream which);
/* After hd_trace_stop: evaluates the recorded times of each experiment. */
int default_read_times(default_room *r);
/* Nonzero if the only expectation not met is that kernels overlap. */
int default_may_hold(const default_room *r);

#endif
