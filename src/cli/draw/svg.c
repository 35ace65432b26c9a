/* SPDX-License-Identifier: Apache-2.0 */
/* svg.c - pictures as SVG: built in memory and written at the end. */
#include "svg.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/message.h"
#include "base/replace.h"

enum { FIRST_ROOM = 16384, NUMBER = 40, TICKS = 64, TICKS_WANTED = 8, LABEL_SIZE = 12 };
enum { TITLE_SIZE = 15, LEGEND_SQUARE = 12, LEGEND_GAP = 18, BAR_WIDTH = 16, BAR_STEPS = 64 };

static const char grid_colour[] = "#e4e4e4", axis_colour[] = "#404040", title_colour[] = "#222222";

/* ---- the text -------------------------------------------------------------------------------- */

static int make_room(hd__svg *svg, size_t bytes)
{
    size_t room = svg->room ? svg->room : FIRST_ROOM;
    char *bigger;

    if (svg->failed)
        return 0;
    while (room - svg->length < bytes)
        room *= 2;
    if (room == svg->room)
        return 1;
    bigger = realloc(svg->text, room);
    if (!bigger) {
        svg->failed = HD__IO_ERR_MEMORY;
        return 0;
    }
    svg->text = bigger;
    svg->room = room;
    return 1;
}

static void put_bytes(hd__svg *svg, const char *bytes, size_t length)
{
    if (!make_room(svg, length + 1))
        return;
    memcpy(svg->text + svg->length, bytes, length);
    svg->length += length;
    svg->text[svg->length] = '\0';
}

static void put(hd__svg *svg, const char *text)
{
    put_bytes(svg, text, strlen(text));
}

/* A coordinate: two decimals, never "nan", no locale-dependent separator. */
static void put_number(hd__svg *svg, const char *before, double value)
{
    char text[NUMBER];
    long long hundredths = isfinite(value) && fabs(value) < 1e12 ? llround(value * 100) : 0;
    unsigned long long size = (unsigned long long)llabs(hundredths);

    snprintf(text, sizeof text, "%s%llu.%02llu", hundredths < 0 ? "-" : "", size / 100, size % 100);
    put(svg, before);
    put(svg, text);
}

/* The user's text: markup is escaped, bytes that are invalid in XML become '?'. */
static void put_escaped(hd__svg *svg, const char *text)
{
    char plain[512];

    hd__io_printable(text, strlen(text), plain, sizeof plain);
    for (const char *at = plain; *at; at++) {
        if (*at == '<')
            put(svg, "&lt;");
        else if (*at == '>')
            put(svg, "&gt;");
        else if (*at == '&')
            put(svg, "&amp;");
        else if (*at == '"')
            put(svg, "&quot;");
        else
            put_bytes(svg, at, 1);
    }
}

static void put_about(hd__svg *svg, const char *element, const char *about)
{
    if (!about) {
        put(svg, "/>\n");
        return;
    }
    put(svg, "><title>");
    put_escaped(svg, about);
    put(svg, "</title></");
    put(svg, element);
    put(svg, ">\n");
}

/* ---- shapes ---------------------------------------------------------------------------------- */

void hd__svg_open(hd__svg *svg_out, double width, double height)
{
    hd__svg svg = {.width = width, .height = height};

    put(&svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
              "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\"");
    put_number(&svg, " width=\"", width);
    put_number(&svg, "\" height=\"", height);
    put_number(&svg, "\" viewBox=\"0 0 ", width);
    put_number(&svg, " ", height);
    put(&svg, "\" font-family=\"sans-serif\">\n");
    hd__svg_rect(&svg, 0, 0, width, height, "#ffffff", NULL);
    *svg_out = svg;
}

void hd__svg_rect(hd__svg *svg, double x, double y, double width, double height, const char *fill,
                  const char *about)
{
    put_number(svg, "<rect x=\"", x);
    put_number(svg, "\" y=\"", y);
    put_number(svg, "\" width=\"", width > 0 ? width : 0);
    put_number(svg, "\" height=\"", height > 0 ? height : 0);
    put(svg, "\" fill=\"");
    put_escaped(svg, fill);
    put(svg, "\"");
    put_about(svg, "rect", about);
}

static void put_stroke(hd__svg *svg, const char *stroke, double thick)
{
    put(svg, "\" stroke=\"");
    put_escaped(svg, stroke);
    put_number(svg, "\" stroke-width=\"", thick);
    put(svg, "\"/>\n");
}

void hd__svg_line(hd__svg *svg, double x0, double y0, double x1, double y1, const char *stroke,
                  double thick)
{
    put_number(svg, "<line x1=\"", x0);
    put_number(svg, "\" y1=\"", y0);
    put_number(svg, "\" x2=\"", x1);
    put_number(svg, "\" y2=\"", y1);
    put_stroke(svg, stroke, thick);
}

void hd__svg_polyline(hd__svg *svg, const double *xy, size_t count, const char *stroke,
                      double thick)
{
    put(svg, "<polyline fill=\"none\" points=\"");
    for (size_t i = 0; i < count; i++) {
        put_number(svg, i ? " " : "", xy[2 * i]);
        put_number(svg, ",", xy[2 * i + 1]);
    }
    put_stroke(svg, stroke, thick);
}

void hd__svg_dot(hd__svg *svg, double x, double y, double radius, const char *fill,
                 const char *about)
{
    put_number(svg, "<circle cx=\"", x);
    put_number(svg, "\" cy=\"", y);
    put_number(svg, "\" r=\"", radius);
    put(svg, "\" fill=\"");
    put_escaped(svg, fill);
    put(svg, "\"");
    put_about(svg, "circle", about);
}

static void put_text(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                     const char *fill, const char *text, int upwards)
{
    static const char *const anchors[] = {"start", "middle", "end"};

    put_number(svg, "<text x=\"", x);
    put_number(svg, "\" y=\"", y);
    if (upwards) {
        put_number(svg, "\" transform=\"rotate(-90 ", x);
        put_number(svg, " ", y);
        put(svg, ")");
    }
    put_number(svg, "\" font-size=\"", size);
    put(svg, "\" text-anchor=\"");
    put(svg, anchors[anchor]);
    put(svg, "\" fill=\"");
    put_escaped(svg, fill);
    put(svg, "\">");
    put_escaped(svg, text);
    put(svg, "</text>\n");
}

void hd__svg_text(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                  const char *fill, const char *text)
{
    put_text(svg, x, y, size, anchor, fill, text, 0);
}

void hd__svg_text_up(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                     const char *fill, const char *text)
{
    put_text(svg, x, y, size, anchor, fill, text, 1);
}

void hd__svg_title(hd__svg *svg, double x, double y, const char *text)
{
    hd__svg_text(svg, x, y, TITLE_SIZE, HD__SVG_START, title_colour, text);
}

double hd__svg_legend_width(const char *text)
{
    return LEGEND_SQUARE + 5 + 0.56 * LABEL_SIZE * (double)strlen(text) + LEGEND_GAP;
}

double hd__svg_legend(hd__svg *svg, double x, double y, const char *colour, const char *text)
{
    hd__svg_rect(svg, x, y - 10, LEGEND_SQUARE, LEGEND_SQUARE, colour, NULL);
    hd__svg_text(svg, x + LEGEND_SQUARE + 5, y, LABEL_SIZE, HD__SVG_START, axis_colour, text);
    return x + hd__svg_legend_width(text);
}

/* ---- colour scale ---------------------------------------------------------------------------- */

/* Pale yellow, green, blue, dark blue: the four-class form of ColorBrewer's YlGnBu, interpolated
   linearly (Brewer, Harrower, Cartography and Geographic Information Systems). */
static const double stops[][3] = {{255, 255, 217}, {127, 205, 187}, {29, 145, 192}, {8, 29, 88}};
enum { STOPS = sizeof stops / sizeof stops[0] };

void hd__svg_scale_colour(double part, char colour_out[8])
{
    const double at = fmin(fmax(part, 0), 1) * (STOPS - 1);
    const int stop = at < STOPS - 1 ? (int)at : STOPS - 2;
    unsigned rgb[3];

    for (int c = 0; c < 3; c++)
        rgb[c] = (unsigned)lround(stops[stop][c] +
                                  (at - stop) * (stops[stop + 1][c] - stops[stop][c]));
    (void)snprintf(colour_out, 8, "#%02x%02x%02x", rgb[0] & 255, rgb[1] & 255, rgb[2] & 255);
}

const char *hd__svg_on_scale(double part)
{
    return part > 0.64 ? "#ffffff" : "#222222";
}

/* ---- axes ------------------------------------------------------------------------------------ */

double hd__svg_at(const hd__svg_axis *axis, double value)
{
    double low = axis->log2 ? log2(axis->low) : axis->low;
    double high = axis->log2 ? log2(axis->high) : axis->high;
    double at = axis->log2 ? log2(value) : value;

    if (!(high > low))
        return axis->begin;
    return axis->begin + (axis->end - axis->begin) * ((at - low) / (high - low));
}

/* Distance between ticks: 1, 2 or 5 times a power of ten. */
static double tick_step(double span)
{
    double step = pow(10.0, floor(log10(span / TICKS_WANTED)));

    while (span / step > TICKS_WANTED)
        step *= span / (2 * step) <= TICKS_WANTED ? 2 : span / (5 * step) <= TICKS_WANTED ? 5 : 10;
    return step;
}

static size_t ticks_of(const hd__svg_axis *axis, double ticks[TICKS])
{
    size_t count = 0;

    if (axis->log2) {
        int low = (int)ceil(log2(axis->low) - 1e-9), high = (int)floor(log2(axis->high) + 1e-9);
        int by = (high - low) / (2 * TICKS_WANTED) + 1;

        for (int power = low; power <= high && count < TICKS; power += by)
            ticks[count++] = ldexp(1.0, power);
    } else if (axis->high > axis->low && isfinite(axis->high - axis->low)) {
        double step = tick_step(axis->high - axis->low), first;

        step = axis->whole && step < 1 ? 1 : step;
        first = ceil(axis->low / step - 1e-9);

        for (double i = first; i * step <= axis->high + 1e-9 * step && count < TICKS; i++)
            ticks[count++] = i * step;
    }
    return count;
}

/* Large powers of two in M, as sizes are written. */
static void tick_text(double value, char text[NUMBER])
{
    const double mega = 1 << 20;

    if (value >= mega && fmod(value, mega) == 0)
        snprintf(text, NUMBER, "%.6gM", value / mega);
    else
        snprintf(text, NUMBER, "%.6g", fabs(value) < 1e-300 ? 0.0 : value);
}

void hd__svg_axis_x(hd__svg *svg, const hd__svg_axis *axis, const hd__svg_axis *other,
                    const char *label)
{
    double ticks[TICKS], bottom = fmax(other->begin, other->end),
                         top = fmin(other->begin, other->end);
    size_t count = ticks_of(axis, ticks);
    char text[NUMBER];

    for (size_t i = 0; i < count; i++) {
        double x = hd__svg_at(axis, ticks[i]);

        tick_text(ticks[i], text);
        hd__svg_line(svg, x, top, x, bottom + 4, grid_colour, 1);
        hd__svg_text(svg, x, bottom + 4 + LABEL_SIZE, LABEL_SIZE, HD__SVG_MIDDLE, axis_colour,
                     text);
    }
    hd__svg_line(svg, axis->begin, bottom, axis->end, bottom, axis_colour, 1);
    hd__svg_text(svg, (axis->begin + axis->end) / 2, bottom + 10 + 2 * LABEL_SIZE, LABEL_SIZE,
                 HD__SVG_MIDDLE, axis_colour, label);
}

void hd__svg_axis_y(hd__svg *svg, const hd__svg_axis *axis, const hd__svg_axis *other,
                    const char *label)
{
    double ticks[TICKS], left = fmin(other->begin, other->end),
                         right = fmax(other->begin, other->end);
    size_t count = ticks_of(axis, ticks), widest = 0;
    char text[NUMBER];

    for (size_t i = 0; i < count; i++) {
        double y = hd__svg_at(axis, ticks[i]);

        tick_text(ticks[i], text);
        widest = strlen(text) > widest ? strlen(text) : widest;
        hd__svg_line(svg, left - 4, y, right, y, grid_colour, 1);
        hd__svg_text(svg, left - 6, y + LABEL_SIZE * 0.35, LABEL_SIZE, HD__SVG_END, axis_colour,
                     text);
    }
    hd__svg_line(svg, left, axis->begin, left, axis->end, axis_colour, 1);
    hd__svg_text_up(svg, left - 14 - 0.6 * LABEL_SIZE * (double)widest,
                    (axis->begin + axis->end) / 2, LABEL_SIZE, HD__SVG_MIDDLE, axis_colour, label);
}

void hd__svg_colour_bar(hd__svg *svg, double x, double y, double height, double low, double high,
                        const char *label)
{
    const hd__svg_axis axis = {.low = low, .high = high, .begin = y + height, .end = y};
    double ticks[TICKS];
    const size_t count = ticks_of(&axis, ticks);
    char text[NUMBER];

    for (int step = 0; step < BAR_STEPS; step++) {
        hd__svg_scale_colour((step + 0.5) / BAR_STEPS, text);
        hd__svg_rect(svg, x, y + height * (BAR_STEPS - 1 - step) / BAR_STEPS, BAR_WIDTH,
                     height / BAR_STEPS + 0.5, text, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        tick_text(ticks[i], text);
        hd__svg_line(svg, x + BAR_WIDTH, hd__svg_at(&axis, ticks[i]), x + BAR_WIDTH + 4,
                     hd__svg_at(&axis, ticks[i]), axis_colour, 1);
        hd__svg_text(svg, x + BAR_WIDTH + 7, hd__svg_at(&axis, ticks[i]) + LABEL_SIZE * 0.35,
                     LABEL_SIZE, HD__SVG_START, axis_colour, text);
    }
    hd__svg_text(svg, x, y - 10, LABEL_SIZE, HD__SVG_START, axis_colour, label);
}

/* ---- the file -------------------------------------------------------------------------------- */

void hd__svg_drop(hd__svg *svg)
{
    free(svg->text);
    svg->text = NULL;
    svg->length = svg->room = 0;
}

static int write_text(FILE *stream, void *state)
{
    const hd__svg *svg = state;

    return fwrite(svg->text, 1, svg->length, stream) != svg->length ? -1 : 0;
}

int hd__svg_close(hd__svg *svg, const char *path, char message[HD__IO_MESSAGE])
{
    char name[HD__IO_NAME];
    int status = 0;

    put(svg, "</svg>\n");
    hd__io_printable_path(path, name, sizeof name);
    if (svg->failed)
        status = hd__io_fail(message, svg->failed, name, "no memory for the picture");
    else if (hd__replace_file(path, write_text, svg) != 0)
        status = hd__io_fail(message, HD__IO_ERR_FILE, name, "%s",
                             errno ? strerror(errno) : "write error");
    hd__svg_drop(svg);
    return status;
}
