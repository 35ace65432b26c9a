/* SPDX-License-Identifier: Apache-2.0 */
/* intervals.h - how long the work of a pipeline's chunks takes on the device: events around the
   work of each, for as many chunks as are under way. */
#ifndef HEDDLE_CLI_TRACE_INTERVALS_H
#define HEDDLE_CLI_TRACE_INTERVALS_H

#include <heddle/heddle.h>

enum { CLI_INTERVALS_MAX = 8 };

typedef struct cli_intervals {
    unsigned count;
    hd_event *begun[CLI_INTERVALS_MAX], *ended[CLI_INTERVALS_MAX];
    int used[CLI_INTERVALS_MAX];
    double seconds; /* of all that are counted */
} cli_intervals;

/* `count` is the pipeline's number of buffers: when work of chunk k is issued, that of chunk
   k - count is over. cli_intervals_close may follow a failure. */
hd_status cli_intervals_open(cli_intervals *intervals, unsigned count, int device);
void cli_intervals_close(cli_intervals *intervals);

/* Around the work of a chunk; begin counts the work before it in the same place. */
hd_status cli_interval_begin(cli_intervals *intervals, size_t chunk, hd_stream *stream);
hd_status cli_interval_end(cli_intervals *intervals, size_t chunk, hd_stream *stream);
/* Counts what is left; the pipeline has ended. */
hd_status cli_intervals_finish(cli_intervals *intervals);

#endif
