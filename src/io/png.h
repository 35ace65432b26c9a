/* SPDX-License-Identifier: Apache-2.0 */
/* png.h - pictures as PNG files, by libpng where the build found it. */
#ifndef HEDDLE_IO_PNG_H
#define HEDDLE_IO_PNG_H

#include <stddef.h>

#include "source.h"

/* Rows from the top; `channels` bytes per pixel: 1 grey, 2 grey and alpha, 3 colour, 4 colour and
   alpha. */
typedef struct hd__png {
    size_t width, height;
    unsigned channels;
    bool narrowed; /* read: the file has 16 bits a channel */
    unsigned char *pixels;
} hd__png;

/* True for the bytes that every PNG file begins with. */
bool hd__png_is_magic(const unsigned char *bytes, size_t size);

/* Reads a file. channels 0: what the file has (palettes become colour, 16 bits become 8); else
   converts to so many. 0, or HD__IO_ERR_FILE or
   HD__IO_ERR_CONTENT and a line in `message`, also where there is no libpng. */
int hd__png_read(const char *path, unsigned channels, hd__png *picture_out,
                 char message[HD__IO_MESSAGE]);
/* The same of a file that lies in memory; messages call it `name`. */
int hd__png_read_memory(const void *data, size_t size, const char *name, unsigned channels,
                        hd__png *picture_out, char message[HD__IO_MESSAGE]);
int hd__png_write(const char *path, const hd__png *picture, char message[HD__IO_MESSAGE]);
void hd__png_free(hd__png *picture);

#endif
