/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c - streams: creation, default streams, synchronisation. */
#include "runtime/trace/trace.h"

#include <pthread.h>

hd_status hd__stream_use(const char *call, const hd_stream *stream)
{
    if (!stream)
        return hd__null(call, "stream");
    if (HD__HANDLES_CHECKED)
        HD_TRY(hd__handle_use(call, stream, "stream"));
    return hd__lost(call, stream->device);
}

unsigned hd__stream_next_number(void)
{
    static atomic_uint last;
    return atomic_fetch_add(&last, 1) + 1;
}

/* ---- hooks at the end of a stream ------------------------------------------------------------ */

static _Atomic(hd__stream_hook *) end_hooks;

void hd__on_stream_end(hd__stream_hook *hook)
{
    hook->next = atomic_load(&end_hooks);
    while (!atomic_compare_exchange_weak(&end_hooks, &hook->next, hook))
        ;
}

static void call_end_hooks(const hd_stream *stream)
{
    const hd__stream_hook *hook = atomic_load_explicit(&end_hooks, memory_order_acquire);

    for (; hook; hook = hook->next)
        hook->ends(stream);
}

/* ---- streams --------------------------------------------------------------------------------- */

hd_status hd_stream_number(const hd_stream *stream, unsigned *number)
{
    if (!stream || !number)
        return hd__null("hd_stream_number", stream ? "number" : "stream");
    *number = stream->number;
    return HD_OK;
}

hd_status hd_stream_create(int device, hd_stream **stream)
{
    return hd_stream_create_with(device, HD_STREAM_DEFAULT, 0, stream);
}

hd_status hd_stream_create_with(int device, unsigned flags, int priority, hd_stream **stream)
{
    static const char call[] = "hd_stream_create";
    hd__device *entry;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!stream)
        return hd__null(call, "stream");
    if (flags & ~(unsigned)HD_STREAM_NON_BLOCKING)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown flags %#x", flags);
    status = hd__device_limits(entry);
    if (status < 0)
        return hd__settle(call, device, status);
    hd_stream *made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a stream");
    made->device = device;
    made->ordinal = entry->ordinal;
    made->flags = flags;
    made->number = hd__stream_next_number();
    (void)pthread_mutex_init(&made->scratch_lock, NULL);
    status = hdb_stream_create(entry->ordinal, flags, priority, &made->native);
    if (status < 0) {
        (void)pthread_mutex_destroy(&made->scratch_lock);
        hd__handle_drop(made);
        return hd__settle(call, device, status);
    }
    *stream = made;
    return HD_OK;
}

hd_status hd_stream_destroy(hd_stream *stream)
{
    static const char call[] = "hd_stream_destroy";
    HD__RELEASING;
    if (!stream)
        return HD_OK;
    HD_TRY(hd__handle_use(call, stream, "stream"));
    if (stream->builtin)
        return hd__fail(HD_ERR_ARGUMENT, call, "a default stream cannot be destroyed");
    HD_TRY(hd__handle_claim(call, stream, "stream"));
    int device = stream->device;
    call_end_hooks(stream);
    hd_status status = hd__lost(call, device);
    if (status >= 0 && stream->scratch)
        status = hdb_free_async(stream, stream->scratch);
    if (status >= 0 && !stream->borrowed)
        status = hdb_stream_destroy(stream);
    (void)pthread_mutex_destroy(&stream->scratch_lock);
    hd__handle_free(stream);
    return hd__settle(call, device, status);
}

hd_status hd_stream_device(const hd_stream *stream, int *device)
{
    if (!stream || !device)
        return hd__null("hd_stream_device", stream ? "device" : "stream");
    *device = stream->device;
    return HD_OK;
}

hd_status hd_stream_synchronize(hd_stream *stream)
{
    hd_status status = hd__stream_use("hd_stream_synchronize", stream);
    if (status < 0)
        return status;
    hd__traced traced;
    hd__trace_begin_call(&traced, "hd_stream_synchronize", stream->device);
    status = hdb_stream_synchronize(stream);
    hd__trace_end_wait(&traced, status);
    return hd__settle_wait("hd_stream_synchronize", stream->device, status);
}

hd_status hd_stream_query(hd_stream *stream)
{
    hd_status status = hd__stream_use("hd_stream_query", stream);
    if (status < 0)
        return status;
    status = hdb_stream_query(stream);
    if (status == HD_NOT_READY)
        return status;
    return hd__settle_wait("hd_stream_query", stream->device, status);
}

/* ---- default streams ------------------------------------------------------------------------ */

/* Handles of default streams, in one list: a device's legacy stream is shared, the others belong to
   a thread and are freed when it ends. */
typedef struct default_stream {
    hd_stream stream;
    hd_default_stream which;
    pthread_t owner;
    struct default_stream *next;
} default_stream;

static pthread_mutex_t defaults_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t defaults_once = PTHREAD_ONCE_INIT;
static pthread_key_t defaults_key;
static default_stream *defaults;

/* A thread ends: frees its handles. Their scratch is freed after the work that may still use it. */
static void thread_ends(void *list)
{
    (void)list;
    default_stream *gone = NULL;
    (void)pthread_mutex_lock(&defaults_lock);
    for (default_stream **link = &defaults; *link;) {
        default_stream *at = *link;
        if (at->which == HD_DEFAULT_PER_THREAD && pthread_equal(at->owner, pthread_self())) {
            *link = at->next;
            at->next = gone;
            gone = at;
        } else {
            link = &at->next;
        }
    }
    (void)pthread_mutex_unlock(&defaults_lock);
    while (gone) {
        default_stream *next = gone->next;
        call_end_hooks(&gone->stream);
        if (gone->stream.scratch && hd__lost("hd_stream_default", gone->stream.device) >= 0)
            (void)hdb_free(gone->stream.scratch);
        hdb_stream_default_ends(gone->stream.ordinal, gone->stream.native);
        (void)pthread_mutex_destroy(&gone->stream.scratch_lock);
        hd__handle_drop(gone);
        gone = next;
    }
}

static void defaults_key_make(void)
{
    (void)pthread_key_create(&defaults_key, thread_ends);
}

static default_stream *default_find(int device, hd_default_stream which)
{
    for (default_stream *at = defaults; at; at = at->next)
        if (at->stream.device == device && at->which == which &&
            (which == HD_DEFAULT_LEGACY || pthread_equal(at->owner, pthread_self())))
            return at;
    return NULL;
}

static hd_status default_make(hd__device *entry, int device, hd_default_stream which,
                              default_stream **made)
{
    default_stream *handle = hd__handle_make(sizeof *handle);
    if (!handle)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_stream_default", "no memory for a stream");
    handle->stream.device = device;
    handle->stream.ordinal = entry->ordinal;
    handle->stream.borrowed = 1;
    handle->stream.builtin = 1;
    handle->stream.number = hd__stream_next_number();
    handle->which = which;
    handle->owner = pthread_self();
    (void)pthread_mutex_init(&handle->stream.scratch_lock, NULL);
    hd_status status = hdb_stream_default(entry->ordinal, which, &handle->stream.native);
    if (status < 0) {
        (void)pthread_mutex_destroy(&handle->stream.scratch_lock);
        hd__handle_drop(handle);
        return status;
    }
    handle->next = defaults;
    defaults = handle;
    if (which == HD_DEFAULT_PER_THREAD)
        (void)pthread_setspecific(defaults_key, handle);
    *made = handle;
    return HD_OK;
}

hd_status hd_stream_default(int device, hd_default_stream which, hd_stream **stream)
{
    static const char call[] = "hd_stream_default";
    hd__device *entry;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!stream)
        return hd__null(call, "stream");
    if (which != HD_DEFAULT_LEGACY && which != HD_DEFAULT_PER_THREAD)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown default stream %d", (int)which);
    (void)pthread_once(&defaults_once, defaults_key_make);
    status = hd__device_limits(entry);
    if (status < 0)
        return hd__settle(call, device, status);
    (void)pthread_mutex_lock(&defaults_lock);
    default_stream *handle = default_find(device, which);
    if (!handle)
        status = default_make(entry, device, which, &handle);
    (void)pthread_mutex_unlock(&defaults_lock);
    if (status >= 0)
        *stream = &handle->stream;
    return hd__settle(call, device, status);
}

void hd__stream_defaults_reset(int device)
{
    (void)pthread_mutex_lock(&defaults_lock);
    for (default_stream *at = defaults; at; at = at->next) {
        if (at->stream.device != device)
            continue;
        at->stream.scratch = NULL;
        at->stream.scratch_bytes = 0;
        at->stream.scratch_note = NULL;
        if (at->which == HD_DEFAULT_LEGACY || pthread_equal(at->owner, pthread_self()))
            (void)hdb_stream_default(at->stream.ordinal, at->which, &at->stream.native);
    }
    (void)pthread_mutex_unlock(&defaults_lock);
}
