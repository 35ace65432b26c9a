/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c - captures of streams, and the resulting graphs. */
#include "graph.h"

#include <stdlib.h>

/* Ends the capture of a stream, and drops what it recorded. */
static void capture_abandon(hd_stream *stream)
{
    void *native = NULL;
    if (hdb_capture_end(stream, &native) >= 0)
        (void)hdb_graph_destroy(native);
}

/* The stream is being destroyed. Of default streams only the handles are. */
static void capture_forget(const hd_stream *stream)
{
    hd_stream ended = *stream;
    hd__capture *mine = stream->builtin ? NULL : hd__capture_take(stream, 0);
    if (!mine)
        return;
    capture_abandon(&ended);
    hd__tasks_release(mine->tasks);
    free(mine);
}

static pthread_once_t watched = PTHREAD_ONCE_INIT;

static void watch_streams(void)
{
    static hd__stream_hook hook = {capture_forget, NULL};
    hd__on_stream_end(&hook);
}

hd_status hd_stream_capture_begin(hd_stream *stream)
{
    static const char call[] = "hd_stream_capture_begin";
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    hd__capture *made = calloc(1, sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a capture");
    status = hdb_capture_begin(stream);
    if (status >= 0) {
        status = hdb_capture_id(stream, &made->id);
        if (status < 0) {
            hd__error_mute(1); /* keep the detail of hdb_capture_id */
            capture_abandon(stream);
            hd__error_mute(0);
        }
    }
    if (status < 0) {
        free(made);
        return hd__settle(call, stream->device, status);
    }
    made->origin = stream;
    made->owner = pthread_self();
    (void)pthread_once(&watched, watch_streams);
    hd__capture_add(made);
    return HD_OK;
}

hd_status hd_stream_capture_end(hd_stream *stream, hd_graph **graph)
{
    static const char call[] = "hd_stream_capture_end";
    HD__RELEASING;
    void *native = NULL;
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!graph)
        return hd__null(call, "graph");
    hd__capture *mine = hd__capture_take(stream, 1);
    if (!mine)
        return hd__fail(HD_ERR_STATE, call, "no capture by this thread began on the stream");
    status = hdb_capture_end(stream, &native);
    hd_graph *made = NULL;
    if (status >= 0)
        made = hd__graph_wrap(stream->device, stream->ordinal, native, mine->tasks);
    if (status >= 0 && !made) {
        (void)hdb_graph_destroy(native);
        status = hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a graph");
    }
    if (!made)
        hd__tasks_release(mine->tasks);
    free(mine);
    if (status >= 0)
        *graph = made;
    return hd__settle(call, stream->device, status);
}

hd_status hd_stream_capturing(hd_stream *stream, int *capturing)
{
    static const char call[] = "hd_stream_capturing";
    int got = 0;
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!capturing)
        return hd__null(call, "capturing");
    status = hdb_stream_capturing(stream, &got);
    if (status >= 0)
        *capturing = got;
    return hd__settle(call, stream->device, status);
}
