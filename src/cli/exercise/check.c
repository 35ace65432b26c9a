/* SPDX-License-Identifier: Apache-2.0 */
/* check.c - `heddle exercise check`: builds a student's project, runs it in every setup of its
   exercise and prints why it is rejected; and `heddle exercise ladder`: runs it with growing
   numbers of elements. */
#include "exercise.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heddle/heddle.h>

#include "cli/app/table.h"

static const exercise *find_exercise(const cli_arguments *arguments, const course *c)
{
    const char *name = cli_option_value(arguments, "exercise");

    return name ? course_find(c, name) : course_of_project(c, arguments->operands[0]);
}

/* The exit status if find_exercise found none. */
static int not_found(const cli_arguments *arguments)
{
    return cli_option_given(arguments, "exercise") ? CLI_MISUSED : EXERCISE_UNCHECKED;
}

static void keep_progress(const course *c, const exercise *e)
{
    exercise_progress progress;
    const time_t now = time(NULL);
    struct tm day;

    progress_read(e, &progress);
    if (*progress.solved || !localtime_r(&now, &day))
        return;
    strftime(progress.solved, sizeof progress.solved, "%Y-%m-%d", &day);
    progress_write(c->command, &progress);
}

/* ---- check ----------------------------------------------------------------------------------- */

static int check_project(const course *c, const exercise *e, const char *project, bool json)
{
    workshop w;
    verdict v;
    int status = EXERCISE_UNCHECKED;

    memset(&v, 0, sizeof v);
    if (workshop_open(&w, c, e) == 0 && judge_project(&w, project, &v) == 0) {
        status = verdict_status(&v);
        if (status == EXERCISE_SOLVED)
            keep_progress(c, e);
        if (!json)
            verdict_print_text(&w, &v, project);
        else if (verdict_print_json(&w, &v, project) != CLI_DONE)
            status = EXERCISE_UNCHECKED;
    }
    verdict_free(&v);
    workshop_close(&w);
    return status;
}

static int run_check(const cli_arguments *arguments)
{
    course c;
    int status = course_open(arguments, &c);

    if (status == CLI_DONE) {
        const exercise *e = find_exercise(arguments, &c);

        status = e ? check_project(&c, e, arguments->operands[0],
                                   cli_option_given(arguments, "json"))
                   : not_found(arguments);
    } else {
        status = EXERCISE_UNCHECKED;
    }
    course_close(&c);
    return status;
}

static const cli_option check_options[] = {
    {"exercise", "EXERCISE", "number or name, if FOLDER was not made by exercise start"},
    EXERCISE_COURSE_OPTION,
    {"json", NULL, "print one JSON object"},
    CLI_UNTRACED};

const cli_command cli_command_exercise_check = {
    "exercise check",
    "build and run an exercise and explain why it is not solved yet",
    "FOLDER",
    check_options,
    "The files that the exercise asks you to edit are taken from FOLDER, all others from the\n"
    "course. The program is built with the heddle that this tool belongs to and run at warp sizes\n"
    "32 and 64, with several seeds and stream orders. Its results have to be correct and bitwise\n"
    "identical every time, without findings. Findings require the checking engine: use the tool\n"
    "built with cmake --preset check.\n"
    "\n"
    "exit status: 0 solved, 1 not solved, 2 wrong usage, 3 not checked: correct, but this tool\n"
    "cannot look for findings, or the program could not be built or run here\n",
    "  heddle exercise check lanes\n"
    "  heddle exercise check lanes --json\n",
    run_check,
};

/* ---- ladder ---------------------------------------------------------------------------------- */

typedef struct rung {
    const char *title;
    int blocks, warps, more; /* number of elements: whole blocks + whole warps + more */
} rung;

static const rung rungs[] = {
    {"one element", 0, 0, 1}, {"a warp less one", 0, 1, -1},
    {"one warp", 0, 1, 0},    {"a warp and one", 0, 1, 1},
    {"two warps", 0, 2, 0},   {"a block less one", 1, 0, -1},
    {"one block", 1, 0, 0},   {"a block and one", 1, 0, 1},
    {"two blocks", 2, 0, 0},  {"many blocks and some", 9, 1, 7},
};

static const cli_column ladder_columns[] = {
    {.key = "rung", .heading = "rung", .width = -20},
    {.key = "warp", .heading = "warp", .width = 4, .gap = 2},
    {.key = "elements", .heading = "elements", .width = 8, .gap = 2},
    {.key = "findings", .heading = "findings", .width = 8, .gap = 2},
    {.key = "outcome", .heading = "outcome", .width = -7, .gap = 2},
};

/* Runs one rung at both warp sizes; the number of elements depends on the warp size. Returns
   whether both runs are right and without findings. */
static int climb(workshop *w, verdict *v, const rung *r, cli_result *result)
{
    int well = 1;

    for (int which = 0; which < 2; which++) {
        char argument[16], outcome[512];
        const check_run *run;
        int64_t warp = which ? 64 : 32;
        int n;

        judge_begin(w, v);
        if (!v->job.warps[which]) /* a GPU has one warp size */
            continue;
        if (!v->job.warps[!which] && hd_device_get(0, HD_ATTR_WARP_SIZE, &warp) < 0)
            return cli_failed_call(w->course->command), -1;
        v->job.warps[!which] = 0;
        n = r->blocks * (int)w->exercise->ladder + r->warps * (int)warp + r->more;
        snprintf(argument, sizeof argument, "%d", n);
        if (judge_argument(w, v, argument) < 0) {
            verdict_free(v);
            return -1;
        }
        if (v->results.interrupted) {
            cli_failed(w->course->command, "stopped by signal %d (%s)", v->results.interrupted,
                       strsignal(v->results.interrupted));
            verdict_free(v);
            return -1;
        }
        run = &v->results.runs[0];
        verdict_outcome(run, outcome, sizeof outcome);
        well &= strcmp(outcome, "right") == 0 && verdict_findings(v, run) == 0;
        CLI_ROW(result, cell_text(r->title), cell_count((uint64_t)warp), cell_count((uint64_t)n),
                cell_count(verdict_findings(v, run)), cell_text(outcome));
        for (size_t i = 0; i < v->results.finding_count && result->format == CLI_TEXT; i++)
            if (verdict_rejects(v, &v->results.findings[i]))
                check_print_finding(&v->job, &v->results.findings[i]);
        verdict_free(v);
    }
    return well;
}

static int climb_all(workshop *w, cli_format format)
{
    const size_t count = sizeof rungs / sizeof *rungs;
    cli_result result;
    int well = 1;
    verdict v;
    size_t i;

    cli_result_begin(&result, w->course->command, format, CLI_NO_DEVICE);
    cli_field(&result, "exercise", cell_text(w->exercise->name));
    CLI_TABLE(&result, "rows", ladder_columns);
    for (i = 0; i < count && well > 0; i++)
        well = climb(w, &v, &rungs[i], &result);
    cli_table_end(&result);
    cli_field(&result, "passed", cell_flag(well > 0));
    if (well > 0)
        cli_say(&result, "all %zu rungs are right\n", count);
    else if (well == 0)
        cli_say(&result, "stopped at rung %zu of %zu: %s\n", i, count, rungs[i - 1].title);
    if (cli_result_end(&result) != CLI_DONE || well < 0)
        return EXERCISE_UNCHECKED;
    return well ? EXERCISE_SOLVED : EXERCISE_REJECTED;
}

static int ladder_project(const course *c, const exercise *e, const char *project,
                          cli_format format)
{
    int status = EXERCISE_UNCHECKED, built = -1;
    workshop w;

    if (e->ladder == 0) {
        cli_failed(c->command, "%s has no ladder", e->title);
        return EXERCISE_UNCHECKED;
    }
    if (workshop_open(&w, c, e) == 0)
        built = workshop_build(&w, project);
    if (built > 0) {
        cli_failed(c->command, "%s does not build", project);
        fputs(w.log ? w.log : "", stderr);
        status = EXERCISE_REJECTED;
    } else if (built == 0) {
        status = climb_all(&w, format);
    }
    workshop_close(&w);
    return status;
}

static int run_ladder(const cli_arguments *arguments)
{
    cli_format format;
    course c;
    int status = cli_format_read(arguments, &format);

    if (status != CLI_DONE)
        return status;
    status = EXERCISE_UNCHECKED;
    if (course_open(arguments, &c) == CLI_DONE) {
        const exercise *e = find_exercise(arguments, &c);

        status = e ? ladder_project(&c, e, arguments->operands[0], format) : not_found(arguments);
    }
    course_close(&c);
    return status;
}

static const cli_option ladder_options[] = {
    {"exercise", "EXERCISE", "number or name, if FOLDER was not made by exercise start"},
    EXERCISE_COURSE_OPTION,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a row per run"},
    CLI_UNTRACED};

const cli_command cli_command_exercise_ladder = {
    "exercise ladder",
    "run an exercise at growing scale: an element, a warp, two warps, ...",
    "FOLDER",
    ladder_options,
    "Brings up a kernel step by step: one element, one warp, two warps, a block and its\n"
    "neighbors, several blocks, at warp sizes 32 and 64, and stops at the first step that fails.\n"
    "The smallest case that fails is the easiest one to understand.\n"
    "\n"
    "exit status: 0 all steps are right, 1 one is not, 2 wrong usage, 3 not run\n",
    "  heddle exercise ladder lanes\n",
    run_ladder,
};
