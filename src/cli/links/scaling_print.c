/* SPDX-License-Identifier: Apache-2.0 */
/* scaling_print.c - the result of `heddle scaling` and its picture. */
#include "scaling.h"

#include "cli/app/table.h"
#include "cli/app/words.h"
#include "cli/draw/svg.h"

const char *scaling_mode_name(scaling_mode mode)
{
    return mode == SCALING_STRONG ? "strong" : "weak";
}

static bool any_wrong(const scaling *s)
{
    for (int mode = 0; mode < SCALING_MODES; mode++)
        for (unsigned k = 0; s->rows[mode] && k < s->devices.count; k++)
            if (s->rows[mode][k].wrong)
                return true;
    return false;
}

static double efficiency(const scaling *s, const scaling_row *row, scaling_mode mode)
{
    return scaling_speedup(s, row, mode) / row->devices;
}

static void print_head(const scaling *s, cli_result *result)
{
    const scaling_row *last = NULL;
    char list[CLI_DEVICES_TEXT], depth[CLI_DEPTH_TEXT], norms[48] = "no norms";

    for (int mode = 0; mode < SCALING_MODES; mode++)
        if (s->rows[mode])
            last = &s->rows[mode][s->devices.count - 1];
    cli_devices_text(&s->devices, list);
    cli_depth_text(last ? last->depth : 0, s->problem.depth, depth);
    if (s->every)
        (void)snprintf(norms, sizeof norms, "a norm every %zu", s->every);
    cli_say(result,
            "Jacobi sweeps, %s, backend %s, devices %s, variant %s, %s\n%zu sweeps, %s, median of "
            "%zu run%s\n",
            hd_type_name(s->problem.type), hd_backend_name(), list,
            hd_jacobi_variant_name(s->variant), depth, s->problem.sweeps, norms, s->runs,
            s->runs == 1 ? "" : "s");
    cli_field(result, "type", cell_text(hd_type_name(s->problem.type)));
    cli_field(result, "sweeps", cell_count(s->problem.sweeps));
    cli_field(result, "norm_every", cell_count(s->every));
}

static const cli_column columns[] = {
    {.key = "mode"},
    {.key = "devices", .heading = "devices", .width = 8},
    {.key = "nx"},
    {.key = "ny"},
    {.heading = "field", .width = 17},
    {.key = "variant", .heading = "variant", .width = 14},
    {.key = "depth", .heading = "depth", .width = 6},
    {.key = "seconds", .heading = "ms", .width = 12, .decimals = 3, .scale = 1e3},
    {.key = "glups", .heading = "GLUP/s", .width = 10, .decimals = 3},
    {.key = "speedup", .heading = "speedup", .width = 9, .decimals = 2},
    {.key = "efficiency",
     .heading = "efficiency",
     .width = 11,
     .decimals = 2,
     .scale = 100,
     .unit = " %"},
    {.key = "verified"},
    {.key = "device_list"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Rows use the first 1, 2, 3 ... of the devices. */
static void print_row(const scaling *s, scaling_mode mode, const scaling_row *row,
                      cli_result *result)
{
    cli_devices devices = s->devices;
    char field[48], list[CLI_DEVICES_TEXT];

    devices.count = row->devices;
    cli_devices_text(&devices, list);
    (void)snprintf(field, sizeof field, "%zu x %zu", s->problem.nx, row->ny);
    CLI_ROW_NOTED(result, COLUMNS, row->wrong ? "differs from one device" : NULL,
                  cell_text(scaling_mode_name(mode)), cell_count(row->devices),
                  cell_count(s->problem.nx), cell_count(row->ny), cell_text(field),
                  cell_text(hd_jacobi_variant_name(row->variant)), cell_count(row->depth),
                  cell_number(row->seconds), cell_number(1e-9 * scaling_rate(s, row)),
                  cell_number(scaling_speedup(s, row, mode)), cell_number(efficiency(s, row, mode)),
                  cell_verdict(s->verify, !row->wrong), cell_list(list));
}

static void print_mode(const scaling *s, scaling_mode mode, cli_result *result)
{
    cli_say(result, "\n%s scaling: %s\n", scaling_mode_name(mode),
            mode == SCALING_STRONG ? "one field on more and more devices"
                                   : "each device has as many rows as one alone");
    cli_table_part(result, columns, COLUMNS);
    for (unsigned k = 0; k < s->devices.count; k++)
        print_row(s, mode, &s->rows[mode][k], result);
}

int scaling_print(const scaling *s)
{
    const bool wrong = any_wrong(s);
    cli_result result;
    int status;

    cli_result_begin_devices(&result, s->arguments->command, s->format, &s->devices);
    print_head(s, &result);
    cli_table_open(&result, "rows", columns, COLUMNS);
    for (int mode = 0; mode < SCALING_MODES; mode++)
        if (s->rows[mode])
            print_mode(s, (scaling_mode)mode, &result);
    cli_table_end(&result);
    cli_say(&result, "\nverified: %s\n", !s->verify ? "skipped" : wrong ? "false" : "true");
    cli_field(&result, "verified", cell_verdict(s->verify, !wrong));
    status = cli_result_end(&result);
    if (wrong)
        return cli_failed(s->arguments->command, "not verified: a field differs from one device's");
    return status;
}

/* ---- the picture ----------------------------------------------------------------------------- */

enum { WIDTH = 640, HEIGHT = 440, LEFT = 80, RIGHT = 30, TOP = 76, BOTTOM = 60 };

static const char *const colours[SCALING_MODES] = {"#2a6f97", "#c06020"};
static const char ideal_colour[] = "#a0a0a0";

static void draw_mode(hd__svg *svg, const scaling *s, scaling_mode mode, const hd__svg_axis *x,
                      const hd__svg_axis *y)
{
    double points[2 * CLI_DEVICES_MAX];
    char about[96];

    for (unsigned k = 0; k < s->devices.count; k++) {
        const scaling_row *row = &s->rows[mode][k];
        points[2 * k] = hd__svg_at(x, row->devices);
        points[2 * k + 1] = hd__svg_at(y, scaling_speedup(s, row, mode));
        (void)snprintf(about, sizeof about, "%s, %u device%s: %.2f", scaling_mode_name(mode),
                       row->devices, row->devices == 1 ? "" : "s", scaling_speedup(s, row, mode));
        hd__svg_dot(svg, points[2 * k], points[2 * k + 1], 4, colours[mode], about);
    }
    hd__svg_polyline(svg, points, s->devices.count, colours[mode], 1.5);
}

int scaling_draw(const scaling *s, const char *path)
{
    const double most = s->devices.count > 1 ? s->devices.count : 2;
    const hd__svg_axis x = {
        .low = 1, .high = most, .begin = LEFT, .end = WIDTH - RIGHT, .whole = 1};
    const hd__svg_axis y = {.low = 0, .high = most, .begin = HEIGHT - BOTTOM, .end = TOP};
    const double ideal[] = {hd__svg_at(&x, 1), hd__svg_at(&y, 1), hd__svg_at(&x, most),
                            hd__svg_at(&y, most)};
    char message[HD__IO_MESSAGE], title[128];
    double legend = LEFT;
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, HEIGHT);
    (void)snprintf(title, sizeof title, "Jacobi sweeps over several devices, %s, variant %s",
                   hd_type_name(s->problem.type), hd_jacobi_variant_name(s->variant));
    hd__svg_title(&svg, LEFT, 28, title);
    hd__svg_axis_x(&svg, &x, &y, "devices");
    hd__svg_axis_y(&svg, &y, &x, "speedup over one device");
    hd__svg_polyline(&svg, ideal, 2, ideal_colour, 1);
    legend = hd__svg_legend(&svg, legend, 52, ideal_colour, "ideal");
    for (int mode = 0; mode < SCALING_MODES; mode++)
        if (s->rows[mode]) {
            draw_mode(&svg, s, (scaling_mode)mode, &x, &y);
            legend = hd__svg_legend(&svg, legend, 52, colours[mode],
                                    mode == SCALING_STRONG ? "strong scaling (one field)"
                                                           : "weak scaling (field grows)");
        }
    if (hd__svg_close(&svg, path, message) != 0)
        return cli_failed(s->arguments->command, "%s", message);
    return CLI_DONE;
}
