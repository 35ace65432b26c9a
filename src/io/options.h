/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - how to read a file of numbers; set before it is opened. */
#ifndef HEDDLE_IO_OPTIONS_H
#define HEDDLE_IO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "type.h"

typedef enum hd__io_format {
    HD__IO_AUTO, /* .npy, .csv, .tsv by suffix; otherwise npy and PNG by their first bytes;
                    otherwise CSV if a column or a delimiter is given; otherwise raw, which
                    the caller may reject. gzip data is an error unless raw is requested */
    HD__IO_NPY,
    HD__IO_RAW,
    HD__IO_CSV,
    HD__IO_PNG /* the file's samples: u16 if they have 16 bits, otherwise u8. Shape: (height,
                  width) for grey and palette indices, otherwise (height, width, 2 to 4) */
} hd__io_format;

typedef enum hd__io_header {
    HD__IO_HEADER_AUTO, /* the first row is a header if the column's cell in it is not a number */
    HD__IO_HEADER_YES,
    HD__IO_HEADER_NO
} hd__io_header;

/* All zero except the path is a good default. Strings are only used by open. */
typedef struct hd__source_options {
    const char *path; /* "-" is standard input (raw and CSV; npy if it is a regular file) */
    hd__io_format format;
    hd__io_type type;   /* raw: any; CSV: f64, or i64 and u64, which are exact; npy and PNG: the
                           file's */
    bool nearest;       /* any type is accepted: CSV is read as the one of its types that holds the
                           values of `type`, npy and PNG as the file's */
    const char *column; /* CSV: a number from 1 on, or a name in the header; NULL: the only column.
                           A number beyond the last column is looked up as a name. */
    char delimiter;     /* CSV: 0 finds ',', tab or ';' in the first row */
    hd__io_header header;
    bool colours;      /* PNG: expand the palette to colours */
    size_t csv_buffer; /* CSV: initial bytes of the buffer, which grows; 0: 256 KiB */
    size_t csv_limit;  /* CSV: longest row in bytes; 0: 1 GiB */
} hd__source_options;

#endif
