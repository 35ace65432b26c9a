/* SPDX-License-Identifier: Apache-2.0 */
/* array.c - the whole input of a subcommand in host memory, and arrays written to files. */
#include "array.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/array_write.h"
#include "io/png/png.h"
#include "io/suffix.h"
#include "generate.h"
#include "cli/app/words.h"

enum { ARRAY_ALIGNMENT = 64 };

static int type_kind(hd_type type)
{
    return type == HD_F16 || type == HD_F32 || type == HD_F64 ? GENERATE_FLOAT
           : hd_type_name(type)[0] == 'i'                     ? GENERATE_SIGNED
                                                              : GENERATE_UNSIGNED;
}

static void *make_elements(size_t n, hd_type type)
{
    size_t bytes = hd_bytes(n, hd_type_bytes(type));

    if (bytes > SIZE_MAX - ARRAY_ALIGNMENT)
        return NULL;
    return aligned_alloc(ARRAY_ALIGNMENT, (bytes / ARRAY_ALIGNMENT + 1) * ARRAY_ALIGNMENT);
}

static int no_memory(const cli_arguments *arguments, size_t n, hd_type type)
{
    return cli_failed(arguments->command, "%zu numbers of type %s do not fit in memory", n,
                      hd_type_name(type));
}

/* ---- conversion ----------------------------------------------------------------------------- */

/* An element of any type: an integer with its sign apart, or a float. */
typedef struct any_value {
    bool real, negative;
    uint64_t magnitude;
    double f64;
} any_value;

static any_value get_value(hd_type type, const unsigned char *from)
{
    any_value v = {false, false, 0, 0.0};
    size_t size = hd_type_bytes(type);
    float f32;

    memcpy(&v.magnitude, from, size);
    v.real = type_kind(type) == GENERATE_FLOAT;
    if (type_kind(type) == GENERATE_SIGNED && v.magnitude >> (8 * size - 1)) {
        v.negative = true;
        v.magnitude = (0 - v.magnitude) & (UINT64_MAX >> (64 - 8 * size));
    }
    if (type == HD_F16) {
        v.f64 = (double)hd_f16_to_f32(hd_f16_from_bits((uint16_t)v.magnitude));
    } else if (type == HD_F32) {
        memcpy(&f32, from, sizeof f32);
        v.f64 = (double)f32;
    } else if (type == HD_F64) {
        memcpy(&v.f64, from, sizeof v.f64);
    }
    return v;
}

/* As a float, rounded once: integers of 64 bits do not pass through f64 to f32. */
static void put_real(hd_type type, any_value v, unsigned char *to)
{
    const double value = v.real ? v.f64 : v.negative ? -(double)v.magnitude : (double)v.magnitude;
    const float f32 = v.real ? (float)v.f64 : v.negative ? -(float)v.magnitude : (float)v.magnitude;
    const uint16_t f16 = hd_f16_bits(hd_f16_from_f64(value)); /* integers that f16 has are exact */

    memcpy(to,
           type == HD_F64   ? (const void *)&value
           : type == HD_F32 ? (const void *)&f32
                            : (const void *)&f16,
           hd_type_bytes(type));
}

/* Whether a float is the value that was rounded to it. */
static bool is_same(any_value v, double rounded)
{
    if (v.real)
        return !(v.f64 < rounded) && !(v.f64 > rounded);
    return fabs(rounded) < 0x1p64 && (uint64_t)fabs(rounded) == v.magnitude;
}

/* A float that is an integer of at most 64 bits becomes that integer. */
static bool to_integer(any_value *v)
{
    double magnitude = fabs(v->f64);

    if (!v->real)
        return true;
    if (!(magnitude < 0x1p64) || magnitude != floor(magnitude))
        return false;
    v->magnitude = (uint64_t)magnitude;
    v->negative = v->f64 < 0;
    return true;
}

/* False where an integer type does not hold the value. */
static bool put_value(hd_type type, any_value v, unsigned char *to)
{
    unsigned bits = 8 * (unsigned)hd_type_bytes(type);
    bool is_signed = type_kind(type) == GENERATE_SIGNED;
    uint64_t largest = UINT64_MAX >> (64 - bits + is_signed), low;

    if (type_kind(type) == GENERATE_FLOAT) {
        put_real(type, v, to);
        return true;
    }
    if (!to_integer(&v) || v.magnitude > largest + (v.negative ? 1 : 0) ||
        (v.negative && !is_signed && v.magnitude))
        return false;
    low = v.negative ? 0 - v.magnitude : v.magnitude;
    memcpy(to, &low, bits / 8);
    return true;
}

/* Bits of the integers that a float has all of; the whole width of an integer type. */
static unsigned whole_bits(hd_type type)
{
    return type == HD_F16   ? 11
           : type == HD_F32 ? 24
           : type == HD_F64 ? 53
                            : 8 * (unsigned)hd_type_bytes(type);
}

/* Whether `to` holds every value of `from`. */
static bool holds(hd_type to, hd_type from)
{
    if (type_kind(from) == GENERATE_FLOAT || type_kind(to) == type_kind(from))
        return type_kind(to) == type_kind(from) && hd_type_bytes(to) >= hd_type_bytes(from);
    return type_kind(to) != GENERATE_UNSIGNED && whole_bits(to) > whole_bits(from);
}

/* Numbers are not changed in silence, whether their type was asked for or not. */
static void note_rounding(const cli_arguments *arguments, const cli_array *array, hd_type to,
                          size_t rounded)
{
    if (rounded)
        cli_note(arguments->command, "%s: %zu of %zu numbers are rounded from %s to %s",
                 array->from, rounded, array->n, hd_type_name(array->type), hd_type_name(to));
}

/* Makes the array one of type `to`. */
static int convert(const cli_arguments *arguments, cli_array *array, hd_type to)
{
    size_t from_bytes = hd_type_bytes(array->type), to_bytes = hd_type_bytes(to);
    const bool rounds = type_kind(to) == GENERATE_FLOAT && !holds(to, array->type);
    const unsigned char *from = array->data;
    size_t rounded = 0;
    unsigned char *made;

    if (array->type == to)
        return CLI_DONE;
    made = make_elements(array->n, to);
    if (!made)
        return no_memory(arguments, array->n, to);
    for (size_t i = 0; i < array->n; i++) {
        any_value v = get_value(array->type, from + i * from_bytes);
        bool fits = put_value(to, v, made + i * to_bytes);

        if (rounds)
            rounded += !is_same(v, get_value(to, made + i * to_bytes).f64);
        if (fits)
            continue;
        free(made);
        if (v.real)
            return cli_failed(arguments->command, "%s: element %zu is no %s: %.17g", array->from, i,
                              hd_type_name(to), v.f64);
        return cli_failed(arguments->command, "%s: element %zu is no %s: %s%" PRIu64, array->from,
                          i, hd_type_name(to), v.negative ? "-" : "", v.magnitude);
    }
    note_rounding(arguments, array, to, rounded);
    free(array->data);
    array->data = made;
    array->type = to;
    return CLI_DONE;
}

/* Makes the array one of u8: 1 for what is not 0. */
static int to_flags(const cli_arguments *arguments, cli_array *array)
{
    const size_t size = hd_type_bytes(array->type);
    const unsigned char *from = array->data;
    uint8_t *made = make_elements(array->n, HD_U8);

    if (!made)
        return no_memory(arguments, array->n, HD_U8);
    for (size_t i = 0; i < array->n; i++) {
        const any_value v = get_value(array->type, from + i * size);

        made[i] = v.real ? !(v.f64 == 0) : v.magnitude != 0;
    }
    free(array->data);
    array->data = made;
    array->type = HD_U8;
    return CLI_DONE;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Elements come with the first axis varying fastest and go with the last. */
static void to_rows(const cli_array *array, const unsigned char *from, unsigned char *to)
{
    size_t size = hd_type_bytes(array->type), strides[HD__IO_MAX_AXES], at = 0;
    uint64_t place[HD__IO_MAX_AXES] = {0};

    for (size_t axis = array->axes, stride = 1; axis-- > 0; stride *= array->shape[axis])
        strides[axis] = stride;
    for (size_t i = 0; i < array->n; i++) {
        memcpy(to + at * size, from + i * size, size);
        for (size_t axis = 0; axis < array->axes; axis++) {
            at += strides[axis];
            if (++place[axis] < array->shape[axis])
                break;
            at -= strides[axis] * array->shape[axis];
            place[axis] = 0;
        }
    }
}

static int read_elements(const cli_arguments *arguments, cli_input *input, cli_array *array)
{
    unsigned char *rows;

    array->data = make_elements(array->n, array->type);
    if (!array->data)
        return no_memory(arguments, array->n, array->type);
    if (cli_input_read(input, array->data, array->n) < 0)
        return cli_failed(arguments->command, "%s", input->message);
    if (array->axes < 2 || !hd__source_fortran_order(input->source))
        return CLI_DONE;
    rows = make_elements(array->n, array->type);
    if (!rows)
        return no_memory(arguments, array->n, array->type);
    to_rows(array, array->data, rows);
    free(array->data);
    array->data = rows;
    return CLI_DONE;
}

static void take_shape(const cli_input *input, cli_array *array)
{
    const uint64_t *shape = hd__source_shape(input->source, &array->axes);

    if (array->axes > 0) {
        memcpy(array->shape, shape, array->axes * sizeof *shape);
    } else if (!shape) {
        array->axes = 1;
        array->shape[0] = array->n;
    }
}

static int refuse_type(const cli_arguments *arguments, const char *what, hd_type type,
                       unsigned types)
{
    char names[128] = "";

    for (int i = 0; i < HD_TYPE_COUNT_; i++)
        if (types & CLI_TYPE_BIT(i))
            snprintf(names + strlen(names), sizeof names - strlen(names), " %s",
                     hd_type_name((hd_type)i));
    return cli_misused(arguments->command, "%s: elements of type %s; --type is one of%s", what,
                       hd_type_name(type), names);
}

/* The type of `types` that is nearest to `type`: itself, or the narrowest that holds its values,
   rather an integer than a float; `type` where there is none. */
static hd_type widened(hd_type type, unsigned types)
{
    hd_type best = type;

    for (int i = 0; i < HD_TYPE_COUNT_; i++) {
        const hd_type to = (hd_type)i;
        const bool narrower = best == type || hd_type_bytes(to) < hd_type_bytes(best) ||
                              (hd_type_bytes(to) == hd_type_bytes(best) &&
                               type_kind(best) == GENERATE_FLOAT);

        if (types & CLI_TYPE_BIT(i) && holds(to, type) && narrower)
            best = to;
    }
    return types & CLI_TYPE_BIT(type) ? type : best;
}

/* The type that the array is to have. */
static hd_type wanted_type(const cli_arguments *arguments, const cli_input *input, unsigned types,
                           hd_type fallback)
{
    hd_type wanted = input->type;

    if (hd__source_format(input->source) == HD__IO_CSV && !(types & CLI_TYPE_BIT(wanted)))
        wanted = fallback;
    cli_type_read(arguments, wanted, &wanted);
    return widened(wanted, types);
}

static hd__io_type file_type(hd_type type)
{
    hd__io_type io = HD__IO_U8;

    while (cli_io_type(io) != type)
        io = (hd__io_type)(io + 1);
    return io;
}

/* Reads a file whose options are in input->options. */
static int read_file(const cli_arguments *arguments, cli_input *input, unsigned types,
                     hd_type fallback, const hd_type *as, cli_array *array)
{
    hd_type wanted;
    int status;

    input->options.nearest = true;
    hd__io_printable_path(input->options.path, array->from, HD__IO_NAME);
    array->path = input->options.path;
    if (cli_input_open(input) < 0) {
        status = input->misused ? cli_misused(arguments->command, "%s", input->message)
                                : cli_failed(arguments->command, "%s", input->message);
    } else {
        cli_input_note(arguments->command, input);
        array->n = input->n;
        array->type = input->type;
        take_shape(input, array);
        wanted = as             ? *as
                 : input->flags ? input->type
                                : wanted_type(arguments, input, types, fallback);
        status = types & CLI_TYPE_BIT(wanted) ? read_elements(arguments, input, array)
                                              : refuse_type(arguments, array->from, wanted, types);
        if (status == CLI_DONE)
            status = input->flags ? to_flags(arguments, array) : convert(arguments, array, wanted);
        if (status == CLI_DONE && !input->flags && array->type == input->type)
            array->about = hd__source_take_about(input->source);
    }
    cli_input_close(input);
    return status;
}

/* ---- generated ------------------------------------------------------------------------------ */

void cli_generate(void *to, size_t n, hd_type type, int pattern, uint64_t seed)
{
    unsigned size = (unsigned)hd_type_bytes(type);
    int kind = type_kind(type);
    unsigned char *at = to;

    for (size_t i = 0; i < n; i++, at += size) {
        uint64_t bits = generate_element(kind, size, pattern, n, seed, i);

        memcpy(at, &bits, size);
    }
}

static int generate(const cli_arguments *arguments, unsigned types, hd_type fallback,
                    cli_array *array)
{
    static const char *const patterns[] = {
#define PATTERN_NAME_(name, text) text,
        GENERATE_LIST(PATTERN_NAME_)
#undef PATTERN_NAME_
    };
    uint64_t n, seed;
    size_t pattern;
    int status = cli_type_read(arguments, fallback, &array->type);

    if (status == CLI_DONE)
        status = cli_word_read(arguments, "pattern", patterns, GENERATE_COUNT, 0, &pattern);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "n", 0, 0, SIZE_MAX / 32, &n);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "seed", 1, 0, UINT64_MAX, &seed);
    if (status != CLI_DONE)
        return status;
    if (!(types & CLI_TYPE_BIT(array->type)))
        return refuse_type(arguments, "--n", array->type, types);
    array->n = (size_t)n;
    array->axes = 1;
    array->shape[0] = n;
    snprintf(array->from, sizeof array->from, "%s (seed %" PRIu64 ")", patterns[pattern], seed);
    array->data = make_elements(array->n, array->type);
    if (!array->data)
        return no_memory(arguments, array->n, array->type);
    cli_generate(array->data, array->n, array->type, (int)pattern, seed);
    return CLI_DONE;
}

/* ---- the calls ------------------------------------------------------------------------------ */

int cli_array_input(const cli_arguments *arguments, const char *path, unsigned types,
                    hd_type fallback, cli_array *array_out)
{
    const cli_command *command = arguments->command;
    int status, generated = cli_option_given(arguments, "n");
    cli_input input;

    memset(array_out, 0, sizeof *array_out);
    if (path && generated)
        return cli_misused(command, "a file and --n exclude each other");
    if (!path && !generated)
        return cli_misused(command, "give a file, or --n N for generated numbers");
    if (path && (cli_option_given(arguments, "pattern") || cli_option_given(arguments, "seed")))
        return cli_misused(command, "--pattern and --seed are for generated numbers (--n)");
    if (!path)
        return generate(arguments, types, fallback, array_out);
    memset(&input, 0, sizeof input);
    status = cli_input_options(arguments, path, &input.options);
    return status == CLI_DONE ? read_file(arguments, &input, types, fallback, NULL, array_out)
                              : status;
}

/* What the command line says of a further file, whose numbers are of type `type`. */
static int further_file(const cli_arguments *arguments, const char *path, const char *column,
                        hd__io_type type, cli_input *input)
{
    int status;

    memset(input, 0, sizeof *input);
    status = cli_input_options(arguments, path, &input->options);
    if (status != CLI_DONE)
        return status;
    if (!column)
        input->options = (hd__source_options){.path = path, .format = input->options.format};
    input->options.column = column;
    input->options.type = type;
    return CLI_DONE;
}

int cli_array_more(const cli_arguments *arguments, const char *path, const char *column,
                   hd_type type, cli_array *array_out)
{
    cli_input input;
    int status = further_file(arguments, path, column, file_type(type), &input);

    memset(array_out, 0, sizeof *array_out);
    if (status != CLI_DONE)
        return status;
    return read_file(arguments, &input, CLI_TYPES_ALL, type, &type, array_out);
}

int cli_array_flags(const cli_arguments *arguments, const char *path, const char *column,
                    cli_array *array_out)
{
    cli_input input;
    int status = further_file(arguments, path, column, HD__IO_DEFAULT, &input);

    memset(array_out, 0, sizeof *array_out);
    if (status != CLI_DONE)
        return status;
    input.flags = true;
    return read_file(arguments, &input, CLI_TYPES_ALL, HD_U8, NULL, array_out);
}

void cli_array_free(cli_array *array)
{
    free(array->data);
    hd__png_about_free(array->about);
    array->data = NULL;
    array->about = NULL;
}

static int write_picture(const cli_arguments *arguments, const char *path,
                         const hd__png_about *about, hd_type type, const void *data, size_t axes,
                         const uint64_t *shape)
{
    char message[HD__IO_MESSAGE];
    hd__png picture;

    if ((type != HD_U8 && type != HD_U16) || axes < 2 || axes > 3 ||
        (axes == 3 && (shape[2] < 1 || shape[2] > 4)))
        return cli_misused(arguments->command,
                           "--out: a picture has rows of u8 or u16, alone or in twos to fours; "
                           "write other arrays to a .npy file");
    picture.height = (size_t)shape[0];
    picture.width = (size_t)shape[1];
    picture.channels = axes == 3 ? (unsigned)shape[2] : 1;
    picture.depth = about ? about->depth : 8 * (unsigned)hd_type_bytes(type);
    picture.samples = (void *)(uintptr_t)data;         /* which are only read, */
    picture.about = (hd__png_about *)(uintptr_t)about; /* as is this */
    if (hd__png_write(path, &picture, message) != 0)
        return cli_failed(arguments->command, "%s", message);
    return CLI_DONE;
}

int cli_array_output_about(const cli_arguments *arguments, const hd__png_about *about, hd_type type,
                           const void *data, size_t axes, const uint64_t *shape)
{
    const char *path = cli_option_value(arguments, "out");
    char message[HD__IO_MESSAGE];
    int status;

    if (!path)
        return CLI_DONE;
    if (hd__io_ends_with(path, ".png"))
        return write_picture(arguments, path, about, type, data, axes, shape);
    status = hd__array_write(path, file_type(type), axes, shape, data, message);
    if (status == HD__IO_ERR_ARGUMENT)
        return cli_misused(arguments->command, "--out: %s", message);
    if (status < 0)
        return cli_failed(arguments->command, "%s", message);
    return CLI_DONE;
}

int cli_array_output(const cli_arguments *arguments, hd_type type, const void *data, size_t axes,
                     const uint64_t *shape)
{
    return cli_array_output_about(arguments, NULL, type, data, axes, shape);
}
