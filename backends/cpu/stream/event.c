/* SPDX-License-Identifier: Apache-2.0 */
/* event.c - events: points in streams that others can wait for, with a timestamp. */
#include "stream/stream.h"

#include <stdlib.h>

#include "observe.h"

hd_status hdb_event_create(int ordinal, unsigned flags, void **native)
{
    hd_status status = hd_cpu_ready("hd_event_create");
    hd_cpu_event *event;

    (void)ordinal;
    (void)flags;
    if (status < 0)
        return status;
    event = calloc(1, sizeof *event);
    if (!event)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_event_create", "no memory for an event");
    *native = event;
    return HD_OK;
}

hd_status hdb_event_destroy(hd_event *handle)
{
    hd_cpu_event *event = handle->native;
    hd_status status = hd_cpu_ready("hd_event_destroy");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu_mark_release(event->mark);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    free(event->behind.at);
    free(event);
    return HD_OK;
}

hd_status hdb_event_record(hd_event *handle, hd_stream *stream)
{
    hd_status status = hd_cpu_ready("hd_event_record");
    hd_cpu_op *op;
    hd_cpu_mark *mark;

    if (status < 0)
        return status;
    op = hd_cpu_op_make(HD_CPU_OP_RECORD, stream);
    mark = hd_cpu_mark_make(stream->native);
    if (!op || !mark) {
        free(op);
        free(mark);
        return hd__fail(HD_ERR_NO_MEMORY, "hd_event_record", "no memory for the record");
    }
    op->mark = mark;
    op->event = handle->native;
    return hd_cpu_enqueue(op);
}

hd_status hdb_stream_wait(hd_stream *stream, hd_event *handle)
{
    hd_status status = hd_cpu_ready("hd_stream_wait");
    hd_cpu_op *op;

    if (status < 0)
        return status;
    if (!__atomic_load_n(&handle->recorded, __ATOMIC_ACQUIRE)) {
        HD_OBSERVE(op.unrecorded());
        return HD_OK;
    }
    op = hd_cpu_op_make(HD_CPU_OP_WAIT, stream);
    if (!op)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_stream_wait", "no memory for the operation");
    op->event = handle->native;
    return hd_cpu_enqueue(op);
}

static int mark_done(const void *mark)
{
    return ((const hd_cpu_mark *)mark)->done;
}

hd_status hdb_event_synchronize(hd_event *handle)
{
    hd_cpu_event *event = handle->native;
    hd_status status = hd_cpu_ready("hd_event_synchronize");
    hd_cpu_mark *mark;

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    status = hd_cpu_capture_guard_event("hd_event_synchronize", event);
    mark = event->mark;
    if (mark) {
        mark->refs++;
        if (!mark->done)
            hd_cpu_wait_until(mark_done, mark, mark->stream);
        HD_OBSERVE(op.joined(NULL, mark, 0));
        hd_cpu_mark_release(mark);
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status;
}

hd_status hdb_event_query(hd_event *handle)
{
    hd_cpu_event *event = handle->native;
    hd_status status = hd_cpu_ready("hd_event_query");
    int done;

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    status = hd_cpu_capture_guard_event("hd_event_query", event);
    if (hd_cpu_config_get()->lazy && event->mark && !event->mark->done)
        (void)hd_cpu_drive(event->mark->stream);
    done = !event->mark || event->mark->done;
    if (done && event->mark)
        HD_OBSERVE(op.joined(NULL, event->mark, 0));
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status < 0 ? status : done ? HD_OK : HD_NOT_READY;
}

hd_status hdb_event_elapsed(hd_event *start, hd_event *stop, float *milliseconds)
{
    const hd_cpu_mark *a, *b;
    hd_status status = hd_cpu_ready("hd_event_elapsed");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    status = hd_cpu_capture_guard_event("hd_event_elapsed", start->native);
    if (status >= 0)
        status = hd_cpu_capture_guard_event("hd_event_elapsed", stop->native);
    if (status >= 0)
        status = HD_NOT_READY;
    a = ((hd_cpu_event *)start->native)->mark;
    b = ((hd_cpu_event *)stop->native)->mark;
    if (a && b && a->done && b->done) {
        *milliseconds = (float)(1e3 * (b->time - a->time));
        HD_OBSERVE(op.joined(NULL, a, 0));
        HD_OBSERVE(op.joined(NULL, b, 0));
        status = HD_OK;
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status;
}
