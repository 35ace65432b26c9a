/* SPDX-License-Identifier: Apache-2.0 */
/* range.c - named ranges of host threads: for the trace while it records, and for the vendor's
   profiler. The vendor's code loads the profiler's library from an environment variable, so it is
   not called if the environment is not trusted. */
#include "runtime/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "../base/environment.h"

enum { DEPTH_RECORDED = 64 };

/* Open ranges of a thread; deeper ones are passed only to the profiler. */
typedef struct open_range {
    char *text; /* NULL: tracing was off at the push */
    double asked;
} open_range;

static _Thread_local open_range stack[DEPTH_RECORDED];
static _Thread_local size_t depth;

hd_status hd_range_push(const char *text)
{
    if (!text)
        return hd__null("hd_range_push", "text");
    if (hd__environment_is_trusted())
        hdb_range_push(text);
    if (depth < DEPTH_RECORDED) {
        stack[depth].text = hd__tracing() ? strdup(text) : NULL;
        stack[depth].asked = hd__trace_now();
    }
    depth++;
    return HD_OK;
}

static void add(hd_trace_kind kind, const char *text, double asked)
{
    hd_trace_span span;
    memset(&span, 0, sizeof span);
    span.kind = kind;
    span.name = text;
    span.call = "";
    span.device = -1;
    span.thread = hd__trace_thread();
    span.begin = 1;
    span.asked = asked;
    span.left = hd__trace_now();
    hd__trace_add(&span, 1);
}

hd_status hd_range_pop(void)
{
    if (depth == 0)
        return hd__fail(HD_ERR_STATE, "hd_range_pop", "the thread has no open range");
    if (hd__environment_is_trusted())
        hdb_range_pop();
    depth--;
    if (depth < DEPTH_RECORDED && stack[depth].text) {
        if (hd__tracing())
            add(HD_TRACE_RANGE, stack[depth].text, stack[depth].asked);
        free(stack[depth].text);
        stack[depth].text = NULL;
    }
    return HD_OK;
}

hd_status hd_range_mark(const char *text)
{
    if (!text)
        return hd__null("hd_range_mark", "text");
    if (hd__environment_is_trusted())
        hdb_range_mark(text);
    if (hd__tracing())
        add(HD_TRACE_MARK, text, hd__trace_now());
    return HD_OK;
}
