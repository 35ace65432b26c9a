/* SPDX-License-Identifier: Apache-2.0 */
/* A file of numbers in any format, read as one vector from its beginning to its end. */
#include "source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "csv/csv.h"
#include "message.h"
#include "npy.h"
#include "png/png.h"
#include "suffix.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the readers hand over bytes as files hold them, which is little-endian"
#endif

struct hd__source {
    hd__bytes bytes;
    hd__io_format format;
    hd__io_type type;
    size_t count; /* SIZE_MAX if unknown */
    size_t done;  /* elements read so far */
    hd__npy npy;  /* also for a picture: type, axes, shape, count */
    hd__csv csv;
    hd__png png;
    char shape[HD__IO_INDEX];
    int failed; /* the status that every read returns until a rewind */
    char failure[HD__IO_MESSAGE];
};

/* Compressed bytes are neither an array nor text; they are read as numbers only if raw is
   requested. */
static int hd__source_check_packed(const hd__source *source, const hd__source_options *options,
                                   const unsigned char *first, size_t size, char *message)
{
    bool asked = source->format == HD__IO_RAW && options->type != HD__IO_DEFAULT;

    if (asked || size < 2 || first[0] != 0x1f || first[1] != 0x8b)
        return 0;
    return hd__io_fail(message, HD__IO_ERR_CONTENT, source->bytes.name,
                       "is compressed by gzip; unpack it first");
}

/* Determines the format if the options leave it open. Reading an archive of arrays as raw bytes
   would give meaningless numbers. */
static int hd__source_detect(hd__source *source, const hd__source_options *options, char *message)
{
    unsigned char first[8];
    size_t got;
    int status;

    source->format = options->format;
    if (source->format == HD__IO_RAW)
        return 0;
    if (source->format == HD__IO_AUTO && hd__io_ends_with(options->path, ".npz"))
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, source->bytes.name,
                           "is an archive of arrays; extract the .npy file you mean");
    status = hd__bytes_peek(&source->bytes, first, sizeof first, &got, message);
    if (status != 0)
        return status;
    if (source->format != HD__IO_AUTO)
        return hd__source_check_packed(source, options, first, got, message);
    if (hd__io_ends_with(options->path, ".npy") || hd__npy_is_magic(first, got))
        source->format = HD__IO_NPY;
    else if (hd__png_is_magic(first, got))
        source->format = HD__IO_PNG;
    else if (hd__io_ends_with(options->path, ".csv") || hd__io_ends_with(options->path, ".tsv") ||
             options->column != NULL || options->delimiter != 0)
        source->format = HD__IO_CSV;
    else
        source->format = HD__IO_RAW;
    return hd__source_check_packed(source, options, first, got, message);
}

/* Options that do not apply to the format are errors, not ignored. */
static int hd__source_check(const hd__source *source, const hd__source_options *options,
                            char *message)
{
    if (options->colours && source->format != HD__IO_PNG)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, source->bytes.name,
                           "only PNG files have a palette whose colours can be read");
    if (source->format == HD__IO_CSV)
        return 0;
    if (options->column != NULL)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, source->bytes.name,
                           "only CSV files have columns to choose");
    if (options->delimiter != 0 || options->header != HD__IO_HEADER_AUTO)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, source->bytes.name,
                           "only CSV files have a delimiter and a header row");
    return 0;
}

/* Writes "(a, b)" for numbers in the order of the axes, "(a,)" for one. */
static void hd__source_tuple(const uint64_t *numbers, size_t axes, char text[HD__IO_INDEX])
{
    size_t used = 1, i;

    memcpy(text, "(", 2);
    for (i = 0; i < axes; i++)
        used += (size_t)snprintf(text + used, HD__IO_INDEX - used, "%" PRIu64 "%s", numbers[i],
                                 axes == 1      ? ","
                                 : i + 1 < axes ? ", "
                                                : "");
    memcpy(text + used, ")", 2);
}

/* Sets the source's fields from source->npy. */
static int hd__source_open_array(hd__source *source, const hd__source_options *options,
                                 char *message)
{
    source->type = source->npy.type;
    if (options->type != HD__IO_DEFAULT && !options->nearest && options->type != source->type)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, source->bytes.name,
                           "the file holds %s, not %s", hd__io_type_name(source->type),
                           hd__io_type_name(options->type));
    if (source->npy.count >= SIZE_MAX)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, source->bytes.name,
                           "too many elements for this machine");
    source->count = (size_t)source->npy.count;
    hd__source_tuple(source->npy.shape, source->npy.axes, source->shape);
    return 0;
}

static int hd__source_open_npy(hd__source *source, const hd__source_options *options, char *message)
{
    int status = hd__npy_open(&source->bytes, &source->npy, message);

    return status == 0 ? hd__source_open_array(source, options, message) : status;
}

/* The picture's samples replace the file's bytes. */
static int hd__source_open_png(hd__source *source, const hd__source_options *options, char *message)
{
    hd__png *picture = &source->png;
    int status = hd__png_read_bytes(&source->bytes, picture, message);

    if (status == 0 && options->colours)
        status = hd__png_to_colours(picture, source->bytes.name, message);
    if (status != 0)
        return status;
    source->npy.type = picture->depth == 16 ? HD__IO_U16 : HD__IO_U8;
    source->npy.axes = picture->channels == 1 ? 2 : 3;
    source->npy.shape[0] = picture->height;
    source->npy.shape[1] = picture->width;
    source->npy.shape[2] = picture->channels;
    source->npy.count = picture->height * picture->width * picture->channels;
    hd__bytes_close(&source->bytes);
    hd__bytes_open_memory(picture->samples,
                          (size_t)source->npy.count * hd__io_type_size(source->npy.type),
                          options->path, &source->bytes);
    return hd__source_open_array(source, options, message);
}

static int hd__source_open_raw(hd__source *source, const hd__source_options *options, char *message)
{
    uint64_t size = source->bytes.size, count;
    size_t element;

    source->type = options->type != HD__IO_DEFAULT ? options->type : HD__IO_U8;
    source->count = SIZE_MAX;
    if (size == HD__BYTES_UNKNOWN)
        return 0;
    element = hd__io_type_size(source->type);
    if (size % element != 0)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, source->bytes.name,
                           "%" PRIu64 " bytes are not a whole number of %s (%zu bytes each)", size,
                           hd__io_type_name(source->type), element);
    count = size / element;
    if (count >= SIZE_MAX)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, source->bytes.name,
                           "too many elements for this machine");
    source->count = (size_t)count;
    hd__source_tuple(&count, 1, source->shape);
    return 0;
}

/* The CSV type that holds every value of another type; for floats f64. */
static hd__io_type hd__source_nearest(hd__io_type type)
{
    if (type == HD__IO_DEFAULT || type >= HD__IO_F16)
        return type == HD__IO_DEFAULT ? type : HD__IO_F64;
    return type >= HD__IO_I8 ? HD__IO_I64 : HD__IO_U64;
}

static int hd__source_open_csv(hd__source *source, const hd__source_options *options, char *message)
{
    hd__source_options chosen = *options;
    int status;

    if (chosen.delimiter == 0 && hd__io_ends_with(options->path, ".tsv"))
        chosen.delimiter = '\t';
    if (options->nearest)
        chosen.type = hd__source_nearest(options->type);
    source->count = SIZE_MAX;
    status = hd__csv_open(&source->bytes, &chosen, &source->csv, message);
    if (status == 0)
        source->type = source->csv.type;
    return status;
}

/* Opens the data in source->bytes, and takes ownership of it. */
static int hd__source_begin(hd__source *source, const hd__source_options *options,
                            hd__source **source_out, char *message)
{
    int status = hd__source_detect(source, options, message);

    if (status == 0)
        status = hd__source_check(source, options, message);
    if (status == 0 && source->format == HD__IO_NPY)
        status = hd__source_open_npy(source, options, message);
    else if (status == 0 && source->format == HD__IO_PNG)
        status = hd__source_open_png(source, options, message);
    else if (status == 0 && source->format == HD__IO_RAW)
        status = hd__source_open_raw(source, options, message);
    else if (status == 0)
        status = hd__source_open_csv(source, options, message);
    if (status != 0) {
        hd__source_close(source);
        return status;
    }
    *source_out = source;
    return 0;
}

int hd__source_open(const hd__source_options *options, hd__source **source_out,
                    char message[HD__IO_MESSAGE])
{
    hd__source *source = calloc(1, sizeof *source);
    int status;

    if (source == NULL)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, "reading", "out of memory");
    status = hd__bytes_open(options->path, &source->bytes, message);
    if (status != 0) {
        free(source);
        return status;
    }
    return hd__source_begin(source, options, source_out, message);
}

int hd__source_open_memory(const void *data, size_t size, const hd__source_options *options,
                           hd__source **source_out, char message[HD__IO_MESSAGE])
{
    hd__source *source = calloc(1, sizeof *source);

    if (source == NULL)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, "reading", "out of memory");
    hd__bytes_open_memory(data, size, options->path, &source->bytes);
    return hd__source_begin(source, options, source_out, message);
}

void hd__source_close(hd__source *source)
{
    if (source == NULL)
        return;
    hd__csv_close(&source->csv);
    hd__bytes_close(&source->bytes);
    hd__png_free(&source->png);
    free(source);
}

/* Reads elements that have the same layout in the file as in memory. */
static int hd__source_read_bytes(hd__source *source, void *buffer, size_t max, size_t *got_out,
                                 char *message)
{
    size_t element = hd__io_type_size(source->type);
    bool known = source->count != SIZE_MAX;
    size_t ask = known && source->count - source->done < max ? source->count - source->done : max;
    size_t got;
    int status;

    if (ask > SIZE_MAX / element)
        ask = SIZE_MAX / element;
    status = hd__bytes_read(&source->bytes, buffer, ask * element, &got, message);
    if (status != 0)
        return status;
    if (known && got < ask * element)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, source->bytes.name,
                           "became shorter while it was read");
    if (got % element != 0)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, source->bytes.name,
                           "ends within an element: %" PRIu64
                           " bytes are not a whole number of %s (%zu bytes each)",
                           source->bytes.position, hd__io_type_name(source->type), element);
    *got_out = got / element;
    return 0;
}

int hd__source_read(hd__source *source, void *buffer, size_t max, size_t *got_out,
                    char message[HD__IO_MESSAGE])
{
    size_t got = 0;

    if (source->failed == 0) {
        if (source->format == HD__IO_CSV)
            source->failed = hd__csv_read(&source->csv, buffer, max, &got, source->failure);
        else
            source->failed = hd__source_read_bytes(source, buffer, max, &got, source->failure);
    }
    if (source->failed != 0) {
        memcpy(message, source->failure, HD__IO_MESSAGE);
        return source->failed;
    }
    source->done += got;
    *got_out = got;
    return 0;
}

int hd__source_rewind(hd__source *source, char message[HD__IO_MESSAGE])
{
    int status;

    if (source->format == HD__IO_CSV)
        status = hd__csv_rewind(&source->csv, message);
    else
        status = hd__bytes_seek(&source->bytes, source->npy.data, message);
    if (status != 0)
        return status;
    source->done = 0;
    source->failed = 0;
    return 0;
}

hd__io_format hd__source_format(const hd__source *source)
{
    return source->format;
}

hd__io_type hd__source_type(const hd__source *source)
{
    return source->type;
}

size_t hd__source_count(const hd__source *source)
{
    return source->count;
}

static bool hd__source_is_array(const hd__source *source)
{
    return source->format == HD__IO_NPY || source->format == HD__IO_PNG;
}

const uint64_t *hd__source_shape(const hd__source *source, size_t *axes_out)
{
    *axes_out = source->npy.axes;
    return hd__source_is_array(source) ? source->npy.shape : NULL;
}

const char *hd__source_shape_text(const hd__source *source)
{
    return source->shape;
}

bool hd__source_fortran_order(const hd__source *source)
{
    return source->npy.fortran_order;
}

int hd__source_unravel(const hd__source *source, size_t index, char text[HD__IO_INDEX])
{
    size_t axes = source->npy.axes, i;
    uint64_t place[HD__IO_MAX_AXES], rest = index;

    if (index >= (source->count != SIZE_MAX ? source->count : source->done)) {
        text[0] = '\0';
        return HD__IO_ERR_ARGUMENT;
    }
    if (!hd__source_is_array(source)) {
        hd__source_tuple(&rest, 1, text);
        return 0;
    }
    for (i = 0; i < axes; i++) {
        size_t axis = source->npy.fortran_order ? i : axes - 1 - i;
        place[axis] = rest % source->npy.shape[axis];
        rest /= source->npy.shape[axis];
    }
    hd__source_tuple(place, axes, text);
    return 0;
}

bool hd__source_has_palette(const hd__source *source)
{
    return source->png.about != NULL && source->png.about->colours > 0;
}

hd__png_about *hd__source_take_about(hd__source *source)
{
    hd__png_about *about = source->png.about;

    source->png.about = NULL;
    return about;
}

size_t hd__source_rounded(const hd__source *source)
{
    return source->csv.rounded;
}

const char *hd__source_column_name(const hd__source *source)
{
    return source->csv.column_name;
}
