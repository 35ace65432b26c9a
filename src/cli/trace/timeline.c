/* SPDX-License-Identifier: Apache-2.0 */
/* timeline.c - --trace and --timeline. */
#include "timeline.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/environment.h"
#include "base/replace.h"
#include "io/source.h"
#include "runtime/trace/path.h"
#include "cli/app/output.h"

/* ---- the options ----------------------------------------------------------------------------- */

static int own_rank = -1; /* negative: the process is not an MPI rank */
static char trace_path[PATH_MAX], timeline_path[PATH_MAX];

void cli_trace_rank(int rank)
{
    own_rank = rank;
}

/* Length of the name up to its suffix, where the rank is inserted. */
static size_t stem_length(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot > name ? (size_t)(dot - path) : strlen(path);
}

/* Several ranks may write to the same device or pipe. */
static int is_special(const char *path)
{
    struct stat found;

    return stat(path, &found) == 0 && !S_ISREG(found.st_mode);
}

/* The file that an option names, for this rank. 0: its name is too long. */
static int name_file(const char *text, char path[PATH_MAX])
{
    char whole[PATH_MAX];
    size_t stem;
    int used;

    if (!text)
        return 1;
    if (own_rank < 0 || is_special(text))
        return hd__trace_path(text, path, PATH_MAX);
    if (!hd__trace_path(text, whole, sizeof whole))
        return 0;
    stem = stem_length(whole);
    used = snprintf(path, PATH_MAX, "%.*s-%d%s", (int)stem, whole, own_rank, whole + stem);
    return used >= 0 && used < PATH_MAX;
}

int cli_trace_begin(const cli_arguments *arguments)
{
    if (!arguments->trace && !arguments->timeline)
        return CLI_DONE;
    if (hd__environment("HEDDLE_TRACE") && *hd__environment("HEDDLE_TRACE"))
        return cli_misused(arguments->command,
                           "HEDDLE_TRACE excludes --trace and --timeline: unset it");
    if (!name_file(arguments->trace, trace_path) || !name_file(arguments->timeline, timeline_path))
        return cli_misused(arguments->command, "the name of a --trace or --timeline is too long");
    if (arguments->trace && hd__replace_probe(trace_path) != 0)
        return cli_unwritable(arguments->command, trace_path);
    if (arguments->timeline && hd__replace_probe(timeline_path) != 0)
        return cli_unwritable(arguments->command, timeline_path);
    return hd_trace_start(0) < 0 ? cli_failed_call(arguments->command) : CLI_DONE;
}

static int draw(const cli_arguments *arguments)
{
    char message[HD__IO_MESSAGE], title[96];
    cli_timeline timeline = {
        .title = title, .unit = "time / ms", .scale = 1e3, .streams = 1, .from = 1};
    hd_trace_span *spans = NULL;
    int status = CLI_DONE;

    if (cli_timeline_spans(&spans, &timeline.count) != 0)
        return cli_failed(arguments->command, "no memory for the timeline");
    timeline.spans = spans;
    snprintf(title, sizeof title, "heddle %s, backend %s", arguments->command->name,
             hd_backend_name());
    if (cli_timeline_draw(&timeline, timeline_path, message) != 0)
        status = cli_failed(arguments->command, "--timeline: %s", message);
    free(spans);
    return status;
}

int cli_trace_end(const cli_arguments *arguments, int status)
{
    size_t dropped = 0;
    int written = CLI_DONE;

    if (!arguments->trace && !arguments->timeline)
        return status;
    if (hd_trace_stop() < 0 && status == CLI_DONE) /* a command may have stopped the trace itself */
        hd_error_clear();
    if (arguments->trace && hd_trace_write(trace_path) < 0)
        written = cli_failed_call(arguments->command);
    if (arguments->timeline && draw(arguments) != CLI_DONE)
        written = CLI_FAILED;
    if (hd_trace_count(NULL, &dropped) >= 0 && dropped)
        fprintf(stderr, "heddle: %s: the trace is full: %zu operations are not in it\n",
                arguments->command->name, dropped);
    return status != CLI_DONE ? status : written;
}
