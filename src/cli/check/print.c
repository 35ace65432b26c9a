/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - findings as text, and problems of the runs. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *check_path(const check_job *job, const char *path)
{
    size_t length = strlen(job->folder);

    if (length > 1 && strncmp(path, job->folder, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}

void check_command(const check_job *job, FILE *to)
{
    for (char **word = job->program; *word; word++) {
        if (word != job->program)
            putc(' ', to);
        check_word(*word, to);
    }
}

/* Prints a text; paths below the working directory become relative. */
static void print_paths(const check_job *job, const char *text)
{
    const size_t length = strlen(job->folder);

    while (*text) {
        if (length > 1 && strncmp(text, job->folder, length) == 0 && text[length] == '/')
            text += length + 1;
        else
            putchar(*text++);
    }
}

/* ---- findings -------------------------------------------------------------------------------- */

static void print_dim(const char *before, const hd__json *dim, const char *open,
                      const char *between, const char *close)
{
    printf("%s%s", before, open);
    for (size_t i = 0; i < hd__json_length(dim); i++)
        printf("%s%" PRIu64, i > 0 ? between : "", hd__json_whole(hd__json_at(dim, i)));
    fputs(close, stdout);
}

static void print_place(const check_job *job, const char *before, const hd__json *at)
{
    if (hd__json_text(at, "file")[0])
        printf("%s%s:%" PRIu64, before, check_path(job, hd__json_text(at, "file")),
               hd__json_count(at, "line"));
    else if (hd__json_text(at, "module")[0])
        printf("%s%s", before, check_path(job, hd__json_text(at, "module")));
}

static void print_side(const check_job *job, const hd__json *line, const hd__json *side)
{
    const hd__json *launch = hd__json_member(line, "launch");
    const hd__json *block = hd__json_member(side, "block"),
                   *thread = hd__json_member(side, "thread");
    const char *verb = hd__json_text(side, "verb"), *call = hd__json_text(side, "call"),
               *blank = "  ";
    int other = launch && hd__json_count(side, "operation") != hd__json_count(launch, "number");

    if (launch && !other && !block && !thread) /* the line about the launch has it */
        return;
    if (hd__json_member(side, "host")) {
        printf("  %s", call[0] ? call : "host code");
    } else {
        if (other) {
            printf("  kernel %s,", hd__json_text(side, "kernel"));
            blank = " ";
        }
        if (block) {
            print_dim(blank, block, "block (", ",", ")");
            blank = " ";
        }
        if (thread)
            print_dim(blank, thread, "thread (", ",", ")");
        if (!block && !thread)
            printf("%sthe launch", blank);
    }
    printf(" %s%s", strncmp(verb, "hd_", 3) == 0 ? "waits in " : "", verb);
    print_place(job, " at ", side);
    if (other || call[0])
        printf(" (operation %" PRIu64 ")", hd__json_count(side, "operation"));
    putchar('\n');
}

static void print_launch(const check_job *job, const hd__json *launch)
{
    const hd__json *grid = hd__json_member(launch, "grid"),
                   *block = hd__json_member(launch, "block");

    fputs("  launched", stdout);
    print_place(job, " at ", launch);
    if (grid)
        print_dim(": grid ", grid, "", "x", "");
    if (block)
        print_dim(", block ", block, "", "x", "");
    if (hd__json_count(launch, "shared_bytes"))
        printf(", %" PRIu64 " bytes of dynamic shared memory",
               hd__json_count(launch, "shared_bytes"));
    printf(" (operation %" PRIu64 ")\n", hd__json_count(launch, "number"));
}

static size_t main_runs(const check_results *results)
{
    size_t count = 0;

    for (size_t i = 0; i < results->run_count; i++)
        count += !results->runs[i].extra;
    return count;
}

static void print_reproduce(const check_job *job, const check_results *results,
                            const check_finding *finding)
{
    char variables[CHECK_VARIABLES];

    if (finding->seen_in)
        printf("  seen in %zu of %zu runs", finding->seen_in, main_runs(results));
    else
        fputs("  seen when looking for a shorter command", stdout);
    if (finding->count)
        printf(", %" PRIu64 " times", finding->count);
    check_variables(job, &finding->best, hd__json_text(finding->line, "code"), variables,
                    sizeof variables);
    printf("\n  reproduce: %s", variables);
    check_command(job, stdout);
    putchar('\n');
}

void check_print_finding(const check_job *job, const check_finding *finding)
{
    const hd__json *line = finding->line, *sides = hd__json_member(line, "sides");
    const hd__json *launch = hd__json_member(line, "launch");
    const char *kernel = hd__json_text(line, "kernel"), *object = hd__json_text(line, "object");
    const char *detail = hd__json_text(line, "detail");

    printf("%s %s: %s\n", hd__json_text(line, "severity"), hd__json_text(line, "code"),
           hd__json_text(line, "title"));
    if (kernel[0] || object[0]) {
        printf("  %s%s%s", kernel[0] ? "kernel " : "", kernel, kernel[0] && object[0] ? ", " : "");
        print_paths(job, object);
        putchar('\n');
    }
    for (size_t i = 0; i < hd__json_length(sides); i++)
        print_side(job, line, hd__json_at(sides, i));
    if (launch)
        print_launch(job, launch);
    if (detail[0]) {
        fputs("  ", stdout);
        print_paths(job, detail);
        putchar('\n');
    }
    printf("  fix: %s\n", hd__json_text(line, "advice"));
}

static void print_suppressions(const check_job *job, const check_results *results)
{
    for (size_t i = 0; i < results->suppression_count; i++) {
        const check_suppression *s = &results->suppressions[i];

        if (s->used == 0)
            printf("%s:%" PRIu64 ": nothing to suppress: %s %s\n",
                   check_path(job, hd__json_text(s->line, "file")), hd__json_count(s->line, "line"),
                   hd__json_text(s->line, "code"), hd__json_text(s->line, "kernel"));
    }
}

void check_print_text(const check_job *job, const check_results *results)
{
    size_t errors = check_findings_of(results, "error"), used = 0, checked = 0;

    for (size_t i = 0; i < results->run_count; i++)
        checked += results->runs[i].reported != 0;
    if (checked == 0)
        return;
    for (size_t i = 0; i < results->finding_count; i++) {
        check_print_finding(job, &results->findings[i]);
        print_reproduce(job, results, &results->findings[i]);
        putchar('\n');
    }
    print_suppressions(job, results);
    for (size_t i = 0; i < results->suppression_count; i++)
        used += results->suppressions[i].used > 0;
    printf("%zu run%s: %zu error%s, %zu portability, %zu performance", main_runs(results),
           main_runs(results) == 1 ? "" : "s", errors, errors == 1 ? "" : "s",
           check_findings_of(results, "portability"), check_findings_of(results, "performance"));
    if (results->suppression_count)
        printf("; %zu of %zu suppressions used", used, results->suppression_count);
    putchar('\n');
}

/* ---- runs that failed ------------------------------------------------------------------------ */

/* Describes the problem of a run; NULL: none. */
static const char *problem_of(const check_job *job, const check_run *run, char *text, size_t size)
{
    const char *name = job->program[0];

    text[0] = '\0';
    if (run->error)
        snprintf(text, size, "%s cannot be run: %s", name, strerror(run->error));
    else if (run->invalid)
        snprintf(text, size, "nothing was checked: %s", run->invalid);
    else if (run->timed_out)
        snprintf(text, size, "%s was stopped after %g seconds (--timeout)", name, job->timeout);
    else if (run->signal)
        snprintf(text, size, "%s was ended by signal %d (%s)", name, run->signal,
                 strsignal(run->signal));
    else if (!run->reported)
        snprintf(text, size,
                 "%s ended with status %d and reported nothing: it was not built with the checking "
                 "engine (cmake --preset check), or did not call heddle",
                 name, run->status);
    else if (run->status && !run->findings)
        snprintf(text, size, "%s ended with status %d, without findings", name, run->status);
    else if (!run->complete)
        snprintf(text, size, "%s ended in the middle (_exit, or a signal inside of it)", name);
    return text[0] ? text : NULL;
}

static void print_problem(const check_job *job, const check_run *run, const char *text, size_t runs)
{
    char variables[CHECK_VARIABLES];

    check_variables(job, &run->setup, "", variables, sizeof variables);
    if (variables[0])
        variables[strlen(variables) - 1] = '\0';
    cli_failed(job->command, "%s%s%s%s", text, variables[0] ? " with " : "", variables,
               runs > 1 ? " (and in other runs)" : "");
    if (run->tail && !run->findings)
        fprintf(stderr, "the end of what it printed:\n%s\n", run->tail);
}

int check_print_problems(const check_job *job, const check_results *results)
{
    char first[1024] = "", text[1024];
    const check_run *shown = NULL;
    size_t count = 0;

    for (size_t i = 0; i < results->run_count; i++) {
        const check_run *run = &results->runs[i];

        if (run->extra || (results->interrupted && i + 1 == results->run_count) ||
            !problem_of(job, run, text, sizeof text))
            continue;
        count++;
        if (!shown) {
            shown = run;
            strcpy(first, text);
        }
    }
    if (shown)
        print_problem(job, shown, first, count);
    if (results->broken_lines)
        cli_failed(
            job->command,
            "%zu line%s of the program's reports %s not complete and valid JSON; the first: %s",
            results->broken_lines, results->broken_lines == 1 ? "" : "s",
            results->broken_lines == 1 ? "is" : "are", results->broken);
    if (results->interrupted)
        cli_failed(job->command, "stopped by signal %d (%s)", results->interrupted,
                   strsignal(results->interrupted));
    return shown || results->broken_lines || results->interrupted;
}
