/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c - streams, and how their operations begin and end.

   Eager mode: the host thread that enqueues an operation runs it, and comes back when it is done
   or, for a launch, when all its blocks wait. What is left in a queue goes on by itself: launches
   and small things are begun by whoever ended what they waited for, copies and host functions by
   background threads. Lazy mode (drive.c): nothing runs before a host call needs it. */
#include "observe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t sequence;
static pthread_cond_t runner_wanted = PTHREAD_COND_INITIALIZER;
static int runners_idle, runners_called, runners;

enum { RUNNERS_MAX = 64, QUEUED_MAX = 1 << 14 };

static void advance_all(void);
static void runner_call(void);

/* ---- objects --------------------------------------------------------------------------------- */

hd_cpu_op *hd_cpu_op_make(hd_cpu_op_kind kind, hd_stream *stream)
{
    hd_cpu_op *op = calloc(1, sizeof *op);

    if (!op)
        return NULL;
    op->kind = kind;
    op->stream = stream->native;
    op->refs = 2;
    return op;
}

void hd_cpu_mark_release(hd_cpu_mark *mark)
{
    if (!mark || --mark->refs)
        return;
    hd_check_mark_gone(mark);
    free(mark);
}

void hd_cpu_op_release(hd_cpu_op *op)
{
    if (--op->refs)
        return;
    hd_cpu_mark_release(op->mark);
    if (op->launch)
        hd_cpu_launch_release(op->launch);
    hd_check_op_gone(op);
    free(op->snapshot);
    free(op);
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Legacy default stream: its operations wait for all earlier ones of the device's blocking streams,
   and theirs for its. */
static int held_by_legacy(const hd_cpu_op *op)
{
    const hd_cpu_stream *mine = op->stream;

    if (!mine->blocking)
        return 0;
    for (const hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s != mine && s->device == mine->device && s->blocking && s->first &&
            (s->legacy || mine->legacy) && s->first->sequence < op->sequence)
            return 1;
    return 0;
}

int hd_cpu_op_ready(const hd_cpu_op *op)
{
    if (op->stream->running || held_by_legacy(op))
        return 0;
    return op->kind != HD_CPU_OP_WAIT || !op->mark || op->mark->done;
}

/* ---- beginning and ending -------------------------------------------------------------------- */

static void flight_add(hd_cpu_launch *launch)
{
    launch->next_flight = hd_cpu.flight;
    hd_cpu.flight = launch;
    hd_cpu_launch_activate(launch);
}

static void flight_remove(hd_cpu_launch *launch)
{
    hd_cpu_launch **link = &hd_cpu.flight;

    while (*link != launch)
        link = &(*link)->next_flight;
    *link = launch->next_flight;
}

int hd_cpu_op_begin(hd_cpu_op *op)
{
    if (op->kind == HD_CPU_OP_LAUNCH && !hd_cpu_device_lost(op->stream->device)) {
        op->stream->running = 1;
        op->launch->priority = op->stream->priority;
        flight_add(op->launch);
        return 0;
    }
    if (op->kind == HD_CPU_OP_FREE)
        hd_cpu_memory_free(op->to, op);
    if (op->kind == HD_CPU_OP_RECORD) {
        op->mark->time = hd_cpu_now();
        op->mark->done = 1;
    }
    hd_cpu_op_finish(op);
    return 1;
}

void hd_cpu_op_finish(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;

    hd_cpu.queued--;
    stream->running = 0;
    stream->first = op->next;
    if (!stream->first)
        stream->last = &stream->first;
    hd_check_finished(op);
    __atomic_store_n(&op->done, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
    hd_cpu_op_release(op);
    if (!stream->first)
        hd_cpu_stream_emptied(stream);
    if (hd_cpu.host_waiters)
        (void)pthread_cond_broadcast(&hd_cpu.changed);
}

void hd_cpu_op_launched(hd_cpu_launch *launch)
{
    if (launch->status != HD_OK)
        hd_cpu_device_leave_error(launch->device, launch->status, launch->text);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    flight_remove(launch);
    hd_cpu_op_finish(launch->op);
    if (!hd_cpu_config_get()->lazy)
        advance_all();
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

/* ---- background threads ---------------------------------------------------------------------- */

void hd_cpu_op_perform(hd_cpu_op *op)
{
    op->stream->running = 1;
    hd_cpu.executing++;
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    hd_cpu_op_execute(op);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu.executing--;
    hd_cpu_op_finish(op);
}

static hd_cpu_op *ready_to_execute(void)
{
    for (hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s->first && s->first->kind >= HD_CPU_OP_COPY && s->first->kind <= HD_CPU_OP_FUNCTION &&
            hd_cpu_op_ready(s->first))
            return s->first;
    return NULL;
}

static void *runner_main(void *unused)
{
    (void)unused;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (;;) {
        hd_cpu_op *op = ready_to_execute();

        if (op) {
            op->stream->running = 1;
            if (ready_to_execute()) /* several became ready together */
                runner_call();
            hd_cpu_op_perform(op);
            advance_all();
            continue;
        }
        runners_idle++;
        while (!runners_called)
            (void)pthread_cond_wait(&runner_wanted, &hd_cpu.lock);
        runners_called--;
    }
    return NULL;
}

/* One thread per operation that could run: host functions may wait for each other. */
static void runner_call(void)
{
    pthread_t thread;

    if (runners_idle) {
        runners_idle--;
        runners_called++;
        (void)pthread_cond_signal(&runner_wanted);
    } else if (runners < RUNNERS_MAX && pthread_create(&thread, NULL, runner_main, NULL) == 0) {
        (void)pthread_detach(thread);
        runners++;
    }
}

void hd_cpu_call_runners(void)
{
    if (ready_to_execute())
        runner_call();
}

/* Begins whatever can begin in any stream. */
static void advance_all(void)
{
    int moved = 1;

    while (moved) {
        moved = 0;
        for (hd_cpu_stream *s = hd_cpu_streams(), *next; s; s = next) {
            hd_cpu_op *op = s->first;

            next = s->next;
            if (op && (op->kind == HD_CPU_OP_LAUNCH || op->kind > HD_CPU_OP_FUNCTION) &&
                hd_cpu_op_ready(op))
                moved |= hd_cpu_op_begin(op);
        }
    }
    hd_cpu_call_runners();
}

int hd_cpu_stand_in(void)
{
    hd_cpu_op *op = hd_cpu_config_get()->lazy ? NULL : ready_to_execute();

    if (!op)
        return 0;
    hd_cpu_op_perform(op);
    advance_all();
    return 1;
}

void hd_cpu_waits_give_up(double seconds)
{
    char text[128];

    (void)snprintf(text, sizeof text,
                   "a stream waits for an event whose record is never reached: nothing has moved "
                   "for %g s, and the wait was given up",
                   seconds);
    for (hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next) {
        hd_cpu_op *op = s->first;

        if (!op || op->kind != HD_CPU_OP_WAIT || !op->mark || op->mark->done)
            continue;
        hd_cpu_mark_release(op->mark);
        op->mark = NULL;
        hd_cpu_device_leave_error(s->device, HD_ERR_DEADLOCK, text);
    }
    if (!hd_cpu_config_get()->lazy)
        advance_all();
}

/* ---- enqueueing ------------------------------------------------------------------------------ */

/* Begins it and, where a worker can be borrowed, runs blocks of it. */
static void launch_here(hd_cpu_launch *launch)
{
    hd_cpu_worker *worker = hd_cpu_borrow(launch);

    launch->host = worker;
    if (!hd_cpu_op_begin(launch->op) && worker)
        hd_cpu_serve(worker, launch);
    if (worker)
        hd_cpu_give_back(worker);
}

/* Runs the stream up to `op` as far as it goes on this thread. */
static void run_eagerly(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;

    while (!op->done && !stream->running && hd_cpu_op_ready(stream->first)) {
        hd_cpu_op *head = stream->first;

        if (head->kind == HD_CPU_OP_LAUNCH)
            launch_here(head->launch);
        else if (head->kind > HD_CPU_OP_FUNCTION)
            (void)hd_cpu_op_begin(head);
        else
            hd_cpu_op_perform(head);
        if (head == op && !op->done)
            hd_cpu_launch_await(op);
    }
    /* Other streams may have waited for this; so may what other threads put behind it meanwhile. */
    if (hd_cpu_streams() &&
        (hd_cpu_streams()->next || hd_cpu_streams()->first || op->kind == HD_CPU_OP_RECORD))
        advance_all();
}

static int source_is_pageable(const hd_cpu_op *op)
{
    hd_cpu_allocation found;

    return hd_cpu_memory_find(op->from, &found) == 0;
}

static void snapshot_fill(void *argument)
{
    const hd_cpu_op *op = argument;

    for (size_t row = 0; row < op->rows; row++)
        memcpy((char *)op->snapshot + row * op->row_bytes,
               (const char *)op->from + row * op->from_pitch, op->row_bytes);
}

/* The copy cannot run before the call returns, but its source may be reused then. */
static hd_status snapshot_take(hd_cpu_op *op)
{
    const void *fault;

    op->snapshot = malloc(op->row_bytes * op->rows);
    if (!op->snapshot)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_copy",
                        "no memory to keep the source of a copy that has to wait");
    if (!hd_cpu_guarded(snapshot_fill, op, &fault))
        return hd__fail(HD_ERR_POINTER, "hd_copy", "there is no memory at %p to copy from", fault);
    op->from = op->snapshot;
    op->from_pitch = op->row_bytes;
    return HD_OK;
}

/* The operation gets its place in the order of all of them. */
static void number(hd_cpu_op *op)
{
    op->sequence = ++sequence;
    hd_cpu_event_bind(op);
    hd_check_enqueued(op);
}

static void append(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;

    if (!stream->first)
        hd_cpu_stream_filled(stream);
    *stream->last = op;
    stream->last = &op->next;
    hd_cpu.queued++;
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
}

/* A host that asks faster than work is done waits, as with a GPU whose queue is full. */
static void wait_for_room(void)
{
    while (!hd_cpu_config_get()->lazy && hd_cpu.queued > QUEUED_MAX) {
        hd_cpu.host_waiters++;
        (void)pthread_cond_wait(&hd_cpu.changed, &hd_cpu.lock);
        hd_cpu.host_waiters--;
    }
}

void hd_cpu_enqueue_all(hd_cpu_op **ops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hd_check_room(ops[i]);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    wait_for_room();
    for (size_t i = 0; i < count; i++) {
        number(ops[i]);
        append(ops[i]);
    }
    if (!hd_cpu_config_get()->lazy)
        advance_all();
    for (size_t i = 0; i < count; i++)
        hd_cpu_op_release(ops[i]);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

/* An operation that was never queued. */
static void drop(hd_cpu_op *op)
{
    op->refs = 1;
    hd_cpu_op_release(op);
}

hd_status hd_cpu_enqueue(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;
    int lazy = hd_cpu_config_get()->lazy;
    hd_status status = HD_OK;

    hd_check_room(op);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (hd_cpu_capture_has(op)) {
        status = hd_cpu_capture_op(op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return status;
    }
    status = hd_cpu_capture_guard("hd_stream_default", stream);
    if (status < 0) {
        drop(op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return status;
    }
    number(op);
    if (op->kind == HD_CPU_OP_COPY && (lazy || stream->first || !hd_cpu_op_ready(op)) &&
        source_is_pageable(op) && (status = snapshot_take(op)) < 0) {
        hd_check_finished(op);
        drop(op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return status;
    }
    append(op);
    if (!lazy)
        run_eagerly(op);
    hd_cpu_op_release(op);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return HD_OK;
}
