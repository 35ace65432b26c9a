/* SPDX-License-Identifier: Apache-2.0 */
/* host_task.c - host functions in stream order, and tasks that may call heddle.

       stream ---> callback (vendor's thread) ....... waits ....... returns ---> later work
                       \ posts a turn                  ^ done
       worker thread    runs the task, which may call the vendor

   A vendor's callback thread must not call the vendor. A task therefore runs on a worker thread,
   and the callback waits for it, so that later work of the stream waits too. A worker is created
   whenever none is idle, so that no task waits for another task's worker; how many callbacks a
   vendor runs concurrently is up to the vendor. */
#include "runtime/trace/trace.h"

#include <pthread.h>
#include <stdlib.h>

/* A task of a stream is freed when it has run, one of a graph with its graph. */
typedef struct task {
    void (*function)(void *);
    hd_status (*attempt)(void *); /* instead of `function`: its failure is reported later */
    void (*release)(void *);      /* instead of both: called when the graph is freed */
    void *argument;
    int device;
    int kept;
    struct task *next; /* of the same graph */
} task;

/* One execution of a task. */
typedef struct turn {
    const task *what;
    int done;
    struct turn *next;
} turn;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t posted = PTHREAD_COND_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
static turn *first_turn, *last_turn;
static unsigned waiting_turns, idle_workers;

/* ---- workers -------------------------------------------------------------------------------- */

static void run(const task *what)
{
    if (!what->attempt) {
        what->function(what->argument);
        return;
    }
    hd_error_clear();
    hd_status status = what->attempt(what->argument);
    if (status < 0)
        hd__failure_leave(hd__device_at(what->device), status);
}

static turn *take_turn(void)
{
    turn *taken = first_turn;
    first_turn = taken->next;
    if (!first_turn)
        last_turn = NULL;
    waiting_turns--;
    return taken;
}

static void *worker(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&lock);
    for (;;) {
        while (!first_turn) {
            idle_workers++;
            (void)pthread_cond_wait(&posted, &lock);
            idle_workers--;
        }
        turn *mine = take_turn();
        (void)pthread_mutex_unlock(&lock);
        run(mine->what);
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

/* If no worker thread can be created, runs the task on the callback thread. */
static void hand_over(const task *what)
{
    turn mine = {what, 0, NULL};
    (void)pthread_mutex_lock(&lock);
    if (idle_workers <= waiting_turns && worker_start() != 0 && idle_workers == 0) {
        (void)pthread_mutex_unlock(&lock);
        run(what);
        return;
    }
    if (last_turn)
        last_turn->next = &mine;
    else
        first_turn = &mine;
    last_turn = &mine;
    waiting_turns++;
    (void)pthread_cond_signal(&posted);
    while (!mine.done)
        (void)pthread_cond_wait(&finished, &lock);
    (void)pthread_mutex_unlock(&lock);
}

/* Callback: the stream or graph has reached the task. */
static void run_on_worker(void *pointer)
{
    task *mine = pointer;
    hand_over(mine);
    if (!mine->kept)
        free(mine);
}

/* ---- streams -------------------------------------------------------------------------------- */

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

static hd_status task_make(const char *call, const task *what, task **made)
{
    *made = malloc(sizeof **made);
    if (!*made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a task");
    **made = *what;
    return HD_OK;
}

static hd_status keep(const char *call, hd__tasks **tasks, const task *what, task **made);

/* Enqueues the task; in a capture it belongs to the graph. */
static hd_status enqueue(const char *call, hd_stream *stream, const task *what)
{
    hd__tasks **captured = hd__capture_tasks(stream);
    task *made;
    hd_status status = captured ? keep(call, captured, what, &made) : task_make(call, what, &made);
    if (status < 0)
        return status;
    hd__traced traced;
    hd__trace_begin(&traced, HD_TRACE_FUNCTION, call, stream);
    status = hdb_stream_host_function(stream, run_on_worker, made);
    hd__trace_end(&traced, status);
    if (status < 0 && !captured)
        free(made);
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
    const task what = {.function = function, .argument = argument, .device = stream->device};
    return enqueue(call, stream, &what);
}

hd_status hd_stream_host_try(hd_stream *stream, hd_status (*function)(void *), void *argument)
{
    static const char call[] = "hd_stream_host_try";
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!function)
        return hd__null(call, "function");
    const task what = {.attempt = function, .argument = argument, .device = stream->device};
    return enqueue(call, stream, &what);
}

/* ---- graphs --------------------------------------------------------------------------------- */

struct hd__tasks {
    atomic_int refs;
    task *first;
};

/* Tasks that running launches may still use, with the event after the last of these. */
typedef struct retired {
    hd__tasks *tasks;
    hd_event *last;
    struct retired *next;
} retired;

static pthread_mutex_t retired_lock = PTHREAD_MUTEX_INITIALIZER;
static retired *all_retired;

void hd__tasks_retain(hd__tasks *tasks)
{
    if (tasks)
        atomic_fetch_add(&tasks->refs, 1);
}

void hd__tasks_release(hd__tasks *tasks)
{
    if (!tasks || atomic_fetch_sub(&tasks->refs, 1) != 1)
        return;
    while (tasks->first) {
        task *gone = tasks->first;
        tasks->first = gone->next;
        if (gone->release)
            gone->release(gone->argument);
        free(gone);
    }
    free(tasks);
}

/* Adds a task to *tasks, which is created if NULL. */
static hd_status keep(const char *call, hd__tasks **tasks, const task *what, task **made)
{
    hd__tasks *owner = *tasks ? *tasks : calloc(1, sizeof *owner);
    if (!owner)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a task");
    hd_status status = task_make(call, what, made);
    if (status < 0) {
        if (!*tasks)
            free(owner);
        return status;
    }
    if (!*tasks)
        atomic_store(&owner->refs, 1);
    (*made)->kept = 1;
    (*made)->next = owner->first;
    owner->first = *made;
    *tasks = owner;
    return HD_OK;
}

hd_status hd__tasks_add(const char *call, hd__tasks **tasks, int device,
                        hd_status (*function)(void *), void *argument, void (**callback)(void *),
                        void **callback_argument)
{
    const task what = {.attempt = function, .argument = argument, .device = device};
    task *made;
    hd_status status = keep(call, tasks, &what, &made);
    if (status < 0)
        return status;
    *callback = run_on_worker;
    *callback_argument = made;
    return HD_OK;
}

hd_status hd__tasks_own(const char *call, hd__tasks **tasks, void (*release)(void *),
                        void *argument)
{
    const task what = {.release = release, .argument = argument};
    task *made;
    return keep(call, tasks, &what, &made);
}

/* Releases tasks that no launch can use any more. */
static void retired_sweep(void)
{
    retired *gone = NULL;
    (void)pthread_mutex_lock(&retired_lock);
    for (retired **link = &all_retired; *link;) {
        retired *at = *link;
        if (__atomic_load_n(&at->last->recorded, __ATOMIC_ACQUIRE) &&
            hdb_event_query(at->last) == HD_NOT_READY) {
            link = &at->next;
            continue;
        }
        *link = at->next;
        at->next = gone;
        gone = at;
    }
    (void)pthread_mutex_unlock(&retired_lock);
    while (gone) {
        retired *next = gone->next;
        (void)hd_event_destroy(gone->last);
        hd__tasks_release(gone->tasks);
        free(gone);
        gone = next;
    }
}

/* Without memory for the record, the tasks are never freed. */
void hd__tasks_retire(hd__tasks *tasks, hd_event *last)
{
    retired *made = malloc(sizeof *made);
    if (made) {
        *made = (retired){tasks, last, NULL};
        (void)pthread_mutex_lock(&retired_lock);
        made->next = all_retired;
        all_retired = made;
        (void)pthread_mutex_unlock(&retired_lock);
    }
    retired_sweep();
}
