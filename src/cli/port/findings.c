/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c - what a translation reports, as text and as JSON. */
#include "port.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/table.h"

const char port_page[] = "docs/port.md";
const char port_page_names[] = "docs/porting-names.md";
const char port_page_pitfalls[] = "docs/porting-pitfalls.md";

void port_report(port_job *job, port_severity severity, const char *code, const port_file *file,
                 uint32_t line, const char *page, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!port_grow(job, &job->findings, job->finding_count, &job->finding_room,
                   sizeof *job->findings))
        return;
    job->findings[job->finding_count] = (port_finding){
        severity, code, file, line, port_print(job, "%s", text), page};
    if (job->findings[job->finding_count].message)
        job->finding_count++;
}

size_t port_count(const port_job *job, port_severity severity)
{
    size_t count = 0;

    for (size_t i = 0; i < job->finding_count; i++)
        count += job->findings[i].severity == severity;
    return count;
}

static int compare(const void *a, const void *b)
{
    const port_finding *x = a, *y = b;
    const int files = strcmp(x->file->shown, y->file->shown);

    if (files)
        return files;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    return strcmp(x->message, y->message);
}

/* Orders findings by file and line; of equal ones on one line the first is kept. */
void port_findings_sort(port_job *job)
{
    size_t kept = 0;

    if (job->finding_count)
        qsort(job->findings, job->finding_count, sizeof *job->findings, compare);
    for (size_t i = 0; i < job->finding_count; i++)
        if (kept && compare(&job->findings[kept - 1], &job->findings[i]) == 0)
            free(job->findings[i].message);
        else
            job->findings[kept++] = job->findings[i];
    job->finding_count = kept;
}

static const char *word(port_severity severity)
{
    return severity == PORT_ERROR ? "error" : "warning";
}

void port_print_text(const port_job *job)
{
    for (size_t i = 0; i < job->finding_count; i++) {
        const port_finding *f = &job->findings[i];

        printf("%s:%u: %s: %s [%s] (%s)\n", f->file->path, (unsigned)f->line, word(f->severity),
               f->message, f->code, f->page);
    }
}

/* What --clean has done, name by name. */
static void print_json_names(const port_job *job, cli_result *result)
{
    static const cli_column columns[] = {{.key = "name"}, {.key = "count"}, {.key = "rewritten"},
                                         {.key = "note"}, {.key = "file"},  {.key = "line"}};

    CLI_TABLE(result, "names", columns);
    for (size_t i = 0; i < job->tally_count; i++) {
        const port_tally *t = &job->tallies[i];

        CLI_ROW(result, cell_text(t->name), cell_count(t->count), cell_flag(t->rewritten),
                cell_text(t->note), cell_text(t->file->path), cell_count(t->line));
    }
    cli_table_end(result);
}

void port_print_json(const port_job *job)
{
    static const cli_column columns[] = {{.key = "file"}, {.key = "line"},    {.key = "severity"},
                                         {.key = "code"}, {.key = "message"}, {.key = "page"}};
    cli_result result;

    cli_result_begin(&result, job->command, CLI_JSON, CLI_NO_DEVICE);
    cli_field(&result, "folder", cell_text(job->folder));
    cli_field(&result, "translated", cell_flag(port_count(job, PORT_ERROR) == 0));
    cli_field(&result, "errors", cell_count(port_count(job, PORT_ERROR)));
    cli_field(&result, "warnings", cell_count(port_count(job, PORT_WARNING)));
    cli_list_begin(&result, "files", false);
    for (size_t i = 0; i < job->file_count; i++)
        cli_item(&result, cell_text(job->files[i]->shown));
    cli_list_end(&result);
    CLI_TABLE(&result, "findings", columns);
    for (size_t i = 0; i < job->finding_count; i++) {
        const port_finding *f = &job->findings[i];

        CLI_ROW(&result, cell_text(f->file->path), cell_count(f->line),
                cell_text(word(f->severity)), cell_text(f->code), cell_text(f->message),
                cell_text(f->page));
    }
    cli_table_end(&result);
    if (job->clean)
        print_json_names(job, &result);
    (void)cli_result_end(&result);
}
