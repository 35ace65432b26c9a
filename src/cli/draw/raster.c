/* SPDX-License-Identifier: Apache-2.0 */
/* raster.c - rectangles and numbers as pixels. */
#include "raster.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = HD__RASTER_LINE, COLUMNS = HD__RASTER_LETTER - 1 };

/* Rows from the top, the leftmost dot of each in bit 4. */
static const struct {
    char character;
    unsigned char rows[ROWS];
} glyphs[] = {
    {'0', {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}},
    {'1', {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e}},
    {'2', {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f}},
    {'3', {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e}},
    {'4', {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}},
    {'5', {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e}},
    {'6', {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}},
    {'7', {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08}},
    {'8', {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}},
    {'9', {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}},
    {'+', {0x00, 0x04, 0x04, 0x1f, 0x04, 0x04, 0x00}},
    {'-', {0x00, 0x00, 0x00, 0x1f, 0x00, 0x00, 0x00}},
    {'.', {0x00, 0x00, 0x00, 0x00, 0x00, 0x0c, 0x0c}},
    {'e', {0x00, 0x00, 0x0e, 0x11, 0x1f, 0x10, 0x0e}},
};

unsigned char *hd__raster_open(hd__raster *raster_out, size_t width, size_t height)
{
    raster_out->width = width;
    raster_out->height = height;
    raster_out->pixels = width > 0 && height > SIZE_MAX / 3 / width ? NULL
                                                                    : malloc(width * height * 3);
    if (raster_out->pixels)
        memset(raster_out->pixels, 255, width * height * 3);
    return raster_out->pixels;
}

void hd__raster_rect(hd__raster *raster, size_t x, size_t y, size_t width, size_t height,
                     const unsigned char colour[3])
{
    for (size_t row = y; row < y + height && row < raster->height; row++)
        for (size_t column = x; column < x + width && column < raster->width; column++)
            memcpy(raster->pixels + 3 * (row * raster->width + column), colour, 3);
}

static void draw_glyph(hd__raster *raster, size_t x, size_t y, size_t scale,
                       const unsigned char rows[ROWS])
{
    static const unsigned char black[3] = {0, 0, 0};

    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < COLUMNS; column++)
            if (rows[row] >> (COLUMNS - 1 - column) & 1)
                hd__raster_rect(raster, x + column * scale, y + row * scale, scale, scale, black);
}

void hd__raster_number(hd__raster *raster, size_t x, size_t y, size_t scale, const char *text)
{
    for (; *text; text++, x += HD__RASTER_LETTER * scale)
        for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
            if (glyphs[i].character == *text)
                draw_glyph(raster, x, y, scale, glyphs[i].rows);
}
