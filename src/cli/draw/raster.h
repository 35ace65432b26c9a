/* SPDX-License-Identifier: Apache-2.0 */
/* raster.h - rectangles and numbers in a picture of RGB bytes. */
#ifndef HEDDLE_CLI_DRAW_RASTER_H
#define HEDDLE_CLI_DRAW_RASTER_H

#include <stddef.h>

/* Pixels from the top left corner, three bytes each. What is drawn beyond the edges is left out. */
typedef struct hd__raster {
    size_t width, height;
    unsigned char *pixels;
} hd__raster;

enum {
    HD__RASTER_LETTER = 6,
    HD__RASTER_LINE = 7
}; /* size of a character, with the gap after it */

/* `pixels` for a white picture; NULL if there is no memory. The caller frees them. */
unsigned char *hd__raster_open(hd__raster *raster_out, size_t width, size_t height);
void hd__raster_rect(hd__raster *raster, size_t x, size_t y, size_t width, size_t height,
                     const unsigned char colour[3]);
/* A number in black, its left edge at x and its top at y, each dot `scale` pixels wide: digits and
   the characters + - . e; other characters leave a gap. */
void hd__raster_number(hd__raster *raster, size_t x, size_t y, size_t scale, const char *text);

#endif
