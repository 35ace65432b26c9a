/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - runs and findings as one JSON object. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/table.h"

static void print_run(const check_run *run, cli_result *result)
{
    char streams[64] = "eager";

    if (run->setup.lazy)
        snprintf(streams, sizeof streams, "lazy:%" PRIu64, run->setup.lazy_seed);
    cli_object_begin(result);
    cli_field(result, "warp", cell_count(run->setup.warp));
    cli_field(result, "seed", cell_count(run->setup.seed));
    cli_field(result, "streams", cell_text(streams));
    cli_field(result, "extra", cell_flag(run->extra));
    cli_field(result, "status", cell_count((uint64_t)run->status));
    cli_field(result, "signal", cell_count((uint64_t)run->signal));
    cli_field(result, "timed_out", cell_flag(run->timed_out));
    cli_field(result, "checked", cell_flag(run->reported && !run->invalid));
    cli_field(result, "complete", cell_flag(run->complete));
    cli_field(result, "problem",
              cell_text(run->error     ? strerror(run->error)
                        : run->invalid ? run->invalid
                                       : ""));
    cli_field(result, "findings", cell_count(run->findings));
    cli_field(result, "seconds", cell_number(run->seconds));
    cli_object_end(result);
}

/* The members of the program's report that are also part of this output. */
static void print_member(void *result, const char *key, const hd__json *value)
{
    static const char *const left_out[] = {"type", "id", "pid"};

    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        if (strcmp(key, left_out[i]) == 0)
            return;
    cli_key(result, key);
    hd__json_print(value, stdout);
}

static void print_finding(const check_job *job, const check_finding *finding, cli_result *result)
{
    char variables[CHECK_VARIABLES], *command = NULL;
    size_t size;
    FILE *to = open_memstream(&command, &size);

    check_variables(job, &finding->best, hd__json_text(finding->line, "code"), variables,
                    sizeof variables);
    if (to) {
        fputs(variables, to);
        check_command(job, to);
        fclose(to);
    }
    cli_object_begin(result);
    hd__json_each(finding->line, print_member, result);
    cli_field(result, "count", cell_count(finding->count));
    cli_field(result, "seen_in", cell_count(finding->seen_in));
    cli_field(result, "command", cell_text(command ? command : ""));
    cli_object_end(result);
    free(command);
}

static void print_suppression(const check_suppression *suppression, cli_result *result)
{
    static const char *const words[] = {"code", "kernel", "reason"};
    const hd__json *line = suppression->line;

    cli_object_begin(result);
    cli_field(result, "file", cell_text(hd__json_text(line, "file")));
    cli_field(result, "line", cell_count(hd__json_count(line, "line")));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        cli_field(result, words[i], cell_text(hd__json_text(line, words[i])));
    cli_field(result, "used", cell_count(suppression->used));
    cli_object_end(result);
}

void check_print_json(const check_job *job, const check_results *results)
{
    cli_result result;

    cli_result_begin(&result, job->command, CLI_JSON, CLI_NO_DEVICE);
    cli_list_begin(&result, "program", false);
    for (char **word = job->program; *word; word++)
        cli_item(&result, cell_text(*word));
    cli_list_end(&result);
    cli_list_begin(&result, "runs", true);
    for (size_t i = 0; i < results->run_count; i++)
        print_run(&results->runs[i], &result);
    cli_list_end(&result);
    cli_list_begin(&result, "findings", true);
    for (size_t i = 0; i < results->finding_count; i++)
        print_finding(job, &results->findings[i], &result);
    cli_list_end(&result);
    cli_list_begin(&result, "suppressions", true);
    for (size_t i = 0; i < results->suppression_count; i++)
        print_suppression(&results->suppressions[i], &result);
    cli_list_end(&result);
    cli_field(&result, "errors", cell_count(check_findings_of(results, "error")));
    cli_field(&result, "portability", cell_count(check_findings_of(results, "portability")));
    cli_field(&result, "performance", cell_count(check_findings_of(results, "performance")));
    (void)cli_result_end(&result); /* a failure is reported again by the next flush */
}
