/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c - streams that record a graph. Each remembers what its next node comes after, its tail:
   its last node; an event remembers the tail of the stream it was recorded in, and a stream that
   waits for it adds that to its own. */
#include "graph.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

static hd_cpu_capture *captures;
static uint64_t last_id;

static hd_cpu_capture *capture_of(uint64_t id)
{
    hd_cpu_capture *at = captures;

    while (at && at->id != id)
        at = at->next;
    return at;
}

static void lose(hd_cpu_capture *capture, const char *call, const char *why)
{
    if (capture && !capture->lost[0])
        (void)snprintf(capture->lost, sizeof capture->lost, "%s: %s", call, why);
}

static hd_status refuse(hd_cpu_capture *capture, const char *call, const char *why)
{
    lose(capture, call, why);
    return hd__fail(HD_ERR_STATE, call, "%s", why);
}

/* ---- what is recorded ------------------------------------------------------------------------ */

static hd_status op_drop(hd_cpu_op *op, hd_status status)
{
    op->refs = 1;
    hd_cpu_op_release(op);
    return status;
}

static hd_status capture_node(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;
    hd_cpu_capture *capture = stream->capture;
    hd_cpu_node *node;

    if (capture->lost[0])
        return op_drop(op, hd__fail(HD_ERR_STATE, "hd_stream_capture_begin",
                                    "the capture was lost: %s", capture->lost));
    op->refs = 1;
    op->stream = NULL;
    node = hd_cpu_node_make(capture->graph, op->kind, stream->device, op, &stream->tail);
    stream->tail.count = 0;
    if (!node || !hd_cpu_nodes_add(&stream->tail, node)) {
        hd_status status = hd__fail(HD_ERR_NO_MEMORY, "hd_graph", "no memory for a node");

        lose(capture, "hd_graph", "no memory for a node");
        return node ? status : op_drop(op, status);
    }
    hd_check_planned(op);
    return HD_OK;
}

/* The stream records: so does the event. */
static hd_status capture_record(hd_cpu_event *event, const hd_cpu_stream *stream)
{
    hd_cpu_capture *capture = stream->capture;

    if (capture->lost[0])
        return refuse(capture, "hd_event_record", "the capture was lost");
    event->behind.count = 0;
    if (!hd_cpu_nodes_join(&event->behind, &stream->tail)) {
        lose(capture, "hd_event_record", "no memory for the event");
        return hd__fail(HD_ERR_NO_MEMORY, "hd_event_record", "no memory for the event");
    }
    event->captured = capture->id;
    hd_cpu_mark_release(event->mark);
    event->mark = NULL;
    return HD_OK;
}

/* The event was recorded in a capture, or the stream is captured. */
static hd_status capture_wait(hd_cpu_stream *stream, const hd_cpu_event *event)
{
    static const char call[] = "hd_stream_wait";
    hd_cpu_capture *capture = event->captured ? capture_of(event->captured) : NULL;

    if (!event->captured)
        return refuse(stream->capture, call, "a captured stream waits for an event from outside");
    if (!capture) {
        lose(stream->capture, call, "an event of an earlier capture");
        return hd__fail(HD_ERR_STATE, call, "the event was recorded in a capture that is over");
    }
    if (stream->legacy)
        return refuse(capture, call, "the legacy default stream cannot be captured");
    if (stream->capture && stream->capture != capture) {
        lose(stream->capture, call, "an event of another capture");
        return refuse(capture, call, "the stream and the event belong to two captures");
    }
    if (capture->lost[0])
        return refuse(capture, call, "the capture was lost");
    if (!stream->capture)
        stream->tail.count = 0;
    stream->capture = capture;
    if (!hd_cpu_nodes_join(&stream->tail, &event->behind)) {
        lose(capture, call, "no memory");
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for the capture");
    }
    return HD_OK;
}

int hd_cpu_capture_has(const hd_cpu_op *op)
{
    return op->stream->capture || (op->kind == HD_CPU_OP_WAIT && op->event && op->event->captured);
}

hd_status hd_cpu_capture_op(hd_cpu_op *op)
{
    if (op->kind == HD_CPU_OP_RECORD)
        return op_drop(op, capture_record(op->event, op->stream));
    if (op->kind == HD_CPU_OP_WAIT)
        return op_drop(op, capture_wait(op->stream, op->event));
    return capture_node(op);
}

/* ---- what is not allowed --------------------------------------------------------------------- */

hd_status hd_cpu_capture_guard(const char *call, const hd_cpu_stream *stream)
{
    if (stream->capture)
        return refuse(stream->capture, call,
                      "the stream is captured: its work is not done before the graph is launched");
    if (!captures || !stream->legacy)
        return HD_OK;
    for (const hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s->capture && s->blocking && s->device == stream->device)
            return refuse(s->capture, call,
                          "the legacy default stream is used while a stream that synchronises "
                          "with it is captured");
    return HD_OK;
}

hd_status hd_cpu_capture_guard_event(const char *call, const hd_cpu_event *event)
{
    return event->captured ? refuse(capture_of(event->captured), call,
                                    "the event was recorded in a captured stream")
                           : HD_OK;
}

static _Thread_local int relaxed;

void hdb_capture_relax(int *mode)
{
    const int was = relaxed;

    relaxed = *mode == HD__CAPTURE_RELAXED;
    *mode = was ? HD__CAPTURE_RELAXED : 0;
}

hd_status hd_cpu_capture_guard_thread(const char *call)
{
    hd_status status = HD_OK;

    if (relaxed || !__atomic_load_n(&captures, __ATOMIC_RELAXED))
        return HD_OK;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    for (hd_cpu_capture *at = captures; at; at = at->next)
        if (pthread_equal(at->owner, pthread_self()))
            status = refuse(at, call, "not by a thread that captures a stream");
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status;
}

/* ---- beginning and ending -------------------------------------------------------------------- */

hd_status hdb_capture_begin(hd_stream *handle)
{
    static const char call[] = "hd_stream_capture_begin";
    hd_cpu_stream *stream = handle->native;
    hd_cpu_capture *made = calloc(1, sizeof *made);
    hd_status status = hd_cpu_ready(call);

    if (made)
        made->graph = hd_cpu_graph_make();
    if (status < 0 || !made || !made->graph) {
        free(made);
        return status < 0 ? status : hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a capture");
    }
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (stream->legacy)
        status = hd__fail(HD_ERR_STATE, call, "the legacy default stream cannot be captured");
    else if (stream->capture)
        status = refuse(stream->capture, call, "the stream is captured already");
    if (status >= 0) {
        made->id = ++last_id;
        made->owner = pthread_self();
        made->origin = stream;
        made->next = captures;
        __atomic_store_n(&captures, made, __ATOMIC_RELAXED);
        stream->capture = made;
        stream->tail.count = 0;
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    if (status < 0) {
        hd_cpu_graph_free(made->graph);
        free(made);
    }
    return status;
}

/* What every stream has recorded comes before the end of the first one. */
static void check_joined(hd_cpu_capture *capture)
{
    char *seen = calloc(capture->graph->nodes.count + 1, 1);

    if (!seen || !hd_cpu_nodes_before(capture->graph, &capture->origin->tail, seen))
        lose(capture, "hd_stream_capture_end", "no memory");
    for (const hd_cpu_stream *s = hd_cpu_streams(); s && !capture->lost[0]; s = s->next)
        for (size_t i = 0; s->capture == capture && i < s->tail.count; i++)
            if (!seen[s->tail.at[i]->index])
                lose(capture, "hd_stream_capture_end",
                     "a stream that joined the capture was not waited for");
    free(seen);
}

static void end(hd_cpu_capture *capture)
{
    hd_cpu_capture **link = &captures;

    for (hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s->capture == capture) {
            s->capture = NULL;
            s->tail.count = 0;
        }
    while (*link != capture)
        link = &(*link)->next;
    __atomic_store_n(link, capture->next, __ATOMIC_RELAXED);
}

hd_status hdb_capture_end(hd_stream *handle, void **graph)
{
    static const char call[] = "hd_stream_capture_end";
    hd_cpu_stream *stream = handle->native;
    hd_cpu_capture *capture;
    hd_status status = HD_OK;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    capture = stream->capture;
    if (!capture || capture->origin != stream) {
        (void)pthread_mutex_unlock(&hd_cpu.lock);
        return hd__fail(HD_ERR_STATE, call, "no capture began on the stream");
    }
    check_joined(capture);
    end(capture);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    if (capture->lost[0]) {
        status = hd__fail(HD_ERR_STATE, call, "the capture was lost in %s", capture->lost);
        hd_cpu_graph_free(capture->graph);
    } else {
        *graph = capture->graph;
    }
    free(capture);
    return status;
}

hd_status hdb_capture_id(hd_stream *handle, uint64_t *id)
{
    const hd_cpu_stream *stream = handle->native;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    *id = stream->capture ? stream->capture->id : 0;
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return HD_OK;
}

hd_status hdb_stream_capturing(hd_stream *handle, int *capturing)
{
    uint64_t id = 0;
    hd_status status = hdb_capture_id(handle, &id);

    *capturing = id != 0;
    return status;
}

/* With the lock. One that recorded the beginning is ended by the runtime before. */
void hd_cpu_capture_stream_gone(hd_cpu_stream *stream)
{
    lose(stream->capture, "hd_stream_destroy", "a stream that joined the capture is gone");
    stream->capture = NULL;
}
