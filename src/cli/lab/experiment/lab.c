/* SPDX-License-Identifier: Apache-2.0 */
/* lab.c - counting, timing and judging rows; the frame of the result. */
#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/words.h"
#include "runtime/sensors.h"

enum { FLUSH = 256 << 20 }; /* more than caches hold */

int lab_device_read(const cli_arguments *arguments, const char *name, lab_device *device_out)
{
    size_t device = 0;
    int status = CLI_DONE;

    *device_out = lab_device_find(name);
    if (cli_option_given(arguments, "device-model")) {
        status = cli_word_read(arguments, "device-model", lab_device_words, LAB_DEVICES, 0,
                               &device);
        *device_out = (lab_device)device;
    }
    return status;
}

int lab_open(lab *l, const cli_arguments *arguments)
{
    int status;

    memset(l, 0, sizeof *l);
    l->gpu = strcmp(hd_backend_name(), "cpu") != 0;
    l->plot.path = cli_option_value(arguments, "plot");
    l->result = arguments->session ? arguments->session->result : &l->own;
    status = cli_job_open(&l->job, arguments);
    if (status == CLI_DONE)
        status = lab_device_read(arguments, l->job.device_name, &l->model);
    return status;
}

void lab_close(lab *l)
{
    lab_free(l);
    lab_plot_free(&l->plot);
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

/* What a timed launch finds in the caches. */
static hd_status prepare(lab *l, lab_caches caches)
{
    if (caches == LAB_WARM)
        return HD_OK;
    if (!l->flush)
        HD_TRY(lab_alloc_bytes(l, &l->flush, FLUSH, 1));
    return hd_fill_zero((unsigned char *)l->flush, FLUSH, l->job.stream);
}

static hd_status time_runs(lab *l, const lab_launch *launch, lab_caches caches, double *samples)
{
    hd_event *begin = NULL, *end = NULL;
    hd_status status = hd_event_create(l->job.device, HD_EVENT_TIMING, &begin);

    if (status >= 0)
        status = hd_event_create(l->job.device, HD_EVENT_TIMING, &end);
    for (size_t i = 0; i < l->job.runs && status >= 0; i++) {
        status = prepare(l, caches);
        if (status >= 0)
            status = time_once(l, launch, begin, end, &samples[i]);
    }
    hd_event_destroy(begin);
    hd_event_destroy(end);
    return status;
}

hd_status lab_time(lab *l, const lab_launch *launch, lab_caches caches, double *seconds_out)
{
    double *samples;
    hd_status status;

    *seconds_out = 0;
    if (!l->gpu)
        return HD_OK;
    samples = malloc(l->job.runs * sizeof *samples);
    if (!samples)
        return cli_no_memory("%zu times", l->job.runs);
    status = time_runs(l, launch, caches, samples);
    if (status >= 0) {
        cli_sort_numbers(samples, l->job.runs);
        *seconds_out = samples[l->job.runs / 2];
    }
    free(samples);
    return status;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Keeps the names of the first rows outside of the model. */
static void keep_outside(lab *l, const lab_point *point)
{
    const size_t used = strlen(l->outside);

    if (used + sizeof point->label + sizeof point->series + 4 > sizeof l->outside)
        return;
    (void)snprintf(l->outside + used, sizeof l->outside - used, "%s%s%s%s", used ? "; " : "",
                   point->label, point->series[0] ? ", " : "", point->series);
}

cli_cell lab_verdict(lab *l, const lab_row *row)
{
    const bool counted = l->counts || row->own, timed = l->gpu && row->most > 0;
    const bool within = !timed || (row->least <= row->seconds && row->seconds <= row->most);
    const bool equal = !row->wrong && (!counted || row->equal);

    lab_plot_add(&l->plot, &row->point);
    if (!l->job.verify || (!counted && !timed))
        return cell_none();
    l->rows++;
    l->wrong += !equal || !within;
    if (!equal || !within)
        keep_outside(l, &row->point);
    if (!equal || !timed)
        return cell_text(equal ? "equal" : "differs");
    return cell_text(within ? "within" : "outside");
}

/* ---- the frame ------------------------------------------------------------------------------- */

cli_cell lab_published(double value)
{
    return cell_if(value > 0, cell_number(value));
}

cli_cell lab_exact(const lab *l, bool right)
{
    return cell_if(l->job.verify, cell_shown(cell_flag(right), right ? "yes" : "no"));
}

void lab_begin(lab *l, const lab_about *about)
{
    const cli_arguments *arguments = l->job.arguments;

    l->axes = about->axes;
    if (arguments->session) {
        cli_object_begin(l->result);
        cli_field(l->result, "experiment", cell_text(arguments->command->name));
        cli_say(l->result, "\n---- heddle %s\n", arguments->command->name);
    } else {
        cli_result_begin(l->result, arguments->command, l->job.format, l->job.device);
        cli_say(l->result, "%s, backend %s, warps of %d\n", l->job.device_name, hd_backend_name(),
                (int)l->job.warp);
    }
    cli_say(l->result, "constant: %s\n%s\n\n", about->constant, about->subject);
    cli_field(l->result, "constant", cell_text(about->constant));
    cli_field(l->result, "device_model",
              cell_if(l->model != LAB_NO_DEVICE,
                      cell_text(lab_device_words[l->model == LAB_NO_DEVICE ? 0 : (int)l->model])));
}

static cli_cell known(double value)
{
    return cell_if(value > 0, cell_number(value));
}

static void say_known(cli_result *result, const char *what, double value, const char *unit)
{
    if (value > 0)
        cli_say(result, "%s %.0f %s", what, value, unit);
    else
        cli_say(result, "%s -", what);
}

/* Clocks directly after the last launch, while the device still runs at them. */
static void print_sensors(lab *l)
{
    hdb_sensors sensors;
    char bus_id[64];

    memset(&sensors, 0, sizeof sensors);
    if (hd_device_bus_id(l->job.device, bus_id, sizeof bus_id) >= 0)
        hdb_sensors_read(bus_id, &sensors);
    else
        hd_error_clear();
    say_known(l->result, "\nafter the last run: core clock", sensors.core_mhz, "MHz");
    say_known(l->result, ", memory clock", sensors.memory_mhz, "MHz");
    say_known(l->result, ", power limit", sensors.power_limit_watts, "W");
    cli_say(l->result, "\n");
    cli_field(l->result, "core_mhz", known(sensors.core_mhz));
    cli_field(l->result, "memory_mhz", known(sensors.memory_mhz));
    cli_field(l->result, "power_limit_watts", known(sensors.power_limit_watts));
}

static void print_judgement(lab *l)
{
    const bool judged = l->rows > 0;

    if (!l->job.verify)
        cli_say(l->result, "not compared (--no-verify)\n");
    else if (!judged)
        cli_say(l->result,
                "Nothing is counted: the checking engine (preset check) counts the requests of a "
                "kernel.\n");
    else
        cli_say(l->result, "%zu of %zu rows as the model predicts\n", l->rows - l->wrong, l->rows);
    cli_field(l->result, "counted", cell_flag(l->counts));
    cli_field(l->result, "verified", cell_verdict(judged, l->wrong == 0));
}

static int end_alone(lab *l)
{
    const cli_command *command = l->job.arguments->command;
    const int status = cli_result_end(l->result);

    if (l->wrong)
        return cli_failed(command, "%zu of %zu rows disagree with the model: %s", l->wrong, l->rows,
                          l->outside);
    if (!l->rows && cli_option_given(l->job.arguments, "verify"))
        return cli_failed(command, "--verify: only the checking engine (preset check) and GPUs can "
                                   "verify the model");
    return status;
}

static int end_in_session(lab *l)
{
    lab_session *session = l->job.arguments->session;

    cli_object_end(l->result);
    session->rows = l->rows;
    session->wrong = l->wrong;
    memcpy(session->outside, l->outside, sizeof session->outside);
    return CLI_DONE;
}

int lab_end(lab *l)
{
    const cli_command *command = l->job.arguments->command;
    char title[256];
    int drawn, status;

    print_sensors(l);
    print_judgement(l);
    status = l->job.arguments->session ? end_in_session(l) : end_alone(l);
    (void)snprintf(title, sizeof title, "heddle %s: %s, warps of %d", command->name,
                   l->gpu ? l->job.device_name : "CPU engine", (int)l->job.warp);
    drawn = lab_plot_write(&l->plot, command, title, &l->axes);
    return status != CLI_DONE ? status : drawn;
}
