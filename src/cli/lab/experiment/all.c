/* SPDX-License-Identifier: Apache-2.0 */
/* all.c - `heddle lab all`: every experiment with its default sizes, and a summary. */
#include <string.h>
#include <time.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "lab.h"

#define EXPERIMENT_(command) &cli_command_##command,
static const cli_command *const experiments[] = {CLI_EXPERIMENT_LIST(EXPERIMENT_)};
enum { EXPERIMENTS = sizeof experiments / sizeof *experiments };

typedef struct outcome {
    lab_session session;
    double seconds;
    int status;
} outcome;

typedef struct all {
    cli_job job;
    cli_result result;
    outcome of[EXPERIMENTS];
    size_t rows, wrong;
    int status; /* of the first experiment that failed */
} all;

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The options of `lab all` that experiments have too. */
static void pass_options(const cli_arguments *from, cli_arguments *to)
{
    static const char *const passed[] = {"device", "runs", "device-model", "verify", "no-verify"};

    for (size_t i = 0; to->command->options[i].name; i++)
        for (size_t k = 0; k < sizeof passed / sizeof *passed; k++)
            if (strcmp(to->command->options[i].name, passed[k]) == 0)
                to->values[i] = cli_option_value(from, passed[k]);
}

static void run_experiment(all *a, size_t i)
{
    outcome *o = &a->of[i];
    cli_arguments arguments = {.command = experiments[i], .session = &o->session};
    const double begin = now();

    o->session.result = &a->result;
    pass_options(a->job.arguments, &arguments);
    o->status = experiments[i]->run(&arguments);
    o->seconds = now() - begin;
    a->rows += o->session.rows;
    a->wrong += o->session.wrong;
    if (a->status == CLI_DONE)
        a->status = o->status;
}

/* ---- the summary ----------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "case", .heading = "experiment", .width = -16},
    {.key = "rows", .heading = "rows", .width = 5},
    {.key = "outside", .heading = "outside", .width = 7},
    {.key = "seconds", .heading = "seconds", .width = 8, .decimals = 2},
    {.key = "verdict", .heading = "verdict", .width = -8, .gap = 2},
    {.key = "where", .heading = "rows that disagree with the model", .width = -25, .gap = 2},
};

static const char *verdict_of(const outcome *o)
{
    if (o->status != CLI_DONE)
        return "failed";
    if (!o->session.rows)
        return NULL;
    return o->session.wrong ? "outside" : "within";
}

static int print_summary(all *a)
{
    const cli_command *command = a->job.arguments->command;
    int status;

    cli_say(&a->result, "\n");
    CLI_TABLE(&a->result, "rows", columns);
    for (size_t i = 0; i < EXPERIMENTS; i++) {
        const outcome *o = &a->of[i];
        const char *verdict = verdict_of(o);

        CLI_ROW(&a->result, cell_text(experiments[i]->name), cell_count(o->session.rows),
                cell_count(o->session.wrong), cell_number(o->seconds),
                cell_if(verdict != NULL, cell_text(verdict ? verdict : "")),
                cell_if(o->session.outside[0], cell_text(o->session.outside)));
    }
    cli_table_end(&a->result);
    cli_field(&a->result, "verified", cell_verdict(a->rows > 0, a->wrong == 0));
    status = cli_result_end(&a->result);
    if (a->status != CLI_DONE)
        return a->status;
    if (a->wrong)
        return cli_failed(command, "%zu of %zu rows disagree with the model", a->wrong, a->rows);
    if (!a->rows && cli_option_given(a->job.arguments, "verify"))
        return cli_failed(command, "--verify: only the checking engine (preset check) and GPUs can "
                                   "verify the model");
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run(const cli_arguments *arguments)
{
    lab_device model;
    all a;
    int status;

    memset(&a, 0, sizeof a);
    status = cli_job_open(&a.job, arguments);
    if (status == CLI_DONE)
        status = lab_device_read(arguments, a.job.device_name, &model);
    if (status == CLI_DONE) {
        cli_result_begin(&a.result, arguments->command, a.job.format, a.job.device);
        a.result.csv_table = true; /* CSV has the summary only */
        cli_say(&a.result, "%s, backend %s, warps of %d\n", a.job.device_name, hd_backend_name(),
                (int)a.job.warp);
        cli_list_begin(&a.result, "experiments", true);
        for (size_t i = 0; i < EXPERIMENTS; i++)
            run_experiment(&a, i);
        cli_list_end(&a.result);
        a.result.csv_table = false;
        status = print_summary(&a);
    }
    cli_job_close(&a.job);
    return status;
}

static const cli_option options[] = {LAB_DEVICE_OPTION, CLI_JOB_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_lab_all = {
    "lab all",
    "run all experiments with default sizes",
    NULL,
    options,
    "Prints the tables of all experiments, then one row for each: how many of its rows were\n"
    "judged, how many disagree with the model, and the time that it took. Exit status 1 if a\n"
    "row does. CSV has the summary only; JSON has the experiments as objects.\n"
    "\n"
    "JSON keys: experiments (objects of each experiment) rows (case rows outside seconds\n"
    "verdict where) verified\n",
    "  heddle lab all\n"
    "  heddle lab all --json >lab.json\n",
    run};
