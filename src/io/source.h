/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One vector of numbers, read from its beginning to its end: a .npy file, a PNG picture, raw
 * binary, or one column of a CSV or TSV file. Plain C11 and POSIX; nothing here knows of devices.
 *
 * Every call that can fail returns 0 or a negative HD__IO_ERR_*, and then writes one line without a
 * newline into the caller's message: file name, for CSV line and column, and what is wrong. File
 * names and cells in it are shortened, and their control characters are escaped. Outputs are set
 * only on success.
 *
 * A source belongs to one thread at a time. Data is little-endian, in files and in memory.
 */
#ifndef HEDDLE_IO_SOURCE_H
#define HEDDLE_IO_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD__IO_MESSAGE 256 /* bytes of a message, its end included */
#define HD__IO_INDEX 1408  /* bytes of a shape or an index as text: 64 axes of 20 digits */
#define HD__IO_MAX_AXES 64

enum {
    HD__IO_ERR_ARGUMENT = -1, /* the options contradict each other or the file */
    HD__IO_ERR_FILE = -2,     /* it cannot be opened or read */
    HD__IO_ERR_CONTENT = -3,  /* what it holds is damaged or not supported */
    HD__IO_ERR_MEMORY = -4
};

typedef enum hd__io_type {
    HD__IO_DEFAULT, /* raw: u8, CSV: f64, npy: what the header says */
    HD__IO_U8,
    HD__IO_U16,
    HD__IO_U32,
    HD__IO_U64,
    HD__IO_I8,
    HD__IO_I16,
    HD__IO_I32,
    HD__IO_I64,
    HD__IO_F16,
    HD__IO_F32,
    HD__IO_F64
} hd__io_type;

typedef enum hd__io_format {
    HD__IO_AUTO, /* .npy, .csv, .tsv by name; else npy and PNG by their first bytes; else CSV when a
                    column or a delimiter is asked for; else raw, which the caller may refuse. Bytes
                    that gzip packed are refused unless raw numbers are asked for */
    HD__IO_NPY,
    HD__IO_RAW,
    HD__IO_CSV,
    HD__IO_PNG /* the file's samples: u16 where they have 16 bits, otherwise u8. Shape: (height,
                  width) of grey and of indices into a palette, else (height, width, 2 to 4) */
} hd__io_format;

typedef enum hd__io_header {
    HD__IO_HEADER_AUTO, /* the first row is a header when the column's cell in it is no number */
    HD__IO_HEADER_YES,
    HD__IO_HEADER_NO
} hd__io_header;

/* All zero but the path is a good default. Strings are read by open only. */
typedef struct hd__source_options {
    const char *path; /* "-" is standard input (raw and CSV; npy when it is a regular file) */
    hd__io_format format;
    hd__io_type type;   /* raw: any; CSV: f64, or i64 and u64, which are exact; npy: the file's;
                           PNG: as the file has it */
    bool nearest;       /* any type will do: CSV is read as the one of its types that holds `type`'s
                           values, npy and PNG as the file's */
    const char *column; /* CSV: a number from 1 on, else a name in the header; NULL: the only one.
                           Digits beyond the last column are looked up as a name. */
    char delimiter;     /* CSV: 0 finds ',', tab or ';' in the first row */
    hd__io_header header;
    bool colours;      /* PNG: the colours of a palette instead of indices into it */
    size_t csv_buffer; /* CSV: bytes of the first buffer, which grows; 0: 256 KiB */
    size_t csv_limit;  /* CSV: longest row in bytes; 0: 1 GiB */
} hd__source_options;

typedef struct hd__source hd__source;

/* Opens a file and reads what comes before the first number. The caller closes *source_out. */
int hd__source_open(const hd__source_options *options, hd__source **source_out,
                    char message[HD__IO_MESSAGE]);

/* The same for a file that lies in memory, which must outlive the source. The path names it. */
int hd__source_open_memory(const void *data, size_t size, const hd__source_options *options,
                           hd__source **source_out, char message[HD__IO_MESSAGE]);

/* Frees the source; NULL is allowed. */
void hd__source_close(hd__source *source);

/* Reads the next elements, at most max, into buffer; fewer than max only at the end, and 0 from
   there on. After an error the same error comes again until a rewind. */
int hd__source_read(hd__source *source, void *buffer, size_t max, size_t *got_out,
                    char message[HD__IO_MESSAGE]);

/* Starts again at the first element. Fails with HD__IO_ERR_FILE where the input is a pipe. */
int hd__source_rewind(hd__source *source, char message[HD__IO_MESSAGE]);

hd__io_format hd__source_format(const hd__source *source);
hd__io_type hd__source_type(const hd__source *source);

/* Elements in all, or SIZE_MAX where only reading tells (CSV, pipes). */
size_t hd__source_count(const hd__source *source);

/* Axes of an npy array or a picture, outermost first as NumPy prints them; NULL and 0 axes for raw
   and CSV. */
const uint64_t *hd__source_shape(const hd__source *source, size_t *axes_out);

/* The shape as text, like "(3, 4)", "(7,)" or "()"; "" where the count is unknown. */
const char *hd__source_shape_text(const hd__source *source);

/* True when elements are read with the first axis varying fastest. */
bool hd__source_fortran_order(const hd__source *source);

/* Where the index-th element read stands in the array, as text like "(3, 1)" or "(5,)".
   Returns HD__IO_ERR_ARGUMENT, and sets text to "", when there is no such element. */
int hd__source_unravel(const hd__source *source, size_t index, char text[HD__IO_INDEX]);

/* PNG: the elements are indices into a palette. */
bool hd__source_has_palette(const hd__source *source);
/* PNG: what the file says of its samples (png_about.h), which is the caller's from now on; else
   NULL. */
struct hd__png_about *hd__source_take_about(hd__source *source);

/* CSV read as f64: integers that it does not hold, among the numbers read since the beginning. */
size_t hd__source_rounded(const hd__source *source);

/* CSV: the chosen column's name as printed in messages; "" without a header. */
const char *hd__source_column_name(const hd__source *source);

size_t hd__io_type_size(hd__io_type type);
const char *hd__io_type_name(hd__io_type type);

#endif
