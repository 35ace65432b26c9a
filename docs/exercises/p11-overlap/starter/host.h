/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - the host functions of this practical, which host.c defines. */
#ifndef OVERLAP_HOST_H
#define OVERLAP_HOST_H

#include <heddle/heddle.h>

enum { STREAMS = 3, CHUNKS = 11 };

/* An array of CHUNKS chunks of n elements. Chunk c goes through stream c % STREAMS: it is copied
   in, mixed by the kernel, copied out, and then summed on the host. Every stream has memory for one
   chunk, so that it can take the next one only when the host has summed the one before. */
typedef struct job {
    size_t n;
    hd_stream *stream[STREAMS];
    hd_event *done[STREAMS]; /* of the stream's device, for the functions below to record */
    const uint32_t *in;      /* page-locked, CHUNKS * n elements */
    uint32_t *x[STREAMS];    /* device memory, n elements for each stream */
    uint32_t *out[STREAMS];  /* page-locked, n elements for each stream */
    uint64_t sums[CHUNKS];   /* to be filled: the sum of each mixed chunk */
} job;

/* One host thread: it enqueues chunks, and while the device works on those it sums others that are
   done. It waits by the events. */
hd_status by_events(job *j);

/* One host thread enqueues everything at once and waits at the end. The sums are made by host
   functions in the streams (hd_stream_host_function), which must not call heddle. */
hd_status by_functions(job *j);

/* A host thread (pthread_create) for each stream: it enqueues a chunk, waits for its stream, sums,
   and goes on with the next chunk of this stream. Returns the first failure of any thread. */
hd_status by_threads(job *j);

#endif
