/* SPDX-License-Identifier: Apache-2.0 */
/* lab.c - counting, timing and judging rows. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

int lab_open(lab *l, const cli_arguments *arguments)
{
    memset(l, 0, sizeof *l);
    l->gpu = strcmp(hd_backend_name(), "cpu") != 0;
    return cli_job_open(&l->job, arguments);
}

void lab_close(lab *l)
{
    cli_job_close(&l->job);
}

/* ---- one launch ------------------------------------------------------------------------------ */

hd_status lab_count(lab *l, const lab_launch *launch, hdb_counters *counters_out)
{
    hd_status status, counting = HD_ERR_UNSUPPORTED;

    memset(counters_out, 0, sizeof *counters_out);
    if (l->job.verify && !l->gpu)
        counting = hdb_counters_start(launch->kernel);
    if (counting < 0 && counting != HD_ERR_UNSUPPORTED)
        return counting;
    l->counts = counting >= 0;
    status = launch->run(launch->state, l->job.stream);
    if (status >= 0)
        status = hd_stream_synchronize(l->job.stream);
    if (l->counts)
        hdb_counters_stop(launch->kernel, counters_out);
    return status;
}

static hd_status time_once(lab *l, const lab_launch *launch, hd_event *begin, hd_event *end,
                           double *seconds_out)
{
    float milliseconds;

    HD_TRY(hd_event_record(begin, l->job.stream));
    HD_TRY(launch->run(launch->state, l->job.stream));
    HD_TRY(hd_event_record(end, l->job.stream));
    HD_TRY(hd_stream_synchronize(l->job.stream));
    HD_TRY(hd_event_elapsed(begin, end, &milliseconds));
    *seconds_out = 1e-3 * (double)milliseconds;
    return HD_OK;
}

static hd_status time_runs(lab *l, const lab_launch *launch, void *flush, size_t bytes,
                           double *samples)
{
    hd_event *begin = NULL, *end = NULL;
    hd_status status = hd_event_create(l->job.device, HD_EVENT_TIMING, &begin);

    if (status >= 0)
        status = hd_event_create(l->job.device, HD_EVENT_TIMING, &end);
    for (size_t i = 0; i < l->job.runs && status >= 0; i++) {
        if (bytes)
            status = hd_fill_zero((unsigned char *)flush, bytes, l->job.stream);
        if (status >= 0)
            status = time_once(l, launch, begin, end, &samples[i]);
    }
    hd_event_destroy(begin);
    hd_event_destroy(end);
    return status;
}

hd_status lab_time(lab *l, const lab_launch *launch, void *flush, size_t bytes, double *seconds_out)
{
    double *samples;
    hd_status status;

    *seconds_out = 0;
    if (!l->gpu)
        return HD_OK;
    samples = malloc(l->job.runs * sizeof *samples);
    if (!samples)
        return cli_no_memory("%zu times", l->job.runs);
    status = time_runs(l, launch, flush, bytes, samples);
    if (status >= 0) {
        cli_sort_numbers(samples, l->job.runs);
        *seconds_out = samples[l->job.runs / 2];
    }
    free(samples);
    return status;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

cli_cell lab_verdict(lab *l, const lab_row *row)
{
    bool right = true;

    if (!l->job.verify || (!l->counts && !l->gpu))
        return cell_none();
    if (l->counts)
        right = row->equal;
    else
        right = row->least <= row->seconds && row->seconds <= row->most;
    l->rows++;
    l->wrong += !right;
    if (l->counts)
        return cell_text(right ? "equal" : "differs");
    return cell_text(right ? "within" : "outside");
}

void lab_begin(lab *l, cli_result *result)
{
    cli_say(result, "%s, backend %s, warps of %d\n", l->job.device_name, hd_backend_name(),
            (int)l->job.warp);
}

int lab_end(lab *l, cli_result *result)
{
    const cli_command *command = l->job.arguments->command;
    const bool judged = l->rows > 0;
    int status;

    if (!l->job.verify)
        cli_say(result, "\nnot compared (--no-verify)\n");
    else if (!judged)
        cli_say(result,
                "\nNothing is counted: the checking engine (preset check) counts the requests of "
                "a kernel.\n");
    else
        cli_say(result, "\n%zu of %zu rows as the model predicts\n", l->rows - l->wrong, l->rows);
    cli_field(result, "counted", cell_flag(l->counts));
    cli_field(result, "verified", cell_verdict(judged, l->wrong == 0));
    status = cli_result_end(result);
    if (l->wrong)
        return cli_failed(command, "%zu of %zu rows lie outside of the model", l->wrong, l->rows);
    if (!judged && cli_option_given(l->job.arguments, "verify"))
        return cli_failed(command, "--verify: only the checking engine (preset check) and GPUs can "
                                   "verify the model");
    return status;
}
