/* SPDX-License-Identifier: Apache-2.0 */
/* array.h - the whole input of a subcommand in host memory, from a file or generated, and arrays
   written to files. */
#ifndef HEDDLE_CLI_INPUT_ARRAY_H
#define HEDDLE_CLI_INPUT_ARRAY_H

#include "io/png/about.h"
#include "input.h"

/* The options of a subcommand that takes a file or generated numbers: operand "[FILE]". */
#define CLI_ARRAY_OPTIONS                                                                          \
    CLI_INPUT_OPTIONS, {"n", "N", "generate N elements of --type instead of reading FILE"},        \
        {"pattern", "NAME", "generated input: uniform constant sorted reverse zipf alternating"},  \
    {                                                                                              \
        "seed", "S", "seed of the generated input (default 1)"                                     \
    }
#define CLI_OUT_OPTION                                                                             \
    {                                                                                              \
        "out", "FILE.npy", "write the result as .npy, .csv, .tsv or .png"                          \
    }

enum { CLI_ARRAY_FROM = 160 };
#define CLI_TYPE_BIT(type) (1u << (type))
#define CLI_TYPES_ALL (((1u << HD_TYPE_COUNT_) - 1) & ~(1u << HD_BF16))

typedef struct cli_array {
    hd_type type;
    size_t n;
    void *data; /* n elements of host memory, row by row; 64-byte aligned */
    size_t axes;
    uint64_t shape[HD__IO_MAX_AXES];
    char from[CLI_ARRAY_FROM]; /* "a.npy" or "uniform (seed 1)", fit to print */
    const char *path;          /* of the file, as it was given; NULL: generated */
    hd__png_about *about;      /* of a picture whose samples are as the file has them; else NULL */
} cli_array;

/* The array that the operand `path` (NULL: none was given) or --n asks for. `types` has a
   CLI_TYPE_BIT for every type that the subcommand takes; `fallback` is that of generated numbers
   without --type. A file's numbers are converted to --type: integers exactly or the value is
   refused; floats are rounded, once, and a note says how many. A type that the subcommand does
   not take is widened to the narrowest that it takes and that holds every value: bytes can
   always be read. A CSV column without --type is f64, or `fallback` where f64 is none of
   `types`. Arrays in Fortran order are laid out anew, row by row. CLI_DONE, or another exit
   status after a line. The caller calls cli_array_free, which takes a zeroed array too. */
int cli_array_input(const cli_arguments *arguments, const char *path, unsigned types,
                    hd_type fallback, cli_array *array_out);
/* A further array of the same command line: the numbers of a file as `type`, which is that of raw
   ones too. `column` is that of a table to which --delimiter and --header apply; NULL: the file is
   of its own kind. */
int cli_array_more(const cli_arguments *arguments, const char *path, const char *column,
                   hd_type type, cli_array *array_out);
/* The same for flags, numbers of any type: u8, 1 for each number but 0. Raw ones are u8. */
int cli_array_flags(const cli_arguments *arguments, const char *path, const char *column,
                    cli_array *array_out);
void cli_array_free(cli_array *array);

/* n elements of a pattern of kernels/generate.h in host memory. */
void cli_generate(void *to, size_t n, hd_type type, int pattern, uint64_t seed);

/* Writes an array, row by row, to the file that --out names; nothing without --out. A name that
   ends with .png makes a picture of u8 or u16 in the shape of one, with .csv or .tsv a table.
   CLI_DONE, or another exit status after a line. */
int cli_array_output(const cli_arguments *arguments, hd_type type, const void *data, size_t axes,
                     const uint64_t *shape);
/* The same of samples about which a PNG file said something; NULL: nothing. */
int cli_array_output_about(const cli_arguments *arguments, const hd__png_about *about, hd_type type,
                           const void *data, size_t axes, const uint64_t *shape);

#endif
