/* SPDX-License-Identifier: Apache-2.0 */
/* sarif.c - findings as SARIF 2.1.0 (OASIS), which code-review systems show on the line. */
#include "port.h"

#include <string.h>

#include <heddle/status.h>

#include "cli/app/output.h"

/* Begins an object as a member. */
static void begin(cli_json *parent, const char *key, cli_json *object)
{
    cli_json_raw(parent, key, "");
    cli_json_begin(object);
}

static void text_member(cli_json *parent, const char *key, const char *text)
{
    cli_json object;

    begin(parent, key, &object);
    cli_json_text(&object, "text", text);
    cli_json_end();
}

static bool is_first(const port_job *job, size_t finding)
{
    for (size_t i = 0; i < finding; i++)
        if (strcmp(job->findings[i].code, job->findings[finding].code) == 0)
            return false;
    return true;
}

static void print_tool(cli_json *run, const port_job *job)
{
    cli_json tool, driver, rule;
    bool more = false;

    begin(run, "tool", &tool);
    begin(&tool, "driver", &driver);
    cli_json_text(&driver, "name", "heddle port");
    cli_json_text(&driver, "version", hd_version());
    cli_json_text(&driver, "informationUri", "https://github.com/heddle/heddle");
    cli_json_raw(&driver, "rules", "[");
    for (size_t i = 0; i < job->finding_count; i++) {
        if (!is_first(job, i))
            continue;
        fputs(more ? ", " : "", stdout);
        more = true;
        cli_json_begin(&rule);
        cli_json_text(&rule, "id", job->findings[i].code);
        text_member(&rule, "help", job->findings[i].page);
        cli_json_end();
    }
    putchar(']');
    cli_json_end();
    cli_json_end();
}

/* A path as a relative reference: only what a path may hold stays. */
static void print_uri(cli_json *artifact, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/";

    cli_json_raw(artifact, "uri", "\"");
    fputs(path[0] == '/' ? "file://" : "", stdout);
    for (; *path; path++)
        if (strchr(plain, *path))
            putchar(*path);
        else
            printf("%%%02X", (unsigned)(unsigned char)*path);
    putchar('"');
}

static void print_result(const port_finding *f)
{
    cli_json result, location, physical, artifact, region;
    char line[CLI_NUMBER];

    cli_json_begin(&result);
    cli_json_text(&result, "ruleId", f->code);
    cli_json_text(&result, "level", f->severity == PORT_ERROR ? "error" : "warning");
    text_member(&result, "message", f->message);
    cli_json_raw(&result, "locations", "[");
    cli_json_begin(&location);
    begin(&location, "physicalLocation", &physical);
    begin(&physical, "artifactLocation", &artifact);
    print_uri(&artifact, f->file->path);
    cli_json_end();
    begin(&physical, "region", &region);
    snprintf(line, sizeof line, "%u", (unsigned)f->line);
    cli_json_raw(&region, "startLine", line);
    cli_json_end();
    cli_json_end();
    cli_json_end();
    putchar(']');
    cli_json_end();
}

void port_print_sarif(const port_job *job)
{
    cli_json log, run;

    cli_json_begin(&log);
    cli_json_text(&log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cli_json_text(&log, "version", "2.1.0");
    cli_json_raw(&log, "runs", "[");
    cli_json_begin(&run);
    print_tool(&run, job);
    cli_json_raw(&run, "results", "[");
    for (size_t i = 0; i < job->finding_count; i++) {
        fputs(i ? ", " : "", stdout);
        print_result(&job->findings[i]);
    }
    putchar(']');
    cli_json_text(&run, "columnKind", "utf16CodeUnits");
    cli_json_end();
    putchar(']');
    cli_json_end();
    putchar('\n');
}
