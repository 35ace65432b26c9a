/* SPDX-License-Identifier: Apache-2.0 */
/* enqueue.c - enqueues operations in their streams.

   Eager mode: the host thread that enqueues an operation runs it, and returns when it is done or,
   for a launch, when all its blocks wait; the rest proceeds without host calls (advance.c). Lazy
   mode (drive.c): nothing runs before a host call needs it. */
#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

#include "memory/allocations.h"
#include "observe.h"
#include "worker/worker.h"

static uint64_t sequence;

enum { QUEUED_MAX = 1 << 14 };

/* Begins the launch and, if a worker can be borrowed, runs its blocks on this thread. */
static void launch_here(hd_cpu_launch *launch)
{
    hd_cpu_worker *worker = hd_cpu_borrow(launch);

    launch->host = worker;
    if (!hd_cpu_op_begin(launch->op) && worker)
        hd_cpu_serve(worker, launch);
    if (worker)
        hd_cpu_give_back(worker);
}

/* Runs the stream up to `op` as far as possible on this thread. */
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
    /* Other streams may have waited for `op`; other threads may have enqueued more after it. */
    if (hd_cpu_streams() &&
        (hd_cpu_streams()->next || hd_cpu_streams()->first || op->kind == HD_CPU_OP_RECORD))
        hd_cpu_advance_all();
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

/* The copy must be deferred, but the source may be overwritten after the call returns. */
static hd_status snapshot_take(hd_cpu_op *op)
{
    const void *fault;

    op->snapshot = malloc(op->row_bytes * op->rows);
    if (!op->snapshot)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_copy",
                        "no memory to keep the source of a copy that is executed later");
    if (!hd_cpu_guarded(snapshot_fill, op, &fault))
        return hd__fail(HD_ERR_POINTER, "hd_copy", "there is no memory at %p to copy from", fault);
    op->from = op->snapshot;
    op->from_pitch = op->row_bytes;
    return HD_OK;
}

/* Assigns the operation's position in the global order. */
static void number(hd_cpu_op *op)
{
    op->sequence = ++sequence;
    hd_cpu_event_bind(op);
    HD_OBSERVE(op.enqueued(op));
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

/* Blocks a host thread that enqueues faster than work is done, like a GPU with a full queue. */
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
        HD_OBSERVE(op.prepared(ops[i]));
    (void)pthread_mutex_lock(&hd_cpu.lock);
    wait_for_room();
    for (size_t i = 0; i < count; i++) {
        number(ops[i]);
        append(ops[i]);
    }
    if (!hd_cpu_config_get()->lazy)
        hd_cpu_advance_all();
    for (size_t i = 0; i < count; i++)
        hd_cpu_op_release(ops[i]);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}

/* The call that enqueues such operations, for errors. */
static const char *call_of(hd_cpu_op_kind kind)
{
    static const char *const calls[] = {
        [HD_CPU_OP_LAUNCH] = "hd_launch",       [HD_CPU_OP_COPY] = "hd_copy",
        [HD_CPU_OP_FILL] = "hd_fill_bytes",     [HD_CPU_OP_FUNCTION] = "hd_stream_host_function",
        [HD_CPU_OP_RECORD] = "hd_event_record", [HD_CPU_OP_WAIT] = "hd_stream_wait",
        [HD_CPU_OP_FREE] = "hd_free_async",
    };

    return calls[kind];
}

hd_status hd_cpu_enqueue(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;
    int lazy = hd_cpu_config_get()->lazy;
    hd_status status = HD_OK;

    HD_OBSERVE(op.prepared(op));
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (hd_cpu_capture_has(op)) {
        status = hd_cpu_capture_op(op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return status;
    }
    status = hd_cpu_capture_guard(call_of(op->kind), stream);
    if (status < 0) {
        hd_cpu_op_drop(op);
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return status;
    }
    number(op);
    if (op->kind == HD_CPU_OP_COPY && (lazy || stream->first || !hd_cpu_op_ready(op)) &&
        source_is_pageable(op) && (status = snapshot_take(op)) < 0) {
        HD_OBSERVE(op.finished(op));
        hd_cpu_op_drop(op);
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
