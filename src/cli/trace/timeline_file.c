/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_file.c - `heddle timeline`: reads a trace of any program (HEDDLE_TRACE), prints how long
   each engine was busy and with what, and draws it. */
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/json.h"
#include "io/message.h"
#include "cli/app/table.h"
#include "cli/app/words.h"
#include "timeline.h"

enum { TOP_DEFAULT = 20, TOP_MAX = 1000, DEVICES_MAX = 256 };

typedef struct trace_file {
    hd__json *tree; /* owns the names of the spans */
    hd_trace_span *spans;
    size_t count;
    uint64_t dropped;
} trace_file;

/* Operations with the same kind and name. */
typedef struct group {
    const hd_trace_span *first;
    size_t count;
    double seconds, least, most, bytes;
} group;

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads a member that is an integer up to `most`; 0 if it is missing. */
static bool whole(const hd__json *object, const char *key, uint64_t most, uint64_t *number_out)
{
    const hd__json *member = hd__json_member(object, key);
    double number = 0;

    *number_out = hd__json_whole(member);
    return !member || (hd__json_number(member, &number) && *number_out <= most &&
                       (double)*number_out == number);
}

/* Reads a member that is a time in microseconds; 0 if it is missing. */
static bool time_of(const hd__json *object, const char *key, double *number_out)
{
    const hd__json *member = hd__json_member(object, key);

    return !member || (hd__json_number(member, number_out) && *number_out >= 0);
}

static hd_trace_kind kind_named(const char *name)
{
    for (int kind = 0; kind < HD_TRACE_KINDS_; kind++)
        if (strcmp(hd_trace_kind_name((hd_trace_kind)kind), name) == 0)
            return (hd_trace_kind)kind;
    return HD_TRACE_KINDS_;
}

/* Converts an event to a span if it is a complete event ("ph": "X") of a kind that heddle writes.
   Returns NULL, or what is wrong with it. */
static const char *read_span(const hd__json *event, hd_trace_span *span, bool *is_span)
{
    const hd__json *arguments = hd__json_member(event, "args");
    uint64_t process = 0, track = 0, bytes = 0;
    double begin = 0, microseconds = 0;

    memset(span, 0, sizeof *span);
    span->kind = kind_named(hd__json_text(event, "cat"));
    *is_span = strcmp(hd__json_text(event, "ph"), "X") == 0 && span->kind != HD_TRACE_KINDS_;
    if (!*is_span)
        return NULL;
    if (!whole(event, "pid", DEVICES_MAX, &process))
        return "\"pid\" must be a whole number from 0 to 256: 0, or the device's number plus 1";
    if (!whole(event, "tid", UINT_MAX, &track))
        return "\"tid\" must be a whole number from 0 to 4294967295";
    if (!whole(arguments, "bytes", INT64_MAX, &bytes))
        return "\"bytes\" must be a whole number, 0 or more";
    if (!time_of(event, "ts", &begin) || !time_of(event, "dur", &microseconds))
        return "\"ts\" and \"dur\" must be microseconds, 0 or more";
    span->name = hd__json_text(event, "name");
    span->call = "";
    span->device = (int)process - 1;
    span->stream = process ? (unsigned)track : 0;
    span->thread = process ? 0 : (unsigned)track;
    span->begin = span->asked = 1e-6 * begin;
    span->end = span->left = span->begin + 1e-6 * microseconds;
    span->bytes = (size_t)bytes;
    return NULL;
}

static int by_begin(const void *a, const void *b)
{
    double x = ((const hd_trace_span *)a)->begin, y = ((const hd_trace_span *)b)->begin;

    return (x > y) - (x < y);
}

static int read_trace(const cli_arguments *arguments, const char *path, trace_file *t)
{
    char name[HD__IO_NAME], message[HD__IO_MESSAGE];
    const hd__json *events;
    size_t all;

    hd__io_printable_path(path, name, sizeof name);
    t->tree = hd__json_read_file(path, message);
    if (!t->tree)
        return cli_failed(arguments->command, "%s", message);
    events = hd__json_member(t->tree, "traceEvents");
    if (!hd__json_is_array(events))
        return cli_failed(arguments->command, "%s: not a trace: it has no array \"traceEvents\"",
                          name);
    all = hd__json_length(events);
    t->spans = malloc((all ? all : 1) * sizeof *t->spans);
    if (!t->spans)
        return cli_failed(arguments->command, "no memory for %zu events", all);
    for (size_t i = 0; i < all; i++) {
        bool is_span = false;
        const char *wrong = read_span(hd__json_at(events, i), &t->spans[t->count], &is_span);

        if (wrong)
            return cli_failed(arguments->command, "%s: event %zu of \"traceEvents\": %s", name,
                              i + 1, wrong);
        t->count += is_span;
    }
    qsort(t->spans, t->count, sizeof *t->spans, by_begin);
    t->dropped = hd__json_count(hd__json_member(t->tree, "otherData"), "dropped");
    return CLI_DONE;
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const hd_trace_span *x = *(const hd_trace_span *const *)a;
    const hd_trace_span *y = *(const hd_trace_span *const *)b;

    if (x->device != y->device)
        return x->device - y->device;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

static int longest_first(const void *a, const void *b)
{
    double x = ((const group *)a)->seconds, y = ((const group *)b)->seconds;

    return (x < y) - (x > y);
}

/* Groups of stream operations, longest total first; the caller frees them. NULL without memory. */
static group *make_groups(const trace_file *t, size_t *count_out)
{
    const hd_trace_span **sorted = malloc((t->count + 1) * sizeof *sorted);
    group *groups = malloc((t->count + 1) * sizeof *groups), *g = NULL;
    size_t kept = 0, count = 0;

    for (size_t i = 0; i < t->count && sorted; i++)
        if (t->spans[i].stream)
            sorted[kept++] = &t->spans[i];
    if (sorted && kept)
        qsort(sorted, kept, sizeof *sorted, by_name);
    for (size_t i = 0; i < kept && groups; i++) {
        double seconds = sorted[i]->end - sorted[i]->begin;

        if (!g || by_name(&g->first, &sorted[i]) != 0) {
            g = &groups[count++];
            *g = (group){sorted[i], 0, 0, seconds, seconds, 0};
        }
        g->count++;
        g->seconds += seconds;
        g->least = seconds < g->least ? seconds : g->least;
        g->most = seconds > g->most ? seconds : g->most;
        g->bytes += (double)sorted[i]->bytes;
    }
    if (groups && count)
        qsort(groups, count, sizeof *groups, longest_first);
    if (!sorted) {
        free(groups);
        groups = NULL;
    }
    free(sorted);
    *count_out = count;
    return groups;
}

/* ---- printing -------------------------------------------------------------------------------- */

/* Number of devices up to the last one with spans. */
static int devices_of(const trace_file *t)
{
    int devices = 0;

    for (size_t i = 0; i < t->count; i++)
        devices = t->spans[i].device + 1 > devices ? t->spans[i].device + 1 : devices;
    return devices;
}

static void print_engines(const trace_file *t, cli_result *result)
{
    double whole = cli_timeline_whole(t->spans, t->count);
    char text[CLI_NUMBER];

    cli_text_seconds(whole, text);
    cli_say(result, "from first to last  %s\n", text);
    cli_list_begin(result, "engines", true);
    for (int device = 0; device < devices_of(t); device++)
        for (int e = 0; e < CLI_ENGINES; e++) {
            const char *engine = cli_engine_name((cli_engine)e);
            double busy = cli_timeline_busy(t->spans, t->count, device, (cli_engine)e);

            cli_text_seconds(busy, text);
            cli_say(result, "device %d %-10s %10s busy %6.1f %%\n", device, engine, text,
                    whole > 0 ? 100 * busy / whole : 0);
            cli_object_begin(result);
            cli_field(result, "device", cell_number(device));
            cli_field(result, "engine", cell_text(engine));
            cli_field_digits(result, "busy_seconds", busy, 9);
            cli_object_end(result);
        }
    cli_list_end(result);
    if (t->dropped)
        cli_say(result, "%" PRIu64 " operations are not in the trace\n", t->dropped);
}

static const cli_column columns[] = {
    {.key = "device", .heading = "device", .width = -7},
    {.key = "kind"},
    {.key = "name"},
    {.key = "count", .heading = "count", .width = 8},
    {.key = "seconds", .heading = "time", .width = 10, .digits = 9},
    {.heading = "mean", .width = 10},
    {.key = "least", .digits = 9},
    {.key = "most", .heading = "longest", .width = 10, .digits = 9},
    {.key = "bytes", .digits = 15},
    {.key = "gbps", .heading = "GB/s", .width = 9, .decimals = 2},
    {.heading = "what", .width = -1, .gap = 2},
};

static void print_group(const group *g, cli_result *result)
{
    const double rate = g->seconds > 0 ? 1e-9 * g->bytes / g->seconds : 0;
    char total[CLI_NUMBER], mean[CLI_NUMBER], most[CLI_NUMBER];

    cli_text_seconds(g->seconds, total);
    cli_text_seconds(g->seconds / (double)g->count, mean);
    cli_text_seconds(g->most, most);
    CLI_ROW(result, cell_number(g->first->device), cell_text(hd_trace_kind_name(g->first->kind)),
            cell_text(g->first->name), cell_count(g->count),
            cell_shown(cell_number(g->seconds), total), cell_text(mean), cell_number(g->least),
            cell_shown(cell_number(g->most), most), cell_number(g->bytes),
            g->bytes > 0 ? cell_number(rate) : cell_shown(cell_none(), ""),
            cell_text(g->first->name));
}

static int print_groups(const trace_file *t, const cli_arguments *arguments, cli_format format,
                        uint64_t top)
{
    size_t count = 0;
    group *groups = make_groups(t, &count);
    cli_result result;

    if (!groups)
        return cli_failed(arguments->command, "no memory for the table");
    cli_result_begin(&result, arguments->command, format, CLI_NO_DEVICE);
    cli_field_digits(&result, "seconds", cli_timeline_whole(t->spans, t->count), 9);
    cli_field(&result, "dropped", cell_count(t->dropped));
    print_engines(t, &result);
    cli_say(&result, "\n");
    CLI_TABLE(&result, "rows", columns);
    for (size_t i = 0; i < count && i < top; i++)
        print_group(&groups[i], &result);
    cli_table_end(&result);
    free(groups);
    return cli_result_end(&result);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* --from and --to, in milliseconds: the part to draw. Without them it is chosen automatically. */
static int read_part(const cli_arguments *arguments, cli_timeline *timeline)
{
    const double most = 1e300;
    double from = 0, to = most;
    int status = cli_number_read(arguments, "from", 0, &from);

    if (status == CLI_DONE)
        status = cli_number_read(arguments, "to", most, &to);
    if (status == CLI_DONE && to <= from)
        return cli_misused(arguments->command, "--from %g must be less than --to %g", from, to);
    timeline->whole = cli_option_given(arguments, "whole");
    if (cli_option_given(arguments, "from") || cli_option_given(arguments, "to")) {
        timeline->from = 1e-3 * from;
        timeline->to = 1e-3 * to;
    }
    return status;
}

static int plot(const cli_arguments *arguments, const trace_file *t, cli_timeline *timeline,
                const char *path)
{
    char message[HD__IO_MESSAGE];

    timeline->title = arguments->operands[0];
    timeline->spans = t->spans;
    timeline->count = t->count;
    if (cli_timeline_draw(timeline, path, message) != 0)
        return cli_failed(arguments->command, "--plot: %s", message);
    return CLI_DONE;
}

static int run(const cli_arguments *arguments)
{
    const char *picture = cli_option_value(arguments, "plot");
    cli_timeline timeline = {.unit = "time / ms", .scale = 1e3, .streams = 1, .from = 1};
    trace_file t = {NULL, NULL, 0, 0};
    cli_format format;
    uint64_t top = TOP_DEFAULT;
    int status = cli_format_read(arguments, &format);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "top", TOP_DEFAULT, 1, TOP_MAX, &top);
    if (status == CLI_DONE)
        status = read_part(arguments, &timeline);
    if (status == CLI_DONE)
        status = read_trace(arguments, arguments->operands[0], &t);
    if (status == CLI_DONE)
        status = print_groups(&t, arguments, format, top);
    if (status == CLI_DONE && picture)
        status = plot(arguments, &t, &timeline, picture);
    free(t.spans);
    hd__json_free(t.tree);
    return status;
}

static const cli_option options[] = {
    {"plot", "FILE", "draw the trace as SVG: copy in, compute, copy out, every stream"},
    {"from", "MS", "start of the part to draw, in milliseconds (default: the busiest stretch)"},
    {"to", "MS", "end of the part to draw"},
    {"whole", NULL, "draw the whole trace"},
    {"top", "N", "print the N operations with the longest total time (default 20)"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print the table as CSV"},
    CLI_UNTRACED};

const cli_command cli_command_timeline = {
    "timeline",
    "summarize and draw a trace (HEDDLE_TRACE): busy time of each engine",
    "TRACE",
    options,
    "JSON keys: seconds, dropped (operations that are not in the trace), engines (device engine\n"
    "busy_seconds), rows (device kind name count seconds least most bytes gbps)\n",
    "  HEDDLE_TRACE=t.json ./my_program && heddle timeline t.json --plot t.svg\n"
    "  heddle timeline t.json --plot part.svg --from 2 --to 3.5\n"
    "  heddle timeline t.json --csv --top 1000\n",
    run};
