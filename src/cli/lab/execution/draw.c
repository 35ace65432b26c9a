/* SPDX-License-Identifier: Apache-2.0 */
/* draw.c - the roofline as a picture: numbered points below the roof, and a list of them. */
#include <math.h>
#include <stdio.h>

#include "cli/draw/svg.h"
#include "roofline.h"

enum { WIDTH = 720, LEFT = 84, RIGHT = 30, TOP = 70, PLOT = 340, LINE = 17, LIST = 64, LABEL = 96 };
static const double least_intensity = 1.0 / 16, most_intensity = 256;
static const char roof_colour[] = "#c06020", sheet_colour[] = "#909090", point_colour[] = "#2a6f97";

/* A roof: up to the ridge, then level. */
static void draw_roof(hd__svg *svg, const hd__svg_axis *x, const hd__svg_axis *y,
                      const ceilings *roof, const char *colour, double thick)
{
    const double ridge = fmin(fmax(ceilings_ridge(roof), x->low), x->high);
    const double at[] = {x->low, ridge, x->high};
    double xy[6];

    for (int i = 0; i < 3; i++) {
        xy[2 * i] = hd__svg_at(x, at[i]);
        xy[2 * i + 1] = hd__svg_at(y, fmax(1e-9 * ceilings_at(roof, at[i]), y->low));
    }
    hd__svg_polyline(svg, xy, 3, colour, thick);
}

/* The rate at which a kernel is drawn: the measured one, otherwise that of the roof. */
static double rate_of(const roofline *r, size_t i)
{
    const roofline_case *c = &r->cases[i];

    return r->gflops[i] > 0 ? r->gflops[i] : 1e-9 * ceilings_at(&r->roof, c->flops / c->bytes);
}

/* Numbers of points at the same place are written in one row. */
static unsigned neighbours_of(const roofline *r, size_t point)
{
    const double here = r->cases[point].flops / r->cases[point].bytes;
    unsigned before = 0;

    for (size_t i = 0; i < point; i++) {
        const double there = r->cases[i].flops / r->cases[i].bytes;

        before += fabs(log2(here / there)) < 0.1 &&
                  fabs(log2(rate_of(r, i) / rate_of(r, point))) < 0.3;
    }
    return before;
}

static void draw_points(hd__svg *svg, const roofline *r, const hd__svg_axis *x,
                        const hd__svg_axis *y)
{
    for (size_t i = 0; i < ROOFLINE_CASES; i++) {
        const roofline_case *c = &r->cases[i];
        const double at = hd__svg_at(x, c->flops / c->bytes);
        const double up = hd__svg_at(y, fmax(rate_of(r, i), y->low));
        char number[8];

        (void)snprintf(number, sizeof number, "%zu", i + 1);
        hd__svg_dot(svg, at, up, 4, point_colour, c->name);
        hd__svg_text(svg, at + 7 + 11 * neighbours_of(r, i), up + 13, 11, HD__SVG_START,
                     point_colour, number);
    }
}

static void draw_list(hd__svg *svg, const roofline *r, double top)
{
    for (size_t i = 0; i < ROOFLINE_CASES; i++) {
        const roofline_case *c = &r->cases[i];
        const double intensity = c->flops / c->bytes;
        char text[LABEL];

        if (r->gflops[i] > 0)
            (void)snprintf(text, sizeof text, "%zu: %s, %.3g flop/byte, %.0f GFLOP/s, %.0f %%",
                           i + 1, c->name, intensity, r->gflops[i],
                           1e11 * r->gflops[i] / ceilings_at(&r->roof, intensity));
        else
            (void)snprintf(text, sizeof text, "%zu: %s, %.3g flop/byte, at most %.0f GFLOP/s",
                           i + 1, c->name, intensity, rate_of(r, i));
        hd__svg_text(svg, LEFT, top + LINE * (double)i, 12, HD__SVG_START, point_colour, text);
    }
}

static void draw_title(hd__svg *svg, const roofline *r)
{
    char text[256];

    (void)snprintf(text, sizeof text, "heddle lab roofline: %s",
                   r->lab.gpu ? r->lab.job.device_name : lab_device_words[r->lab.model]);
    hd__svg_title(svg, LEFT, 28, text);
    (void)snprintf(text, sizeof text, "%s %.0f GFLOP/s, %.0f GB/s",
                   r->lab.gpu ? "measured:" : "data sheet:", 1e-9 * r->roof.flops,
                   1e-9 * r->roof.bytes);
    const double next = hd__svg_legend(svg, LEFT, 52, roof_colour, text);
    if (r->lab.gpu && r->lab.model != LAB_NO_DEVICE)
        (void)hd__svg_legend(svg, next, 52, sheet_colour, "data sheet");
}

int roofline_draw(const roofline *r, const char *path)
{
    const ceilings sheet = {1e9 * lab_reference(r->lab.model, LAB_PEAK_F32),
                            1e9 * lab_reference(r->lab.model, LAB_PEAK_MEMORY)};
    const double highest = 1e-9 * fmax(r->roof.flops, sheet.flops);
    const hd__svg_axis x = {.low = least_intensity,
                            .high = most_intensity,
                            .begin = LEFT,
                            .end = WIDTH - RIGHT,
                            .log2 = 1};
    const hd__svg_axis y = {.low = exp2(floor(log2(1e-9 * least_intensity * r->roof.bytes)) - 2),
                            .high = exp2(ceil(log2(highest))),
                            .begin = TOP + PLOT,
                            .end = TOP,
                            .log2 = 1};
    char message[HD__IO_MESSAGE];
    hd__svg svg;

    hd__svg_open(&svg, WIDTH, TOP + PLOT + LIST + LINE * ROOFLINE_CASES);
    draw_title(&svg, r);
    hd__svg_axis_x(&svg, &x, &y, "arithmetic intensity in flop/byte");
    hd__svg_axis_y(&svg, &y, &x, "GFLOP/s");
    if (r->lab.gpu && sheet.bytes > 0)
        draw_roof(&svg, &x, &y, &sheet, sheet_colour, 1);
    draw_roof(&svg, &x, &y, &r->roof, roof_colour, 2);
    draw_points(&svg, r, &x, &y);
    draw_list(&svg, r, TOP + PLOT + LIST);
    if (hd__svg_close(&svg, path, message) < 0)
        return cli_failed(r->lab.job.arguments->command, "%s", message);
    return CLI_DONE;
}
