/* SPDX-License-Identifier: Apache-2.0 */
/* scaling_print.c - the result of `heddle scaling` as text, JSON, CSV and a picture. */
#include "scaling.h"

#include "cli/draw/svg.h"
#include "cli/app/words.h"

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

static const char *verified(const scaling *s)
{
    return !s->verify ? "skipped" : any_wrong(s) ? "false" : "true";
}

static double efficiency(const scaling *s, const scaling_row *row, scaling_mode mode)
{
    return scaling_speedup(s, row, mode) / row->devices;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_mode(const scaling *s, scaling_mode mode)
{
    printf("\n%s scaling: %s\n%8s %17s %14s %6s %12s %10s %9s %11s\n", scaling_mode_name(mode),
           mode == SCALING_STRONG ? "one field on more and more devices"
                                  : "each device has as many rows as one alone",
           "devices", "field", "variant", "depth", "ms", "GLUP/s", "speedup", "efficiency");
    for (unsigned k = 0; k < s->devices.count; k++) {
        const scaling_row *row = &s->rows[mode][k];
        char field[48];
        (void)snprintf(field, sizeof field, "%zu x %zu", s->problem.nx, row->ny);
        printf("%8u %17s %14s %6u %12.3f %10.3f %9.2f %9.2f %%%s\n", row->devices, field,
               hd_jacobi_variant_name(row->variant), row->depth, 1e3 * row->seconds,
               1e-9 * scaling_rate(s, row), scaling_speedup(s, row, mode),
               100 * efficiency(s, row, mode), row->wrong ? "  differs from one device" : "");
    }
}

static void print_text(const scaling *s)
{
    const scaling_row *last = NULL;
    char list[CLI_DEVICES_TEXT], depth[CLI_DEPTH_TEXT];

    for (int mode = 0; mode < SCALING_MODES; mode++)
        if (s->rows[mode])
            last = &s->rows[mode][s->devices.count - 1];
    cli_devices_text(&s->devices, list);
    cli_depth_text(last ? last->depth : 0, s->problem.depth, depth);
    printf("Jacobi sweeps, %s, backend %s, devices %s, variant %s, %s\n%zu sweeps, ",
           hd_type_name(s->problem.type), hd_backend_name(), list,
           hd_jacobi_variant_name(s->variant), depth, s->problem.sweeps);
    if (s->every)
        printf("a norm every %zu, median of %zu run%s\n", s->every, s->runs,
               s->runs == 1 ? "" : "s");
    else
        printf("no norms, median of %zu run%s\n", s->runs, s->runs == 1 ? "" : "s");
    for (int mode = 0; mode < SCALING_MODES; mode++)
        if (s->rows[mode])
            print_mode(s, (scaling_mode)mode);
    printf("\nverified: %s\n", verified(s));
}

/* ---- JSON, CSV ------------------------------------------------------------------------------- */

static void print_row_json(const scaling *s, scaling_mode mode, const scaling_row *row)
{
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "mode", scaling_mode_name(mode));
    cli_json_f64(&object, "devices", row->devices, 6);
    cli_json_f64(&object, "nx", (double)s->problem.nx, 17);
    cli_json_f64(&object, "ny", (double)row->ny, 17);
    cli_json_text(&object, "variant", hd_jacobi_variant_name(row->variant));
    cli_json_f64(&object, "depth", row->depth, 6);
    cli_json_f64(&object, "seconds", row->seconds, 6);
    cli_json_f64(&object, "glups", 1e-9 * scaling_rate(s, row), 6);
    cli_json_f64(&object, "speedup", scaling_speedup(s, row, mode), 6);
    cli_json_f64(&object, "efficiency", efficiency(s, row, mode), 6);
    cli_json_end();
}

static void print_json(const scaling *s)
{
    char devices[CLI_DEVICES_TEXT];
    cli_json object;
    int rows = 0;

    cli_devices_text(&s->devices, devices);
    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_text(&object, "devices", devices);
    cli_json_text(&object, "type", hd_type_name(s->problem.type));
    cli_json_f64(&object, "sweeps", (double)s->problem.sweeps, 17);
    cli_json_f64(&object, "norm_every", (double)s->every, 17);
    cli_json_raw(&object, "rows", "[");
    for (int mode = 0; mode < SCALING_MODES; mode++)
        for (unsigned k = 0; s->rows[mode] && k < s->devices.count; k++) {
            fputs(rows++ ? ",\n " : "\n ", stdout);
            print_row_json(s, (scaling_mode)mode, &s->rows[mode][k]);
        }
    fputs("\n]", stdout);
    if (s->verify)
        cli_json_raw(&object, "verified", verified(s));
    else
        cli_json_text(&object, "verified", "skipped");
    cli_json_end();
    putchar('\n');
}

/* Rows have 1, 2, 3 ... of the devices, in their order. */
static void csv_device_list(const scaling *s, const scaling_row *row)
{
    cli_devices devices = s->devices;
    char list[CLI_DEVICES_TEXT];

    devices.count = row->devices;
    cli_devices_text(&devices, list);
    cli_csv_cell(list);
    putchar('\n');
}

static void print_csv(const scaling *s)
{
    puts("mode,devices,nx,ny,variant,depth,seconds,glups,speedup,efficiency,verified,device_list");
    for (int mode = 0; mode < SCALING_MODES; mode++)
        for (unsigned k = 0; s->rows[mode] && k < s->devices.count; k++) {
            const scaling_row *row = &s->rows[mode][k];
            printf("%s,%u,%zu,%zu,%s,%u,%.6g,%.6g,%.6g,%.6g,%s,",
                   scaling_mode_name((scaling_mode)mode), row->devices, s->problem.nx, row->ny,
                   hd_jacobi_variant_name(row->variant), row->depth, row->seconds,
                   1e-9 * scaling_rate(s, row), scaling_speedup(s, row, (scaling_mode)mode),
                   efficiency(s, row, (scaling_mode)mode),
                   !s->verify   ? "skipped"
                   : row->wrong ? "false"
                                : "true");
            csv_device_list(s, row);
        }
}

int scaling_print(const scaling *s)
{
    void (*const printers[])(const scaling *) = {print_text, print_json, print_csv};
    int status;

    printers[s->format](s);
    status = cli_flush(s->arguments->command);
    if (any_wrong(s))
        return cli_failed(s->arguments->command, "not verified: a field differs from one device's");
    return status;
}

/* ---- the picture ----------------------------------------------------------------------------- */

enum { WIDTH = 640, HEIGHT = 400 };

static const char *const colours[SCALING_MODES] = {"#2a6f97", "#c08a2e"};

static void draw_mode(hd__svg *svg, const scaling *s, scaling_mode mode, const hd__svg_axis *x,
                      const hd__svg_axis *y)
{
    double points[2 * CLI_DEVICES_MAX];
    char about[96];

    for (unsigned k = 0; k < s->devices.count; k++) {
        const scaling_row *row = &s->rows[mode][k];
        points[2 * k] = hd__svg_at(x, row->devices);
        points[2 * k + 1] = hd__svg_at(y, scaling_speedup(s, row, mode));
        (void)snprintf(about, sizeof about, "%s, %u devices: %.2f", scaling_mode_name(mode),
                       row->devices, scaling_speedup(s, row, mode));
        hd__svg_dot(svg, points[2 * k], points[2 * k + 1], 4, colours[mode], about);
    }
    hd__svg_polyline(svg, points, s->devices.count, colours[mode], 1.5);
    hd__svg_text(svg, 90, 40 + 18 * (double)mode, 13, HD__SVG_START, colours[mode],
                 scaling_mode_name(mode));
}

int scaling_draw(const scaling *s, const char *path)
{
    const double most = s->devices.count > 1 ? s->devices.count : 2;
    const hd__svg_axis x = {1, most, 70, WIDTH - 30, 0}, y = {0, most, HEIGHT - 60, 30, 0};
    const double ideal[] = {hd__svg_at(&x, 1), hd__svg_at(&y, 1), hd__svg_at(&x, most),
                            hd__svg_at(&y, most)};
    char message[HD__IO_MESSAGE];
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, HEIGHT);
    hd__svg_axis_x(&svg, &x, &y, "devices");
    hd__svg_axis_y(&svg, &y, &x, "times as fast as one");
    hd__svg_polyline(&svg, ideal, 2, "#bbbbbb", 1);
    for (int mode = 0; mode < SCALING_MODES; mode++)
        if (s->rows[mode])
            draw_mode(&svg, s, (scaling_mode)mode, &x, &y);
    if (hd__svg_close(&svg, path, message) != 0)
        return cli_failed(s->arguments->command, "%s", message);
    return CLI_DONE;
}
