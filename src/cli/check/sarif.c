/* SPDX-License-Identifier: Apache-2.0 */
/* sarif.c - findings as SARIF 2.1.0 (OASIS), which code-review systems show on the line. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/output.h"

/* Begins an object or array as a member. */
static void begin(cli_json *parent, const char *key, cli_json *object)
{
    cli_json_raw(parent, key, "");
    cli_json_begin(object);
}

/* { "text": ... } as a member. */
static void message(cli_json *parent, const char *key, const char *text)
{
    cli_json object;

    begin(parent, key, &object);
    cli_json_text(&object, "text", text);
    cli_json_end();
}

static const char *level_of(const check_finding *finding)
{
    const char *severity = hd__json_text(finding->line, "severity");

    return strcmp(severity, "error") == 0         ? "error"
           : strcmp(severity, "portability") == 0 ? "warning"
                                                  : "note";
}

/* ---- rules: one per code that was found ------------------------------------------------------ */

/* The first finding with the same code. */
static size_t first_alike(const check_results *results, size_t finding)
{
    const char *code = hd__json_text(results->findings[finding].line, "code");
    size_t i = 0;

    while (strcmp(hd__json_text(results->findings[i].line, "code"), code) != 0)
        i++;
    return i;
}

static size_t rule_index(const check_results *results, size_t finding)
{
    size_t first = first_alike(results, finding), index = 0;

    for (size_t i = 0; i < first; i++)
        index += first_alike(results, i) == i;
    return index;
}

static void print_rule(const check_finding *finding)
{
    cli_json rule, defaults;

    cli_json_begin(&rule);
    cli_json_text(&rule, "id", hd__json_text(finding->line, "code"));
    message(&rule, "shortDescription", hd__json_text(finding->line, "title"));
    message(&rule, "help", hd__json_text(finding->line, "advice"));
    begin(&rule, "defaultConfiguration", &defaults);
    cli_json_text(&defaults, "level", level_of(finding));
    cli_json_end();
    cli_json_end();
}

static void print_tool(cli_json *run, const check_results *results)
{
    cli_json tool, driver;
    size_t rules = 0;

    begin(run, "tool", &tool);
    begin(&tool, "driver", &driver);
    cli_json_text(&driver, "name", "heddle check");
    cli_json_text(&driver, "version", hd_version());
    cli_json_text(&driver, "informationUri", "https://github.com/heddle/heddle");
    cli_json_raw(&driver, "rules", "[");
    for (size_t i = 0; i < results->finding_count; i++)
        if (first_alike(results, i) == i) {
            fputs(rules++ ? ", " : "", stdout);
            print_rule(&results->findings[i]);
        }
    putchar(']');
    cli_json_end();
    cli_json_end();
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The path as a URI, percent-encoded. NULL without memory. */
static char *uri_of(const char *before, const char *path)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-._~/";
    char *uri = malloc(strlen(before) + 3 * strlen(path) + 1), *to;

    if (!uri)
        return NULL;
    to = uri + sprintf(uri, "%s", before);
    for (const char *c = path; *c; c++)
        if (strchr(plain, *c))
            *to++ = *c;
        else
            to += sprintf(to, "%%%02X", (unsigned)(unsigned char)*c);
    *to = '\0';
    return uri;
}

static int has_line(const hd__json *at)
{
    return hd__json_text(at, "file")[0] && hd__json_count(at, "line") > 0;
}

static void print_physical(const check_job *job, cli_json *location, const hd__json *at)
{
    const char *path = check_path(job, hd__json_text(at, "file"));
    char *uri = uri_of(path[0] == '/' ? "file://" : "", path), line[CLI_NUMBER];
    cli_json physical, artifact, region;

    begin(location, "physicalLocation", &physical);
    begin(&physical, "artifactLocation", &artifact);
    cli_json_text(&artifact, "uri", uri ? uri : "");
    if (path[0] != '/')
        cli_json_text(&artifact, "uriBaseId", "%SRCROOT%");
    cli_json_end();
    begin(&physical, "region", &region);
    snprintf(line, sizeof line, "%" PRIu64, hd__json_count(at, "line"));
    cli_json_raw(&region, "startLine", line);
    cli_json_end();
    cli_json_end();
    free(uri);
}

static void print_location(const check_job *job, const hd__json *at, const char *kernel,
                           const char *text)
{
    cli_json location, logical;

    cli_json_begin(&location);
    if (has_line(at))
        print_physical(job, &location, at);
    if (kernel[0]) {
        cli_json_raw(&location, "logicalLocations", "[");
        cli_json_begin(&logical);
        cli_json_text(&logical, "name", kernel);
        cli_json_text(&logical, "kind", "function");
        cli_json_end();
        putchar(']');
    }
    if (text)
        message(&location, "message", text);
    cli_json_end();
}

/* The location to show: the first place that has a line. */
static const hd__json *place_of(const check_finding *finding)
{
    const hd__json *sides = hd__json_member(finding->line, "sides");

    for (size_t i = 0; i < hd__json_length(sides); i++)
        if (has_line(hd__json_at(sides, i)))
            return hd__json_at(sides, i);
    return hd__json_member(finding->line, "launch");
}

static void print_locations(const check_job *job, cli_json *result, const check_finding *finding)
{
    const hd__json *sides = hd__json_member(finding->line, "sides"), *place = place_of(finding);
    const hd__json *launch = hd__json_member(finding->line, "launch");
    size_t count = 0;

    cli_json_raw(result, "locations", "[");
    if (place)
        print_location(job, place, hd__json_text(finding->line, "kernel"), NULL);
    putchar(']');
    cli_json_raw(result, "relatedLocations", "[");
    for (size_t i = 0; i < hd__json_length(sides); i++) {
        const hd__json *side = hd__json_at(sides, i);

        if (side == place || !has_line(side))
            continue;
        fputs(count++ ? ", " : "", stdout);
        print_location(job, side, hd__json_text(side, "kernel"), hd__json_text(side, "verb"));
    }
    if (launch && launch != place && has_line(launch)) {
        fputs(count ? ", " : "", stdout);
        print_location(job, launch, "", "launched");
    }
    putchar(']');
}

/* ---- results --------------------------------------------------------------------------------- */

/* Independent of line numbers: code, kernel, files and functions. */
static uint64_t fingerprint(const check_job *job, const check_finding *finding)
{
    const hd__json *sides = hd__json_member(finding->line, "sides");
    const char *parts[2] = {hd__json_text(finding->line, "code"),
                            hd__json_text(finding->line, "kernel")};
    uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */

    for (int i = 0; i < 2; i++)
        for (const char *c = parts[i];; c++) {
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
            if (!*c)
                break;
        }
    for (size_t i = 0; i < hd__json_length(sides); i++)
        for (const char *c = check_path(job, hd__json_text(hd__json_at(sides, i), "file")); *c; c++)
            hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash;
}

static void print_result(const check_job *job, const check_results *results, size_t i)
{
    const check_finding *finding = &results->findings[i];
    char text[CLI_NUMBER], *whole = NULL;
    cli_json result, prints;
    size_t size;
    FILE *to = open_memstream(&whole, &size);

    if (to) {
        fprintf(to, "%s: %s. %s", hd__json_text(finding->line, "title"),
                hd__json_text(finding->line, "message"), hd__json_text(finding->line, "advice"));
        fclose(to);
    }
    cli_json_begin(&result);
    cli_json_text(&result, "ruleId", hd__json_text(finding->line, "code"));
    snprintf(text, sizeof text, "%zu", rule_index(results, i));
    cli_json_raw(&result, "ruleIndex", text);
    cli_json_text(&result, "level", level_of(finding));
    message(&result, "message", whole ? whole : "");
    print_locations(job, &result, finding);
    begin(&result, "partialFingerprints", &prints);
    snprintf(text, sizeof text, "%016" PRIx64, fingerprint(job, finding));
    cli_json_text(&prints, "heddleCheck/v1", text);
    cli_json_end();
    if (finding->count > 0 && finding->count <= INT32_MAX) {
        snprintf(text, sizeof text, "%" PRIu64, finding->count);
        cli_json_raw(&result, "occurrenceCount", text);
    }
    cli_json_end();
    free(whole);
}

void check_print_sarif(const check_job *job, const check_results *results)
{
    char *root = uri_of("file://", job->folder), folder[PATH_MAX + 16];
    cli_json log, run, bases, base;

    snprintf(folder, sizeof folder, "%s%s", root ? root : "", strcmp(job->folder, "/") ? "/" : "");
    cli_json_begin(&log);
    cli_json_text(&log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cli_json_text(&log, "version", "2.1.0");
    cli_json_raw(&log, "runs", "[");
    cli_json_begin(&run);
    print_tool(&run, results);
    begin(&run, "originalUriBaseIds", &bases);
    begin(&bases, "%SRCROOT%", &base);
    cli_json_text(&base, "uri", folder);
    cli_json_end();
    cli_json_end();
    cli_json_raw(&run, "results", "[");
    for (size_t i = 0; i < results->finding_count; i++) {
        fputs(i ? ", " : "", stdout);
        print_result(job, results, i);
    }
    putchar(']');
    cli_json_text(&run, "columnKind", "utf16CodeUnits");
    cli_json_end();
    putchar(']');
    cli_json_end();
    putchar('\n');
    free(root);
}
