/* SPDX-License-Identifier: Apache-2.0 */
/* intervals.h - device time of the chunks of a pipeline: events around the work of each chunk in
   flight. */
#ifndef HEDDLE_CLI_TRACE_INTERVALS_H
#define HEDDLE_CLI_TRACE_INTERVALS_H

#include <heddle/heddle.h>

enum { CLI_INTERVALS_MAX = 8 };

typedef struct cli_intervals {
    unsigned count;
    hd_event *begun[CLI_INTERVALS_MAX], *ended[CLI_INTERVALS_MAX];
    int used[CLI_INTERVALS_MAX];
    double seconds; /* total of the intervals read so far */
} cli_intervals;

/* `count` is the pipeline's number of buffers: when the work of chunk k is issued, that of chunk k
   - count has ended. Call cli_intervals_close in either case. */
hd_status cli_intervals_open(cli_intervals *intervals, unsigned count, int device);
void cli_intervals_close(cli_intervals *intervals);

/* Called around the work of a chunk; begin adds the previous interval of the same slot. */
hd_status cli_interval_begin(cli_intervals *intervals, size_t chunk, hd_stream *stream);
hd_status cli_interval_end(cli_intervals *intervals, size_t chunk, hd_stream *stream);
/* Adds the remaining intervals; call it after the pipeline has ended. */
hd_status cli_intervals_finish(cli_intervals *intervals);

#endif
