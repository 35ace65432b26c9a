/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - the beginning of a traced call: its span, and the event before its operation. */
#include "trace.h"

#include <string.h>

unsigned hd__trace_thread(void)
{
    static atomic_uint threads;
    static _Thread_local unsigned mine;
    if (!mine)
        mine = atomic_fetch_add(&threads, 1) + 1;
    return mine;
}

static void open_common(hd__traced *t, hd_trace_kind kind, const char *call, int device)
{
    memset(t, 0, sizeof *t);
    t->open = 1;
    t->span.kind = kind;
    t->span.name = hd_trace_kind_name(kind);
    t->span.call = call;
    t->span.device = device;
    t->span.thread = hd__trace_thread();
    t->span.begin = 1;
    t->session = hd__trace_session();
}

void hd__trace_open(hd__traced *t, hd_trace_kind kind, const char *call, hd_stream *stream)
{
    t->open = 0;
    hd__error_mute(1);
    if (!hd__trace_is_captured(stream)) {
        hd__trace_program_uses_device();
        open_common(t, kind, call, stream->device);
        t->stream = stream;
        t->span.stream = stream->number;
        t->before = hd__trace_event_take(stream->device, stream->ordinal);
        t->after = t->before ? hd__trace_event_take(stream->device, stream->ordinal) : NULL;
        if (!t->after || hd__trace_event_record(t->before, stream) < 0) {
            hd__trace_event_give(t->before);
            hd__trace_event_give(t->after);
            t->before = t->after = NULL;
        }
        t->span.asked = hd__trace_now();
    }
    hd__error_mute(0);
}

void hd__trace_open_call(hd__traced *t, const char *call, int device)
{
    open_common(t, HD_TRACE_CALL, call, device);
    t->span.name = call;
    t->span.asked = hd__trace_now();
}

/* 1: the address is in memory of a device, *device; 0: in host memory. */
static int on_device(const void *pointer, int *device)
{
    hd_pointer_info info = {HD_MEM_UNKNOWN, -1, NULL, 0};
    if (hdb_pointer_get(pointer, &info) < 0)
        return 0;
    *device = info.device;
    return info.kind == HD_MEM_DEVICE || info.kind == HD_MEM_COHERENT ||
           info.kind == HD_MEM_MANAGED;
}

static hd_trace_kind copy_kind(const void *to, const void *from)
{
    int target = -1, source = -1;
    hd__error_mute(1);
    int lands = on_device(to, &target), leaves = on_device(from, &source);
    hd__error_mute(0);
    if (lands && leaves)
        return target == source ? HD_TRACE_COPY_ON : HD_TRACE_COPY_PEER;
    return lands ? HD_TRACE_COPY_IN : leaves ? HD_TRACE_COPY_OUT : HD_TRACE_COPY_HOST;
}

void hd__trace_open_copy(hd__traced *t, const char *call, const void *to, const void *from,
                         size_t bytes, hd_stream *stream)
{
    hd__trace_open(t, HD_TRACE_COPY_HOST, call, stream);
    if (!t->open)
        return;
    t->span.kind = copy_kind(to, from);
    t->span.name = hd_trace_kind_name(t->span.kind);
    t->span.bytes = bytes;
    t->span.asked = hd__trace_now();
}

void hd__trace_open_launch(hd__traced *t, const hd_kernel *kernel, const hd_launch_config *config)
{
    hd__trace_open(t, HD_TRACE_KERNEL, "hd_launch", config->stream);
    t->span.name = kernel->name;
    t->span.kernel = kernel;
    t->span.grid = config->grid;
    t->span.block = config->block;
    t->span.shared_bytes = config->shared_bytes;
}
