/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c - streams and events. */
#include <stdlib.h>

#include "gpu.h"

hd_status hdb_stream_create(int ordinal, unsigned flags, int priority, void **native)
{
    static const char call[] = "hd_stream_create";
    unsigned how = flags & HD_STREAM_NON_BLOCKING ? GPU(StreamNonBlocking) : GPU(StreamDefault);
    GPU(Stream_t) stream = NULL;
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_bind_all(call, ordinal);
    if (status >= 0)
        status = hd_gpu_check(call, GPU(StreamCreateWithPriority)(&stream, how, priority));
    if (status >= 0)
        *native = (void *)stream;
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_stream_destroy(hd_stream *stream)
{
    return hd_gpu_check("hd_stream_destroy", GPU(StreamDestroy)(hd_gpu_stream(stream)));
}

hd_status hdb_stream_default(int ordinal, hd_default_stream which, void **native)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_stream_default", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_bind_all("hd_stream_default", ordinal);
    if (status >= 0 && which == HD_DEFAULT_LEGACY)
        *native = (void *)GPU_STREAM_LEGACY;
    else if (status >= 0)
        *native = (void *)GPU_STREAM_PER_THREAD;
    hd_gpu_leave(ordinal, previous);
    return status;
}

/* The vendor's runtime frees the stream, because it detects the end of threads. */
void hdb_stream_default_ends(int ordinal, void *native)
{
    (void)ordinal;
    (void)native;
}

hd_status hdb_stream_synchronize(hd_stream *stream)
{
    static const char call[] = "hd_stream_synchronize";
    int previous;
    hd_status status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(StreamSynchronize)(hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_stream_query(hd_stream *stream)
{
    static const char call[] = "hd_stream_query";
    int previous;
    hd_status status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(StreamQuery)(hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_stream_wait(hd_stream *stream, hd_event *event)
{
    static const char call[] = "hd_stream_wait";
    int previous;
    if (!__atomic_load_n(&event->recorded, __ATOMIC_ACQUIRE))
        return HD_OK;
    hd_status status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call,
                          GPU(StreamWaitEvent)(hd_gpu_stream(stream), hd_gpu_event(event), 0));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_stream_host_function(hd_stream *stream, void (*function)(void *), void *argument)
{
    static const char call[] = "hd_stream_host_function";
    int previous;
    hd_status status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU_LaunchHostFunc(hd_gpu_stream(stream), function, argument));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

/* ---- events ---------------------------------------------------------------------------------- */

hd_status hdb_event_create(int ordinal, unsigned flags, void **native)
{
    static const char call[] = "hd_event_create";
    unsigned how = flags & HD_EVENT_TIMING ? GPU(EventDefault) : GPU(EventDisableTiming);
    GPU(Event_t) event = NULL;
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(EventCreateWithFlags)(&event, how));
    if (status >= 0)
        *native = (void *)event;
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_event_destroy(hd_event *event)
{
    return hd_gpu_check("hd_event_destroy", GPU(EventDestroy)(hd_gpu_event(event)));
}

hd_status hdb_event_record(hd_event *event, hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_event_record", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_event_record",
                          GPU(EventRecord)(hd_gpu_event(event), hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_event_synchronize(hd_event *event)
{
    return hd_gpu_check("hd_event_synchronize", GPU(EventSynchronize)(hd_gpu_event(event)));
}

hd_status hdb_event_query(hd_event *event)
{
    return hd_gpu_check("hd_event_query", GPU(EventQuery)(hd_gpu_event(event)));
}

hd_status hdb_event_elapsed(hd_event *start, hd_event *stop, float *milliseconds)
{
    return hd_gpu_check("hd_event_elapsed", GPU(EventElapsedTime)(milliseconds, hd_gpu_event(start),
                                                                  hd_gpu_event(stop)));
}

void hdb_capture_relax(int *mode)
{
    gpu_capture_mode exchanged = *mode == HD__CAPTURE_RELAXED ? GPU(StreamCaptureModeRelaxed)
                                                              : (gpu_capture_mode)*mode;
    if (hd_gpu_answer(GPU_ThreadExchangeStreamCaptureMode(&exchanged)) >= 0)
        *mode = (int)exchanged;
}
