/* SPDX-License-Identifier: Apache-2.0 */
/* print.c - prints and plots predictions. */
#include "print.h"

#include <string.h>

#include "cli/app/table.h"
#include "cli/draw/svg.h"

/* ---- the head -------------------------------------------------------------------------------- */

static void print_assumed(const model_output *out, cli_result *result)
{
    const model *m = &out->model;

    cli_say(result,
            "assumed: one device %.6g GLUP/s in %s at %u sweep%s per pass, "
            "in addition %.3g us per pass\n",
            1e-9 * m->rate, hd_type_name(m->type), m->depth, m->depth == 1 ? "" : "s",
            1e6 * m->launch);
    if (m->rate_assumed && m->type == HD_F64)
        cli_say(result, "         (half of the rate in f32: "
                        "memory bounds a sweep, cells are twice as large)\n");
    cli_say(
        result,
        "         in a node of %u: %.4g us and %.4g GB/s; between nodes: %.4g us and %.4g GB/s\n",
        m->per_node, 1e6 * m->node.alpha, 1e-9 * m->node.rate, 1e6 * m->net.alpha,
        1e-9 * m->net.rate);
    if (out->node_from[0])
        cli_say(result, "         measured in a node: %s\n", out->node_from);
    if (out->net_from[0])
        cli_say(result, "         measured between nodes: %s\n", out->net_from);
    cli_say(result, "         exchange %s the sweeps of the rows between; ",
            m->overlap ? "beside" : "after");
    if (m->norm_every)
        cli_say(result, "a norm every %zu sweeps\n", m->norm_every);
    else
        cli_say(result, "no norms\n");
}

static void write_assumed(const model_output *out, cli_result *result)
{
    const model *m = &out->model;

    cli_field(result, "nx", cell_count(m->nx));
    cli_field(result, "ny", cell_count(m->ny));
    cli_field(result, "type", cell_text(hd_type_name(m->type)));
    cli_field(result, "depth", cell_count(m->depth));
    cli_field_digits(result, "rate", m->rate, 8);
    cli_field_digits(result, "launch", m->launch, 8);
    cli_field_digits(result, "alpha", m->node.alpha, 8);
    cli_field_digits(result, "bandwidth", m->node.rate, 8);
    cli_field(result, "measured", cell_text(out->node_from));
    cli_field_digits(result, "net_alpha", m->net.alpha, 8);
    cli_field_digits(result, "net_bandwidth", m->net.rate, 8);
    cli_field(result, "net_measured", cell_text(out->net_from));
    cli_field(result, "per_node", cell_count(m->per_node));
    cli_field(result, "norm_every", cell_count(m->norm_every));
    cli_field(result, "overlap", cell_flag(m->overlap));
}

/* ---- the table ------------------------------------------------------------------------------- */

enum { CELLS = 48, CELLS_COLUMN = 8, TIMES = 4 };

static const cli_column columns[] = {
    {.key = "scaling"},
    {.key = "devices", .heading = "devices", .width = 8},
    {.key = "nodes", .heading = "nodes", .width = 6},
    {.key = "tiles_x"},
    {.key = "tiles_y"},
    {.key = "nx"},
    {.key = "ny"},
    {.heading = "parts", .width = 9},
    {.heading = "cells of a part"}, /* as wide as its cells */
    {.key = "compute", .heading = "computes", .width = 11, .digits = 8},
    {.key = "exchange", .heading = "exchange", .width = 10, .digits = 8},
    {.key = "norms", .heading = "norms", .width = 8, .digits = 8},
    {.key = "sweep", .heading = "sweep", .width = 11, .digits = 8},
    {.key = "speedup", .heading = "speedup", .width = 9, .decimals = 2, .digits = 8},
    {.key = "efficiency",
     .heading = "efficiency",
     .width = 10,
     .decimals = 2,
     .scale = 100,
     .unit = "%",
     .digits = 8},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void cells_text(const model_times *t, char text[CELLS])
{
    snprintf(text, CELLS, "%zux%zu", t->nx, t->ny);
}

/* Width of the column "cells of a part". */
static int cells_width(const model_output *out, int weak)
{
    size_t width = strlen(columns[CELLS_COLUMN].heading);
    char text[CELLS];

    for (size_t i = 0; i < out->count; i++) {
        cells_text(weak ? &out->rows[i].weak : &out->rows[i].strong, text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return (int)width;
}

/* Microseconds; values too wide for the column are printed with an exponent. */
static cli_cell time_cell(double seconds, int width, char text[CLI_NUMBER])
{
    if (snprintf(text, CLI_NUMBER, "%.3f", 1e6 * seconds) > width)
        snprintf(text, CLI_NUMBER, "%.*e", width - 6, 1e6 * seconds);
    return cell_shown(cell_number(seconds), text);
}

static void print_times(const model_times *t, int weak, cli_result *result)
{
    char parts[32], cells[CELLS], times[TIMES][CLI_NUMBER];

    snprintf(parts, sizeof parts, "%ux%u", t->tiles_x, t->tiles_y);
    cells_text(t, cells);
    CLI_ROW(result, cell_text(weak ? "weak" : "strong"), cell_count(t->devices),
            cell_count(t->nodes), cell_count(t->tiles_x), cell_count(t->tiles_y), cell_count(t->nx),
            cell_count(t->ny), cell_text(parts), cell_text(cells),
            time_cell(t->edges + t->between, 11, times[0]), time_cell(t->exchange, 10, times[1]),
            time_cell(t->norms, 8, times[2]), time_cell(t->sweep, 11, times[3]),
            cell_number(t->speedup), cell_number(t->efficiency));
}

static void print_scaling(const model_output *out, int weak, cli_result *result)
{
    cli_column shown[COLUMNS];

    memcpy(shown, columns, sizeof columns);
    shown[CELLS_COLUMN].width = cells_width(out, weak);
    cli_say(result, "\n%s scaling, %s %zux%zu; times of a sweep in us\n", weak ? "weak" : "strong",
            weak ? "each device" : "the field", out->model.nx, out->model.ny);
    cli_table_part(result, shown, COLUMNS);
    for (size_t i = 0; i < out->count; i++) {
        const model_row *row = &out->rows[i];

        if (weak ? row->weak_possible : row->strong_possible)
            print_times(weak ? &row->weak : &row->strong, weak, result);
        else
            cli_say(result, "%8u  the field cannot be cut into so many parts\n", row->devices);
    }
}

static int print(const model_output *out)
{
    cli_result result;

    cli_result_begin(&result, out->arguments->command, out->format, CLI_NO_DEVICE);
    print_assumed(out, &result);
    write_assumed(out, &result);
    cli_table_open(&result, "rows", columns, COLUMNS);
    print_scaling(out, 0, &result);
    print_scaling(out, 1, &result);
    cli_table_end(&result);
    return cli_result_end(&result);
}

/* ---- picture --------------------------------------------------------------------------------- */

enum { WIDTH = 720, HEIGHT = 440, LEFT = 80, RIGHT = 30, TOP = 76, BOTTOM = 60 };

static const char *const mode_colours[] = {"#2a6f97", "#c06020"}; /* strong, weak */

static void draw_curve(hd__svg *svg, const model_output *out, int weak, const hd__svg_axis *x,
                       const hd__svg_axis *y)
{
    const char *const colour = mode_colours[weak];
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
}

static int draw(const model_output *out)
{
    const hd__svg_axis x = {1, out->most > 1 ? out->most : 2, LEFT, WIDTH - RIGHT, 1, 0};
    const hd__svg_axis y = {0, 105, HEIGHT - BOTTOM, TOP, 0, 0};
    char title[160], message[HD__IO_MESSAGE];
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, HEIGHT);
    snprintf(title, sizeof title,
             "Predicted parallel efficiency: Jacobi %zux%zu, %u sweep%s per pass", out->model.nx,
             out->model.ny, out->model.depth, out->model.depth == 1 ? "" : "s");
    hd__svg_title(&svg, LEFT, 28, title);
    (void)hd__svg_legend(
        &svg, hd__svg_legend(&svg, LEFT, 52, mode_colours[0], "strong scaling (one field)"), 52,
        mode_colours[1], "weak scaling (field grows)");
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
    const int status = print(out);
    const int drawn = out->plot ? draw(out) : CLI_DONE; /* may fail */
    return status != CLI_DONE ? status : drawn;
}
