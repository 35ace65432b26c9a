/* SPDX-License-Identifier: Apache-2.0 */
/* stream_work.c - kernels of a given duration, and experiments read back from the trace. */
#include "stream_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/lab/kernels/streams.h"
#include "cli/app/progress.h"
#include "cli/trace/timeline.h"

enum { FIRST_TURNS = 64, MAX_TURNS = 1 << 28 };
static const double clock_error = 3e-6; /* seconds */

/* ---- the kernel ------------------------------------------------------------------------------ */

hd_status cli_work(size_t n, unsigned blocks, unsigned turns, const float *in, float *out,
                   hd_stream *stream)
{
    hd_launch_config config = hd_launch_with(hd_dim(blocks, 1, 1), hd_dim(STREAM_WORK_BLOCK, 1, 1),
                                             0, stream);

    return hd_launch(stream_work, config, n, turns, in, in, out);
}

static hd_status time_once(size_t n, unsigned turns, float *scratch, hd_stream *stream,
                           double *seconds_out)
{
    unsigned blocks = (unsigned)((n + STREAM_WORK_BLOCK - 1) / STREAM_WORK_BLOCK);
    double began = cli_now();

    HD_TRY(cli_work(n, blocks, turns, scratch, scratch, stream));
    HD_TRY(hd_stream_synchronize(stream));
    *seconds_out = cli_now() - began;
    return HD_OK;
}

hd_status cli_turns_for(double seconds, size_t n, float *scratch, hd_stream *stream,
                        unsigned *turns_out)
{
    double turns = FIRST_TURNS, took = 0;

    HD_TRY(hd_fill_zero(scratch, n, stream));
    HD_TRY(time_once(n, FIRST_TURNS, scratch, stream, &took)); /* loads the kernel */
    for (int tries = 0; tries < 12; tries++) {
        HD_TRY(time_once(n, (unsigned)turns, scratch, stream, &took));
        if (took > 0.5 * seconds)
            break;
        turns = fmin(MAX_TURNS, turns * fmin(16, seconds / took));
    }
    *turns_out = (unsigned)fmax(1, fmin(MAX_TURNS, turns * seconds / took));
    return HD_OK;
}

float cli_work_input(size_t i)
{
    return (float)(i % 1000) * 0.25f;
}

float cli_work_result(unsigned turns, size_t i)
{
    float in = cli_work_input(i);

    return stream_turns(turns, in) + in;
}

size_t cli_work_wrong(unsigned turns, const float *result, size_t n)
{
    float expected[1000];

    for (size_t i = 0; i < 1000 && i < n; i++)
        expected[i] = cli_work_result(turns < 1000 ? turns : 1000,
                                      i); /* has converged long before */
    for (size_t i = 0; i < n; i++)
        if (!(fabsf(result[i] - expected[i % 1000]) <= 1e-4f))
            return i;
    return n;
}

/* ---- recorded spans -------------------------------------------------------------------------- */

hd_status cli_record_begin(const cli_arguments *arguments)
{
    return arguments->trace || arguments->timeline ? HD_OK : hd_trace_start(0);
}

static int range_times(const char *name, double *begin, double *end)
{
    hd_trace_span s;

    for (size_t i = 0; hd_trace_get(i, &s) >= 0; i++)
        if (s.kind == HD_TRACE_RANGE && strcmp(s.name, name) == 0) {
            *begin = s.asked;
            *end = s.left;
            return 1;
        }
    return 0;
}

static int by_asking(const void *a, const void *b)
{
    double x = ((const hd_trace_span *)a)->asked, y = ((const hd_trace_span *)b)->asked;

    return (x > y) - (x < y);
}

size_t cli_recorded(const char *range, hd_trace_span **spans_out)
{
    double begin = 0, end = 0;
    size_t count = 0, kept = 0;
    hd_trace_span *spans;

    *spans_out = NULL;
    if (hd_trace_count(&count, NULL) < 0 || !range_times(range, &begin, &end))
        return 0;
    spans = malloc((count ? count : 1) * sizeof *spans);
    for (size_t i = 0; i < count && spans; i++)
        if (hd_trace_get(i, &spans[kept]) >= 0 && spans[kept].stream &&
            spans[kept].begin <= spans[kept].end && spans[kept].asked >= begin &&
            spans[kept].left <= end)
            kept++;
    if (spans)
        qsort(spans, kept, sizeof *spans, by_asking);
    *spans_out = spans;
    return kept;
}

unsigned cli_kernels_at_once(const hd_trace_span *spans, size_t count)
{
    unsigned most = 0;

    for (size_t i = 0; i < count; i++) {
        double moment = spans[i].begin + clock_error;
        unsigned now = 0;

        for (size_t j = 0; j < count && spans[i].kind == HD_TRACE_KERNEL; j++)
            now += spans[j].kind == HD_TRACE_KERNEL && spans[j].begin <= moment &&
                   spans[j].end > moment;
        most = now > most ? now : most;
    }
    return most;
}
