/* SPDX-License-Identifier: Apache-2.0 */
/* record.c - records the operations of captured streams as nodes of a graph. A stream has a tail:
   the predecessors of its next node. An event stores the tail of the stream in which it was
   recorded; a stream that waits for the event adds the stored nodes to its own tail. */
#include "graph/graph.h"

#include "observe.h"

static hd_status drop(hd_cpu_op *op, hd_status status)
{
    hd_cpu_op_drop(op);
    return status;
}

static hd_status capture_node(hd_cpu_op *op)
{
    hd_cpu_stream *stream = op->stream;
    hd_cpu_capture *capture = stream->capture;
    hd_cpu_node *node;

    if (capture->lost[0])
        return drop(op, hd__fail(HD_ERR_STATE, "hd_stream_capture_begin",
                                 "the capture was lost: %s", capture->lost));
    op->refs = 1;
    op->stream = NULL;
    node = hd_cpu_node_make(capture->graph, op->kind, stream->device, op, &stream->tail);
    stream->tail.count = 0;
    if (!node || !hd_cpu_nodes_add(&stream->tail, node)) {
        hd_status status = hd__fail(HD_ERR_NO_MEMORY, "hd_graph", "no memory for a node");

        hd_cpu_capture_lose(capture, "hd_graph", "no memory for a node");
        return node ? status : drop(op, status);
    }
    HD_OBSERVE(op.recorded(op, NULL));
    return HD_OK;
}

/* The stream is being captured, so the event becomes part of the capture. */
static hd_status capture_record(hd_cpu_event *event, const hd_cpu_stream *stream)
{
    hd_cpu_capture *capture = stream->capture;

    if (capture->lost[0])
        return hd_cpu_capture_refuse(capture, "hd_event_record", "the capture was lost");
    event->behind.count = 0;
    if (!hd_cpu_nodes_join(&event->behind, &stream->tail)) {
        hd_cpu_capture_lose(capture, "hd_event_record", "no memory for the event");
        return hd__fail(HD_ERR_NO_MEMORY, "hd_event_record", "no memory for the event");
    }
    event->captured = capture->id;
    hd_cpu_mark_release(event->mark);
    event->mark = NULL;
    return HD_OK;
}

/* The event was recorded in a capture, or the stream is being captured. */
static hd_status capture_wait(hd_cpu_stream *stream, const hd_cpu_event *event)
{
    static const char call[] = "hd_stream_wait";
    hd_cpu_capture *capture = event->captured ? hd_cpu_capture_of(event->captured) : NULL;

    if (!event->captured)
        return hd_cpu_capture_refuse(stream->capture, call,
                                     "a captured stream waits for an event from outside");
    if (!capture) {
        hd_cpu_capture_lose(stream->capture, call, "an event of an earlier capture");
        return hd__fail(HD_ERR_STATE, call, "the event was recorded in a capture that is over");
    }
    if (stream->legacy)
        return hd_cpu_capture_refuse(capture, call, "the legacy default stream cannot be captured");
    if (stream->capture && stream->capture != capture) {
        hd_cpu_capture_lose(stream->capture, call, "an event of another capture");
        return hd_cpu_capture_refuse(capture, call,
                                     "the stream and the event belong to two captures");
    }
    if (capture->lost[0])
        return hd_cpu_capture_refuse(capture, call, "the capture was lost");
    if (!stream->capture)
        stream->tail.count = 0;
    stream->capture = capture;
    if (!hd_cpu_nodes_join(&stream->tail, &event->behind)) {
        hd_cpu_capture_lose(capture, call, "no memory");
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for the capture");
    }
    return HD_OK;
}

hd_status hd_cpu_graph_record(hd_cpu_op *op)
{
    if (op->kind == HD_CPU_OP_RECORD)
        return drop(op, capture_record(op->event, op->stream));
    if (op->kind == HD_CPU_OP_WAIT)
        return drop(op, capture_wait(op->stream, op->event));
    return capture_node(op);
}
