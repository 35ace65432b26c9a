/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One vector of numbers, read from its beginning to its end: a .npy file, a PNG picture, raw
 * binary, or one column of a CSV or TSV file. Plain C11 and POSIX; independent of devices.
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

#include "options.h"

typedef struct hd__source hd__source;

/* Opens a file and reads up to the first number. The caller closes *source_out. */
int hd__source_open(const hd__source_options *options, hd__source **source_out,
                    char message[HD__IO_MESSAGE]);

/* The same for a file in memory, which must outlive the source. The path is its name in
   messages. */
int hd__source_open_memory(const void *data, size_t size, const hd__source_options *options,
                           hd__source **source_out, char message[HD__IO_MESSAGE]);

/* Frees the source; NULL is allowed. */
void hd__source_close(hd__source *source);

/* Reads the next elements, at most max, into buffer; fewer than max only at the end, then 0. After
   an error every call returns the same error until a rewind. */
int hd__source_read(hd__source *source, void *buffer, size_t max, size_t *got_out,
                    char message[HD__IO_MESSAGE]);

/* Returns to the first element. Fails with HD__IO_ERR_FILE if the input is a pipe. */
int hd__source_rewind(hd__source *source, char message[HD__IO_MESSAGE]);

hd__io_format hd__source_format(const hd__source *source);
hd__io_type hd__source_type(const hd__source *source);

/* Total number of elements, or SIZE_MAX if it is only known after reading (CSV, pipes). */
size_t hd__source_count(const hd__source *source);

/* Axes of an npy array or a picture, outermost first as NumPy prints them; NULL and 0 axes for raw
   and CSV. */
const uint64_t *hd__source_shape(const hd__source *source, size_t *axes_out);

/* The shape as text, such as "(3, 4)", "(7,)" or "()"; "" if the count is unknown. */
const char *hd__source_shape_text(const hd__source *source);

/* Whether elements are in Fortran order (the first axis varies fastest). */
bool hd__source_fortran_order(const hd__source *source);

/* The position in the array of the index-th element read, such as "(3, 1)" or "(5,)".
   HD__IO_ERR_ARGUMENT, and text is "", if there is no such element. */
int hd__source_unravel(const hd__source *source, size_t index, char text[HD__IO_INDEX]);

/* PNG: the elements are indices into a palette. */
bool hd__source_has_palette(const hd__source *source);
/* PNG: the file's metadata (png/about.h), which the caller then owns; otherwise NULL. */
struct hd__png_about *hd__source_take_about(hd__source *source);

/* CSV read as f64: number of integers read since the beginning that were rounded. */
size_t hd__source_rounded(const hd__source *source);

/* CSV: the chosen column's name, printable; "" without a header. */
const char *hd__source_column_name(const hd__source *source);

#endif
