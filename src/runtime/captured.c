/* SPDX-License-Identifier: Apache-2.0 */
/* captured.c - active captures, and the calls that are refused during a capture. */
#include "runtime/runtime.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd__capture *captures;
static atomic_int capture_count;

void hd__capture_add(hd__capture *made)
{
    (void)pthread_mutex_lock(&lock);
    made->next = captures;
    captures = made;
    (void)pthread_mutex_unlock(&lock);
    atomic_fetch_add(&capture_count, 1);
}

hd__capture *hd__capture_take(const hd_stream *origin, int owner)
{
    hd__capture *found = NULL;
    if (atomic_load_explicit(&capture_count, memory_order_relaxed) == 0)
        return NULL;
    (void)pthread_mutex_lock(&lock);
    for (hd__capture **link = &captures; *link; link = &(*link)->next)
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
    for (hd__capture *at = captures; at && !tasks; at = at->next)
        if (at->id == id)
            tasks = &at->tasks;
    (void)pthread_mutex_unlock(&lock);
    return tasks;
}
