/* SPDX-License-Identifier: Apache-2.0 */
/* png.h - pictures as PNG files, through libpng if the build has it. Samples are read and written
   unchanged: no gamma, no colour profile, no scaling. */
#ifndef HEDDLE_IO_PNG_PNG_H
#define HEDDLE_IO_PNG_PNG_H

#include <stddef.h>

#include "io/bytes.h"
#include "about.h"
#include "io/type.h"

/* Rows from the top; interlaced files too. The samples of a pixel are adjacent: 1 grey or an index
   into the palette, 2 grey and alpha, 3 colour, 4 colour and alpha. A sample is a byte, or a
   uint16_t if it has 16 bits; one of 1, 2 or 4 bits is a number below 2, 4 or 16. */
typedef struct hd__png {
    size_t width, height;
    unsigned channels;
    unsigned depth; /* bits per sample: 8 or 16; with one sample per pixel also 1, 2 or 4 */
    void *samples;
    hd__png_about *about; /* other metadata of the file; NULL: none */
} hd__png;

/* Whether the bytes are the signature of a PNG file. */
bool hd__png_is_magic(const unsigned char *bytes, size_t size);

/* Reads a file; the caller calls hd__png_free. 0, or HD__IO_ERR_FILE, _ARGUMENT (a pipe), _CONTENT
   or _MEMORY and a line in `message`; also fails if the build has no libpng. */
int hd__png_read(const char *path, hd__png *picture_out, char message[HD__IO_MESSAGE]);
/* The same for the rest of an open file. */
int hd__png_read_bytes(hd__bytes *bytes, hd__png *picture_out, char message[HD__IO_MESSAGE]);

/* Expands palette indices to colours (8 bits, with alpha if the palette has it) and drops the
   palette; a picture without a palette is unchanged. `name` is for messages. */
int hd__png_to_colours(hd__png *picture, const char *name, char message[HD__IO_MESSAGE]);

/* Writes a picture, not interlaced, with the metadata of picture->about. */
int hd__png_write(const char *path, const hd__png *picture, char message[HD__IO_MESSAGE]);

/* Accepts a zeroed picture. */
void hd__png_free(hd__png *picture);

#endif
