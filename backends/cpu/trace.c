/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - the engine's clock for traces. There is no profiler to forward ranges to. */
#include "stream/stream.h"

#include <stdlib.h>

hd_status hdb_event_clock(hd_event *handle, double *seconds)
{
    hd_cpu_event *event = handle->native;
    hd_cpu_mark *mark = calloc(1, sizeof *mark);

    if (!mark)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_trace_start", "no memory for a mark");
    mark->refs = 1;
    mark->done = 1;
    mark->time = hd_cpu_now();
    *seconds = mark->time;
    (void)pthread_mutex_lock(&hd_cpu.lock);
    hd_cpu_mark_release(event->mark);
    event->mark = mark;
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return HD_OK;
}

hd_status hdb_event_since(hd_event *base, hd_event *event, double *milliseconds)
{
    const hd_cpu_mark *a, *b;
    hd_status status = HD_NOT_READY;

    (void)pthread_mutex_lock(&hd_cpu.lock);
    a = ((hd_cpu_event *)base->native)->mark;
    b = ((hd_cpu_event *)event->native)->mark;
    if (a && b && a->done && b->done) {
        *milliseconds = 1e3 * (b->time - a->time);
        status = HD_OK;
    }
    (void)pthread_mutex_unlock(&hd_cpu.lock);
    return status;
}

void hdb_range_push(const char *text)
{
    (void)text;
}

void hdb_range_pop(void)
{
}

void hdb_range_mark(const char *text)
{
    (void)text;
}
