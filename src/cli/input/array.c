/* SPDX-License-Identifier: Apache-2.0 */
/* array.c - reads the input of a subcommand into host memory, and writes arrays to files. */
#include "array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/array_write.h"
#include "io/png/png.h"
#include "io/suffix.h"
#include "convert.h"
#include "generate.h"
#include "cli/app/words.h"

/* ---- files ---------------------------------------------------------------------------------- */

/* Converts from Fortran order (first axis fastest) to row order. */
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

    array->data = cli_elements(array->n, array->type);
    if (!array->data)
        return cli_array_no_memory(arguments, array->n, array->type);
    if (cli_input_read(input, array->data, array->n) < 0)
        return cli_failed(arguments->command, "%s", input->message);
    if (array->axes < 2 || !hd__source_fortran_order(input->source))
        return CLI_DONE;
    rows = cli_elements(array->n, array->type);
    if (!rows)
        return cli_array_no_memory(arguments, array->n, array->type);
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

/* The best type of `types` for data of type `type`: `type` itself, or the narrowest that holds its
   values, preferring integers; `type` if there is none. */
static hd_type widened(hd_type type, unsigned types)
{
    hd_type best = type;

    for (int i = 0; i < HD_TYPE_COUNT_; i++) {
        const hd_type to = (hd_type)i;
        const bool narrower = best == type || hd_type_bytes(to) < hd_type_bytes(best) ||
                              (hd_type_bytes(to) == hd_type_bytes(best) &&
                               cli_type_kind(best) == GENERATE_FLOAT);

        if (types & CLI_TYPE_BIT(i) && cli_type_holds(to, type) && narrower)
            best = to;
    }
    return types & CLI_TYPE_BIT(type) ? type : best;
}

/* The type to which the array is converted. */
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
            status = input->flags ? cli_array_to_flags(arguments, array)
                                  : cli_array_convert(arguments, array, wanted);
        if (status == CLI_DONE && !input->flags && array->type == input->type)
            array->about = hd__source_take_about(input->source);
    }
    cli_input_close(input);
    return status;
}

/* ---- generated arrays ------------------------------------------------------------------------ */

void cli_generate(void *to, size_t n, hd_type type, int pattern, uint64_t seed)
{
    unsigned size = (unsigned)hd_type_bytes(type);
    int kind = cli_type_kind(type);
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
    array->data = cli_elements(array->n, array->type);
    if (!array->data)
        return cli_array_no_memory(arguments, array->n, array->type);
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
        return cli_misused(command, "a file and --n are mutually exclusive");
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

/* The options that apply to an additional file, with numbers of type `type`. */
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

/* ---- writing -------------------------------------------------------------------------------- */

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
    picture.samples = (void *)(uintptr_t)data;         /* only read */
    picture.about = (hd__png_about *)(uintptr_t)about; /* also only read */
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
