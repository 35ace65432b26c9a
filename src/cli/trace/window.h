/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - which part of a trace a picture shows. */
#ifndef HEDDLE_CLI_TRACE_WINDOW_H
#define HEDDLE_CLI_TRACE_WINDOW_H

#include <heddle/trace.h>

typedef struct cli_window {
    double begin, end; /* seconds; begin > end: nothing to show */
    int is_part;       /* something that devices did lies outside */
} cli_window;

/* From the first begin to the last end of what devices and host threads did. `shown` says for each
   span whether the picture has a row for it. */
cli_window cli_window_whole(const hd_trace_span *spans, size_t count,
                            int (*shown)(const hd_trace_span *));
/* The busiest stretch: the trace is cut wherever all devices are idle for more than a tenth of the
   whole; of the pieces, the one with most work. If that piece is longer than half of the whole,
   then the whole. `spans` are in order of their begin. */
cli_window cli_window_busiest(const hd_trace_span *spans, size_t count,
                              int (*shown)(const hd_trace_span *));

#endif
