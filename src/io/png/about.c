/* SPDX-License-Identifier: Apache-2.0 */
/* about.c - chunks that describe a picture, and how they are adapted when it changes. */
#include "about.h"

#include <stdlib.h>
#include <string.h>

bool hd__png_is_kept(const char name[4])
{
    static const char kept[][5] = {"gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT",
                                   "tRNS", "bKGD", "hIST", "sPLT", "pHYs", "pCAL", "sCAL", "tIME"};
    const bool may_be_copied = (name[3] & 0x20) != 0;

    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (memcmp(kept[i], name, 4) == 0)
            return true;
    return may_be_copied;
}

bool hd__png_add_chunk(hd__png_about *about, const char name[4], hd__png_place place,
                       const unsigned char *data, size_t size)
{
    hd__png_chunk made = {.place = place, .size = size, .data = malloc(size + 1)};
    hd__png_chunk *grown = realloc(about->chunks, (about->chunk_count + 1) * sizeof *grown);

    if (grown)
        about->chunks = grown;
    if (!grown || !made.data) {
        free(made.data);
        return false;
    }
    memcpy(made.name, name, 4);
    if (size > 0)
        memcpy(made.data, data, size);
    grown[about->chunk_count++] = made;
    return true;
}

hd__png_chunk *hd__png_find_chunk(const hd__png_about *about, const char *name)
{
    for (size_t i = 0; i < about->chunk_count; i++)
        if (strcmp(about->chunks[i].name, name) == 0)
            return &about->chunks[i];
    return NULL;
}

static void drop_chunk(hd__png_about *about, const char *name)
{
    hd__png_chunk *chunk = hd__png_find_chunk(about, name);

    if (!chunk)
        return;
    free(chunk->data);
    memmove(chunk, chunk + 1,
            (size_t)(about->chunks + about->chunk_count - chunk - 1) * sizeof *chunk);
    about->chunk_count--;
}

/* Swaps the two 4-byte numbers at the beginning. */
static void swap_numbers(const hd__png_chunk *chunk)
{
    unsigned char first[4];

    if (!chunk || chunk->size < 8)
        return;
    memcpy(first, chunk->data, 4);
    memcpy(chunk->data, chunk->data + 4, 4);
    memcpy(chunk->data + 4, first, 4);
}

/* The chunk has a byte for the unit, then width and height of a pixel as text, separated by a NUL;
   swaps these. */
static void swap_texts(const hd__png_chunk *chunk)
{
    unsigned char *text = chunk ? chunk->data + 1 : NULL, *zero, *made;
    const size_t size = chunk && chunk->size > 1 ? chunk->size - 1 : 0;
    size_t first;

    zero = size ? memchr(text, 0, size) : NULL;
    made = zero ? malloc(size) : NULL;
    if (!made)
        return;
    first = (size_t)(zero - text);
    memcpy(made, zero + 1, size - first - 1);
    made[size - first - 1] = 0;
    memcpy(made + size - first, text, first);
    memcpy(text, made, size);
    free(made);
}

void hd__png_about_transpose(hd__png_about *about)
{
    if (!about)
        return;
    swap_numbers(hd__png_find_chunk(about, "pHYs"));
    swap_numbers(hd__png_find_chunk(about, "oFFs"));
    swap_texts(hd__png_find_chunk(about, "sCAL"));
}

/* Converts the background from a palette index to a colour of three 16-bit numbers. */
static bool colour_background(hd__png_about *about)
{
    const hd__png_chunk *chunk = hd__png_find_chunk(about, "bKGD");
    unsigned char colour[6] = {0};

    if (!chunk)
        return true;
    if (chunk->size == 1 && chunk->data[0] < about->colours) {
        for (size_t i = 0; i < 3; i++)
            colour[2 * i + 1] = about->palette[chunk->data[0]][i];
        drop_chunk(about, "bKGD");
        return hd__png_add_chunk(about, "bKGD", HD__PNG_AFTER_PALETTE, colour, sizeof colour);
    }
    drop_chunk(about, "bKGD");
    return true;
}

bool hd__png_about_without_palette(hd__png_about *about, unsigned channels)
{
    const hd__png_chunk *bits = hd__png_find_chunk(about, "sBIT");
    unsigned char all[4] = {8, 8, 8, 8};
    bool done = colour_background(about);

    drop_chunk(about, "tRNS");
    drop_chunk(about, "hIST");
    if (bits && bits->size == 3 && channels == 4) {
        memcpy(all, bits->data, 3);
        drop_chunk(about, "sBIT");
        done = hd__png_add_chunk(about, "sBIT", HD__PNG_FIRST, all, sizeof all) && done;
    }
    about->colours = 0;
    about->depth = 8;
    return done;
}

void hd__png_about_free(hd__png_about *about)
{
    for (size_t i = 0; about && i < about->chunk_count; i++)
        free(about->chunks[i].data);
    if (about)
        free(about->chunks);
    free(about);
}
