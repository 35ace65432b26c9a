/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the result of `heddle overlap` and its picture. */
#include "overlap.h"

#include <string.h>

#include "cli/app/table.h"
#include "cli/draw/svg.h"

const char *overlap_kind_name(hd_memory_kind kind)
{
    return kind == HD_MEM_PINNED    ? "pinned"
           : kind == HD_MEM_UNKNOWN ? "pageable"
           : kind == HD_MEM_MAPPED  ? "mapped"
                                    : "managed";
}

const char *overlap_mode_name(overlap_mode mode)
{
    static const char *const names[] = {
#define MODE_NAME_(name, text) text,
        OVERLAP_MODE_LIST(MODE_NAME_)
#undef MODE_NAME_
    };
    return names[mode];
}

const overlap_row *overlap_auto(const overlap *o)
{
    return &o->rows[o->row_count - 1];
}

const overlap_row *overlap_best(const overlap *o)
{
    const overlap_row *best = &o->rows[0];

    for (size_t i = 1; i + 1 < o->row_count; i++)
        best = o->rows[i].median < best->median ? &o->rows[i] : best;
    return best;
}

/* The fraction of the possible gain that was achieved. */
static double won(const overlap *o, const overlap_row *row)
{
    const double possible = o->serial - o->bound;

    return possible > 0 ? (o->serial - row->median) / possible : 0.0;
}

/* ---- the head and the end -------------------------------------------------------------------- */

static void print_alone(const overlap *o, cli_result *result)
{
    const double bytes = 4.0 * (double)o->n;

    cli_say(result, "copy in    %9.3f ms  %6.1f GB/s alone, pinned\n", 1e3 * o->copy_in,
            1e-9 * bytes / o->copy_in);
    cli_say(result, "kernel     %9.3f ms\n", 1e3 * o->work);
    cli_say(result, "copy out   %9.3f ms  %6.1f GB/s alone, pinned\n", 1e3 * o->copy_out,
            1e-9 * bytes / o->copy_out);
    cli_say(result, "both ways  %9.3f ms  %6.1f GB/s together\n", 1e3 * o->both,
            2e-9 * bytes / o->both);
    cli_say(result, "serial     %9.3f ms  the sum\n", 1e3 * o->serial);
    cli_say(result, "bound      %9.3f ms  %.2fx: the longest of them\n\n", 1e3 * o->bound,
            o->serial / o->bound);
}

static void print_head(const overlap *o, cli_result *result)
{
    const struct {
        const char *key;
        double value;
    } times[] = {{"copy_in", o->copy_in}, {"copy_out", o->copy_out}, {"both", o->both},
                 {"work", o->work},       {"serial", o->serial},     {"bound", o->bound}};
    char size[CLI_NUMBER];

    cli_text_bytes(4.0 * (double)o->n, size);
    cli_say(result,
            "%s, backend %s\n%zu elements of 4 bytes (%s each way), %u turns each, %s memory, "
            "%s%s\n\n",
            o->job.device_name, hd_backend_name(), o->n, size, o->weight,
            overlap_kind_name(o->kind), hd_pipeline_order_name(o->order),
            o->mode == OVERLAP_STREAMS ? "" : ", kernels on the default stream");
    print_alone(o, result);
    cli_field(result, "n", cell_count(o->n));
    cli_field(result, "weight", cell_count(o->weight));
    cli_field(result, "order", cell_text(hd_pipeline_order_name(o->order)));
    cli_field(result, "mem", cell_text(overlap_kind_name(o->kind)));
    cli_field(result, "mode", cell_text(overlap_mode_name(o->mode)));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        cli_field(result, times[i].key, cell_number(times[i].value));
}

static void print_best(const overlap *o, cli_result *result)
{
    const overlap_row *best = overlap_best(o), *chosen = overlap_auto(o);

    cli_say(result,
            "\nauto: chunks of up to %zu on %u streams by %s, found in %u runs, "
            "the first %.3f ms; %.3f of the best, %u streams\n",
            chosen->chunk, chosen->used, hd_pipeline_order_name(chosen->order), chosen->tries,
            1e3 * chosen->first, best->median / chosen->median, best->streams);
    cli_field(result, "best", cell_count(best->streams));
    cli_field_digits(result, "auto_of_best", best->median / chosen->median, 4);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "streams", .heading = "streams", .width = 8},
    {.key = "used"},
    {.key = "order"},
    {.key = "chunk", .heading = "chunk", .width = 12},
    {.key = "seconds", .heading = "median ms", .width = 10, .decimals = 3, .scale = 1e3},
    {.key = "min", .heading = "min ms", .width = 10, .decimals = 3, .scale = 1e3},
    {.key = "first"},
    {.key = "speedup", .heading = "speedup", .width = 8, .decimals = 2, .unit = "x", .digits = 4},
    {.key = "of_bound",
     .heading = "of bound",
     .width = 9,
     .decimals = 1,
     .scale = 100,
     .unit = "%",
     .digits = 4},
    {.key = "overlap",
     .heading = "overlap",
     .width = 9,
     .decimals = 1,
     .scale = 100,
     .unit = "%",
     .digits = 4},
    {.key = "verified"},
};

static int print(const overlap *o)
{
    const cli_cell verdict = cell_verdict(o->job.verify, o->wrong_at == SIZE_MAX);
    cli_result result;

    cli_result_begin(&result, o->job.arguments->command, o->job.format, o->job.device);
    print_head(o, &result);
    CLI_TABLE(&result, "rows", columns);
    for (size_t i = 0; i < o->row_count; i++) {
        const overlap_row *row = &o->rows[i];

        CLI_ROW(&result, row->streams ? cell_count(row->streams) : cell_text("auto"),
                cell_count(row->used), cell_text(hd_pipeline_order_name(row->order)),
                cell_count(row->chunk), cell_number(row->median), cell_number(row->least),
                cell_number(row->first), cell_number(o->serial / row->median),
                cell_number(o->bound / row->median), cell_number(won(o, row)), verdict);
    }
    cli_table_end(&result);
    print_best(o, &result);
    cli_say(&result, "verified: %s\n",
            !o->job.verify            ? "skipped"
            : o->wrong_at == SIZE_MAX ? "every element of every row"
                                      : "no");
    cli_field(&result, "verified", verdict);
    return cli_result_end(&result);
}

/* ---- picture --------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 440, LEFT = 80, RIGHT = 30, TOP = 76, BOTTOM = 60 };
enum { LEGEND = 52 }; /* height of a legend line */

static const char measured_colour[] = "#2a6f97";

/* A line across the plot at a number of seconds, with its entry in the legend. */
static void draw_level(hd__svg *svg, const hd__svg_axis *y, double seconds, const char *colour,
                       const char *name, double *legend)
{
    const double at = hd__svg_at(y, 1e3 * seconds);

    hd__svg_line(svg, LEFT, at, WIDTH - RIGHT, at, colour, 1.5);
    *legend = hd__svg_legend(svg, *legend, LEGEND, colour, name);
}

static int draw(const overlap *o)
{
    const size_t count = o->row_count - 1;
    double highest = o->serial, legend = LEFT, xy[2 * OVERLAP_ROWS];
    char title[256], streams[300], message[HD__IO_MESSAGE];
    hd__svg svg;

    for (size_t i = 0; i < count; i++)
        highest = o->rows[i].median > highest ? o->rows[i].median : highest;
    const hd__svg_axis x = {1, count > 1 ? o->rows[count - 1].streams : 2, LEFT, WIDTH - RIGHT, 1,
                            0};
    const hd__svg_axis y = {0, 1.05e3 * highest, HEIGHT - BOTTOM, TOP, 0, 0};
    hd__svg_open(&svg, WIDTH, HEIGHT);
    snprintf(title, sizeof title, "Copy, compute, copy on %s: %zu elements, %s, %s first",
             o->job.device_name, o->n, overlap_kind_name(o->kind),
             hd_pipeline_order_name(o->order));
    hd__svg_title(&svg, LEFT, 28, title);
    snprintf(streams, sizeof streams, "streams, on %s", o->job.device_name);
    hd__svg_axis_x(&svg, &x, &y, streams);
    hd__svg_axis_y(&svg, &y, &x, "time / ms");
    legend = hd__svg_legend(&svg, legend, LEGEND, measured_colour, "measured, median");
    draw_level(&svg, &y, o->serial, "#b04a4a", "one after the other", &legend);
    draw_level(&svg, &y, o->bound, "#3c8c50", "lower bound", &legend);
    draw_level(&svg, &y, overlap_auto(o)->median, "#8a6fb0", "streams chosen by heddle", &legend);
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = hd__svg_at(&x, o->rows[i].streams);
        xy[2 * i + 1] = hd__svg_at(&y, 1e3 * o->rows[i].median);
        hd__svg_dot(&svg, xy[2 * i], xy[2 * i + 1], 4, measured_colour, NULL);
    }
    hd__svg_polyline(&svg, xy, count, measured_colour, 2);
    if (hd__svg_close(&svg, o->plot, message) < 0)
        return cli_failed(o->job.arguments->command, "%s", message);
    return CLI_DONE;
}

int overlap_print(overlap *o)
{
    const cli_command *command = o->job.arguments->command;
    const int status = print(o);
    const int drawn = o->plot ? draw(o) : CLI_DONE; /* may fail */
    if (o->wrong_at != SIZE_MAX)
        return cli_failed(command, "not verified: element %zu differs", o->wrong_at);
    return status != CLI_DONE ? status : drawn;
}
