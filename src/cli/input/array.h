/* SPDX-License-Identifier: Apache-2.0 */
/* array.h - the input of a subcommand in host memory, from a file or generated, and arrays written
   to files. */
#ifndef HEDDLE_CLI_INPUT_ARRAY_H
#define HEDDLE_CLI_INPUT_ARRAY_H

#include "io/png/about.h"
#include "input.h"

/* After the types: `narrower` are those of raw files only. */
#define CLI_WIDENED(narrower) "; for raw files also " narrower ", which are widened"
#define CLI_FLOATS_WIDENED "f32 or f64" CLI_WIDENED("u8 u16 u32 i8 i16 i32 f16")
/* The options of a subcommand that takes a file or generated numbers: operand "[FILE]". types:
   names of the element types that it supports. */
#define CLI_ARRAY_OPTIONS(types)                                                                   \
    CLI_INPUT_OPTIONS(                                                                             \
        "element type of raw and generated input; other files are converted to it: " types),       \
        {"n", "N", "generate N elements of --type instead of reading FILE"},                       \
        {"pattern", "NAME", "generated input: uniform constant sorted reverse zipf alternating"},  \
    {                                                                                              \
        "seed", "S", "seed of the generated input (default 1)"                                     \
    }
#define CLI_OUT_OPTION                                                                             \
    {                                                                                              \
        "out", "FILE", "write the result; the format follows the suffix: .npy, .csv, .tsv or .png" \
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
    char from[CLI_ARRAY_FROM]; /* "a.npy" or "uniform (seed 1)", printable */
    const char *path;          /* path of the file as given; NULL: generated */
    hd__png_about *about; /* metadata of a picture whose samples are unchanged; otherwise NULL */
} cli_array;

/* The array requested by the operand `path` (NULL: not given) or --n. `types` has a CLI_TYPE_BIT
   for every type that the subcommand supports; `fallback` is the type of generated numbers without
   --type. A file's numbers are converted to --type: integers must convert exactly; floats are
   rounded once, and a note says how many were. An unsupported type is widened to the narrowest
   supported one that holds every value: bytes can always be read. A CSV column without --type is
   f64, or `fallback` if f64 is not among `types`. Arrays in Fortran order are rearranged, row by
   row. CLI_DONE, or another exit status after a line. Call cli_array_free in either case; it
   accepts a zeroed array. */
int cli_array_input(const cli_arguments *arguments, const char *path, unsigned types,
                    hd_type fallback, cli_array *array_out);
/* An additional array: the numbers of a file, converted to `type`, which is also the type of raw
   numbers. `column`: of a table to which --delimiter and --header apply; NULL: another kind of
   file. */
int cli_array_more(const cli_arguments *arguments, const char *path, const char *column,
                   hd_type type, cli_array *array_out);
/* The same for flags, numbers of any type: converted to u8, 1 for each number that is not 0. Raw
   flags are u8. */
int cli_array_flags(const cli_arguments *arguments, const char *path, const char *column,
                    cli_array *array_out);
void cli_array_free(cli_array *array);

/* n elements of a pattern of kernels/generate.h in host memory. */
void cli_generate(void *to, size_t n, hd_type type, int pattern, uint64_t seed);

/* Writes an array, row by row, to the file of --out; does nothing without --out. A name that ends
   with .png writes a picture from u8 or u16 of a picture's shape, .csv or .tsv a table. CLI_DONE,
   or another exit status after a line. */
int cli_array_output(const cli_arguments *arguments, hd_type type, const void *data, size_t axes,
                     const uint64_t *shape);
/* The same for samples with metadata of a PNG file; NULL: none. */
int cli_array_output_about(const cli_arguments *arguments, const hd__png_about *about, hd_type type,
                           const void *data, size_t axes, const uint64_t *shape);

#endif
