/* SPDX-License-Identifier: Apache-2.0 */
/* json.c - runs and findings as one JSON object. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/output.h"

static void number(cli_json *object, const char *key, uint64_t value)
{
    char text[CLI_NUMBER];

    snprintf(text, sizeof text, "%" PRIu64, value);
    cli_json_raw(object, key, text);
}

static void truth(cli_json *object, const char *key, int value)
{
    cli_json_raw(object, key, value ? "true" : "false");
}

static void print_run(const check_run *run)
{
    char streams[64] = "eager";
    cli_json object;

    if (run->setup.lazy)
        snprintf(streams, sizeof streams, "lazy:%" PRIu64, run->setup.lazy_seed);
    cli_json_begin(&object);
    number(&object, "warp", run->setup.warp);
    number(&object, "seed", run->setup.seed);
    cli_json_text(&object, "streams", streams);
    truth(&object, "extra", run->extra);
    number(&object, "status", (uint64_t)run->status);
    number(&object, "signal", (uint64_t)run->signal);
    truth(&object, "timed_out", run->timed_out);
    truth(&object, "checked", run->reported && !run->invalid);
    truth(&object, "complete", run->complete);
    cli_json_text(&object, "problem",
                  run->error     ? strerror(run->error)
                  : run->invalid ? run->invalid
                                 : "");
    number(&object, "findings", run->findings);
    cli_json_f64(&object, "seconds", run->seconds, 6);
    cli_json_end();
}

/* The members of the program's own line that mean something here too. */
static void print_members(cli_json *object, const json_value *line)
{
    static const char *const left_out[] = {"type", "id", "pid"};

    for (const json_value *v = line->first; v; v = v->next) {
        size_t i = 0;

        while (i < sizeof left_out / sizeof *left_out && strcmp(v->key, left_out[i]) != 0)
            i++;
        if (i < sizeof left_out / sizeof *left_out)
            continue;
        cli_json_raw(object, v->key, "");
        json_print(v);
    }
}

static void print_finding(const check_job *job, const check_finding *finding)
{
    char variables[CHECK_VARIABLES], *command = NULL;
    size_t size;
    FILE *to = open_memstream(&command, &size);
    cli_json object;

    check_variables(job, &finding->best, json_text(finding->line, "code"), variables,
                    sizeof variables);
    if (to) {
        fputs(variables, to);
        check_command(job, to);
        fclose(to);
    }
    cli_json_begin(&object);
    print_members(&object, finding->line);
    number(&object, "count", finding->count);
    number(&object, "seen_in", finding->seen_in);
    cli_json_text(&object, "command", command ? command : "");
    cli_json_end();
    free(command);
}

static void print_suppression(const check_suppression *suppression)
{
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "file", json_text(suppression->line, "file"));
    number(&object, "line", json_count(suppression->line, "line"));
    cli_json_text(&object, "code", json_text(suppression->line, "code"));
    cli_json_text(&object, "kernel", json_text(suppression->line, "kernel"));
    cli_json_text(&object, "reason", json_text(suppression->line, "reason"));
    number(&object, "used", suppression->used);
    cli_json_end();
}

void check_print_json(const check_job *job, const check_results *results)
{
    cli_json object;

    cli_json_begin(&object);
    cli_json_raw(&object, "program", "[");
    for (char **word = job->program; *word; word++) {
        fputs(word != job->program ? ", " : "", stdout);
        cli_json_quote(*word);
    }
    putchar(']');
    cli_json_raw(&object, "runs", "[");
    for (size_t i = 0; i < results->run_count; i++) {
        fputs(i ? ", " : "", stdout);
        print_run(&results->runs[i]);
    }
    putchar(']');
    cli_json_raw(&object, "findings", "[");
    for (size_t i = 0; i < results->finding_count; i++) {
        fputs(i ? ", " : "", stdout);
        print_finding(job, &results->findings[i]);
    }
    putchar(']');
    cli_json_raw(&object, "suppressions", "[");
    for (size_t i = 0; i < results->suppression_count; i++) {
        fputs(i ? ", " : "", stdout);
        print_suppression(&results->suppressions[i]);
    }
    putchar(']');
    number(&object, "errors", check_findings_of(results, "error"));
    number(&object, "portability", check_findings_of(results, "portability"));
    number(&object, "performance", check_findings_of(results, "performance"));
    cli_json_end();
    putchar('\n');
}
