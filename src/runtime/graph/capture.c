/* SPDX-License-Identifier: Apache-2.0 */
/* capture.c - streams that record a graph, and what calls do not do meanwhile. */
#include "graph.h"

#include <stdlib.h>

/* A capture that goes on: where it began, by whom. */
typedef struct capture {
    const hd_stream *origin;
    pthread_t owner;
    uint64_t id;
    hd__tasks *tasks;
    struct capture *next;
} capture;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static capture *captures;
static atomic_int capture_count;

hd_status hd_stream_capture_begin(hd_stream *stream)
{
    static const char call[] = "hd_stream_capture_begin";
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    capture *made = calloc(1, sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a capture");
    status = hdb_capture_begin(stream);
    if (status >= 0)
        status = hdb_capture_id(stream, &made->id);
    if (status < 0) {
        free(made);
        return hd__settle(call, stream->device, status);
    }
    made->origin = stream;
    made->owner = pthread_self();
    (void)pthread_mutex_lock(&lock);
    made->next = captures;
    captures = made;
    (void)pthread_mutex_unlock(&lock);
    atomic_fetch_add(&capture_count, 1);
    return HD_OK;
}

/* The capture that began on the stream, out of the list. NULL: none; `owner`: or not by this
   thread. */
static capture *capture_take(const hd_stream *origin, int owner)
{
    capture *found = NULL;
    (void)pthread_mutex_lock(&lock);
    for (capture **link = &captures; *link; link = &(*link)->next)
        if ((*link)->origin == origin &&
            (!owner || pthread_equal((*link)->owner, pthread_self()))) {
            found = *link;
            *link = found->next;
            break;
        }
    (void)pthread_mutex_unlock(&lock);
    if (found)
        atomic_fetch_sub(&capture_count, 1);
    return found;
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
    capture *mine = capture_take(stream, 1);
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

void hd__capture_forget(const hd_stream *stream)
{
    hd_stream ended = *stream;
    void *native = NULL;
    if (atomic_load_explicit(&capture_count, memory_order_relaxed) == 0)
        return;
    capture *mine = capture_take(stream, 0);
    if (!mine)
        return;
    if (hdb_capture_end(&ended, &native) >= 0)
        (void)hdb_graph_destroy(native);
    hd__tasks_release(mine->tasks);
    free(mine);
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

/* ---- for other calls ------------------------------------------------------------------------- */

int hd__captured(hd_stream *stream)
{
    int got = 0;
    if (atomic_load_explicit(&capture_count, memory_order_relaxed) == 0)
        return 0;
    return hdb_stream_capturing(stream, &got) >= 0 && got;
}

hd_status hd__capture_refuses(const char *call, hd_stream *stream, const char *what)
{
    if (!hd__captured(stream))
        return HD_OK;
    return hd__fail(HD_ERR_STATE, call, "the stream is captured: %s", what);
}

hd_status hd__capture_refuses_copy(const char *call, hd_stream *stream, const void *to,
                                   const void *from)
{
    if (!hd__captured(stream))
        return HD_OK;
    for (int side = 0; side < 2; side++) {
        hd_pointer_info info = {HD_MEM_UNKNOWN, -1, NULL, 0};
        hd_status status = hdb_pointer_get(side ? from : to, &info);
        if (status < 0)
            return status;
        if (info.kind == HD_MEM_UNKNOWN)
            return hd__fail(HD_ERR_STATE, call,
                            "the stream is captured: `%s` is plain host memory, which might be "
                            "gone when the graph runs; use pinned memory",
                            side ? "from" : "to");
    }
    return HD_OK;
}

hd__tasks **hd__capture_tasks(hd_stream *stream)
{
    hd__tasks **tasks = NULL;
    uint64_t id = 0;
    if (!hd__captured(stream) || hdb_capture_id(stream, &id) < 0 || id == 0)
        return NULL;
    (void)pthread_mutex_lock(&lock);
    for (capture *at = captures; at && !tasks; at = at->next)
        if (at->id == id)
            tasks = &at->tasks;
    (void)pthread_mutex_unlock(&lock);
    return tasks;
}
