/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - prints a verdict as text and as JSON. */
#include "exercise.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/table.h"

enum { TEXT = 1024 };

int verdict_status(const verdict *v)
{
    return *v->reasons ? EXERCISE_REJECTED : v->checked ? EXERCISE_SOLVED : EXERCISE_UNCHECKED;
}

static void streams_of(const check_run *run, char text[32])
{
    if (run->setup.lazy)
        snprintf(text, 32, "lazy:%" PRIu64, run->setup.lazy_seed);
    else
        strcpy(text, "eager");
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_setup(const verdict *v, size_t i)
{
    const check_run *run = &v->results.runs[i];
    char streams[32];

    streams_of(run, streams);
    printf("  warp %u, seed %" PRIu64 ", streams %s", run->setup.warp, run->setup.seed, streams);
    if (v->runs[i].devices > 1)
        printf(", %u devices", v->runs[i].devices);
    if (*v->runs[i].argument)
        printf(", argument %s", v->runs[i].argument);
}

/* Whether two runs differ only in the order of blocks, threads and streams. */
static bool differ_in_order(const verdict *v, size_t i, size_t j)
{
    return v->results.runs[i].setup.warp == v->results.runs[j].setup.warp &&
           v->runs[i].devices == v->runs[j].devices &&
           strcmp(v->runs[i].argument, v->runs[j].argument) == 0;
}

/* Prints one line for run i and the runs that differ from it only in order: the number of right
   runs, or of those that are not, with the outcome of the first. */
static void print_orders(const verdict *v, size_t i)
{
    const check_run *run = &v->results.runs[i];
    size_t orders = 0, wrong = 0, with_findings = 0;
    char outcome[TEXT], first[TEXT] = "right";

    for (size_t j = i; j < v->results.run_count; j++) {
        if (!differ_in_order(v, i, j))
            continue;
        verdict_outcome(&v->results.runs[j], outcome, sizeof outcome);
        if (strcmp(outcome, "right") != 0 && wrong++ == 0)
            memcpy(first, outcome, sizeof first);
        with_findings += verdict_findings(v, &v->results.runs[j]) > 0;
        orders++;
    }
    printf("  warp %u", run->setup.warp);
    if (v->runs[i].devices > 1)
        printf(", %u devices", v->runs[i].devices);
    if (*v->runs[i].argument)
        printf(", argument %s", v->runs[i].argument);
    if (wrong)
        printf(": %zu of %zu orders %s", wrong, orders, first);
    else
        printf(": right in %zu order%s", orders, orders == 1 ? "" : "s");
    puts(with_findings ? wrong ? ", with findings" : ", but with findings" : "");
}

static void print_runs(const verdict *v)
{
    for (size_t i = 0; i < v->results.run_count; i++) {
        size_t first = 0;

        while (!differ_in_order(v, first, i))
            first++;
        if (first == i)
            print_orders(v, i);
    }
}

/* The first line that differs, from each of two texts. */
static void print_lines(const char *a, const char *b, char first[2][TEXT])
{
    const char *x = a, *y = b;

    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n') {
            x = a + i + 1;
            y = b + i + 1;
        }
    snprintf(first[0], TEXT, "%.*s", (int)strcspn(x, "\n"), x);
    snprintf(first[1], TEXT, "%.*s", (int)strcspn(y, "\n"), y);
}

static void print_difference(const verdict *v)
{
    const size_t i = v->differs, other = v->differs_from;
    char lines[2][TEXT];

    const check_run *a = &v->results.runs[other], *b = &v->results.runs[i];

    print_lines(a->output, b->output, lines);
    if (strcmp(a->output, b->output) == 0) /* in what was not kept */
        for (int side = 0; side < 2; side++)
            snprintf(lines[side], TEXT, "%" PRIu64 " bytes, which differ after the first %zu",
                     (side ? b : a)->output_bytes, strlen(a->output));
    printf("what it prints should be the same in every run:\n");
    print_setup(v, other);
    printf(":  %s\n", lines[0]);
    print_setup(v, i);
    printf(":  %s\n\n", lines[1]);
}

static void print_findings(const verdict *v)
{
    for (size_t i = 0; i < v->results.finding_count; i++) {
        if (!verdict_rejects(v, &v->results.findings[i]))
            continue;
        check_print_finding(&v->job, &v->results.findings[i]);
        putchar('\n');
    }
}

/* A reason in words; codes of findings are printed as they are. */
static const char *reason_text(const char *reason)
{
    static const char *const texts[][2] = {
        {"does-not-build", "it does not build"}, {"crashed", "a run crashed"},
        {"timeout", "a run took too long"},      {"failed", "a run failed"},
        {"wrong-result", "the result is wrong"}, {"bits-differ", "runs print different bits"},
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(reason, texts[i][0]) == 0)
            return texts[i][1];
    return reason;
}

static void print_reasons(const char *reasons)
{
    char copy[VERDICT_REASONS], *rest = copy, *word;
    const char *before = "not solved: ";

    snprintf(copy, sizeof copy, "%s", reasons);
    while ((word = strsep(&rest, ",")) != NULL) {
        printf("%s%s", before, reason_text(word));
        before = ", ";
    }
    putchar('\n');
}

/* Prints the path of the exercise's page, in the docs to which the course belongs. */
static void print_page(const workshop *w)
{
    char docs[PATH_MAX], path[PATH_MAX];

    path_join(docs, w->course->folder, "..");
    if (!realpath(docs, path))
        strcpy(path, "docs");
    printf("  page: %s/%s\n", path, w->exercise->page);
}

static void print_verdict(const workshop *w, const verdict *v, const char *project)
{
    const size_t runs = v->results.run_count;

    if (*v->reasons) {
        print_reasons(v->reasons);
        if (strcmp(v->reasons, "does-not-build") == 0)
            return;
        if (workshop_is_starter(w, project))
            printf("  (nothing has been changed yet)\n");
        print_page(w);
        printf("  hint: heddle exercise hint %s\n", project);
    } else if (v->checked) {
        printf("solved: %zu run%s, all right and without errors\n", runs, runs == 1 ? "" : "s");
    } else {
        printf("right in %zu run%s, but not checked: this heddle has no checking engine\n"
               "(cmake --preset check), so nobody looked for races\n",
               runs, runs == 1 ? "" : "s");
    }
}

void verdict_print_text(const workshop *w, const verdict *v, const char *project)
{
    char number[EXERCISE_NAME];

    exercise_number(w->exercise, number);
    printf("%s  %s\n", number, w->exercise->title);
    if (strcmp(v->reasons, "does-not-build") == 0)
        printf("%s\n", w->log ? w->log : "");
    print_runs(v);
    putchar('\n');
    print_findings(v);
    if (v->differs)
        print_difference(v);
    print_verdict(w, v, project);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void run_json(const verdict *v, size_t i, cli_result *result)
{
    const check_run *run = &v->results.runs[i];
    char streams[32], outcome[TEXT];

    streams_of(run, streams);
    verdict_outcome(run, outcome, sizeof outcome);
    cli_object_begin(result);
    cli_field(result, "warp", cell_count(run->setup.warp));
    cli_field(result, "seed", cell_count(run->setup.seed));
    cli_field(result, "streams", cell_text(streams));
    cli_field(result, "devices", cell_count(v->runs[i].devices));
    cli_field(result, "argument", cell_text(v->runs[i].argument));
    cli_field(result, "outcome", cell_text(outcome));
    cli_field(result, "right", cell_flag(strcmp(outcome, "right") == 0));
    cli_field(result, "findings", cell_count(run->findings));
    cli_field(result, "seconds", cell_number(run->seconds));
    cli_object_end(result);
}

static void finding_member(void *result, const char *key, const hd__json *value)
{
    if (strcmp(key, "type") == 0 || strcmp(key, "id") == 0 || strcmp(key, "pid") == 0)
        return;
    cli_key(result, key);
    hd__json_print(value, stdout);
}

/* Writes the reasons, which are separated by commas, as a list. */
static void reasons_json(const char *reasons, cli_result *result)
{
    char copy[VERDICT_REASONS], *rest = copy, *word;

    snprintf(copy, sizeof copy, "%s", reasons);
    cli_list_begin(result, "reasons", false);
    while (*copy && (word = strsep(&rest, ",")) != NULL)
        cli_item(result, cell_text(word));
    cli_list_end(result);
}

int verdict_print_json(const workshop *w, const verdict *v, const char *project)
{
    cli_result result;

    cli_result_begin(&result, w->course->command, CLI_JSON, CLI_NO_DEVICE);
    cli_field(&result, "exercise", cell_text(w->exercise->name));
    cli_field(&result, "title", cell_text(w->exercise->title));
    cli_field(&result, "project", cell_text(project));
    cli_field(&result, "solved", cell_flag(verdict_status(v) == EXERCISE_SOLVED));
    cli_field(&result, "checked", cell_flag(v->checked));
    reasons_json(v->reasons, &result);
    cli_field(&result, "detail", cell_text(v->detail ? v->detail : ""));
    cli_field(&result, "page", cell_text(w->exercise->page));
    cli_list_begin(&result, "runs", true);
    for (size_t i = 0; i < v->results.run_count; i++)
        run_json(v, i, &result);
    cli_list_end(&result);
    cli_list_begin(&result, "findings", true);
    for (size_t i = 0; i < v->results.finding_count; i++) {
        cli_object_begin(&result);
        hd__json_each(v->results.findings[i].line, finding_member, &result);
        cli_object_end(&result);
    }
    cli_list_end(&result);
    if (strcmp(v->reasons, "does-not-build") == 0)
        cli_field(&result, "log", cell_text(w->log ? w->log : ""));
    cli_field(&result, "seconds", cell_number(v->seconds));
    return cli_result_end(&result);
}
