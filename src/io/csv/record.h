/* SPDX-License-Identifier: Apache-2.0 */
/* record.h - rows and cells of a CSV or TSV file, and the buffer that they lie in. */
#ifndef HEDDLE_IO_CSV_RECORD_H
#define HEDDLE_IO_CSV_RECORD_H

#include "csv.h"

/* A record is a row: one line, or several when a quoted cell holds line ends. It lies in the buffer
   until the next one is asked for. */
typedef struct hd__csv_record {
    char *text;
    size_t length; /* without the line end */
    size_t begin;  /* of text in the buffer */
    uint64_t line;
} hd__csv_record;

typedef struct hd__csv_cell {
    char *text;
    size_t length;
    bool quoted; /* text stands between the quotes; two quotes in it mean one */
} hd__csv_cell;

/* One of the three while the delimiter is not known. */
bool hd__csv_is_delimiter(const hd__csv *csv, char c);
/* Reads more bytes behind the current record, which moves to the front of the buffer. */
int hd__csv_fill(hd__csv *csv, char *message);
/* The next row; *have_out is false at the end. Empty lines are refused unless only such follow. */
int hd__csv_next(hd__csv *csv, hd__csv_record *record_out, bool *have_out, char *message);
/* The record is the next one again. */
void hd__csv_put_back(hd__csv *csv, const hd__csv_record *record);
/* The cell at *at, which moves on to the next one. */
hd__csv_cell hd__csv_cell_at(const hd__csv *csv, const hd__csv_record *record, size_t *at);
/* Counts the record's cells and finds the column-th, which stays as it is when there is none. */
size_t hd__csv_split(const hd__csv *csv, const hd__csv_record *record, size_t column,
                     hd__csv_cell *cell_out);

#endif
