/* SPDX-License-Identifier: Apache-2.0 */
/* chunks_strategies.c - four strategies by which the host consumes chunks from streams. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "cli/lab/streams/default_threads.h"
#include "chunks.h"

/* ---- a thread per stream --------------------------------------------------------------------- */

static void thread_of_stream(void *state, size_t s)
{
    host_chunks *h = state;

    for (size_t chunk = s; chunk < h->chunks; chunk += h->streams) {
        hd_status status = host_chunks_issue(h, chunk);

        if (status >= 0)
            status = hd_stream_synchronize(h->stream[s]);
        if (status < 0) {
            __atomic_store_n(&h->failed, status, __ATOMIC_RELAXED);
            return;
        }
        host_chunks_consume(h, chunk);
    }
}

hd_status host_chunks_threads(host_chunks *h)
{
    if (cli_threads_posix(h->streams, thread_of_stream, h) != 0)
        return cli_no_memory("%zu threads", h->streams);
    return h->failed;
}

/* ---- host functions -------------------------------------------------------------------------- */

typedef struct one_chunk {
    host_chunks *h;
    size_t chunk;
    struct chunk_queue *queue;
} one_chunk;

static hd_status wait_for_all(const host_chunks *h)
{
    for (size_t s = 0; s < h->streams; s++)
        HD_TRY(hd_stream_synchronize(h->stream[s]));
    return HD_OK;
}

static void consume_function(void *argument)
{
    const one_chunk *one = argument;

    host_chunks_consume(one->h, one->chunk);
}

/* The host function runs in stream order, after the copy, so it needs no notification. */
static hd_status issue_with_functions(host_chunks *h, one_chunk *each)
{
    for (size_t chunk = 0; chunk < h->chunks; chunk++) {
        each[chunk] = (one_chunk){h, chunk, NULL};
        HD_TRY(host_chunks_issue(h, chunk));
        HD_TRY(
            hd_stream_host_function(h->stream[chunk % h->streams], consume_function, &each[chunk]));
    }
    return HD_OK;
}

hd_status host_chunks_functions(host_chunks *h)
{
    one_chunk *each = malloc(h->chunks * sizeof *each);
    hd_status status = each ? issue_with_functions(h, each)
                            : cli_no_memory("%zu chunks", h->chunks);
    hd_status waited = wait_for_all(h); /* running host functions use the array */

    free(each);
    return status < 0 ? status : waited;
}

/* ---- producer and consumer ------------------------------------------------------------------- */

/* Chunks that have arrived, in order of arrival. Host functions add them, the consumer removes
   them; the producer waits until the buffer that it needs is empty. */
typedef struct chunk_queue {
    host_chunks *h;
    pthread_mutex_t lock;
    pthread_cond_t arrived, emptied;
    size_t *chunks; /* ring with one entry per buffer */
    size_t first, count;
    unsigned char *full; /* per buffer */
    hd_event **event;    /* per buffer: recorded after the copy into it */
    hd_status failed;    /* the consumer's status */
    int over;
} chunk_queue;

static void post_function(void *argument)
{
    const one_chunk *one = argument;
    chunk_queue *q = one->queue;

    (void)pthread_mutex_lock(&q->lock);
    q->chunks[(q->first + q->count++) % q->h->buffers] = one->chunk;
    (void)pthread_cond_signal(&q->arrived);
    (void)pthread_mutex_unlock(&q->lock);
}

static void *consumer(void *argument)
{
    chunk_queue *q = argument;

    (void)pthread_mutex_lock(&q->lock);
    for (;;) {
        while (q->count == 0 && !q->over)
            (void)pthread_cond_wait(&q->arrived, &q->lock);
        if (q->count == 0)
            break;
        size_t chunk = q->chunks[q->first];

        q->first = (q->first + 1) % q->h->buffers;
        q->count--;
        (void)pthread_mutex_unlock(&q->lock);
        /* The event has completed: the host function was enqueued after it. Waiting for it is cheap
           and shows the checker the order that the consumer relies on. */
        hd_status status = hd_event_synchronize(q->event[chunk % q->h->buffers]);

        if (status >= 0)
            host_chunks_consume(q->h, chunk);
        (void)pthread_mutex_lock(&q->lock);
        if (status < 0)
            q->failed = status;
        q->full[chunk % q->h->buffers] = 0;
        (void)pthread_cond_signal(&q->emptied);
    }
    (void)pthread_mutex_unlock(&q->lock);
    return NULL;
}

/* Polls the stream meanwhile: lazy streams of the CPU engine only run when they are queried. */
static hd_status wait_for_buffer(chunk_queue *q, size_t buffer, hd_stream *stream)
{
    hd_status status = HD_OK;

    (void)pthread_mutex_lock(&q->lock);
    while (q->full[buffer] && status >= 0) {
        struct timespec until;

        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        (void)pthread_cond_timedwait(&q->emptied, &q->lock, &until);
        if (!q->full[buffer])
            break;
        (void)pthread_mutex_unlock(&q->lock);
        status = hd_stream_query(stream);
        (void)pthread_mutex_lock(&q->lock);
    }
    q->full[buffer] = 1;
    (void)pthread_mutex_unlock(&q->lock);
    return status < 0 ? status : HD_OK;
}

static hd_status produce(chunk_queue *q, one_chunk *each)
{
    host_chunks *h = q->h;

    for (size_t chunk = 0; chunk < h->chunks; chunk++) {
        hd_stream *stream = h->stream[chunk % h->streams];

        each[chunk] = (one_chunk){h, chunk, q};
        HD_TRY(wait_for_buffer(q, chunk % h->buffers, stream));
        HD_TRY(host_chunks_issue(h, chunk));
        HD_TRY(hd_event_record(q->event[chunk % h->buffers], stream));
        HD_TRY(hd_stream_host_function(stream, post_function, &each[chunk]));
    }
    return HD_OK;
}

static hd_status produce_and_consume(chunk_queue *q, one_chunk *each)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, consumer, q) != 0)
        return cli_no_memory("a thread");
    hd_status status = produce(q, each), waited = wait_for_all(q->h);

    (void)pthread_mutex_lock(&q->lock);
    q->over = 1; /* all host functions have run */
    (void)pthread_cond_signal(&q->arrived);
    (void)pthread_mutex_unlock(&q->lock);
    (void)pthread_join(thread, NULL);
    return status < 0 ? status : waited < 0 ? waited : q->failed;
}

static hd_status queue_run(chunk_queue *q, one_chunk *each)
{
    hd_status status = HD_OK;

    for (size_t i = 0; i < q->h->buffers && status >= 0; i++)
        status = hd_event_create(q->h->job.device, 0, &q->event[i]);
    if (status >= 0)
        status = produce_and_consume(q, each);
    for (size_t i = 0; i < q->h->buffers; i++)
        (void)hd_event_destroy(q->event[i]);
    return status;
}

hd_status host_chunks_queue(host_chunks *h)
{
    chunk_queue q = {.h = h,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .arrived = PTHREAD_COND_INITIALIZER,
                     .emptied = PTHREAD_COND_INITIALIZER};
    one_chunk *each = malloc(h->chunks * sizeof *each);
    hd_status status;

    q.chunks = malloc(h->buffers * sizeof *q.chunks);
    q.full = calloc(h->buffers, 1);
    q.event = calloc(h->buffers, sizeof *q.event);
    status = each && q.chunks && q.full && q.event ? queue_run(&q, each)
                                                   : cli_no_memory("%zu chunks", h->chunks);
    free(each);
    free(q.chunks);
    free(q.full);
    free(q.event);
    return status;
}

/* ---- tasks that enqueue the next chunk ------------------------------------------------------- */

static hd_status issue_with_task(one_chunk *each, size_t chunk);

/* Runs on a thread of heddle, not in a host function: it may call heddle, also for the stream that
   waits for it. */
static void consume_and_go_on(void *argument)
{
    one_chunk *one = argument;
    host_chunks *h = one->h;
    size_t next = one->chunk + h->streams;

    host_chunks_consume(h, one->chunk);
    if (next < h->chunks) {
        hd_status status = issue_with_task(one - one->chunk, next);

        if (status < 0)
            __atomic_store_n(&h->failed, status, __ATOMIC_RELEASE);
    }
}

static hd_status issue_with_task(one_chunk *each, size_t chunk)
{
    host_chunks *h = each[chunk].h;

    HD_TRY(host_chunks_issue(h, chunk));
    return hd_stream_host_task(h->stream[chunk % h->streams], consume_and_go_on, &each[chunk]);
}

/* Synchronizing a stream covers only work enqueued before the call; tasks enqueue more. */
static hd_status wait_for_tasks(host_chunks *h)
{
    hd_status status = HD_OK;

    while (status >= 0 && __atomic_load_n(&h->consumed, __ATOMIC_ACQUIRE) < h->chunks) {
        status = __atomic_load_n(&h->failed, __ATOMIC_ACQUIRE);
        if (status >= 0)
            status = wait_for_all(h);
    }
    hd_status waited = wait_for_all(h);

    return status < 0 ? status : waited;
}

hd_status host_chunks_tasks(host_chunks *h)
{
    one_chunk *each = malloc(h->chunks * sizeof *each);
    hd_status status = each ? HD_OK : cli_no_memory("%zu chunks", h->chunks);

    for (size_t chunk = 0; chunk < h->chunks && each; chunk++)
        each[chunk] = (one_chunk){h, chunk, NULL};
    for (size_t chunk = 0; chunk < h->streams && chunk < h->chunks && status >= 0; chunk++)
        status = issue_with_task(each, chunk);
    if (status < 0)
        __atomic_store_n(&h->failed, status, __ATOMIC_RELEASE);
    if (each) {
        hd_status waited = wait_for_tasks(h);

        status = status < 0 ? status : waited;
    }
    free(each);
    return status;
}
