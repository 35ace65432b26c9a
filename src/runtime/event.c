/* SPDX-License-Identifier: Apache-2.0 */
/* event.c - events: points in a stream that others can wait for, with time stamps. */
#include "runtime/trace/trace.h"

static int is_recorded(const hd_event *event)
{
    return __atomic_load_n(&event->recorded, __ATOMIC_ACQUIRE);
}

hd_status hd__event_use(const char *call, const hd_event *event)
{
    if (!event)
        return hd__null(call, "event");
    if (HD__HANDLES_CHECKED)
        HD_TRY(hd__handle_use(call, event, "event"));
    return hd__lost(call, event->device);
}

hd_status hd_event_create(int device, unsigned flags, hd_event **event)
{
    static const char call[] = "hd_event_create";
    hd__device *entry;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!event)
        return hd__null(call, "event");
    if (flags & ~(unsigned)HD_EVENT_TIMING)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown flags %#x", flags);
    hd_event *made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for an event");
    made->device = device;
    made->ordinal = entry->ordinal;
    made->flags = flags;
    status = hdb_event_create(entry->ordinal, flags, &made->native);
    if (status < 0) {
        hd__handle_drop(made);
        return hd__settle(call, device, status);
    }
    *event = made;
    return HD_OK;
}

hd_status hd_event_destroy(hd_event *event)
{
    static const char call[] = "hd_event_destroy";
    HD__RELEASING;
    if (!event)
        return HD_OK;
    HD_TRY(hd__handle_claim(call, event, "event"));
    int device = event->device;
    hd_status status = hd__lost(call, device);
    if (status >= 0 && !event->borrowed)
        status = hdb_event_destroy(event);
    hd__handle_free(event);
    return hd__settle(call, device, status);
}

hd_status hd_event_record(hd_event *event, hd_stream *stream)
{
    static const char call[] = "hd_event_record";
    hd_status status = hd__event_use(call, event);
    if (status >= 0)
        status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (event->device != stream->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the event is of device %d, the stream of device %d",
                        event->device, stream->device);
    status = hd__settle(call, stream->device, hdb_event_record(event, stream));
    if (status >= 0)
        __atomic_store_n(&event->recorded, 1, __ATOMIC_RELEASE);
    return status;
}

hd_status hd_stream_wait(hd_stream *stream, hd_event *event)
{
    hd_status status = hd__stream_use("hd_stream_wait", stream);
    if (status >= 0)
        status = hd__event_use("hd_stream_wait", event);
    if (status < 0)
        return status;
    hd__traced traced;
    hd__trace_begin(&traced, HD_TRACE_WAIT, "hd_stream_wait", stream);
    status = hdb_stream_wait(stream, event);
    hd__trace_end(&traced, status);
    return hd__settle("hd_stream_wait", stream->device, status);
}

hd_status hd_event_synchronize(hd_event *event)
{
    hd_status status = hd__event_use("hd_event_synchronize", event);
    if (status < 0 || !is_recorded(event))
        return status;
    hd__traced traced;
    hd__trace_begin_call(&traced, "hd_event_synchronize", event->device);
    status = hdb_event_synchronize(event);
    hd__trace_end_wait(&traced, status);
    return hd__settle_wait("hd_event_synchronize", event->device, status);
}

hd_status hd_event_query(hd_event *event)
{
    hd_status status = hd__event_use("hd_event_query", event);
    if (status < 0 || !is_recorded(event))
        return status;
    status = hdb_event_query(event);
    if (status == HD_NOT_READY)
        return status;
    return hd__settle_wait("hd_event_query", event->device, status);
}

static hd_status elapsed_check(const char *call, const hd_event *event)
{
    hd_status status = hd__event_use(call, event);
    if (status < 0)
        return status;
    if (!event->borrowed && !(event->flags & HD_EVENT_TIMING))
        return hd__fail(HD_ERR_ARGUMENT, call, "an event was made without HD_EVENT_TIMING");
    if (!is_recorded(event))
        return hd__fail(HD_ERR_STATE, call, "an event was never recorded");
    return HD_OK;
}

hd_status hd_event_elapsed(hd_event *start, hd_event *stop, float *milliseconds)
{
    static const char call[] = "hd_event_elapsed";
    float got = 0;
    hd_status status = elapsed_check(call, start);
    if (status >= 0)
        status = elapsed_check(call, stop);
    if (status < 0)
        return status;
    if (!milliseconds)
        return hd__null(call, "milliseconds");
    if (start->device != stop->device)
        return hd__fail(HD_ERR_ARGUMENT, call, "the events are of devices %d and %d", start->device,
                        stop->device);
    status = hdb_event_elapsed(start, stop, &got);
    if (status == HD_OK)
        *milliseconds = got;
    return hd__settle(call, start->device, status);
}
