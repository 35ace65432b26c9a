/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - the part of a trace that a picture shows. */
#ifndef HEDDLE_CLI_TRACE_WINDOW_H
#define HEDDLE_CLI_TRACE_WINDOW_H

#include <heddle/trace.h>

typedef struct cli_window {
    double begin, end; /* seconds; begin > end: nothing to show */
    int is_part;       /* some device work is outside */
} cli_window;

/* From the first begin to the last end of device and host work. `shown`: per span, whether the
   picture has a row for it. */
cli_window cli_window_whole(const hd_trace_span *spans, size_t count,
                            int (*shown)(const hd_trace_span *));
/* The busiest part: the trace is split wherever all devices are idle for more than a tenth of its
   length; the piece with the most work is taken. If that is longer than half of the trace, the
   whole trace. `spans` are ordered by their begin. */
cli_window cli_window_busiest(const hd_trace_span *spans, size_t count,
                              int (*shown)(const hd_trace_span *));

#endif
