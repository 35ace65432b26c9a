/* SPDX-License-Identifier: Apache-2.0 */
/* png.c - PNG files through libpng's simplified interface. */
#include "png.h"

#include "message.h"
#include "../base/replace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if HEDDLE_HAVE_PNG
#include <png.h>

static unsigned format_of(unsigned channels)
{
    static const unsigned formats[] = {0, PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                       PNG_FORMAT_RGBA};
    return formats[channels];
}

/* libpng says "Read Error" of a file and "read beyond end of data" of memory, whatever is wrong. */
static int refuse(const png_image *image, const char *name, bool is_png,
                  char message[HD__IO_MESSAGE])
{
    const bool ended = strcmp(image->message, "Read Error") == 0 ||
                       strcmp(image->message, "read beyond end of data") == 0;

    return hd__io_fail(message, HD__IO_ERR_CONTENT, name, "%s",
                       !is_png ? "is no PNG picture"
                       : ended ? "the picture is cut short"
                               : image->message);
}

/* Reads the pixels of an image whose header was read. */
static int finish(png_image *image, const char *name, unsigned channels, hd__png *picture_out,
                  char message[HD__IO_MESSAGE])
{
    hd__png made = {0};
    made.width = image->width;
    made.height = image->height;
    made.channels = channels ? channels
                             : (image->format & PNG_FORMAT_FLAG_COLOR ? 3u : 1u) +
                                   (image->format & PNG_FORMAT_FLAG_ALPHA ? 1u : 0u);
    made.narrowed = (image->format & PNG_FORMAT_FLAG_LINEAR) != 0;
    image->format = format_of(made.channels);
    made.pixels = malloc(made.width * made.height * made.channels);
    if (!made.pixels) {
        png_image_free(image);
        return hd__io_fail(message, HD__IO_ERR_MEMORY, name, "no memory for %zu x %zu pixels",
                           made.width, made.height);
    }
    if (!png_image_finish_read(image, NULL, made.pixels, 0, NULL)) {
        free(made.pixels);
        return refuse(image, name, true, message);
    }
    *picture_out = made;
    return 0;
}

int hd__png_read(const char *path, unsigned channels, hd__png *picture_out,
                 char message[HD__IO_MESSAGE])
{
    unsigned char first[8];
    char name[HD__IO_NAME];
    png_image image;
    size_t got;
    FILE *stream = fopen(path, "rb");

    hd__io_printable_path(path, name, sizeof name);
    if (!stream)
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s", strerror(errno));
    got = fread(first, 1, sizeof first, stream);
    if (ferror(stream)) {
        const int why = errno;
        fclose(stream);
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s", strerror(why));
    }
    fclose(stream);
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!hd__png_is_magic(first, got) || !png_image_begin_read_from_file(&image, path))
        return refuse(&image, name, hd__png_is_magic(first, got), message);
    return finish(&image, name, channels, picture_out, message);
}

int hd__png_read_memory(const void *data, size_t size, const char *name, unsigned channels,
                        hd__png *picture_out, char message[HD__IO_MESSAGE])
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_memory(&image, data, size))
        return refuse(&image, name, hd__png_is_magic(data, size), message);
    return finish(&image, name, channels, picture_out, message);
}

static int write_picture(FILE *stream, void *state)
{
    const hd__png *picture = state;
    png_image image;

    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)picture->width;
    image.height = (png_uint_32)picture->height;
    image.format = format_of(picture->channels);
    return png_image_write_to_stdio(&image, stream, 0, picture->pixels, 0, NULL) ? 0 : -1;
}

int hd__png_write(const char *path, const hd__png *picture, char message[HD__IO_MESSAGE])
{
    hd__png written = *picture;
    char name[HD__IO_NAME];

    hd__io_printable_path(path, name, sizeof name);
    if (hd__replace_file(path, write_picture, &written) != 0)
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s",
                           errno ? strerror(errno) : "the picture cannot be written");
    return 0;
}

#else

int hd__png_read(const char *path, unsigned channels, hd__png *picture_out,
                 char message[HD__IO_MESSAGE])
{
    (void)channels;
    (void)picture_out;
    return hd__io_fail(message, HD__IO_ERR_FILE, path,
                       "this heddle was built without libpng (Debian: libpng-dev)");
}

int hd__png_read_memory(const void *data, size_t size, const char *name, unsigned channels,
                        hd__png *picture_out, char message[HD__IO_MESSAGE])
{
    (void)data;
    (void)size;
    return hd__png_read(name, channels, picture_out, message);
}

int hd__png_write(const char *path, const hd__png *picture, char message[HD__IO_MESSAGE])
{
    (void)picture;
    return hd__io_fail(message, HD__IO_ERR_FILE, path,
                       "this heddle was built without libpng (Debian: libpng-dev)");
}

#endif

bool hd__png_is_magic(const unsigned char *bytes, size_t size)
{
    static const unsigned char magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

void hd__png_free(hd__png *picture)
{
    free(picture->pixels);
    picture->pixels = NULL;
}
