/* SPDX-License-Identifier: Apache-2.0 */
/* list.c - the list of streams: creation and destruction. */
#include "stream/stream.h"

#include <stdlib.h>

#include "observe.h"

static void list(hd_cpu_stream *stream)
{
    stream->next = hd_cpu.streams;
    hd_cpu.streams = stream;
}

static void unlist(const hd_cpu_stream *stream)
{
    hd_cpu_stream **link = &hd_cpu.streams;

    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link)
        *link = stream->next;
}

static hd_cpu_stream *stream_make(int device, int legacy, int blocking, int lane)
{
    hd_cpu_stream *stream = calloc(1, sizeof *stream);

    if (!stream)
        return NULL;
    stream->device = device;
    stream->legacy = legacy;
    stream->blocking = blocking;
    stream->lane = lane;
    stream->last = &stream->first;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (!lane)
        list(stream);
    HD_OBSERVE(op.stream(stream, 1));
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return stream;
}

static void stream_free(hd_cpu_stream *stream)
{
    unlist(stream);
    hd_cpu_capture_stream_gone(stream);
    HD_OBSERVE(op.stream(stream, 0));
    free(stream->tail.at);
    free(stream);
}

hd_cpu_stream *hd_cpu_lane_make(int device)
{
    return stream_make(device, 0, 0, 1);
}

void hd_cpu_stream_filled(hd_cpu_stream *stream)
{
    if (stream->lane)
        list(stream);
}

void hd_cpu_stream_emptied(hd_cpu_stream *stream)
{
    if (stream->doomed)
        stream_free(stream);
    else if (stream->lane)
        unlist(stream);
}

void hd_cpu_stream_drop(hd_cpu_stream *stream)
{
    if (stream->first)
        stream->doomed = 1;
    else
        stream_free(stream);
}

/* ---- the interface --------------------------------------------------------------------------- */

hd_status hdb_stream_create(int ordinal, unsigned flags, int priority, void **native)
{
    hd_status status = hd_cpu_ready("hd_stream_create");
    hd_cpu_stream *stream;

    if (status < 0)
        return status;
    stream = stream_make(ordinal, 0, !(flags & HD_STREAM_NON_BLOCKING), 0);
    if (!stream)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_stream_create", "no memory for a stream");
    stream->priority = priority > 0                          ? 0
                       : priority < HD_CPU_PRIORITY_GREATEST ? HD_CPU_PRIORITY_GREATEST
                                                             : priority;
    *native = stream;
    return HD_OK;
}

hd_status hdb_stream_destroy(hd_stream *handle)
{
    hd_status status = hd_cpu_ready("hd_stream_destroy");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu_stream_drop(handle->native);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return HD_OK;
}

static _Thread_local hd_cpu_stream *own[HD_CPU_MAX_DEVICES]; /* this thread's default streams */

hd_status hdb_stream_default(int ordinal, hd_default_stream which, void **native)
{
    static hd_cpu_stream *legacy[HD_CPU_MAX_DEVICES];
    static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
    hd_status status = hd_cpu_ready("hd_stream_default");
    hd_cpu_stream **slot = which == HD_DEFAULT_LEGACY ? &legacy[ordinal] : &own[ordinal];

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&making);
    if (!*slot)
        *slot = stream_make(ordinal, which == HD_DEFAULT_LEGACY, 1, 0);
    (void)pthread_mutex_unlock(&making);
    if (!*slot)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_stream_default", "no memory for a stream");
    *native = *slot;
    return HD_OK;
}

/* The stream's remaining work is still completed. */
void hdb_stream_default_ends(int ordinal, void *native)
{
    own[ordinal] = NULL;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu_stream_drop(native);
    (void)pthread_mutex_unlock(&hd_cpu.lock);
}
