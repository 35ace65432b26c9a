/* SPDX-License-Identifier: Apache-2.0 */
/* host_task.c - host functions in stream order, and tasks that may call heddle.

   A vendor's callback thread may not call the vendor. A task therefore runs on a worker thread,
   and the callback waits for it, so that later work of the stream waits too. Workers are made when
   none is idle, so one task never waits for another one's worker; how many callbacks a vendor runs
   at once is its own affair. */
#include "trace.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct task {
    void (*function)(void *);
    void *argument;
    int done;
    struct task *next;
} task;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static task *first, *last;
static unsigned waiting_tasks, idle_workers;

static task *take_task(void)
{
    task *taken = first;
    first = taken->next;
    if (!first)
        last = NULL;
    waiting_tasks--;
    return taken;
}

static void *worker(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&lock);
    for (;;) {
        while (!first) {
            idle_workers++;
            (void)pthread_cond_wait(&posted, &lock);
            idle_workers--;
        }
        task *mine = take_task();
        (void)pthread_mutex_unlock(&lock);
        mine->function(mine->argument);
        (void)pthread_mutex_lock(&lock);
        mine->done = 1;
        (void)pthread_cond_broadcast(&finished);
    }
    return NULL;
}

static int worker_start(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, worker, NULL) != 0)
        return -1;
    (void)pthread_detach(thread);
    return 0;
}

/* The stream has come to the task. Where no thread can be made at all, the task runs here. */
static void run_on_worker(void *pointer)
{
    task *mine = pointer;
    (void)pthread_mutex_lock(&lock);
    if (idle_workers <= waiting_tasks && worker_start() != 0 && idle_workers == 0) {
        (void)pthread_mutex_unlock(&lock);
        mine->function(mine->argument);
        free(mine);
        return;
    }
    mine->next = NULL;
    if (last)
        last->next = mine;
    else
        first = mine;
    last = mine;
    waiting_tasks++;
    (void)pthread_cond_signal(&posted);
    while (!mine->done)
        (void)pthread_cond_wait(&finished, &lock);
    (void)pthread_mutex_unlock(&lock);
    free(mine);
}

hd_status hd_stream_host_function(hd_stream *stream, void (*function)(void *), void *argument)
{
    static const char call[] = "hd_stream_host_function";
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!function)
        return hd__null(call, "function");
    hd__traced traced;
    hd__trace_begin(&traced, HD_TRACE_FUNCTION, call, stream);
    status = hdb_stream_host_function(stream, function, argument);
    hd__trace_end(&traced, status);
    return hd__settle(call, stream->device, status);
}

hd_status hd_stream_host_task(hd_stream *stream, void (*function)(void *), void *argument)
{
    static const char call[] = "hd_stream_host_task";
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!function)
        return hd__null(call, "function");
    task *made = calloc(1, sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a task");
    made->function = function;
    made->argument = argument;
    hd__traced traced;
    hd__trace_begin(&traced, HD_TRACE_FUNCTION, call, stream);
    status = hdb_stream_host_function(stream, run_on_worker, made);
    hd__trace_end(&traced, status);
    if (status < 0)
        free(made);
    return hd__settle(call, stream->device, status);
}
