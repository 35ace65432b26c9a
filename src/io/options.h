/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - what a caller says of a file of numbers before it is opened. */
#ifndef HEDDLE_IO_OPTIONS_H
#define HEDDLE_IO_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "type.h"

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

#endif
