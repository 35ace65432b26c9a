/* SPDX-License-Identifier: Apache-2.0 */
/* intervals.c - device time of the chunks of a pipeline. */
#include "intervals.h"

#include <string.h>

hd_status cli_intervals_open(cli_intervals *intervals, unsigned count, int device)
{
    memset(intervals, 0, sizeof *intervals);
    for (; intervals->count < count; intervals->count++) {
        const unsigned i = intervals->count;
        HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &intervals->begun[i]));
        HD_TRY(hd_event_create(device, HD_EVENT_TIMING, &intervals->ended[i]));
    }
    return HD_OK;
}

void cli_intervals_close(cli_intervals *intervals)
{
    for (unsigned i = 0; i < CLI_INTERVALS_MAX; i++) {
        hd_event_destroy(intervals->begun[i]);
        hd_event_destroy(intervals->ended[i]);
    }
}

static hd_status count_one(cli_intervals *intervals, size_t i)
{
    float milliseconds;

    if (!intervals->used[i])
        return HD_OK;
    HD_TRY(hd_event_elapsed(intervals->begun[i], intervals->ended[i], &milliseconds));
    intervals->seconds += 1e-3 * (double)milliseconds;
    intervals->used[i] = 0;
    return HD_OK;
}

hd_status cli_interval_begin(cli_intervals *intervals, size_t chunk, hd_stream *stream)
{
    HD_TRY(count_one(intervals, chunk % intervals->count));
    return hd_event_record(intervals->begun[chunk % intervals->count], stream);
}

hd_status cli_interval_end(cli_intervals *intervals, size_t chunk, hd_stream *stream)
{
    intervals->used[chunk % intervals->count] = 1;
    return hd_event_record(intervals->ended[chunk % intervals->count], stream);
}

hd_status cli_intervals_finish(cli_intervals *intervals)
{
    for (unsigned i = 0; i < intervals->count; i++)
        HD_TRY(count_one(intervals, i));
    return HD_OK;
}
