/* SPDX-License-Identifier: Apache-2.0 */
/* png.c - PNG files through libpng, which only decompresses and compresses samples: chunks about
   colour are kept as bytes. */
#include "png.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/replace.h"
#include "io/message.h"

#if HEDDLE_HAVE_PNG
#include <png.h>

/* State of libpng's callbacks; errors longjmp to png_jmpbuf. */
typedef struct codec {
    png_structp png;
    png_infop info;
    const unsigned char *data; /* the file, when reading */
    size_t size, at;
    hd__png picture;
    int status;
    char why[128];
} codec;

static void on_error(png_structp png, png_const_charp text)
{
    codec *c = png_get_error_ptr(png);

    if (!c->status)
        c->status = HD__IO_ERR_CONTENT;
    (void)snprintf(c->why, sizeof c->why, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void out_of_memory(codec *c)
{
    c->status = HD__IO_ERR_MEMORY;
    png_error(c->png, "out of memory");
}

static unsigned bytes_of_sample(const hd__png *picture)
{
    return picture->depth == 16 ? 2 : 1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static const char cut_short[] = "the picture is cut short";

static void take_bytes(png_structp png, png_bytep to, size_t count)
{
    codec *c = png_get_io_ptr(png);

    if (count > c->size - c->at)
        png_error(png, cut_short);
    memcpy(to, c->data + c->at, count);
    c->at += count;
}

/* Damaged chunks are errors, whatever their type; all except critical ones are kept
   uninterpreted. */
static void begin_reading(codec *c)
{
    static const png_byte transparency[5] = "tRNS";

    png_set_read_fn(c->png, c, take_bytes);
    png_set_crc_action(c->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_user_limits(c->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_cache_max(c->png, 0);
    png_set_chunk_malloc_max(c->png, 0);
    png_set_keep_unknown_chunks(c->png, PNG_HANDLE_CHUNK_ALWAYS, NULL, -1);
    png_set_keep_unknown_chunks(c->png, PNG_HANDLE_CHUNK_ALWAYS, transparency, 1);
    png_read_info(c->png, c->info);
}

static void take_header(codec *c)
{
    c->picture.width = png_get_image_width(c->png, c->info);
    c->picture.height = png_get_image_height(c->png, c->info);
    c->picture.channels = png_get_channels(c->png, c->info);
    c->picture.depth = png_get_bit_depth(c->png, c->info);
}

/* Allocates memory for all samples, with *stride_out bytes per row. A byte of a file can expand to
   at most 1032 bytes (RFC 1951: 258 for two bits), so larger sizes in a header are rejected. */
static void make_samples(codec *c, size_t *stride_out)
{
    enum { EXPANSION = 1032 };
    const hd__png *p = &c->picture;
    const size_t packed = (p->width * p->channels * p->depth + 7) / 8;
    size_t in_file, bytes;

    *stride_out = p->width * p->channels * bytes_of_sample(p);
    if (__builtin_mul_overflow(packed, p->height, &in_file) || in_file / EXPANSION > c->size)
        png_error(c->png, cut_short);
    if (__builtin_mul_overflow(*stride_out, p->height, &bytes) ||
        !(c->picture.samples = calloc(bytes, 1)))
        out_of_memory(c);
}

static void read_samples(codec *c)
{
    const uint16_t one = 1;
    size_t stride;
    int passes;

    make_samples(c, &stride);
    png_set_packing(c->png);
    if (c->picture.depth == 16 && *(const unsigned char *)&one == 1)
        png_set_swap(c->png);
    passes = png_set_interlace_handling(c->png);
    png_read_update_info(c->png, c->info);
    if (png_get_rowbytes(c->png, c->info) != stride)
        png_error(c->png, "rows of an unexpected size");
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < c->picture.height; y++)
            png_read_row(c->png, (png_bytep)c->picture.samples + y * stride, NULL);
    png_read_end(c->png, c->info);
}

static void take_palette(codec *c)
{
    hd__png_about *about = c->picture.about;
    png_colorp colours;
    int count = 0;

    if (png_get_color_type(c->png, c->info) != PNG_COLOR_TYPE_PALETTE ||
        !png_get_PLTE(c->png, c->info, &colours, &count))
        return;
    about->colours = (unsigned)count;
    for (int i = 0; i < count; i++) {
        about->palette[i][0] = colours[i].red;
        about->palette[i][1] = colours[i].green;
        about->palette[i][2] = colours[i].blue;
    }
}

static void take_about(codec *c)
{
    png_unknown_chunkp chunks;
    const int count = png_get_unknown_chunks(c->png, c->info, &chunks);

    c->picture.about = calloc(1, sizeof *c->picture.about);
    if (!c->picture.about)
        out_of_memory(c);
    c->picture.about->depth = c->picture.depth;
    take_palette(c);
    for (int i = 0; i < count; i++) {
        const hd__png_place place = chunks[i].location & PNG_AFTER_IDAT  ? HD__PNG_LAST
                                    : chunks[i].location & PNG_HAVE_PLTE ? HD__PNG_AFTER_PALETTE
                                                                         : HD__PNG_FIRST;

        if (hd__png_is_kept((const char *)chunks[i].name) &&
            !hd__png_add_chunk(c->picture.about, (const char *)chunks[i].name, place,
                               chunks[i].data, chunks[i].size))
            out_of_memory(c);
    }
}

/* 0, or a status with c->why. */
static int decode(codec *c)
{
    c->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, c, on_error, on_warning);
    c->info = c->png ? png_create_info_struct(c->png) : NULL;
    if (!c->info) {
        (void)snprintf(c->why, sizeof c->why, "out of memory");
        c->status = HD__IO_ERR_MEMORY;
    } else if (setjmp(png_jmpbuf(c->png)) == 0) {
        begin_reading(c);
        take_header(c);
        read_samples(c);
        take_about(c);
    }
    png_destroy_read_struct(&c->png, &c->info, NULL);
    if (c->status)
        hd__png_free(&c->picture);
    return c->status;
}

static int read_memory(const unsigned char *data, size_t size, const char *name,
                       hd__png *picture_out, char message[HD__IO_MESSAGE])
{
    codec c = {.data = data, .size = size};

    if (!hd__png_is_magic(data, size))
        return hd__io_fail(message, HD__IO_ERR_CONTENT, name, "not a PNG file");
    if (decode(&c) != 0)
        return hd__io_fail(message, c.status, name, "%s", c.why);
    *picture_out = c.picture;
    return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void set_header(codec *c)
{
    static const int types[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
    const hd__png *p = &c->picture;
    const bool palette = p->about && p->about->colours;
    png_color colours[HD__PNG_COLOURS];

    if (p->width < 1 || p->height < 1 || p->width > PNG_UINT_31_MAX || p->height > PNG_UINT_31_MAX)
        png_error(c->png, "a PNG file has 1 to 2147483647 rows and columns");
    png_set_IHDR(c->png, c->info, (png_uint_32)p->width, (png_uint_32)p->height, (int)p->depth,
                 palette ? PNG_COLOR_TYPE_PALETTE : types[p->channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    for (unsigned i = 0; palette && i < p->about->colours; i++)
        colours[i] = (png_color){p->about->palette[i][0], p->about->palette[i][1],
                                 p->about->palette[i][2]};
    if (palette)
        png_set_PLTE(c->png, c->info, colours, (int)p->about->colours);
}

static void set_chunks(codec *c)
{
    static const png_byte places[] = {PNG_HAVE_IHDR, PNG_HAVE_PLTE, PNG_AFTER_IDAT};
    const hd__png_about *about = c->picture.about;

    png_set_keep_unknown_chunks(c->png, PNG_HANDLE_CHUNK_ALWAYS, NULL, 0);
    for (size_t i = 0; about && i < about->chunk_count; i++) {
        const hd__png_chunk *chunk = &about->chunks[i];
        png_unknown_chunk raw = {
            .data = chunk->data, .size = chunk->size, .location = places[chunk->place]};

        memcpy(raw.name, chunk->name, sizeof raw.name);
        png_set_unknown_chunks(c->png, c->info, &raw, 1);
    }
}

static void write_samples(codec *c)
{
    const hd__png *p = &c->picture;
    const size_t stride = p->width * p->channels * bytes_of_sample(p);
    const uint16_t one = 1;

    png_set_packing(c->png);
    if (p->depth == 16 && *(const unsigned char *)&one == 1)
        png_set_swap(c->png);
    for (size_t y = 0; y < p->height; y++)
        png_write_row(c->png, (png_const_bytep)p->samples + y * stride);
    png_write_end(c->png, c->info);
}

static int write_picture(FILE *stream, void *state)
{
    codec *c = state;

    c->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, c, on_error, on_warning);
    c->info = c->png ? png_create_info_struct(c->png) : NULL;
    if (!c->info) {
        c->status = HD__IO_ERR_MEMORY;
        errno = ENOMEM;
    } else if (setjmp(png_jmpbuf(c->png)) == 0) {
        png_init_io(c->png, stream);
        png_set_user_limits(c->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_set_check_for_invalid_index(c->png, 0); /* as it was read */
        set_header(c);
        set_chunks(c);
        png_write_info(c->png, c->info);
        write_samples(c);
    }
    png_destroy_write_struct(&c->png, &c->info);
    return c->status ? -1 : 0;
}

int hd__png_write(const char *path, const hd__png *picture, char message[HD__IO_MESSAGE])
{
    codec c = {.picture = *picture};
    char name[HD__IO_NAME];

    hd__io_printable_path(path, name, sizeof name);
    if (hd__replace_file(path, write_picture, &c) != 0)
        return hd__io_fail(message, HD__IO_ERR_FILE, name, "%s",
                           errno    ? strerror(errno)
                           : *c.why ? c.why
                                    : "write error");
    return 0;
}

#else

static const char without[] = "this heddle was built without libpng (Debian: libpng-dev)";

static int read_memory(const unsigned char *data, size_t size, const char *name,
                       hd__png *picture_out, char message[HD__IO_MESSAGE])
{
    (void)data;
    (void)size;
    (void)picture_out;
    return hd__io_fail(message, HD__IO_ERR_FILE, name, without);
}

int hd__png_write(const char *path, const hd__png *picture, char message[HD__IO_MESSAGE])
{
    (void)picture;
    return hd__io_fail(message, HD__IO_ERR_FILE, path, without);
}

#endif

bool hd__png_is_magic(const unsigned char *bytes, size_t size)
{
    static const unsigned char magic[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

int hd__png_read_bytes(hd__bytes *bytes, hd__png *picture_out, char message[HD__IO_MESSAGE])
{
    const uint64_t size = bytes->size;
    unsigned char *file;
    size_t got = 0;
    int status;

    if (size == HD__BYTES_UNKNOWN)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, bytes->name,
                           "a picture is read from a file, not from a pipe");
    file = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
    if (!file)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, bytes->name, "out of memory");
    status = hd__bytes_read(bytes, file, (size_t)size, &got, message);
    if (status == 0)
        status = read_memory(file, got, bytes->name, picture_out, message);
    free(file);
    return status;
}

int hd__png_read(const char *path, hd__png *picture_out, char message[HD__IO_MESSAGE])
{
    hd__bytes bytes;
    int status = hd__bytes_open(path, &bytes, message);

    if (status != 0)
        return status;
    status = hd__png_read_bytes(&bytes, picture_out, message);
    hd__bytes_close(&bytes);
    return status;
}

int hd__png_to_colours(hd__png *picture, const char *name, char message[HD__IO_MESSAGE])
{
    hd__png_about *about = picture->about;
    const hd__png_chunk *alpha = about && about->colours ? hd__png_find_chunk(about, "tRNS") : NULL;
    const unsigned channels = alpha ? 4 : 3;
    const size_t pixels = picture->width * picture->height;
    const unsigned char *index = picture->samples;
    unsigned char *made;

    if (!about || !about->colours)
        return 0;
    made = pixels <= SIZE_MAX / 4 ? malloc(pixels * channels) : NULL;
    if (!made)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, name, "out of memory");
    for (size_t i = 0; i < pixels; i++) {
        if (index[i] >= about->colours) {
            free(made);
            return hd__io_fail(message, HD__IO_ERR_CONTENT, name,
                               "pixel (%zu, %zu) has index %d, but the palette has %u colours",
                               i % picture->width, i / picture->width, index[i], about->colours);
        }
        memcpy(made + i * channels, about->palette[index[i]], 3);
        if (alpha)
            made[4 * i + 3] = index[i] < alpha->size ? alpha->data[index[i]] : 255;
    }
    free(picture->samples);
    picture->samples = made;
    picture->channels = channels;
    picture->depth = 8;
    if (!hd__png_about_without_palette(about, channels))
        return hd__io_fail(message, HD__IO_ERR_MEMORY, name, "out of memory");
    return 0;
}

void hd__png_free(hd__png *picture)
{
    free(picture->samples);
    hd__png_about_free(picture->about);
    picture->samples = NULL;
    picture->about = NULL;
}
