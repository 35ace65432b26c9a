/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One column of a CSV or TSV file, parsed while it is read.
 *
 * Quoting follows RFC 4180: a cell that begins with a double quote ends at the next double quote
 * that is not doubled, and may hold delimiters and line ends; elsewhere a quote is an ordinary
 * character. Lines end with LF or CR LF. Spaces and tabs around an unquoted cell do not count.
 * Every row must have as many cells as the first, and empty lines may only stand at the end:
 * either would otherwise silently move a number into another column, or to another index.
 */
#ifndef HEDDLE_IO_CSV_CSV_H
#define HEDDLE_IO_CSV_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/bytes.h"
#include "io/options.h"

typedef struct hd__csv {
    hd__bytes *bytes;
    hd__io_type type; /* f64, i64 or u64 */
    char *buffer;     /* capacity + 1 bytes: a cell at the very end is terminated by a NUL */
    size_t capacity;
    size_t limit;   /* maximum capacity */
    size_t begin;   /* begin of the next record in buffer */
    size_t end;     /* end of the bytes read */
    bool ended;     /* the file has no more bytes */
    uint64_t line;  /* line number of the next record, from 1 on */
    uint64_t blank; /* line number of the first empty line since the last record, or 0 */
    char delimiter; /* 0 until the first row has determined it: then any of the three counts */
    size_t cells;   /* cells in every row; 0 if the file is empty */
    size_t column;  /* index of the chosen column */
    bool header;
    size_t rounded;                /* f64: number of integers read that were rounded */
    char column_name[HD__IO_CELL]; /* printable, for messages; "" without a header */
} hd__csv;

/* Reads the first row and determines the delimiter, the header and the column. */
int hd__csv_open(hd__bytes *bytes, const hd__source_options *options, hd__csv *csv_out,
                 char *message);
void hd__csv_close(hd__csv *csv);

/* Reads the column's cells of the next rows, at most max, 8 bytes each. */
int hd__csv_read(hd__csv *csv, void *buffer, size_t max, size_t *got_out, char *message);

/* Returns to the first row of numbers. */
int hd__csv_rewind(hd__csv *csv, char *message);

#endif
