/* SPDX-License-Identifier: Apache-2.0 */
/* defaultstream.c - `heddle streams default`: checks and prints which work the default streams
   synchronize. */
#include "defaultstream.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/table.h"
#include "cli/app/words.h"

/* ---- printing -------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "experiment", .heading = "", .width = -34},
    {.key = "default_stream"},
    {.key = "seconds", .heading = "time", .width = 12},
    {.key = "kernels_at_once", .heading = "at once", .width = 12},
    {.key = "holds"},
    {.key = "verified"},
    {.heading = "expected", .width = -1, .gap = 2},
    {.key = "backend", .once = true},
};

static void print_row(const default_room *r, const default_experiment *e, cli_result *result)
{
    char time[CLI_NUMBER], expected[256];

    cli_text_seconds(e->seconds, time);
    snprintf(expected, sizeof expected, "%s%s%s", e->expected, e->holds ? "" : ": DOES NOT HOLD",
             e->verified ? "" : ", WRONG RESULTS");
    CLI_ROW(result, cell_text(e->name), cell_text(e->which),
            cell_shown(cell_number(e->seconds), time), cell_count(e->at_once), cell_flag(e->holds),
            cell_verdict(r->job.verify, e->verified), cell_text(expected),
            cell_text(hd_backend_name()));
}

static int print(const default_room *r)
{
    bool right = true;
    cli_result result;

    cli_result_begin(&result, r->job.arguments->command, r->job.format, r->job.device);
    cli_say(&result, "%zu streams or threads, a kernel of about %g ms each\n\n", r->streams,
            1e3 * r->kernel_seconds);
    cli_field(&result, "streams", cell_count(r->streams));
    CLI_TABLE(&result, "rows", columns);
    for (size_t i = 0; i < r->count; i++) {
        print_row(r, &r->experiments[i], &result);
        right &= r->experiments[i].verified;
    }
    cli_table_end(&result);
    cli_say(&result, "\ndevice     %d: %s (backend %s)\n", r->job.device, r->job.device_name,
            hd_backend_name());
    cli_field(&result, "verified", cell_verdict(r->job.verify, right));
    return cli_result_end(&result);
}

static int finish(const default_room *r)
{
    int status = print(r);

    for (size_t i = 0; i < r->count && status == CLI_DONE; i++) {
        const default_experiment *e = &r->experiments[i];

        if (!e->holds)
            status = cli_failed(r->job.arguments->command, "%s: expected that %s", e->name,
                                e->expected);
        else if (!e->verified)
            status = cli_failed(r->job.arguments->command, "%s: wrong results", e->name);
    }
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static hd_status make_turns(default_room *r)
{
    return cli_turns_for(r->kernel_seconds, DEFAULT_N, r->out[0], r->job.stream, &r->turns);
}

static hd_status make_room(default_room *r)
{
    int device = r->job.device;

    HD_TRY(hd_alloc_kind(&r->source, DEFAULT_N, HD_MEM_PINNED, device));
    for (size_t i = 0; i < DEFAULT_N; i++)
        r->source[i] = cli_work_input(i);
    for (size_t i = 0; i < r->streams; i++) {
        HD_TRY(hd_alloc(&r->in[i], DEFAULT_N, device));
        HD_TRY(hd_alloc(&r->out[i], DEFAULT_N, device));
        HD_TRY(hd_alloc(&r->dummy[i], 1, device));
        HD_TRY(hd_alloc_kind(&r->result[i], DEFAULT_N, HD_MEM_PINNED, device));
        HD_TRY(hd_fill_zero(r->dummy[i], 1, r->job.stream));
    }
    return make_turns(r);
}

static void free_room(default_room *r)
{
    hd_free(r->source);
    for (size_t i = 0; i < r->streams; i++) {
        hd_free(r->in[i]);
        hd_free(r->out[i]);
        hd_free(r->dummy[i]);
        hd_free(r->result[i]);
    }
    cli_job_close(&r->job);
}

static int read_options(default_room *r, size_t *mode_out)
{
    static const char *const modes[] = {"both", "legacy", "per-thread"};
    static const char *const kinds[] = {"posix", "openmp"};
    const cli_arguments *arguments = r->job.arguments;
    uint64_t streams = 8;
    double milliseconds = 0;
    unsigned wanted = 3;
    int status = cli_word_read(arguments, "mode", modes, 3, 0, mode_out);

    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "threads", kinds, 2, 3, &wanted);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "streams", 8, 2, 32, &streams);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "ms", 1.0, &milliseconds);
    if (status == CLI_DONE && !(milliseconds > 0 && milliseconds <= 1000))
        status = cli_misused(arguments->command, "--ms: from 0 to 1000");
    r->kernel_seconds = milliseconds * 1e-3;
    r->streams = (size_t)streams;
    r->posix = wanted & 1;
    r->openmp = wanted >> 1 & 1;
    if (r->openmp && !cli_threads_have_openmp()) {
        r->openmp = 0;
        if (cli_option_given(arguments, "threads") && status == CLI_DONE)
            status = cli_failed(arguments->command, "this build has no OpenMP");
    }
    return status;
}

/* Runs all experiments and evaluates their times. */
static int experiments(default_room *r, size_t mode)
{
    int status = CLI_DONE;

    r->count = 0;
    if (mode != 2)
        status = default_run(r, HD_DEFAULT_LEGACY);
    if (status == CLI_DONE && mode != 1)
        status = default_run(r, HD_DEFAULT_PER_THREAD);
    if (status == CLI_DONE && hd_trace_stop() < 0)
        status = cli_failed_call(r->job.arguments->command);
    return status == CLI_DONE ? default_read_times(r) : status;
}

static const double kernel_seconds_enough = 0.01; /* for the launches of a busy host */

/* On a busy machine, kernels that may overlap sometimes do not, because a thread is late or another
   program uses the device: the experiments are repeated with longer kernels. A violation of an
   order is never excused. */
static int experiments_until_seen(default_room *r, size_t mode)
{
    int status = cli_record_begin(r->job.arguments) < 0 ? cli_failed_call(r->job.arguments->command)
                                                        : experiments(r, mode);

    for (int turn = 1; turn < DEFAULT_CHANCES && status == CLI_DONE && default_may_hold(r);
         turn++) {
        if (r->kernel_seconds < kernel_seconds_enough)
            r->kernel_seconds *= 4;
        status = make_turns(r) < 0 || hd_trace_start(0) < 0
                     ? cli_failed_call(r->job.arguments->command)
                     : experiments(r, mode);
    }
    return status;
}

static int run(const cli_arguments *arguments)
{
    default_room *r = calloc(1, sizeof *r);
    size_t mode = 0;
    int status;

    if (!r)
        return cli_failed(arguments->command, "no memory for the experiments");
    status = cli_job_open(&r->job, arguments);
    if (status == CLI_DONE)
        status = read_options(r, &mode);
    if (status == CLI_DONE && make_room(r) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = experiments_until_seen(r, mode);
    if (status == CLI_DONE)
        status = finish(r);
    free_room(r);
    free(r);
    return status;
}

static const cli_option options[] = {
    {"mode", "WHICH", "default streams: legacy, per-thread or both (default)"},
    {"threads", "KINDS", "host threads: posix,openmp (default: all that the build has)"},
    {"streams", "N", "number of streams and threads, 2 to 32 (default 8)"},
    {"ms", "T", "kernel time in milliseconds (default 1)"},
    CLI_DEVICE_OPTION,
    {"no-verify", NULL, "skip the verification"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and a row per experiment"},
    {NULL, NULL, NULL}};

static const char notes[] =
    "streams: each runs a copy and a kernel; after each stream's work, a dummy kernel is launched\n"
    "on the default stream. The legacy one waits for all blocking streams, and they wait for it.\n"
    "threads: each runs a copy and a kernel on its default stream.\n"
    "at once: kernels that ran concurrently, from recorded times.\n"
    "Exit status 1 if an expectation does not hold. Concurrent kernels are expected of GPUs only,\n"
    "in one of three attempts, with kernels that get longer.\n"
    "\n"
    "JSON keys: streams rows (experiment default_stream seconds kernels_at_once holds verified)\n"
    "verified\n";

const cli_command cli_command_streams_default = {
    "streams default",
    "show how the legacy and per-thread default streams synchronize",
    NULL,
    options,
    notes,
    "  heddle streams default --timeline waits.svg\n"
    "  heddle streams default --mode legacy --streams 4 --json\n",
    run};
