/* SPDX-License-Identifier: Apache-2.0 */
/* about.h - metadata of a PNG file: depth, palette, and the chunks that describe the picture, kept
   as bytes so that they can be written again. */
#ifndef HEDDLE_IO_PNG_ABOUT_H
#define HEDDLE_IO_PNG_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

enum { HD__PNG_COLOURS = 256 };

/* Position of a chunk. */
typedef enum hd__png_place {
    HD__PNG_FIRST,         /* before the palette */
    HD__PNG_AFTER_PALETTE, /* between the palette and the samples */
    HD__PNG_LAST           /* after the samples */
} hd__png_place;

typedef struct hd__png_chunk {
    char name[5]; /* "pHYs" */
    hd__png_place place;
    size_t size;
    unsigned char *data;
} hd__png_chunk;

typedef struct hd__png_about {
    unsigned depth;   /* bits per sample in the file */
    unsigned colours; /* number of palette entries; 0: no palette */
    unsigned char palette[HD__PNG_COLOURS][3];
    size_t chunk_count;
    hd__png_chunk *chunks;
} hd__png_about;

/* Whether a chunk is kept: the standard chunks that describe the picture (gAMA, cHRM, sRGB, iCCP,
   cICP, mDCV, cLLI, sBIT, tRNS, bKGD, hIST, sPLT, pHYs, pCAL, sCAL, tIME), and all with the
   safe-to-copy bit (text, eXIf, oFFs, unknown ones). Not kept: signatures, frames of animations. */
bool hd__png_is_kept(const char name[4]);

/* Adds a copy of a chunk. False without memory. */
bool hd__png_add_chunk(hd__png_about *about, const char name[4], hd__png_place place,
                       const unsigned char *data, size_t size);
/* The chunk of that name, or NULL. */
hd__png_chunk *hd__png_find_chunk(const hd__png_about *about, const char *name);

/* For a transposed picture: swaps x and y in chunks (pHYs, oFFs, sCAL). NULL is allowed. */
void hd__png_about_transpose(hd__png_about *about);
/* For a picture whose palette was expanded to `channels` 8-bit channels: adapts or drops chunks
   that refer to the palette. False without memory. */
bool hd__png_about_without_palette(hd__png_about *about, unsigned channels);

/* NULL is allowed. */
void hd__png_about_free(hd__png_about *about);

#endif
