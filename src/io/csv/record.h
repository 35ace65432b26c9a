/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - rows and cells of a CSV or TSV file, and the buffer that holds them. */
#ifndef HEDDLE_IO_CSV_RECORD_H
#define HEDDLE_IO_CSV_RECORD_H

#include "csv.h"

/* A record is a row: one line, or several if a quoted cell contains line ends. It is valid until
   the next one is read. */
typedef struct hd__csv_record {
    char *text;
    size_t length; /* without the line end */
    size_t begin;  /* offset of text in the buffer */
    uint64_t line;
} hd__csv_record;

typedef struct hd__csv_cell {
    char *text;
    size_t length;
    bool quoted; /* text is between the quotes; two quotes in it mean one */
} hd__csv_cell;

/* Whether c is the delimiter; while that is unknown, one of the three. */
bool hd__csv_is_delimiter(const hd__csv *csv, char c);
/* Reads more bytes; moves the current record to the front of the buffer. */
int hd__csv_fill(hd__csv *csv, char *message);
/* Reads the next row; *have_out is false at the end. Empty lines are an error unless only empty
   lines follow. */
int hd__csv_next(hd__csv *csv, hd__csv_record *record_out, bool *have_out, char *message);
/* Makes the record the next one again. */
void hd__csv_put_back(hd__csv *csv, const hd__csv_record *record);
/* Returns the cell at *at and advances *at to the next one. */
hd__csv_cell hd__csv_cell_at(const hd__csv *csv, const hd__csv_record *record, size_t *at);
/* Counts the record's cells and returns the column-th; if there is none, the output is
   unchanged. */
size_t hd__csv_split(const hd__csv *csv, const hd__csv_record *record, size_t column,
                     hd__csv_cell *cell_out);

#endif
