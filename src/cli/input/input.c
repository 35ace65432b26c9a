/* SPDX-License-Identifier: Apache-2.0 */
/* input.c - opens a file of numbers; buffers its elements if their number is only known after
   reading. */
#include "input.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "cli/app/progress.h"
#include "cli/app/words.h"

enum { KEPT_ELEMENTS = 1 << 16 }; /* elements per read */

/* ---- options -------------------------------------------------------------------------------- */

static int read_type(const cli_arguments *arguments, hd__source_options *options)
{
    const char *names[HD__IO_F64];
    size_t type;
    int status;

    for (size_t i = 0; i < HD__IO_F64; i++)
        names[i] = hd__io_type_name((hd__io_type)(i + 1));
    status = cli_word_read(arguments, "type", names, HD__IO_F64, HD__IO_F64, &type);
    if (status == CLI_DONE)
        options->type = type == HD__IO_F64 ? HD__IO_DEFAULT : (hd__io_type)(type + 1);
    return status;
}

static int read_format(const cli_arguments *arguments, hd__source_options *options)
{
    static const char *const names[] = {"auto", "npy", "raw", "csv", "png"};
    static const hd__io_format formats[] = {HD__IO_AUTO, HD__IO_NPY, HD__IO_RAW, HD__IO_CSV,
                                            HD__IO_PNG};
    size_t format;
    int status = cli_word_read(arguments, "format", names, 5, 0, &format);

    if (status == CLI_DONE)
        options->format = formats[format];
    return status;
}

static int read_table_options(const cli_arguments *arguments, hd__source_options *options)
{
    const char *delimiter = cli_option_value(arguments, "delimiter");
    int header = cli_option_given(arguments, "header");

    options->column = cli_option_value(arguments, "column");
    if (header && cli_option_given(arguments, "no-header"))
        return cli_misused(arguments->command, "--header and --no-header are mutually exclusive");
    if (header)
        options->header = HD__IO_HEADER_YES;
    if (cli_option_given(arguments, "no-header"))
        options->header = HD__IO_HEADER_NO;
    if (delimiter && (strcmp(delimiter, "tab") == 0 || strcmp(delimiter, "\\t") == 0))
        delimiter = "\t";
    if (delimiter && strlen(delimiter) != 1)
        return cli_misused(arguments->command, "--delimiter: one character or 'tab', not '%s'",
                           delimiter);
    options->delimiter = delimiter ? delimiter[0] : '\0';
    return CLI_DONE;
}

int cli_input_options(const cli_arguments *arguments, const char *path,
                      hd__source_options *options_out)
{
    hd__source_options options;
    int status;

    memset(&options, 0, sizeof options);
    options.path = path;
    options.colours = cli_option_given(arguments, "colours");
    status = read_type(arguments, &options);
    if (status == CLI_DONE)
        status = read_format(arguments, &options);
    if (status == CLI_DONE)
        status = read_table_options(arguments, &options);
    if (status == CLI_DONE)
        *options_out = options;
    return status;
}

/* ---- opening -------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static int failed(cli_input *input, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(input->message, sizeof input->message, format, args);
    va_end(args);
    return -1;
}

/* Reads a source of unknown length to its end. `buffer` has room for KEPT_ELEMENTS. */
static int keep_all(cli_input *input, size_t size, void *buffer)
{
    char message[HD__IO_MESSAGE];
    cli_progress progress;
    size_t count = 0, got = 0;
    int status = 0;

    cli_progress_begin(&progress, "reading", UINT64_MAX);
    do {
        if (hd__source_read(input->source, buffer, KEPT_ELEMENTS, &got, message) < 0)
            status = failed(input, "%s", message);
        else if (cli_spool_add(&input->spool, buffer, got * size) < 0)
            status = failed(input, "%s: cannot keep more than %zu numbers (TMPDIR): %s",
                            input->options.path, count, strerror(errno));
        count += got;
        cli_progress_update(&progress, count * size);
    } while (status == 0 && got > 0);
    cli_progress_end(&progress);
    input->n = count;
    return status;
}

static int keep(cli_input *input)
{
    char message[HD__IO_MESSAGE];
    hd__source_options options;
    const size_t size = hd__io_type_size(hd__source_type(input->source));
    void *buffer = malloc(KEPT_ELEMENTS * size);
    int status = buffer ? 0 : failed(input, "%s: no memory", input->options.path);

    if (cli_spool_begin(&input->spool) < 0 && status == 0)
        status = failed(input, "HEDDLE_SPOOL_MEMORY=%s is not a number of bytes of at least 1",
                        hd__environment("HEDDLE_SPOOL_MEMORY"));
    if (status == 0)
        status = keep_all(input, size, buffer);
    free(buffer);
    if (status == 0 && cli_spool_finish(&input->spool) < 0)
        status = failed(input, "%s: %s", input->options.path, strerror(errno));
    if (status < 0)
        return status;
    memset(&options, 0, sizeof options);
    options.path = *input->spool.path ? input->spool.path : input->options.path;
    options.format = HD__IO_RAW;
    options.type = hd__source_type(input->source);
    status = *input->spool.path ? hd__source_open(&options, &input->held, message)
                                : hd__source_open_memory(input->spool.data, input->n * size,
                                                         &options, &input->held, message);
    return status < 0 ? failed(input, "%s", message) : 0;
}

hd_type cli_io_type(hd__io_type type)
{
    const char *name = hd__io_type_name(type);
    int found = 0;

    while (found < HD_TYPE_COUNT_ && strcmp(hd_type_name((hd_type)found), name) != 0)
        found++;
    return (hd_type)found;
}

/* Raw bytes whose element type neither name, contents nor options determine: any choice would be a
   guess. */
static bool is_unknown(const cli_input *input)
{
    return !input->flags && input->options.format == HD__IO_AUTO &&
           input->options.type == HD__IO_DEFAULT && hd__source_format(input->source) == HD__IO_RAW;
}

int cli_input_open(cli_input *input)
{
    char message[HD__IO_MESSAGE], name[HD__IO_NAME];
    const char *path = input->options.path;

    if (hd__source_open(&input->options, &input->source, message) < 0)
        return failed(input, "%s", message);
    if (is_unknown(input)) {
        input->misused = true;
        hd__io_printable_path(strcmp(path, "-") == 0 ? "standard input" : path, name, sizeof name);
        return failed(input,
                      "%s: cannot tell what this is; give --type TYPE for raw numbers, "
                      "--column for CSV, or --format",
                      name);
    }
    input->type = cli_io_type(hd__source_type(input->source));
    input->n = hd__source_count(input->source);
    return input->n == SIZE_MAX ? keep(input) : 0;
}

void cli_input_note(const cli_command *command, const cli_input *input)
{
    const size_t rounded = hd__source_rounded(input->source);
    char name[HD__IO_NAME];

    hd__io_printable_path(input->options.path, name, sizeof name);
    if (hd__source_has_palette(input->source))
        cli_note(command, "%s: the numbers are indices into its palette; --colours reads colours",
                 name);
    if (rounded)
        cli_note(command, "%s: %zu integer%s rounded to f64; --type i64 or u64 reads them exactly",
                 name, rounded, rounded == 1 ? " is" : "s are");
}

void cli_input_close(cli_input *input)
{
    hd__source_close(input->held);
    hd__source_close(input->source);
    cli_spool_free(&input->spool);
    input->held = input->source = NULL;
}

int cli_input_read(cli_input *input, void *buffer, size_t count)
{
    char message[HD__IO_MESSAGE];
    hd__source *from = input->held ? input->held : input->source;
    size_t size = hd_type_bytes(input->type), done = 0, got;

    while (done < count) {
        unsigned char *to = (unsigned char *)buffer + done * size;

        if (hd__source_read(from, to, count - done, &got, message) < 0)
            return failed(input, "%s", message);
        if (got == 0)
            return failed(input, "%s: ends after fewer numbers than it announced",
                          input->options.path);
        done += got;
    }
    return 0;
}
