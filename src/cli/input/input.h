/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - the numbers that a subcommand reads: a file's options, and the file as a source of
   known length. */
#ifndef HEDDLE_CLI_INPUT_H
#define HEDDLE_CLI_INPUT_H

#include <heddle/data.h>

#include "io/message.h"
#include "io/source.h"
#include "cli/app/arguments.h"
#include "spool.h"

#define CLI_TYPE_NAMES "u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64"
/* The options of a subcommand that reads numbers from a file; type_help: text of --type. */
#define CLI_INPUT_OPTIONS(type_help)                                                               \
    {"type", "TYPE", type_help},                                                                   \
        {"format", "FORMAT", "npy, csv, png or raw (default: from the file)"},                     \
        {"colours", NULL, "use the colours of a PNG palette instead of its indices"},              \
        {"column", "NAME|N", "column of a CSV or TSV file, by name or number (from 1)"},           \
        {"delimiter", "CHAR", "delimiter of a CSV file: , ; tab or any other character"},          \
        {"header", NULL, "treat the first row as column names"},                                   \
    {                                                                                              \
        "no-header", NULL, "treat the first row as data"                                           \
    }

enum { CLI_INPUT_MESSAGE = 512 };

typedef struct cli_input {
    hd__source_options options;
    hd__source *source; /* as opened: shape, names, positions */
    hd__source *held;   /* the same in `spool`, if the length was not known; otherwise NULL */
    cli_spool spool;
    size_t n;
    hd_type type;
    bool flags;                      /* raw numbers of unspecified type are u8 */
    bool misused;                    /* the error is in the command line */
    char message[CLI_INPUT_MESSAGE]; /* message of the last failed call */
} cli_input;

/* Fills in the path and the options of CLI_INPUT_OPTIONS. CLI_DONE, or CLI_MISUSED after a line. */
int cli_input_options(const cli_arguments *arguments, const char *path,
                      hd__source_options *options_out);
/* The type of the elements of a source. */
hd_type cli_io_type(hd__io_type type);

/* Opens the file of input->options; if its length is only known after reading, reads and buffers
   its elements (spool.h). 0, or -1 with the message set. Call cli_input_close in either case. */
int cli_input_open(cli_input *input);
/* Prints a note if a file's numbers are not what they may seem: palette indices, or integers of a
   table rounded to f64. */
void cli_input_note(const cli_command *command, const cli_input *input);
/* Reads exactly the next `count` elements. 0, or -1 with the message set. */
int cli_input_read(cli_input *input, void *buffer, size_t count);
void cli_input_close(cli_input *input);

#endif
