/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A picture written as SVG 1.1: rectangles, lines, text, axes. Coordinates are pixels from the top
 * left corner; colours are CSS ("#4878a8"). What is drawn is kept in memory until hd__svg_close
 * writes the file, so that a reader never sees half of it; the first failure (no memory) is kept
 * too, and told there.
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

/* ---- axes ------------------------------------------------------------------------------------ */

/* Values from `low` to `high` lie between the pixels `begin` and `end`; begin > end for an axis
   that grows upwards. */
typedef struct hd__svg_axis {
    double low, high;
    double begin, end;
    int log2; /* powers of two at even distances; low and high are positive */
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
