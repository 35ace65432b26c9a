/* SPDX-License-Identifier: Apache-2.0 */
/* stream_work.h - what the commands about streams share: a kernel that takes as long as they like,
   and what a recorded experiment says. */
#ifndef HEDDLE_CLI_LAB_STREAMS_STREAM_WORK_H
#define HEDDLE_CLI_LAB_STREAMS_STREAM_WORK_H

#include <heddle/trace.h>

#include "cli/app/job.h"

enum { STREAM_WORK_BLOCK = 128 };

/* Turns with which stream_work takes about so many seconds for n elements. `scratch`: n floats. */
hd_status cli_turns_for(double seconds, size_t n, float *scratch, hd_stream *stream,
                        unsigned *turns_out);

/* One launch on `blocks` blocks: out = work(in), both of n floats. */
hd_status cli_work(size_t n, unsigned blocks, unsigned turns, const float *in, float *out,
                   hd_stream *stream);
/* Element i of every input, and what the kernel makes of it. */
float cli_work_input(size_t i);
float cli_work_result(unsigned turns, size_t i);
/* The first of n elements that is not what the kernel makes; n: none. */
size_t cli_work_wrong(unsigned turns, const float *result, size_t n);

/* Records, unless --trace or --timeline of the command do already. hd_trace_stop ends it. */
hd_status cli_record_begin(const cli_arguments *arguments);
/* Spans of operations that were asked for while a range of that name was open, in the order in
   which they were; *spans_out is the caller's to free. 0 where there are none. */
size_t cli_recorded(const char *range, hd_trace_span **spans_out);
/* How many kernels among the spans ran at the same time at most. Moments as short as a clock's
   error do not count. */
unsigned cli_kernels_at_once(const hd_trace_span *spans, size_t count);

#endif
