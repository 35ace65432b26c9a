/* SPDX-License-Identifier: Apache-2.0 */
/* advance.c - begins and ends operations. Queued operations proceed without host calls: when an
   operation ends, the thread that ended it begins the launches and short operations that waited for
   it; background threads run copies and host functions. */
#include "stream/stream.h"

#include <stdio.h>

#include "core/device_error.h"
#include "memory/allocations.h"
#include "observe.h"

static pthread_cond_t runner_wanted = PTHREAD_COND_INITIALIZER;
static int runners_idle, runners_called, runners;

enum { RUNNERS_MAX = 64 };

/* ---- order ----------------------------------------------------------------------------------- */

/* Legacy default stream: its operations wait for all earlier ones of the device's blocking streams,
   and vice versa. */
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

/* ---- begin and end --------------------------------------------------------------------------- */

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

/* The operation at the head of its stream is done: removes it, so that others can begin. */
static void op_complete(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;

    hd_cpu.queued--;
    stream->running = 0;
    stream->first = op->next;
    if (!stream->first)
        stream->last = &stream->first;
    HD_OBSERVE(op.finished(op));
    __atomic_store_n(&op->done, 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&hd_cpu.progress, 1, __ATOMIC_RELAXED);
    hd_cpu_op_release(op);
    if (!stream->first)
        hd_cpu_stream_emptied(stream);
    if (hd_cpu.host_waiters)
        (void)pthread_cond_broadcast(&hd_cpu.changed);
}

/* All blocks of the launch have run. Called by a worker. */
static void launch_completed(hd_cpu_launch *launch)
{
    if (launch->status != HD_OK)
        hd_cpu_device_leave_error(launch->device, launch->status, launch->text);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    flight_remove(launch);
    op_complete(launch->op);
    if (!hd_cpu_config_get()->lazy)
        hd_cpu_advance_all();
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

int hd_cpu_op_begin(hd_cpu_op *op)
{
    if (op->kind == HD_CPU_OP_LAUNCH && !hd_cpu_device_lost(op->stream->device)) {
        op->stream->running = 1;
        op->launch->priority = op->stream->priority;
        op->launch->on_done = launch_completed;
        flight_add(op->launch);
        return 0;
    }
    if (op->kind == HD_CPU_OP_FREE)
        hd_cpu_memory_free(op->to, op);
    if (op->kind == HD_CPU_OP_RECORD) {
        op->mark->time = hd_cpu_now();
        op->mark->done = 1;
    }
    op_complete(op);
    return 1;
}

void hd_cpu_op_perform(hd_cpu_op *op)
{
    op->stream->running = 1;
    hd_cpu.executing++;
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    hd_cpu_op_execute(op);
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu.executing--;
    op_complete(op);
}

/* ---- background threads ---------------------------------------------------------------------- */

static void runner_call(void);

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
            if (ready_to_execute()) /* several became ready at once */
                runner_call();
            hd_cpu_op_perform(op);
            hd_cpu_advance_all();
            continue;
        }
        runners_idle++;
        while (!runners_called)
            (void)pthread_cond_wait(&runner_wanted, &hd_cpu.lock);
        runners_called--;
    }
    return NULL;
}

/* One thread per operation that could run, because host functions may wait for each other. */
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

void hd_cpu_advance_all(void)
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

/* ---- when nothing advances ------------------------------------------------------------------- */

int hd_cpu_stand_in(void)
{
    hd_cpu_op *op = hd_cpu_config_get()->lazy ? NULL : ready_to_execute();

    if (!op)
        return 0;
    hd_cpu_op_perform(op);
    hd_cpu_advance_all();
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
        hd_cpu_advance_all();
}
