/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture written as SVG 1.1: rectangles, lines, text, axes, a colour scale. Coordinates are
 * pixels from the top left corner; colours are CSS ("#4878a8"). The picture is built in memory and
 * written as a whole by hd__svg_close, so that no reader sees half of it. hd__svg_close also
 * reports if memory ran out earlier.
 */
#ifndef HEDDLE_CLI_DRAW_SVG_H
#define HEDDLE_CLI_DRAW_SVG_H

#include <stddef.h>

#include "io/source.h"

typedef struct hd__svg {
    char *text; /* what was drawn */
    size_t length, room;
    int failed; /* 0, or the first HD__IO_ERR_* */
    double width, height;
} hd__svg;

typedef enum hd__svg_anchor { HD__SVG_START, HD__SVG_MIDDLE, HD__SVG_END } hd__svg_anchor;

void hd__svg_open(hd__svg *svg_out, double width, double height);
/* Ends the picture and writes it to `path`; frees it in any case. 0, or HD__IO_ERR_FILE or
   HD__IO_ERR_MEMORY with the message set. */
int hd__svg_close(hd__svg *svg, const char *path, char message[HD__IO_MESSAGE]);
/* Frees it without writing. */
void hd__svg_drop(hd__svg *svg);

/* A filled rectangle. `about` is what a viewer shows when pointed at; NULL for none. */
void hd__svg_rect(hd__svg *svg, double x, double y, double width, double height, const char *fill,
                  const char *about);
void hd__svg_line(hd__svg *svg, double x0, double y0, double x1, double y1, const char *stroke,
                  double thick);
/* A line through `count` points, x and y in turn. */
void hd__svg_polyline(hd__svg *svg, const double *xy, size_t count, const char *stroke,
                      double thick);
void hd__svg_dot(hd__svg *svg, double x, double y, double radius, const char *fill,
                 const char *about);
/* Text on the line y, `size` pixels high, about 0.6 size wide per character. */
void hd__svg_text(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                  const char *fill, const char *text);
/* The same, read from bottom to top: the label of a vertical axis. */
void hd__svg_text_up(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                     const char *fill, const char *text);
/* The heading of a picture, on the line y. */
void hd__svg_title(hd__svg *svg, double x, double y, const char *text);
/* An entry of a legend, a coloured square and its text, with its left edge at x and the text on the
   line y. Returns the left edge of the entry beside it. */
double hd__svg_legend(hd__svg *svg, double x, double y, const char *colour, const char *text);
/* The width that hd__svg_legend takes for a text. */
double hd__svg_legend_width(const char *text);

/* ---- colour scale ---------------------------------------------------------------------------- */

/* The colour of a part of the scale, 0 (pale) to 1 (dark), and one for text on it. Its lightness
   falls evenly, so that it also reads without colour. */
void hd__svg_scale_colour(double part, char colour_out[8]);
const char *hd__svg_on_scale(double part);
/* An upright bar of the scale with ticks from `low` at its foot to `high` at its top. */
void hd__svg_colour_bar(hd__svg *svg, double x, double y, double height, double low, double high,
                        const char *label);

/* ---- axes ------------------------------------------------------------------------------------ */

/* Values from `low` to `high` lie between the pixels `begin` and `end`; begin > end for an axis
   that grows upwards. */
typedef struct hd__svg_axis {
    double low, high;
    double begin, end;
    int log2;  /* powers of two at even distances; low and high are positive */
    int whole; /* ticks at whole numbers only: counts */
} hd__svg_axis;

/* The pixel of a value. */
double hd__svg_at(const hd__svg_axis *axis, double value);
/* The axis at the bottom (at pixel y) or on the left (at pixel x) with ticks at round values, each
   with a faint line across the field of the other axis, and a label such as "time / ms". */
void hd__svg_axis_x(hd__svg *svg, const hd__svg_axis *axis, const hd__svg_axis *other,
                    const char *label);
void hd__svg_axis_y(hd__svg *svg, const hd__svg_axis *axis, const hd__svg_axis *other,
                    const char *label);

#endif
