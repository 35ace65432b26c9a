/* SPDX-License-Identifier: Apache-2.0 */
/* hostwork.h - `heddle hostwork`: chunks that go through streams to the host, and the ways there.
   */
#ifndef HEDDLE_CLI_LAB_OVERLAP_HOSTWORK_H
#define HEDDLE_CLI_LAB_OVERLAP_HOSTWORK_H

#include "cli/lab/streams/stream_work.h"

enum { HOSTWORK_STREAMS = 32 };
enum { HOSTWORK_THREADS, HOSTWORK_FUNCTIONS, HOSTWORK_QUEUE, HOSTWORK_TASKS, HOSTWORK_WAYS };

typedef struct hostwork {
    cli_job job;
    size_t n, chunks, streams; /* elements of a chunk; chunk c goes through stream c % streams */
    unsigned turns, blocks, wanted;
    hd_stream *stream[HOSTWORK_STREAMS];
    float *in[HOSTWORK_STREAMS], *out[HOSTWORK_STREAMS]; /* on the device */
    float *source;                                       /* pinned: all chunks */
    float *result; /* pinned: chunk c is copied to part c % buffers */
    size_t buffers;
    uint64_t sum, expected;
    size_t consumed;  /* chunks */
    hd_status failed; /* of work that another thread issued */
    double seconds[HOSTWORK_WAYS];
    int right[HOSTWORK_WAYS];
} hostwork;

extern const char *const hostwork_names[HOSTWORK_WAYS];

/* What the host makes of a chunk: a sum of the bits of its elements, which has no order. */
uint64_t hostwork_sum(const float *data, size_t n);

/* Puts a chunk's copy in, kernel and copy out into its stream. */
hd_status hostwork_issue(hostwork *h, size_t chunk);
/* Sums a chunk that has arrived. Any thread; calls nothing of heddle's. */
void hostwork_consume(hostwork *h, size_t chunk);

/* Each takes all chunks one way and comes back when all are consumed. */
hd_status hostwork_threads(hostwork *h);
hd_status hostwork_functions(hostwork *h);
hd_status hostwork_queue(hostwork *h);
hd_status hostwork_tasks(hostwork *h);

#endif
