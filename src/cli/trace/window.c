/* SPDX-License-Identifier: Apache-2.0 */
/* window.c - the whole range of a trace, and its busiest part. */
#include "window.h"

#include <math.h>

static const double idle_part = 0.1, zoom_part = 0.5, margin = 0.02;

cli_window cli_window_whole(const hd_trace_span *spans, size_t count,
                            int (*shown)(const hd_trace_span *))
{
    cli_window w = {1e300, -1e300, 0};

    for (size_t i = 0; i < count; i++) {
        const hd_trace_span *s = &spans[i];

        if (!shown(s))
            continue;
        w.begin = fmin(w.begin, s->stream ? s->begin : s->asked);
        w.end = fmax(w.end, s->stream ? s->end : s->left);
    }
    return w;
}

/* A stretch of device work without a long idle gap. */
typedef struct piece {
    double begin, end, busy;
} piece;

cli_window cli_window_busiest(const hd_trace_span *spans, size_t count,
                              int (*shown)(const hd_trace_span *))
{
    const cli_window whole = cli_window_whole(spans, count, shown);
    const double length = whole.end - whole.begin;
    piece best = {0, 0, -1}, now = {0, 0, -1};

    for (size_t i = 0; i < count; i++) {
        const hd_trace_span *s = &spans[i];

        if (!s->stream || s->kind == HD_TRACE_WAIT)
            continue;
        if (now.busy < 0 || s->begin - now.end > idle_part * length) {
            best = now.busy > best.busy ? now : best;
            now = (piece){s->begin, s->begin, 0};
        }
        now.busy += fmax(0, s->end - fmax(s->begin, now.end));
        now.end = fmax(now.end, s->end);
    }
    best = now.busy > best.busy ? now : best;
    if (best.busy <= 0 || best.end - best.begin > zoom_part * length)
        return whole;
    return (cli_window){fmax(whole.begin, best.begin - margin * (best.end - best.begin)),
                        fmin(whole.end, best.end + margin * (best.end - best.begin)), 1};
}
