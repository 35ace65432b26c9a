/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - the result of `heddle overlap` as text, JSON, CSV and a picture. */
#include "overlap.h"

#include <string.h>

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

/* Part of what overlap can win that was won. */
static double won(const overlap *o, const overlap_row *row)
{
    const double possible = o->serial - o->bound;

    return possible > 0 ? (o->serial - row->median) / possible : 0.0;
}

static void streams_text(const overlap_row *row, char text[16])
{
    if (row->streams)
        snprintf(text, 16, "%u", row->streams);
    else
        snprintf(text, 16, "auto");
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_text(const overlap *o)
{
    const double bytes = 4.0 * (double)o->n;
    const overlap_row *best = overlap_best(o), *chosen = overlap_auto(o);
    char size[CLI_NUMBER], streams[16];

    cli_text_bytes(bytes, size);
    printf("%s, backend %s\n%zu elements of 4 bytes (%s each way), %u turns each, %s memory, %s",
           o->job.device_name, hd_backend_name(), o->n, size, o->weight, overlap_kind_name(o->kind),
           hd_pipeline_order_name(o->order));
    printf("%s\n\n", o->mode == OVERLAP_STREAMS ? "" : ", kernels on the default stream");
    printf("copy in    %9.3f ms  %6.1f GB/s alone, pinned\n", 1e3 * o->copy_in,
           1e-9 * bytes / o->copy_in);
    printf("kernel     %9.3f ms\n", 1e3 * o->work);
    printf("copy out   %9.3f ms  %6.1f GB/s alone, pinned\n", 1e3 * o->copy_out,
           1e-9 * bytes / o->copy_out);
    printf("both ways  %9.3f ms  %6.1f GB/s together\n", 1e3 * o->both, 2e-9 * bytes / o->both);
    printf("serial     %9.3f ms  the sum\n", 1e3 * o->serial);
    printf("bound      %9.3f ms  %.2fx: the longest of them\n\n", 1e3 * o->bound,
           o->serial / o->bound);
    printf("%8s %12s %10s %10s %8s %9s %9s\n", "streams", "chunk", "median ms", "min ms", "speedup",
           "of bound", "overlap");
    for (size_t i = 0; i < o->row_count; i++) {
        const overlap_row *row = &o->rows[i];
        streams_text(row, streams);
        printf("%8s %12zu %10.3f %10.3f %7.2fx %8.1f%% %8.1f%%\n", streams, row->chunk,
               1e3 * row->median, 1e3 * row->least, o->serial / row->median,
               100 * o->bound / row->median, 100 * won(o, row));
    }
    printf("\nauto: chunks of up to %zu on %u streams by %s, found in %u runs, "
           "the first %.3f ms; %.3f of the best, %u streams\n",
           chosen->chunk, chosen->used, hd_pipeline_order_name(chosen->order), chosen->tries,
           1e3 * chosen->first, best->median / chosen->median, best->streams);
    printf("verified: %s\n", !o->job.verify            ? "skipped"
                             : o->wrong_at == SIZE_MAX ? "every element of every row"
                                                       : "no");
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static void print_row_json(const overlap *o, const overlap_row *row)
{
    cli_json object;

    cli_json_begin(&object);
    if (row->streams)
        cli_json_f64(&object, "streams", row->streams, 9);
    else
        cli_json_text(&object, "streams", "auto");
    cli_json_f64(&object, "used", row->used, 9);
    cli_json_text(&object, "order", hd_pipeline_order_name(row->order));
    cli_json_f64(&object, "chunk", (double)row->chunk, 17);
    cli_json_f64(&object, "seconds", row->median, 6);
    cli_json_f64(&object, "min", row->least, 6);
    cli_json_f64(&object, "first", row->first, 6);
    cli_json_f64(&object, "speedup", o->serial / row->median, 4);
    cli_json_f64(&object, "of_bound", o->bound / row->median, 4);
    cli_json_f64(&object, "overlap", won(o, row), 4);
    cli_json_end();
}

static void print_json(const overlap *o)
{
    const struct {
        const char *key;
        double value;
    } times[] = {{"copy_in", o->copy_in}, {"copy_out", o->copy_out}, {"both", o->both},
                 {"work", o->work},       {"serial", o->serial},     {"bound", o->bound}};
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_text(&object, "device", o->job.device_name);
    cli_json_f64(&object, "n", (double)o->n, 17);
    cli_json_f64(&object, "weight", o->weight, 10);
    cli_json_text(&object, "order", hd_pipeline_order_name(o->order));
    cli_json_text(&object, "mem", overlap_kind_name(o->kind));
    cli_json_text(&object, "mode", overlap_mode_name(o->mode));
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        cli_json_f64(&object, times[i].key, times[i].value, 6);
    cli_json_raw(&object, "rows", "[");
    for (size_t i = 0; i < o->row_count; i++) {
        fputs(i ? ",\n " : "\n ", stdout);
        print_row_json(o, &o->rows[i]);
    }
    fputs("\n]", stdout);
    cli_json_f64(&object, "best", overlap_best(o)->streams, 9);
    cli_json_f64(&object, "auto_of_best", overlap_best(o)->median / overlap_auto(o)->median, 4);
    if (o->job.verify)
        cli_json_raw(&object, "verified", o->wrong_at == SIZE_MAX ? "true" : "false");
    else
        cli_json_text(&object, "verified", "skipped");
    cli_json_end();
    putchar('\n');
}

static void print_csv(const overlap *o)
{
    const char *verified = !o->job.verify ? "skipped" : o->wrong_at == SIZE_MAX ? "true" : "false";
    char streams[16];

    puts("streams,used,order,chunk,seconds,min,first,speedup,of_bound,overlap,verified");
    for (size_t i = 0; i < o->row_count; i++) {
        const overlap_row *row = &o->rows[i];
        streams_text(row, streams);
        printf("%s,%u,%s,%zu,%.6g,%.6g,%.6g,%.4g,%.4g,%.4g,%s\n", streams, row->used,
               hd_pipeline_order_name(row->order), row->chunk, row->median, row->least, row->first,
               o->serial / row->median, o->bound / row->median, won(o, row), verified);
    }
}

/* ---- picture --------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 420, LEFT = 70, RIGHT = 110, TOP = 50, BOTTOM = 60 };

/* A level across the field with its name behind it. */
static void draw_level(hd__svg *svg, const hd__svg_axis *y, double seconds, const char *colour,
                       const char *name)
{
    const double at = hd__svg_at(y, 1e3 * seconds);

    hd__svg_line(svg, LEFT, at, WIDTH - RIGHT, at, colour, 1.5);
    hd__svg_text(svg, WIDTH - RIGHT + 6, at + 4, 12, HD__SVG_START, colour, name);
}

static int draw(const overlap *o)
{
    const size_t count = o->row_count - 1;
    double highest = o->serial, xy[2 * OVERLAP_ROWS];
    char title[160], message[HD__IO_MESSAGE];
    hd__svg svg;

    for (size_t i = 0; i < count; i++)
        highest = o->rows[i].median > highest ? o->rows[i].median : highest;
    const hd__svg_axis x = {1, count > 1 ? o->rows[count - 1].streams : 2, LEFT, WIDTH - RIGHT, 1};
    const hd__svg_axis y = {0, 1.05e3 * highest, HEIGHT - BOTTOM, TOP, 0};
    hd__svg_open(&svg, WIDTH, HEIGHT);
    snprintf(title, sizeof title, "%s: %zu elements, %s, %s", o->job.device_name, o->n,
             overlap_kind_name(o->kind), hd_pipeline_order_name(o->order));
    hd__svg_text(&svg, LEFT, 26, 14, HD__SVG_START, "#222222", title);
    hd__svg_axis_x(&svg, &x, &y, "streams");
    hd__svg_axis_y(&svg, &y, &x, "time / ms");
    draw_level(&svg, &y, o->serial, "#b04a4a", "serial");
    draw_level(&svg, &y, o->bound, "#3c8c50", "bound");
    draw_level(&svg, &y, overlap_auto(o)->median, "#8a6fb0", "auto");
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = hd__svg_at(&x, o->rows[i].streams);
        xy[2 * i + 1] = hd__svg_at(&y, 1e3 * o->rows[i].median);
        hd__svg_dot(&svg, xy[2 * i], xy[2 * i + 1], 4, "#4878a8", NULL);
    }
    hd__svg_polyline(&svg, xy, count, "#4878a8", 2);
    if (hd__svg_close(&svg, o->plot, message) < 0)
        return cli_failed(o->job.arguments->command, "%s", message);
    return CLI_DONE;
}

int overlap_print(overlap *o)
{
    void (*const printers[])(const overlap *) = {print_text, print_json, print_csv};
    const cli_command *command = o->job.arguments->command;
    int status, drawn;

    printers[o->job.format](o);
    status = cli_flush(command);
    drawn = o->plot ? draw(o) : CLI_DONE; /* which may fail */
    if (o->wrong_at != SIZE_MAX)
        return cli_failed(command, "not verified: element %zu differs", o->wrong_at);
    return status != CLI_DONE ? status : drawn;
}
