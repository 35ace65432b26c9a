/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - predictions as text, JSON, CSV and SVG. */
#include "print.h"

#include <string.h>

#include "cli/draw/svg.h"

/* ---- text ------------------------------------------------------------------------------------ */

enum { CELLS = 48 };

static void cells_text(const model_times *t, char text[CELLS])
{
    snprintf(text, CELLS, "%zux%zu", t->nx, t->ny);
}

/* Of the column "cells of a part". */
static int cells_width(const model_output *out, int weak)
{
    static const char heading[] = "cells of a part";
    size_t width = strlen(heading);
    char text[CELLS];

    for (size_t i = 0; i < out->count; i++) {
        cells_text(weak ? &out->rows[i].weak : &out->rows[i].strong, text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

/* Microseconds; what is too wide for the column gets an exponent. */
static void print_time(double seconds, int width)
{
    char text[CLI_NUMBER];

    if (snprintf(text, sizeof text, "%.3f", 1e6 * seconds) > width)
        snprintf(text, sizeof text, "%.*e", width - 6, 1e6 * seconds);
    printf(" %*s", width, text);
}

static void print_table(const model_output *out, int weak)
{
    const int width = cells_width(out, weak);

    printf("\n%s scaling, %s %zux%zu; times of a sweep in us\n", weak ? "weak" : "strong",
           weak ? "each device" : "the field", out->model.nx, out->model.ny);
    printf("%8s %6s %9s %*s %11s %10s %8s %11s %9s %10s\n", "devices", "nodes", "parts", width,
           "cells of a part", "computes", "exchange", "norms", "sweep", "speedup", "efficiency");
    for (size_t i = 0; i < out->count; i++) {
        const model_row *row = &out->rows[i];
        const model_times *t = weak ? &row->weak : &row->strong;
        char parts[32], cells[CELLS];
        if (weak ? !row->weak_possible : !row->strong_possible) {
            printf("%8u  the field cannot be cut into so many parts\n", row->devices);
            continue;
        }
        snprintf(parts, sizeof parts, "%ux%u", t->tiles_x, t->tiles_y);
        cells_text(t, cells);
        printf("%8u %6u %9s %*s", t->devices, t->nodes, parts, width, cells);
        print_time(t->edges + t->between, 11);
        print_time(t->exchange, 10);
        print_time(t->norms, 8);
        print_time(t->sweep, 11);
        printf(" %9.2f %9.2f%%\n", t->speedup, 100 * t->efficiency);
    }
}

static void print_text(const model_output *out)
{
    const model *m = &out->model;

    printf(
        "assumed: one device %.6g GLUP/s in %s at %u sweep%s a pass, %.3g us a pass beside them\n",
        1e-9 * m->rate, hd_type_name(m->type), m->depth, m->depth == 1 ? "" : "s", 1e6 * m->launch);
    if (m->rate_assumed && m->type == HD_F64)
        puts("         (half of the rate in f32: memory bounds a sweep, cells are twice as large)");
    printf(
        "         in a node of %u: %.4g us and %.4g GB/s; between nodes: %.4g us and %.4g GB/s\n",
        m->per_node, 1e6 * m->node.alpha, 1e-9 * m->node.rate, 1e6 * m->net.alpha,
        1e-9 * m->net.rate);
    if (out->node_from[0])
        printf("         measured in a node: %s\n", out->node_from);
    if (out->net_from[0])
        printf("         measured between nodes: %s\n", out->net_from);
    printf("         exchange %s the sweeps of the rows between; ",
           m->overlap ? "beside" : "after");
    if (m->norm_every)
        printf("a norm every %zu sweeps\n", m->norm_every);
    else
        puts("no norms");
    print_table(out, 0);
    print_table(out, 1);
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static void print_times_json(const model_times *t, const char *kind, int *printed)
{
    cli_json row;

    fputs((*printed)++ ? ",\n " : "\n ", stdout);
    cli_json_begin(&row);
    cli_json_text(&row, "scaling", kind);
    cli_json_f64(&row, "devices", t->devices, 10);
    cli_json_f64(&row, "nodes", t->nodes, 10);
    cli_json_f64(&row, "tiles_x", t->tiles_x, 10);
    cli_json_f64(&row, "tiles_y", t->tiles_y, 10);
    cli_json_f64(&row, "nx", (double)t->nx, 17);
    cli_json_f64(&row, "ny", (double)t->ny, 17);
    cli_json_f64(&row, "compute", t->edges + t->between, 8);
    cli_json_f64(&row, "exchange", t->exchange, 8);
    cli_json_f64(&row, "norms", t->norms, 8);
    cli_json_f64(&row, "sweep", t->sweep, 8);
    cli_json_f64(&row, "speedup", t->speedup, 8);
    cli_json_f64(&row, "efficiency", t->efficiency, 8);
    cli_json_end();
}

static void print_json(const model_output *out)
{
    const model *m = &out->model;
    int printed = 0;
    cli_json object;

    cli_json_begin(&object);
    cli_json_f64(&object, "nx", (double)m->nx, 17);
    cli_json_f64(&object, "ny", (double)m->ny, 17);
    cli_json_text(&object, "type", m->type == HD_F32 ? "f32" : "f64");
    cli_json_f64(&object, "depth", m->depth, 10);
    cli_json_f64(&object, "rate", m->rate, 8);
    cli_json_f64(&object, "launch", m->launch, 8);
    cli_json_f64(&object, "alpha", m->node.alpha, 8);
    cli_json_f64(&object, "bandwidth", m->node.rate, 8);
    cli_json_text(&object, "measured", out->node_from);
    cli_json_f64(&object, "net_alpha", m->net.alpha, 8);
    cli_json_f64(&object, "net_bandwidth", m->net.rate, 8);
    cli_json_text(&object, "net_measured", out->net_from);
    cli_json_f64(&object, "per_node", m->per_node, 10);
    cli_json_f64(&object, "norm_every", (double)m->norm_every, 17);
    cli_json_raw(&object, "overlap", m->overlap ? "true" : "false");
    cli_json_raw(&object, "rows", "[");
    for (size_t i = 0; i < out->count; i++) {
        if (out->rows[i].strong_possible)
            print_times_json(&out->rows[i].strong, "strong", &printed);
        if (out->rows[i].weak_possible)
            print_times_json(&out->rows[i].weak, "weak", &printed);
    }
    fputs("\n]", stdout);
    cli_json_end();
    putchar('\n');
}

static void print_times_csv(const model_times *t, const char *kind)
{
    printf("%s,%u,%u,%u,%u,%zu,%zu,%.8g,%.8g,%.8g,%.8g,%.8g,%.8g\n", kind, t->devices, t->nodes,
           t->tiles_x, t->tiles_y, t->nx, t->ny, t->edges + t->between, t->exchange, t->norms,
           t->sweep, t->speedup, t->efficiency);
}

static void print_csv(const model_output *out)
{
    puts("scaling,devices,nodes,tiles_x,tiles_y,nx,ny,compute,exchange,norms,sweep,speedup,"
         "efficiency");
    for (size_t i = 0; i < out->count; i++)
        if (out->rows[i].strong_possible)
            print_times_csv(&out->rows[i].strong, "strong");
    for (size_t i = 0; i < out->count; i++)
        if (out->rows[i].weak_possible)
            print_times_csv(&out->rows[i].weak, "weak");
}

/* ---- picture --------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 420, LEFT = 70, RIGHT = 90, TOP = 50, BOTTOM = 60 };

static void draw_curve(hd__svg *svg, const model_output *out, int weak, const hd__svg_axis *x,
                       const hd__svg_axis *y)
{
    const char *const colour = weak ? "#3c8c50" : "#4878a8";
    double xy[2 * MODEL_ROWS] = {0};
    size_t count = 0;

    for (size_t i = 0; i < out->count; i++) {
        const model_row *row = &out->rows[i];
        const model_times *t = weak ? &row->weak : &row->strong;
        if (weak ? !row->weak_possible : !row->strong_possible)
            continue;
        xy[2 * count] = hd__svg_at(x, t->devices);
        xy[2 * count + 1] = hd__svg_at(y, 100 * t->efficiency);
        hd__svg_dot(svg, xy[2 * count], xy[2 * count + 1], 4, colour, NULL);
        count++;
    }
    hd__svg_polyline(svg, xy, count, colour, 2);
    if (count)
        hd__svg_text(svg, xy[2 * count - 2] + 8, xy[2 * count - 1] + 4, 12, HD__SVG_START, colour,
                     weak ? "weak" : "strong");
}

static int draw(const model_output *out)
{
    const hd__svg_axis x = {1, out->most > 1 ? out->most : 2, LEFT, WIDTH - RIGHT, 1};
    const hd__svg_axis y = {0, 105, HEIGHT - BOTTOM, TOP, 0};
    char title[160], message[HD__IO_MESSAGE];
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, HEIGHT);
    snprintf(title, sizeof title, "Jacobi %zux%zu, %u sweeps a pass: predicted efficiency",
             out->model.nx, out->model.ny, out->model.depth);
    hd__svg_text(&svg, LEFT, 26, 14, HD__SVG_START, "#222222", title);
    hd__svg_axis_x(&svg, &x, &y, "devices");
    hd__svg_axis_y(&svg, &y, &x, "efficiency / %");
    draw_curve(&svg, out, 0, &x, &y);
    draw_curve(&svg, out, 1, &x, &y);
    if (hd__svg_close(&svg, out->plot, message) < 0)
        return cli_failed(out->arguments->command, "%s", message);
    return CLI_DONE;
}

int model_print(const model_output *out)
{
    void (*const printers[])(const model_output *) = {print_text, print_json, print_csv};
    int status, drawn;

    printers[out->format](out);
    status = cli_flush(out->arguments->command);
    drawn = out->plot ? draw(out) : CLI_DONE; /* which may fail */
    return status != CLI_DONE ? status : drawn;
}
