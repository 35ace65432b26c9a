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
    char *text; /* the SVG text so far */
    size_t length, room;
    int failed; /* 0, or the first HD__IO_ERR_* */
    double width, height;
} hd__svg;

typedef enum hd__svg_anchor { HD__SVG_START, HD__SVG_MIDDLE, HD__SVG_END } hd__svg_anchor;

void hd__svg_open(hd__svg *svg_out, double width, double height);
/* Ends the picture and writes it to `path`; frees it in either case. 0, or HD__IO_ERR_FILE or
   HD__IO_ERR_MEMORY with the message set. */
int hd__svg_close(hd__svg *svg, const char *path, char message[HD__IO_MESSAGE]);
/* Frees the picture without writing it. */
void hd__svg_drop(hd__svg *svg);

/* A filled rectangle. `about`: tooltip in viewers; NULL: none. */
void hd__svg_rect(hd__svg *svg, double x, double y, double width, double height, const char *fill,
                  const char *about);
void hd__svg_line(hd__svg *svg, double x0, double y0, double x1, double y1, const char *stroke,
                  double thick);
/* A line through `count` points; x and y alternate. */
void hd__svg_polyline(hd__svg *svg, const double *xy, size_t count, const char *stroke,
                      double thick);
void hd__svg_dot(hd__svg *svg, double x, double y, double radius, const char *fill,
                 const char *about);
/* Text with baseline y, `size` pixels high, about 0.6 size wide per character. */
void hd__svg_text(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                  const char *fill, const char *text);
/* The same, read from bottom to top: the label of a vertical axis. */
void hd__svg_text_up(hd__svg *svg, double x, double y, double size, hd__svg_anchor anchor,
                     const char *fill, const char *text);
/* The heading of a picture, with baseline y. */
void hd__svg_title(hd__svg *svg, double x, double y, const char *text);
/* An entry of a legend, a coloured square and its text, with its left edge at x and baseline y.
   Returns the left edge of the next entry. */
double hd__svg_legend(hd__svg *svg, double x, double y, const char *colour, const char *text);
/* The width of a legend entry with this text. */
double hd__svg_legend_width(const char *text);

/* ---- colour scale ---------------------------------------------------------------------------- */

/* The colour at a position of the scale, 0 (pale) to 1 (dark), and the colour of text on it.
   Lightness falls evenly, so that it also works without colour. */
void hd__svg_scale_colour(double part, char colour_out[8]);
const char *hd__svg_on_scale(double part);
/* A vertical bar of the scale with ticks from `low` at the bottom to `high` at the top. */
void hd__svg_colour_bar(hd__svg *svg, double x, double y, double height, double low, double high,
                        const char *label);

/* ---- axes ------------------------------------------------------------------------------------ */

/* Maps values from `low` to `high` to the pixels `begin` to `end`; begin > end for an axis that
   grows upwards. */
typedef struct hd__svg_axis {
    double low, high;
    double begin, end;
    int log2;  /* logarithmic: powers of two at equal distances; low and high are positive */
    int whole; /* ticks at integers only */
} hd__svg_axis;

/* The pixel of a value. */
double hd__svg_at(const hd__svg_axis *axis, double value);
/* The axis at the bottom (at pixel y) or on the left (at pixel x) with ticks at round values, each
   with a faint line across the range of the other axis, and a label such as "time / ms". */
void hd__svg_axis_x(hd__svg *svg, const hd__svg_axis *axis, const hd__svg_axis *other,
                    const char *label);
void hd__svg_axis_y(hd__svg *svg, const hd__svg_axis *axis, const hd__svg_axis *other,
                    const char *label);

#endif
