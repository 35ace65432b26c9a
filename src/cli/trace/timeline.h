/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.h - --trace and --timeline, which every subcommand takes, and the picture that the
   latter draws: copy in, compute and copy out of each device against time, then every stream, then
   what host threads waited for and the ranges they named. */
#ifndef HEDDLE_CLI_TRACE_TIMELINE_H
#define HEDDLE_CLI_TRACE_TIMELINE_H

#include <heddle/trace.h>

#include "cli/app/arguments.h"

typedef struct cli_timeline {
    const char *title;
    const char *unit; /* of the axis: "time / ms" */
    double scale;     /* units in a second */
    const hd_trace_span *spans;
    size_t count;
    int streams;     /* draw a row per stream, too */
    int whole;       /* draw the whole trace instead of its busiest stretch */
    double from, to; /* draw this part, in seconds; from > to: choose one */
} cli_timeline;

/* Draws the picture; 0, or -1 with a line of HD__IO_MESSAGE bytes. */
int cli_timeline_draw(const cli_timeline *timeline, const char *path, char *message);

/* The engine on which a copy or kernel runs. Copies wait for their engine, so their times there
   begin when the copy before them ends. */
typedef enum cli_engine {
    CLI_COPY_IN,
    CLI_COMPUTE,
    CLI_COPY_OUT,
    CLI_ENGINES,
    CLI_NONE
} cli_engine;
cli_engine cli_engine_of(hd_trace_kind kind);
const char *cli_engine_name(cli_engine engine);

/* The spans of the trace that was stopped last, in the order of their beginning, those without
   times left out unless they are of the host; *spans_out is the caller's to free. 0, or -1 without
   memory. */
int cli_timeline_spans(hd_trace_span **spans_out, size_t *count_out);
/* Time that an engine works, with what runs at once counted once; and how much lies between the
   first beginning and the last end of all device work. */
double cli_timeline_busy(const hd_trace_span *spans, size_t count, int device, cli_engine engine);
double cli_timeline_whole(const hd_trace_span *spans, size_t count);

/* From now on --trace and --timeline write a file of this rank: t.json becomes t-3.json. */
void cli_trace_rank(int rank);
/* --trace FILE and --timeline FILE of any command: begin before it runs, end after it, whatever it
   returned. Each returns the exit status to go on with. */
int cli_trace_begin(const cli_arguments *arguments);
int cli_trace_end(const cli_arguments *arguments, int status);

#endif
