/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.h - --trace and --timeline, options of every subcommand, and the picture that --timeline
   draws: copy in, compute and copy out of each device over time, then every stream, then waits of
   host threads and their named ranges. */
#ifndef HEDDLE_CLI_TRACE_TIMELINE_H
#define HEDDLE_CLI_TRACE_TIMELINE_H

#include <heddle/trace.h>

#include "cli/app/arguments.h"

typedef struct cli_timeline {
    const char *title;
    const char *unit; /* label of the axis: "time / ms" */
    double scale;     /* units per second */
    const hd_trace_span *spans;
    size_t count;
    int streams;     /* also draw a row per stream */
    int whole;       /* draw the whole trace instead of its busiest part */
    double from, to; /* draw this part, in seconds; from > to: chosen automatically */
} cli_timeline;

/* Draws the picture; 0, or -1 with a line of HD__IO_MESSAGE bytes. */
int cli_timeline_draw(const cli_timeline *timeline, const char *path, char *message);

/* The engine that executes a copy or kernel. A copy waits for its engine, so its time on the engine
   begins when the previous copy ends. */
typedef enum cli_engine {
    CLI_COPY_IN,
    CLI_COMPUTE,
    CLI_COPY_OUT,
    CLI_ENGINES,
    CLI_NONE
} cli_engine;
cli_engine cli_engine_of(hd_trace_kind kind);
const char *cli_engine_name(cli_engine engine);

/* The spans of the last trace, ordered by their begin, without device spans that have no times; the
   caller frees *spans_out. 0, or -1 without memory. */
int cli_timeline_spans(hd_trace_span **spans_out, size_t *count_out);
/* Time during which an engine is busy, counting overlapping spans once; and the time from the first
   begin to the last end of all device work. */
double cli_timeline_busy(const hd_trace_span *spans, size_t count, int device, cli_engine engine);
double cli_timeline_whole(const hd_trace_span *spans, size_t count);

/* From now on --trace and --timeline write one file per rank: t.json becomes t-3.json. */
void cli_trace_rank(int rank);
/* --trace FILE and --timeline FILE of any command: begin is called before it runs, end after it
   with its exit status. Both return an exit status. */
int cli_trace_begin(const cli_arguments *arguments);
int cli_trace_end(const cli_arguments *arguments, int status);

#endif
