/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c - begins and ends captures. */
#include "graph/graph.h"

#include <stdlib.h>

static uint64_t last_id;

hd_status hdb_capture_begin(hd_stream *handle)
{
    static const char call[] = "hd_stream_capture_begin";
    hd_cpu_stream *stream = handle->native;
    hd_status status = hd_cpu_ready(call);
    hd_cpu_capture *made;

    if (status < 0)
        return status;
    made = calloc(1, sizeof *made);
    if (made)
        made->graph = hd_cpu_graph_make();
    if (!made || !made->graph) {
        free(made);
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a capture");
    }
    (void)pthread_mutex_lock(&hd_cpu.lock);
    if (stream->legacy)
        status = hd__fail(HD_ERR_STATE, call, "the legacy default stream cannot be captured");
    else if (stream->capture)
        status = hd_cpu_capture_refuse(stream->capture, call, "the stream is captured already");
    if (status >= 0) {
        made->id = ++last_id;
        made->owner = pthread_self();
        made->origin = stream;
        made->record = hd_cpu_graph_record;
        hd_cpu_capture_add(made);
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

/* All nodes recorded in any stream must be ordered before the end of the origin stream. */
static void check_joined(hd_cpu_capture *capture)
{
    char *seen = calloc(capture->graph->nodes.count + 1, 1);

    if (!seen || !hd_cpu_nodes_before(capture->graph, &capture->origin->tail, seen))
        hd_cpu_capture_lose(capture, "hd_stream_capture_end", "no memory");
    for (const hd_cpu_stream *s = hd_cpu_streams(); s && !capture->lost[0]; s = s->next)
        for (size_t i = 0; s->capture == capture && i < s->tail.count; i++)
            if (!seen[s->tail.at[i]->index])
                hd_cpu_capture_lose(capture, "hd_stream_capture_end",
                                    "a stream that joined the capture was not waited for");
    free(seen);
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
    hd_cpu_capture_remove(capture);
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
