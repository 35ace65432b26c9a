/* SPDX-License-Identifier: Apache-2.0 */
/* input.h - the numbers that a subcommand reads: a file's options, and the file as a source whose
   count is known. */
#ifndef HEDDLE_CLI_INPUT_H
#define HEDDLE_CLI_INPUT_H

#include <heddle/data.h>

#include "io/message.h"
#include "io/source.h"
#include "cli/app/arguments.h"
#include "spool.h"

/* The options of a subcommand that reads numbers from a file. */
#define CLI_INPUT_OPTIONS                                                                          \
    {"type", "TYPE", "element type of raw input: u8 u16 u32 u64 i8 i16 i32 i64 f16 f32 f64"},      \
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
    hd__source *source; /* as opened: shape, names, places */
    hd__source *held;   /* the same elements in `spool`, where the count was not known; else NULL */
    cli_spool spool;
    size_t n;
    hd_type type;
    bool flags;                      /* raw numbers that nothing tells the type of are u8 */
    bool misused;                    /* the command line is at fault */
    char message[CLI_INPUT_MESSAGE]; /* why a call failed */
} cli_input;

/* Fills in what CLI_INPUT_OPTIONS say and the path. CLI_DONE, or CLI_MISUSED after its line. */
int cli_input_options(const cli_arguments *arguments, const char *path,
                      hd__source_options *options_out);
/* The type of the elements of a source. */
hd_type cli_io_type(hd__io_type type);

/* Opens the file of input->options; reads it and keeps its elements (spool.h) where only reading
   tells how many they are. 0, or -1 with the message set. cli_input_close undoes it and may follow
   a failure. */
int cli_input_open(cli_input *input);
/* Says on standard error where an open file is not read as it seems to be: indices into a palette,
   integers of a table that are rounded to f64. */
void cli_input_note(const cli_command *command, const cli_input *input);
/* Reads the next `count` elements, all of them. 0, or -1 with the message set. */
int cli_input_read(cli_input *input, void *buffer, size_t count);
void cli_input_close(cli_input *input);

#endif
