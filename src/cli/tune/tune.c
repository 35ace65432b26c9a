/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - `heddle tune`: measures the launch shapes of heddle's primitives, all of which give the
   same bits, and stores the fastest for later programs. */
#include "tune.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/commands.h"
#include "cli/app/progress.h"
#include "drivers/tune/table.h"

/* The command in progress. */
typedef struct tuning {
    tune_plan plan;
    cli_result result;
    hd_stream *stream;
    cli_progress progress;
    bool began; /* of the progress bar */
    char what[HD_TUNE_NAME_MAX * 2 + 32];
    size_t measured, candidates, rejected, changed;
    hd_status failed;
} tuning;

static const cli_column columns[] = {{"family", "family", -12, 0, 0, NULL, 0, 0, false},
                                     {"type", "type", -18, 0, 0, NULL, 0, 0, false},
                                     {"from", "from size", 10, 0, 0, NULL, 0, 0, false},
                                     {"sizes", NULL, 0, 0, 0, NULL, 0, 0, false},
                                     {"values", "candidate", -36, 0, 0, NULL, 0, 2, false},
                                     {"seconds", "time", 10, 2, 1e6, " us", 0, 0, false},
                                     {"spread", "spread", 8, 1, 100, " %", 0, 0, false},
                                     {"speedup", "speed-up", 9, 3, 0, NULL, 0, 0, false},
                                     {"verdict", "result", -8, 0, 0, NULL, 0, 2, false},
                                     {"chosen", "chosen", -6, 0, 0, NULL, 0, 0, false},
                                     {"why", "", -1, 0, 0, NULL, 0, 0, false}};

/* ---- one measurement ------------------------------------------------------------------------- */

static void show_progress(void *state, size_t done, size_t total)
{
    tuning *t = state;
    if (!t->began)
        cli_progress_begin_count(&t->progress, t->what, "steps", total);
    t->began = true;
    cli_progress_update(&t->progress, done);
}

static void sizes_text(const hd_tune_result *r, char *text, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < r->size_count && at < size; i++)
        at += (size_t)snprintf(text + at, size - at, "%s%zu", i ? "," : "", r->sizes[i]);
}

static void print_candidate(tuning *t, const hd__tune_problem *p, const hd_tune_result *r, size_t i)
{
    static const char *const verdicts[] = {"untried", "equal", "differs", "failed"};
    const hd_tune_candidate *c = &r->candidates[i];
    const size_t last = r->size_count - 1;
    const bool timed = c->verdict == HD_TUNE_MEASURED, chosen = i == r->chosen;
    char values[TUNE_VALUES_TEXT], sizes[HD_TUNE_SIZES_MAX * 24];
    tune_values_text(p->kernel.knobs, p->kernel.knob_count, c->values, values);
    sizes_text(r, sizes, sizeof sizes);
    CLI_ROW(&t->result, cell_text(p->kernel.name), cell_text(p->type_text),
            cell_count((uint64_t)1 << 2 * hd__tune_bucket(r->sizes[0])), cell_list(sizes),
            cell_text(values), cell_if(timed, cell_number(c->seconds[last])),
            cell_if(timed, cell_number(c->spread[last])), cell_if(timed, cell_number(c->speedup)),
            cell_text(verdicts[c->verdict]), cell_shown(cell_flag(chosen), chosen ? "chosen" : ""),
            cell_shown(cell_if(c->why[0] != '\0', cell_text(c->why)), c->why));
}

/* A row of shipped.c. */
static void print_row(const tuning *t, const hd__tune_problem *p, const hd_tune_result *r)
{
    const hd_tune_candidate *c = &r->candidates[r->chosen];
    char device[HD__TUNE_TEXT] = "";
    if (r->chosen == 0 || hd_device_name(t->plan.device, device, sizeof device) < 0)
        return;
    fprintf(stderr, "    {\"%s\", \"%s\", \"%s\", %u, {{", device, p->kernel.name, p->type_text,
            hd__tune_bucket(r->sizes[0]));
    for (size_t i = 0; i < p->kernel.knob_count; i++)
        fprintf(stderr, "%s%u", i ? ", " : "", c->values[i]);
    fprintf(stderr, "}}}, /* %.3f */\n", c->speedup);
}

static void print_result(tuning *t, const hd__tune_problem *p, const hd_tune_result *r)
{
    for (size_t i = 0; i < r->count; i++) {
        const hd_tune_verdict verdict = r->candidates[i].verdict;
        t->candidates += verdict != HD_TUNE_UNTRIED;
        t->rejected += verdict == HD_TUNE_DIFFERS || verdict == HD_TUNE_FAILED;
        if (!t->plan.brief || i == 0 || i == r->chosen || verdict > HD_TUNE_MEASURED)
            print_candidate(t, p, r, i);
    }
    t->measured++;
    t->changed += r->chosen != 0;
    if (t->plan.rows)
        print_row(t, p, r);
}

/* Measures the sizes of one bucket. */
static hd_status measure(tuning *t, hd__tune_problem *p, const tune_sizes *sizes, size_t first,
                         size_t count)
{
    hd_tune_result *r = NULL;
    const hd_tune_options options = {.sizes = sizes->of + first,
                                     .weights = sizes->weights + first,
                                     .size_count = count,
                                     .rounds = (unsigned)t->plan.rounds,
                                     .candidates_max = (unsigned)t->plan.candidates,
                                     .seconds = t->plan.budget,
                                     .gain = t->plan.gain,
                                     .progress = show_progress,
                                     .progress_state = t};
    snprintf(t->what, sizeof t->what, "%s %s from %zu", p->kernel.name, p->type_text,
             (size_t)1 << 2 * hd__tune_bucket(sizes->of[first]));
    t->began = false;
    hd_status status = hd_tune_measure(&p->kernel, &options, t->stream, &r);
    if (t->began)
        cli_progress_end(&t->progress);
    if (status < 0)
        return status;
    print_result(t, p, r);
    if (t->plan.save)
        status = hd_tune_store(&p->kernel, r);
    hd_tune_result_destroy(r);
    return status;
}

static hd_status measure_calls(tuning *t, int family, unsigned type, unsigned kind)
{
    hd__tune_problem p;
    tune_sizes sizes;
    hd_status status = HD_OK;
    tune_plan_sizes(&t->plan, family, type, &sizes);
    hd__tune_problem_open(&p, family, type, kind, t->plan.device);
    p.elements = t->plan.elements;
    for (size_t first = 0, end; first < sizes.count && status >= 0; first = end) {
        for (end = first + 1; end < sizes.count && end - first < HD_TUNE_SIZES_MAX; end++)
            if (hd__tune_bucket(sizes.of[end]) != hd__tune_bucket(sizes.of[first]))
                break;
        status = measure(t, &p, &sizes, first, end - first);
    }
    hd__tune_problem_close(&p);
    return status;
}

static void measure_all(tuning *t)
{
    for (int f = 0; f < HD__TUNE_FAMILIES; f++)
        for (unsigned type = 0; type < hd__tune_spaces[f].type_count; type++)
            for (unsigned kind = 0; kind < hd__tune_spaces[f].kind_count; kind++)
                if (t->failed >= 0 && tune_plan_has(&t->plan, f, type, kind))
                    t->failed = measure_calls(t, f, type, kind);
}

/* ---- the command ----------------------------------------------------------------------------- */

static hd_status change_nothing(void *state, hd__tune_entries *entries)
{
    (void)state;
    (void)entries;
    return HD_OK;
}

/* Opens the file for writing before anything is measured, so that no measurement is lost. */
static int open_file(const tuning *t, char path[PATH_MAX])
{
    path[0] = '\0';
    if (!t->plan.save)
        return CLI_DONE;
    if (hd_tune_file(path, PATH_MAX) < 0 ||
        hd__tune_update("hd_tune_store", path, 0, change_nothing, NULL) < 0)
        return cli_failed_call(t->plan.arguments->command);
    return CLI_DONE;
}

static int print(tuning *t, const char *path)
{
    const cli_command *command = t->plan.arguments->command;
    cli_result_begin(&t->result, command, t->plan.format, t->plan.device);
    CLI_TABLE(&t->result, "rows", columns);
    measure_all(t);
    cli_table_end(&t->result);
    if (t->failed < 0)
        return cli_failed_call(command);
    cli_say(&t->result, "\n%zu candidate%s in %zu measurement%s: ", t->candidates,
            t->candidates == 1 ? "" : "s", t->measured, t->measured == 1 ? "" : "s");
    cli_say(&t->result, "%zu rejected, %zu faster than the default by %.3g %%\n", t->rejected,
            t->changed, 100 * (t->plan.gain - 1));
    if (t->plan.save)
        cli_say(&t->result, "stored in %s; programs use it with HEDDLE_TUNE=read\n", path);
    cli_field(&t->result, "measurements", cell_count(t->measured));
    cli_field(&t->result, "candidates", cell_count(t->candidates));
    cli_field(&t->result, "rejected", cell_count(t->rejected));
    cli_field(&t->result, "changed", cell_count(t->changed));
    cli_field(&t->result, "file", cell_if(t->plan.save, cell_text(path)));
    cli_field(&t->result, "verified", cell_verdict(true, t->rejected == 0));
    const int status = cli_result_end(&t->result);
    if (status == CLI_DONE && t->rejected)
        return cli_failed(command, "%zu of %zu candidates rejected", t->rejected, t->candidates);
    return status;
}

static bool measures_something(const tune_plan *plan)
{
    for (int f = 0; f < HD__TUNE_FAMILIES; f++)
        for (unsigned type = 0; type < hd__tune_spaces[f].type_count; type++)
            for (unsigned kind = 0; kind < hd__tune_spaces[f].kind_count; kind++)
                if (tune_plan_has(plan, f, type, kind))
                    return true;
    return false;
}

static int tune(tuning *t)
{
    const cli_arguments *arguments = t->plan.arguments;
    char path[PATH_MAX];
    int status;
    if (t->plan.families == 0)
        return cli_misused(arguments->command,
                           "name what to tune: reduce, scan, sort, transpose, tridiagonal or all");
    if (!measures_something(&t->plan))
        return cli_misused(arguments->command,
                           "no calls of these types and kinds; 'heddle tune --list' has them");
    status = tune_plan_fits(&t->plan);
    if (status == CLI_DONE)
        status = open_file(t, path);
    if (status == CLI_DONE && hd_stream_create(t->plan.device, &t->stream) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = print(t, path);
    hd_stream_destroy(t->stream);
    return status;
}

static int open_device(const cli_arguments *arguments, int *device)
{
    const int status = cli_device_check(arguments);
    if (status != CLI_DONE)
        return status;
    return hd_device_select(cli_option_value(arguments, "device"), device) < 0
               ? cli_failed_call(arguments->command)
               : CLI_DONE;
}

static int run(const cli_arguments *arguments)
{
    static const char *const actions[] = {"list", "show", "reset"};
    int (*const calls[])(const tune_plan *) = {tune_list, tune_show, tune_reset};
    tuning t;
    size_t action = 3;
    memset(&t, 0, sizeof t);
    int status = cli_format_read(arguments, &t.plan.format);
    if (status == CLI_DONE)
        status = tune_plan_read(arguments, &t.plan);
    for (size_t i = 0; i < 3 && status == CLI_DONE; i++)
        if (cli_option_given(arguments, actions[i])) {
            if (action < 3)
                status = cli_misused(arguments->command, "--%s and --%s exclude each other",
                                     actions[action], actions[i]);
            action = i;
        }
    if (status == CLI_DONE && (action == 1 || action == 3))
        status = open_device(arguments, &t.plan.device);
    if (status != CLI_DONE)
        return status;
    return action < 3 ? calls[action](&t.plan) : tune(&t);
}

static const cli_option options[] = {
    {"types", "LIST", "element types (default two per family; see --list)"},
    {"kinds", "LIST",
     "kinds of calls, such as arg (argmin, argmax), segments, unaligned (default all; see "
     "--list)"},
    {"sizes", "LIST",
     "numbers of elements, SIZE or SIZE:WEIGHT: the weight of this size in the mean speed-up of "
     "its range of sizes, see below (default: sizes of several ranges)"},
    {"elements", "N", "tridiagonal: elements of a batch (default 4M; CPU: 16K)"},
    {"rounds", "N", "timed rounds per candidate and size (default 7; CPU: 5)"},
    {"candidates", "N",
     "try all candidates if there are at most N (default 200), otherwise search locally"},
    {"budget", "SECONDS",
     "time per measurement, after which no more candidates are tried (default 10)"},
    {"gain", "PERCENT",
     "store a choice only if it is this much faster than the default (default 3)"},
    {"brief", NULL, "print only the default and candidates that were chosen or rejected"},
    {"rows", NULL,
     "for heddle's developers: also print the choices as rows for the table that heddle ships, on "
     "standard error"},
    {"no-save", NULL, "do not store the choices"},
    {"list", NULL, "print what can be tuned, and stop"},
    {"show", NULL, "print the stored choices, and stop"},
    {"reset", NULL, "remove the stored choices of these families, or all, and stop"},
    CLI_DEVICE_OPTION,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL}};

const cli_command cli_command_tune = {
    "tune",
    "find and store the fastest block sizes and algorithms with equal bits",
    "[FAMILY]",
    options,
    "FAMILY is reduce, scan, sort, transpose, tridiagonal, several of these separated by\n"
    "commas, or all.\n"
    "\n"
    "Every candidate's result is compared with the default's bit for bit before the\n"
    "candidate is timed; one that differs or fails is rejected, and the exit status is 1.\n"
    "Time and spread (interquartile range) are of the largest size; the speed-up is the\n"
    "weighted geometric mean over the sizes.\n"
    "\n"
    "A measurement finds one choice, for a family, type, kind of call and the range of sizes\n"
    "from 4^k to 4^(k+1) - 1. For tridiagonal systems a size is the number of rows.\n"
    "\n"
    "The choices are stored in HEDDLE_TUNE_FILE, otherwise in heddle/tune.json in\n"
    "XDG_CACHE_HOME or ~/.cache. Programs read them with HEDDLE_TUNE=read.\n"
    "In JSON and CSV, 'type' includes the kind of call, and 'from' is the least size of the\n"
    "range.\n"
    "\n"
    "JSON keys: rows (family type from sizes values seconds spread speedup verdict chosen\n"
    "why) measurements candidates rejected changed file verified; --list: rows (family knob\n"
    "values meaning); --show: file rows (family type from values speedup applies on_device\n"
    "driver compiler source); --reset: file removed\n",
    "  heddle tune reduce --types f32 --sizes 16K,32K:2 --no-save\n"
    "  heddle tune transpose --kinds unaligned --sizes 10000 --no-save --json\n"
    "  heddle tune --list\n",
    run};
