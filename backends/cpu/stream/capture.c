/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c - active captures: the operations that are recorded instead of run, and the calls that
   are refused meanwhile. graph/record.c turns operations into nodes. */
#include "stream/stream.h"

#include <stdio.h>

static hd_cpu_capture *captures;

void hd_cpu_capture_add(hd_cpu_capture *capture)
{
    capture->next = captures;
    __atomic_store_n(&captures, capture, __ATOMIC_RELAXED);
}

void hd_cpu_capture_remove(hd_cpu_capture *capture)
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

hd_cpu_capture *hd_cpu_capture_of(uint64_t id)
{
    hd_cpu_capture *at = captures;

    while (at && at->id != id)
        at = at->next;
    return at;
}

void hd_cpu_capture_lose(hd_cpu_capture *capture, const char *call, const char *why)
{
    if (capture && !capture->lost[0])
        (void)snprintf(capture->lost, sizeof capture->lost, "%s: %s", call, why);
}

hd_status hd_cpu_capture_refuse(hd_cpu_capture *capture, const char *call, const char *why)
{
    hd_cpu_capture_lose(capture, call, why);
    return hd__fail(HD_ERR_STATE, call, "%s", why);
}

hd_status hd_cpu_capture_op(hd_cpu_op *op)
{
    const hd_cpu_capture *capture = op->stream->capture;

    if (!capture)
        capture = hd_cpu_capture_of(op->event->captured);
    if (capture)
        return capture->record(op);
    hd_cpu_op_drop(op);
    return hd__fail(HD_ERR_STATE, "hd_stream_wait",
                    "the event was recorded in a capture that is over");
}

/* The runtime has already ended the capture if this is its origin stream. */
void hd_cpu_capture_stream_gone(hd_cpu_stream *stream)
{
    hd_cpu_capture_lose(stream->capture, "hd_stream_destroy",
                        "a stream that joined the capture is gone");
    stream->capture = NULL;
}

/* ---- calls that are not allowed -------------------------------------------------------------- */

hd_status hd_cpu_capture_guard(const char *call, const hd_cpu_stream *stream)
{
    if (stream->capture)
        return hd_cpu_capture_refuse(
            stream->capture, call,
            "the stream is captured: its work is not done before the graph is launched");
    if (!captures || !stream->legacy)
        return HD_OK;
    for (const hd_cpu_stream *s = hd_cpu_streams(); s; s = s->next)
        if (s->capture && s->blocking && s->device == stream->device)
            return hd_cpu_capture_refuse(
                s->capture, call,
                "the legacy default stream is used while a stream that synchronises "
                "with it is captured");
    return HD_OK;
}

hd_status hd_cpu_capture_guard_event(const char *call, const hd_cpu_event *event)
{
    return event->captured ? hd_cpu_capture_refuse(hd_cpu_capture_of(event->captured), call,
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
            status = hd_cpu_capture_refuse(at, call, "not by a thread that captures a stream");
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status;
}
