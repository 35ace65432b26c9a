/* SPDX-License-Identifier: Apache-2.0 */
/* engines.c - which engine each span of a trace keeps busy, and for how long. */
#include "timeline.h"

#include <stdlib.h>

cli_engine cli_engine_of(hd_trace_kind kind)
{
    switch (kind) {
    case HD_TRACE_COPY_IN:
        return CLI_COPY_IN;
    case HD_TRACE_COPY_OUT:
        return CLI_COPY_OUT;
    case HD_TRACE_KERNEL:
    case HD_TRACE_GRAPH:
    case HD_TRACE_FILL:
    case HD_TRACE_COPY_ON:
    case HD_TRACE_COPY_PEER:
        return CLI_COMPUTE;
    default:
        return CLI_NONE;
    }
}

const char *cli_engine_name(cli_engine engine)
{
    static const char *const names[CLI_ENGINES] = {"copy in", "compute", "copy out"};

    return engine < CLI_ENGINES ? names[engine] : "";
}

static double begin_of(const hd_trace_span *span)
{
    return span->stream ? span->begin : span->asked;
}

static int earlier(const void *a, const void *b)
{
    double x = begin_of(a), y = begin_of(b);

    return (x > y) - (x < y);
}

int cli_timeline_spans(hd_trace_span **spans_out, size_t *count_out)
{
    hd_trace_span *spans;
    size_t count = 0, kept = 0;

    if (hd_trace_count(&count, NULL) < 0)
        count = 0;
    spans = malloc((count ? count : 1) * sizeof *spans);
    if (!spans)
        return -1;
    for (size_t i = 0; i < count; i++)
        if (hd_trace_get(i, &spans[kept]) >= 0 &&
            (!spans[kept].stream || spans[kept].begin <= spans[kept].end))
            kept++;
    qsort(spans, kept, sizeof *spans, earlier);
    *spans_out = spans;
    *count_out = kept;
    return 0;
}

double cli_timeline_busy(const hd_trace_span *spans, size_t count, int device, cli_engine engine)
{
    double busy = 0, until = -1e300;

    for (size_t i = 0; i < count; i++) {
        const hd_trace_span *s = &spans[i];

        if (s->device != device || cli_engine_of(s->kind) != engine || s->end <= until)
            continue;
        busy += s->end - (s->begin > until ? s->begin : until);
        until = s->end;
    }
    return busy;
}

double cli_timeline_whole(const hd_trace_span *spans, size_t count)
{
    double first = 1e300, last = -1e300;

    for (size_t i = 0; i < count; i++) {
        if (!spans[i].stream)
            continue;
        first = spans[i].begin < first ? spans[i].begin : first;
        last = spans[i].end > last ? spans[i].end : last;
    }
    return last > first ? last - first : 0;
}
