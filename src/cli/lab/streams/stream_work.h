/* SPDX-License-Identifier: Apache-2.0 */
/* stream_work.h - shared by the commands about streams: a kernel of adjustable duration, and the
   evaluation of recorded experiments. */
#ifndef HEDDLE_CLI_LAB_STREAMS_STREAM_WORK_H
#define HEDDLE_CLI_LAB_STREAMS_STREAM_WORK_H

#include <heddle/trace.h>

#include "cli/app/job.h"

enum { STREAM_WORK_BLOCK = 128 };

/* The number of iterations for which stream_work takes about `seconds` on n elements. `scratch`: n
   floats. */
hd_status cli_turns_for(double seconds, size_t n, float *scratch, hd_stream *stream,
                        unsigned *turns_out);

/* One launch on `blocks` blocks: out = work(in), both of n floats. */
hd_status cli_work(size_t n, unsigned blocks, unsigned turns, const float *in, float *out,
                   hd_stream *stream);
/* Element i of every input; the kernel's result for it. */
float cli_work_input(size_t i);
float cli_work_result(unsigned turns, size_t i);
/* The first of n elements that differs from the kernel's result; n: none. */
size_t cli_work_wrong(unsigned turns, const float *result, size_t n);

/* Starts a trace, unless --trace or --timeline of the command has. hd_trace_stop ends it. */
hd_status cli_record_begin(const cli_arguments *arguments);
/* Spans of the operations issued while a range of that name was open, in issue order; the caller
   frees *spans_out. Returns their number. */
size_t cli_recorded(const char *range, hd_trace_span **spans_out);
/* The maximum number of kernels among the spans that ran at the same time. Overlaps shorter than
   the clock's error do not count. */
unsigned cli_kernels_at_once(const hd_trace_span *spans, size_t count);

#endif
