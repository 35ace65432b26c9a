/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heat.c - a field of values as a PNG picture with a colour bar:
 *
 *      field        gap  bar  gap  numbers
 *   +-------------+     +--+
 *   |             |     |  |      greatest value
 *   |             |     |  |      0, if it lies between them
 *   |             |     |  |      least value
 *   +-------------+     +--+
 */
#include "heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/message.h"
#include "io/png/png.h"
#include "raster.h"

enum {
    PIXELS_MAX = 1024,
    GAP = 8,
    BAR_WIDTH = 12,
    BAR_LEAST = 48, /* least height, with room for three numbers */
    NUMBER_TEXT = 32,
    LARGE_PICTURE = 300 /* minimum height for numbers whose dots are 2 pixels wide */
};

typedef struct bounds {
    double least, greatest;
} bounds;

/* -1 is blue, 0 white, 1 red; square roots, so that small values are seen too. */
static void colour_of(double v, unsigned char pixel[3])
{
    const double size = sqrt(fmin(fabs(v), 1.0));
    const unsigned char faded = (unsigned char)lround(255.0 * (1.0 - size));

    pixel[0] = v < 0 ? faded : 255;
    pixel[1] = faded;
    pixel[2] = v < 0 ? 255 : faded;
}

static bounds bounds_of(const hd__heat *heat)
{
    bounds b = {INFINITY, -INFINITY};

    for (size_t y = 0; y < heat->ny; y++)
        for (size_t x = 0; x < heat->nx; x++) {
            const double v = heat->value(heat->field, x, y);

            b.least = fmin(b.least, v);
            b.greatest = fmax(b.greatest, v);
        }
    return b;
}

/* The index among `count` values that pixel `at` of `pixels` shows. */
static size_t sampled(size_t at, size_t pixels, size_t count)
{
    return at * (count - 1) / (pixels > 1 ? pixels - 1 : 1);
}

static void draw_field(const hd__heat *heat, hd__raster *raster, size_t width, size_t height)
{
    unsigned char colour[3];

    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            colour_of(
                heat->value(heat->field, sampled(x, width, heat->nx), sampled(y, height, heat->ny)),
                colour);
            hd__raster_rect(raster, x, y, 1, 1, colour);
        }
}

/* Pixels that the number takes. */
static size_t width_of(double value, size_t scale)
{
    char text[NUMBER_TEXT];
    const int length = snprintf(text, sizeof text, "%.3g", value);

    return (size_t)length * HD__RASTER_LETTER * scale;
}

static void draw_value(hd__raster *raster, size_t x, size_t y, size_t scale, double value)
{
    char text[NUMBER_TEXT];

    snprintf(text, sizeof text, "%.3g", value);
    hd__raster_number(raster, x, y, scale, text);
}

static void draw_bar(hd__raster *raster, size_t x, size_t scale, bounds b)
{
    const size_t last = raster->height - 1, line = HD__RASTER_LINE * scale;
    const size_t numbers = x + BAR_WIDTH + GAP;
    const double range = b.greatest - b.least;
    static const unsigned char grey[3] = {128, 128, 128};
    unsigned char colour[3];
    size_t zero;

    hd__raster_rect(raster, x - 1, 0, BAR_WIDTH + 2, last + 1, grey);
    for (size_t y = 1; y < last; y++) {
        colour_of(b.greatest - range * (double)y / (double)last, colour);
        hd__raster_rect(raster, x, y, BAR_WIDTH, 1, colour);
    }
    draw_value(raster, numbers, 0, scale, b.greatest);
    draw_value(raster, numbers, last + 1 - line, scale, b.least);
    if (b.least >= 0 || b.greatest <= 0)
        return;
    zero = (size_t)lround((double)last * b.greatest / range);
    if (zero >= 2 * line && zero + 2 * line <= last)
        draw_value(raster, numbers, zero - line / 2, scale, 0);
}

int hd__heat_write(const hd__heat *heat, const char *path, char message[HD__IO_MESSAGE])
{
    const size_t width = heat->nx < PIXELS_MAX ? heat->nx : PIXELS_MAX;
    const size_t height = heat->ny < PIXELS_MAX ? heat->ny : PIXELS_MAX;
    const size_t scale = height < LARGE_PICTURE ? 1 : 2;
    const bounds b = bounds_of(heat);
    const size_t greatest = width_of(b.greatest, scale), least = width_of(b.least, scale);
    hd__png picture = {.channels = 3, .depth = 8};
    hd__raster raster;
    int status;

    if (!hd__raster_open(&raster,
                         width + 2 * GAP + BAR_WIDTH + (least > greatest ? least : greatest),
                         height < BAR_LEAST ? BAR_LEAST : height)) {
        return hd__io_fail(message, HD__IO_ERR_MEMORY, path, "no memory for a picture");
    }
    draw_field(heat, &raster, width, height);
    draw_bar(&raster, width + GAP, scale, b);
    picture.width = raster.width;
    picture.height = raster.height;
    picture.samples = raster.pixels;
    status = hd__png_write(path, &picture, message);
    free(raster.pixels);
    return status;
}
