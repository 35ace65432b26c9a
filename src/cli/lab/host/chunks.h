/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.h - `heddle host chunks`: chunks that pass through streams to the host, and the
   strategies. */
#ifndef HEDDLE_CLI_LAB_HOST_CHUNKS_H
#define HEDDLE_CLI_LAB_HOST_CHUNKS_H

#include "cli/lab/streams/stream_work.h"

enum { HOST_CHUNKS_STREAMS = 32 };
enum {
    HOST_CHUNKS_THREADS,
    HOST_CHUNKS_FUNCTIONS,
    HOST_CHUNKS_QUEUE,
    HOST_CHUNKS_TASKS,
    HOST_CHUNKS_STRATEGIES
};

typedef struct host_chunks {
    cli_job job;
    size_t n, chunks, streams; /* elements per chunk; chunk c uses stream c % streams */
    unsigned turns, blocks, wanted;
    hd_stream *stream[HOST_CHUNKS_STREAMS];
    float *in[HOST_CHUNKS_STREAMS], *out[HOST_CHUNKS_STREAMS]; /* on the device */
    float *source;                                             /* pinned: all chunks */
    float *result; /* pinned: chunk c is copied to buffer c % buffers */
    size_t buffers;
    uint64_t sum, expected;
    size_t consumed;  /* chunks consumed so far */
    hd_status failed; /* status of work issued by another thread */
    double seconds[HOST_CHUNKS_STRATEGIES];
    int right[HOST_CHUNKS_STRATEGIES];
} host_chunks;

extern const char *const host_chunks_names[HOST_CHUNKS_STRATEGIES];

/* The host's work on a chunk: a sum of the bits of its elements, which does not depend on their
   order. */
uint64_t host_chunks_sum(const float *data, size_t n);

/* Enqueues a chunk's copy in, kernel and copy out in its stream. */
hd_status host_chunks_issue(host_chunks *h, size_t chunk);
/* Sums an arrived chunk. May run on any thread; makes no heddle calls. */
void host_chunks_consume(host_chunks *h, size_t chunk);

/* Each processes all chunks by one strategy and returns when all are consumed. */
hd_status host_chunks_threads(host_chunks *h);
hd_status host_chunks_functions(host_chunks *h);
hd_status host_chunks_queue(host_chunks *h);
hd_status host_chunks_tasks(host_chunks *h);

#endif
