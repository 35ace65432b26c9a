/* SPDX-License-Identifier: Apache-2.0 */
/* judge.c - runs a project in every setup of its exercise, and finds the reasons to reject it. */
#include "exercise.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/progress.h"
#include "cli/app/words.h"

#define WRONG "wrong: "
#define ERROR "error: "

char *judge_line(const check_run *run, const char *mark)
{
    const size_t length = strlen(mark);

    for (const char *at = run->errors; at && *at;) {
        const size_t line = strcspn(at, "\n");

        if (strncmp(at, mark, length) == 0)
            return strndup(at + length, line - length);
        at += line + (at[line] == '\n');
    }
    return NULL;
}

static bool is_wrong(const check_run *run)
{
    char *line = run->status == 1 ? judge_line(run, WRONG) : NULL;
    const bool wrong = line != NULL;

    free(line);
    return wrong;
}

/* Whether the run gave no result. Status 1 with findings is not a failure: with errors found, the
   checking engine turns status 0 into 1. */
static bool is_failed(const check_run *run)
{
    return run->error || run->invalid || run->status > 1 ||
           (run->status == 1 && !is_wrong(run) && !run->findings);
}

/* For projects without findings, which could explain status 1: any status 1 without a wrong result
   is a failure. */
static bool is_unexplained(const check_run *run)
{
    return is_failed(run) || (run->status == 1 && !is_wrong(run));
}

void verdict_outcome(const check_run *run, char *text, size_t size)
{
    char *line = judge_line(run, is_wrong(run) ? WRONG : ERROR);

    if (run->error)
        snprintf(text, size, "cannot be run: %s", strerror(run->error));
    else if (run->invalid)
        snprintf(text, size, "not checked: %s", run->invalid);
    else if (run->timed_out)
        snprintf(text, size, "stopped after %.3g s", run->seconds);
    else if (run->signal)
        snprintf(text, size, "crashed: signal %d (%s)", run->signal, strsignal(run->signal));
    else if (is_wrong(run))
        snprintf(text, size, WRONG "%s", line ? line : "");
    else if (is_failed(run))
        snprintf(text, size, "failed with status %d%s%s", run->status, line ? ": " : "",
                 line ? line : "");
    else
        snprintf(text, size, "right");
    free(line);
}

/* ---- running --------------------------------------------------------------------------------- */

/* On a GPU, warp size, schedule and stream order cannot be chosen. */
static bool is_cpu(void)
{
    return strcmp(hd_backend_name(), "cpu") == 0;
}

void judge_begin(workshop *w, verdict *v)
{
    check_job *job = &v->job;

    memset(v, 0, sizeof *v);
    path_join(v->program, w->folder, "build/exercise");
    job->command = w->course->command;
    job->program = v->words;
    job->seeds = is_cpu() ? w->exercise->seeds : 1;
    job->warps[0] = 1;
    job->warps[1] = is_cpu();
    job->strict = w->exercise->strict;
    job->judge = 1;
    job->timeout = w->exercise->timeout;
    snprintf(job->folder, sizeof job->folder, "%s", w->folder);
    snprintf(job->scratch, sizeof job->scratch, "%s", w->folder);
}

/* PROGRAM [ARGUMENT], as `devices` processes if it is an MPI program. */
static void write_command(const exercise *e, verdict *v, unsigned devices, const char *argument)
{
    static char mpirun[] = "mpirun", option[] = "-n";
    size_t n = 0;

    snprintf(v->ranks, sizeof v->ranks, "%u", devices);
    snprintf(v->argument, sizeof v->argument, "%s", argument);
    if (e->mpi) {
        v->words[n++] = mpirun;
        v->words[n++] = option;
        v->words[n++] = v->ranks;
    }
    v->words[n++] = v->program;
    v->words[n++] = *argument ? v->argument : NULL;
    v->words[n] = NULL;
}

/* Runs all setups with one argument and number of devices. 0, or -1 without memory. */
static int run_setups(const exercise *e, verdict *v, unsigned devices, const char *argument)
{
    const size_t before = v->results.run_count;
    judged_run *runs;

    write_command(e, v, devices, argument);
    setenv("HEDDLE_CPU_DEVICES", v->ranks, 1);
    if (check_run_all(&v->job, &v->results) < 0)
        return -1;
    runs = realloc(v->runs, v->results.run_count * sizeof *runs);
    if (!runs)
        return -1;
    v->runs = runs;
    for (size_t i = before; i < v->results.run_count; i++)
        v->runs[i] = (judged_run){devices, argument};
    return 0;
}

int judge_argument(workshop *w, verdict *v, const char *argument)
{
    v->job.seeds = 1;
    if (run_setups(w->exercise, v, w->exercise->devices[0], argument) == 0)
        return 0;
    cli_failed(w->course->command, "no memory");
    return -1;
}

/* The CPU engine always has enough: HEDDLE_CPU_DEVICES sets its number of devices. */
static bool has_devices(unsigned wanted)
{
    int count = 0;

    return is_cpu() || (hd_device_count(&count) >= 0 && count >= (int)wanted);
}

static int run_all(workshop *w, verdict *v)
{
    const exercise *e = w->exercise;

    for (size_t d = 0; d < e->device_counts; d++)
        for (size_t a = 0; a < e->arguments; a++) {
            const check_results *results = &v->results;

            if (!e->mpi && !has_devices(e->devices[d])) /* ranks may share a device */
                continue;
            if (run_setups(e, v, e->devices[d], e->argument[a]) < 0) {
                cli_failed(w->course->command, "no memory");
                return -1;
            }
            if (results->interrupted || results->runs[results->run_count - 1].timed_out)
                return 0;
        }
    return 0;
}

/* ---- reasons --------------------------------------------------------------------------------- */

static void add_reason(verdict *v, const char *reason)
{
    const size_t length = strlen(v->reasons);

    if (cli_list_has(v->reasons, reason))
        return;
    snprintf(v->reasons + length, sizeof v->reasons - length, "%s%s", length ? "," : "", reason);
}

static void add_if(verdict *v, const char *reason, bool (*is)(const check_run *run))
{
    for (size_t i = 0; i < v->results.run_count; i++)
        if (is(&v->results.runs[i])) {
            add_reason(v, reason);
            return;
        }
}

static bool is_crashed(const check_run *run)
{
    return run->signal != 0;
}

static bool is_timed_out(const check_run *run)
{
    return run->timed_out;
}

static int by_code(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

uint64_t verdict_findings(const verdict *v, const check_run *run)
{
    return v->job.strict ? run->findings : run->errors_found;
}

bool verdict_rejects(const verdict *v, const check_finding *finding)
{
    return v->job.strict || strcmp(hd__json_text(finding->line, "severity"), "error") == 0;
}

/* Adds the codes of findings that reject the project as reasons; returns the number of these
   findings. */
static size_t add_findings(verdict *v)
{
    const char **codes = malloc((v->results.finding_count + 1) * sizeof *codes);
    size_t count = 0;

    for (size_t i = 0; codes && i < v->results.finding_count; i++) {
        const check_finding *finding = &v->results.findings[i];

        if (verdict_rejects(v, finding))
            codes[count++] = hd__json_text(finding->line, "code");
    }
    if (count)
        qsort(codes, count, sizeof *codes, by_code);
    for (size_t i = 0; i < count; i++)
        add_reason(v, codes[i]);
    free(codes);
    return count;
}

static bool is_comparable(const check_run *run)
{
    return run->output && !run->timed_out && !is_crashed(run) && !is_failed(run) &&
           !is_wrong(run) && run->status <= 1;
}

static bool same_output(const check_run *a, const check_run *b)
{
    return a->output_bytes == b->output_bytes && a->output_hash == b->output_hash;
}

/* Right runs with the same argument must print the same output. */
static void compare_outputs(verdict *v)
{
    for (size_t i = 1; i < v->results.run_count && !v->differs; i++)
        for (size_t j = 0; j < i && !v->differs; j++)
            if (strcmp(v->runs[i].argument, v->runs[j].argument) == 0 &&
                is_comparable(&v->results.runs[i]) && is_comparable(&v->results.runs[j]) &&
                !same_output(&v->results.runs[i], &v->results.runs[j])) {
                v->differs = i;
                v->differs_from = j;
            }
    if (v->differs)
        add_reason(v, "bits-differ");
}

static void find_reasons(const exercise *e, verdict *v)
{
    char text[1024];

    v->checked = v->results.run_count > 0;
    for (size_t i = 0; i < v->results.run_count; i++)
        v->checked &= e->host_only || v->results.runs[i].reported;
    add_if(v, "crashed", is_crashed);
    add_if(v, "timeout", is_timed_out);
    if (add_findings(v) == 0) /* otherwise the failure is a consequence of a finding */
        add_if(v, "failed", is_unexplained);
    add_if(v, "wrong-result", is_wrong);
    compare_outputs(v);
    for (size_t i = 0; i < v->results.run_count && !v->detail; i++) {
        verdict_outcome(&v->results.runs[i], text, sizeof text);
        if (strcmp(text, "right") != 0)
            v->detail = strdup(text);
    }
    if (!v->detail && v->results.finding_count && *v->reasons)
        v->detail = strdup(hd__json_text(v->results.findings[0].line, "title"));
}

int judge_project(workshop *w, const char *project, verdict *v)
{
    const double began = cli_now();
    int status;

    judge_begin(w, v);
    status = workshop_build(w, project);
    if (status > 0)
        add_reason(v, "does-not-build");
    else if (status == 0)
        status = run_all(w, v);
    for (size_t i = 0; i < v->results.run_count && status == 0; i++)
        if (v->results.runs[i].error) { /* of this machine, not of the project */
            cli_failed(w->course->command, "%s cannot be run: %s", v->words[0],
                       strerror(v->results.runs[i].error));
            status = -1;
        }
    if (status == 0 && v->results.interrupted) {
        cli_failed(w->course->command, "stopped by signal %d (%s)", v->results.interrupted,
                   strsignal(v->results.interrupted));
        status = -1;
    }
    if (status == 0) {
        check_findings_sort(&v->results);
        find_reasons(w->exercise, v);
    }
    v->seconds = cli_now() - began;
    return status < 0 ? -1 : 0;
}

void verdict_free(verdict *v)
{
    check_results_free(&v->results);
    free(v->runs);
    free(v->detail);
    memset(&v->results, 0, sizeof v->results);
    v->runs = NULL;
    v->detail = NULL;
}
