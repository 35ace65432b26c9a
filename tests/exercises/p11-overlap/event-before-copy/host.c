/* SPDX-License-Identifier: Apache-2.0 */
/* host.c - chunks that go through several streams, in three ways. */
#include <pthread.h>

#include "host.h"
#include "kernel.h"

/* Enqueues a chunk on its stream. Device memory needs no thought: a copy in comes after the copy
   out of the stream's chunk before. The host memory `out` does. */
static hd_status enqueue(const job *j, int chunk)
{
    const int s = chunk % STREAMS;

    HD_TRY(hd_copy(j->x[s], j->in + (size_t)chunk * j->n, j->n, j->stream[s]));
    HD_TRY(hd_launch(mix_u32, hd_launch_loop(j->n, BLOCK, j->stream[s]), j->n, j->x[s]));
    return hd_copy(j->out[s], j->x[s], j->n, j->stream[s]);
}

static void sum(job *j, int chunk)
{
    const uint32_t *out = j->out[chunk % STREAMS];
    uint64_t total = 0;

    for (size_t i = 0; i < j->n; i++)
        total += out[i];
    j->sums[chunk] = total;
}

hd_status by_events(job *j)
{
    /* STREAMS chunks are under way; the oldest one is summed before its stream gets the next. */
    for (int chunk = 0; chunk < CHUNKS + STREAMS; chunk++) {
        const int s = chunk % STREAMS, oldest = chunk - STREAMS;

        if (oldest >= 0) {
            HD_TRY(hd_event_synchronize(j->done[s]));
            sum(j, oldest);
        }
        if (chunk < CHUNKS) {
            HD_TRY(hd_event_record(j->done[s], j->stream[s]));
            HD_TRY(enqueue(j, chunk));
        }
    }
    return HD_OK;
}

typedef struct one_chunk {
    job *j;
    int chunk;
} one_chunk;

static void sum_one(void *argument)
{
    const one_chunk *one = argument;

    sum(one->j, one->chunk);
}

static hd_status wait_for_all(const job *j)
{
    for (int s = 0; s < STREAMS; s++)
        HD_TRY(hd_stream_synchronize(j->stream[s]));
    return HD_OK;
}

hd_status by_functions(job *j)
{
    /* One for each chunk: a function runs long after this loop has gone on, and finds what its
       argument holds then. */
    one_chunk each[CHUNKS];
    hd_status status = HD_OK, waited;

    for (int chunk = 0; chunk < CHUNKS && status >= 0; chunk++) {
        each[chunk] = (one_chunk){j, chunk};
        status = enqueue(j, chunk);
        /* Later work of the stream waits for the function, so `out` is not overwritten early. */
        if (status >= 0)
            status = hd_stream_host_function(j->stream[chunk % STREAMS], sum_one, &each[chunk]);
    }
    waited = wait_for_all(j); /* also after a failure: functions that are under way use the array */
    return status < 0 ? status : waited;
}

typedef struct worker {
    pthread_t thread;
    job *j;
    int s;
    hd_status status;
} worker;

static hd_status run_stream(job *j, int s)
{
    for (int chunk = s; chunk < CHUNKS; chunk += STREAMS) {
        HD_TRY(enqueue(j, chunk));
        HD_TRY(hd_stream_synchronize(j->stream[s])); /* blocks this thread only */
        sum(j, chunk);
    }
    return HD_OK;
}

static void *work(void *argument)
{
    worker *w = argument;

    w->status = run_stream(w->j, w->s);
    return NULL;
}

hd_status by_threads(job *j)
{
    worker workers[STREAMS];
    hd_status status = HD_OK;
    int started = 0;

    for (; started < STREAMS; started++) {
        worker *w = &workers[started];

        w->j = j;
        w->s = started;
        if (pthread_create(&w->thread, NULL, work, w) != 0) {
            status = HD_ERR_NO_MEMORY;
            break;
        }
    }
    for (int s = 0; s < started; s++) {
        pthread_join(workers[s].thread, NULL);
        if (status >= 0)
            status = workers[s].status;
    }
    return status;
}
