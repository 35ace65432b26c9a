/* SPDX-License-Identifier: Apache-2.0 */
/* table.h - a result as text, JSON or CSV from one description: fields, and tables of rows whose
   columns have a key, a heading, a width, digits and a unit.

   JSON is one object: version, command, backend, device, warp, then fields and lists in the order
   in which they are written. CSV is the first table, or of a result without tables one row of its
   fields. Text has the tables' headings and rows; the sentences around them are the command's own.
   docs/output.md documents names, types and units. */
#ifndef HEDDLE_CLI_APP_TABLE_H
#define HEDDLE_CLI_APP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arguments.h"
#include "devices.h"
#include "output.h"

/* ---- cells ----------------------------------------------------------------------------------- */

typedef enum cli_cell_kind {
    CLI_CELL_NONE,   /* "-" in text, null in JSON, empty in CSV */
    CLI_CELL_TEXT,   /* in quotes in JSON */
    CLI_CELL_DIGITS, /* a number as text, with all digits; "nan", "inf", "-inf" */
    CLI_CELL_COUNT,  /* an unsigned integer */
    CLI_CELL_NUMBER,
    CLI_CELL_FLAG, /* true or false */
    CLI_CELL_LIST, /* numbers separated by commas; an array in JSON */
    CLI_CELL_WORDS /* words separated by commas; an array of strings in JSON */
} cli_cell_kind;

/* A value of a field or row. Strings must stay valid until it is written. */
typedef struct cli_cell {
    cli_cell_kind kind;
    double number;
    uint64_t count;
    const char *text;
    const char *shown; /* printed in text instead of the value; NULL: the value */
} cli_cell;

cli_cell cell_none(void);
cli_cell cell_text(const char *text);
cli_cell cell_digits(const char *digits);
cli_cell cell_count(uint64_t count);
cli_cell cell_number(double number);
cli_cell cell_flag(bool flag);
cli_cell cell_list(const char *numbers);
cli_cell cell_words(const char *names);
/* Whether a result is correct: true, false, or "skipped" if it was not checked. */
cli_cell cell_verdict(bool checked, bool right);
/* The cell if `there`, otherwise CLI_CELL_NONE. */
cli_cell cell_if(bool there, cli_cell cell);
/* The cell, printed in text as `shown`. */
cli_cell cell_shown(cli_cell cell, const char *shown);

/* ---- results --------------------------------------------------------------------------------- */

enum {
    CLI_NO_DEVICE = -1,
    CLI_DIGITS = 6, /* significant digits by default */
    CLI_DEPTH = 6   /* nested lists and objects */
};

typedef struct cli_column {
    const char *key;     /* name in JSON and CSV; NULL: in text only */
    const char *heading; /* heading in text, '\n' separates its lines; NULL: in JSON and CSV only */
    int width;           /* in text; negative: left-aligned */
    int decimals;        /* decimals of a number in text, */
    double scale;        /* multiplied by this factor (0: 1), such as 1e6 for microseconds, */
    const char *unit;    /* and followed by this, such as "%"; NULL: nothing */
    int digits;          /* significant digits in JSON and CSV; 0: CLI_DIGITS */
    int gap;             /* blanks before it in text; 0: 1, but none before the first */
    bool once;           /* JSON prints it once as a field of the result, not in each row */
} cli_column;

typedef struct cli_result {
    const cli_command *command;
    cli_format format;
    const cli_column *columns; /* of the current table */
    size_t column_count, rows;
    int depth;              /* nesting of lists and objects in JSON, including the result itself */
    bool filled[CLI_DEPTH]; /* levels that have a member */
    bool lined[CLI_DEPTH];  /* levels with one line per member */
    bool verdict;           /* the field `verified` has been written */
    bool compared, wrong;   /* a row has `verified` true or false; a row has false */
    bool csv_table;         /* a table has been written: CSV prints no row of fields */
    FILE *names, *values;   /* streams of that row, and their memory */
    char *names_text, *values_text;
    size_t names_size, values_size;
    char device[128]; /* "" if there is none */
    int64_t warp;     /* 0 if there is no device */
} cli_result;

/* Begins a result for the device, or for CLI_NO_DEVICE. */
void cli_result_begin(cli_result *result, const cli_command *command, cli_format format,
                      int device);
/* Begins a result for several devices: warp and name are the first one's; a field lists all. */
void cli_result_begin_devices(cli_result *result, const cli_command *command, cli_format format,
                              const cli_devices *devices);
/* Ends the result and flushes standard output. Unless `verified` was written, it follows from the
   rows: false if one is false, true if some are true, otherwise "skipped". CLI_DONE, or CLI_FAILED
   after a line. */
int cli_result_end(cli_result *result);

/* Adds a field to the result, or to an object in a list. Numbers have CLI_DIGITS digits. */
void cli_field(cli_result *result, const char *key, cli_cell cell);
/* With that many significant digits. */
void cli_field_digits(cli_result *result, const char *key, double number, int digits);

/* Begins a list whose items follow one by one, each on its own line if `lined`; JSON only. */
void cli_list_begin(cli_result *result, const char *key, bool lined);
void cli_item(cli_result *result, cli_cell cell);
void cli_list_end(cli_result *result);
/* Begins an object in a list. */
void cli_object_begin(cli_result *result);
void cli_object_end(cli_result *result);

/* The key of a field whose value the caller writes to standard output; JSON only. */
void cli_key(cli_result *result, const char *key);
/* A sentence; text only. */
__attribute__((format(printf, 2, 3))) void cli_say(cli_result *result, const char *format, ...);

/* Begins a table: a list of rows. Prints the heading if a column has one. */
void cli_table_begin(cli_result *result, const char *key, const cli_column *columns, size_t count);
/* The same without printing a heading: for tables whose text has several parts with headings and
   column widths of their own. */
void cli_table_open(cli_result *result, const char *key, const cli_column *columns, size_t count);
void cli_table_part(cli_result *result, const cli_column *columns, size_t count);
/* A row with a cell for each column, written at once. */
void cli_row(cli_result *result, const cli_cell *cells, size_t count);
/* A row; text prints the first `shown` columns, then a sentence. */
void cli_row_noted(cli_result *result, const cli_cell *cells, size_t count, size_t shown,
                   const char *note);
/* A row to which JSON adds fields and lists until cli_row_end. */
void cli_row_begin(cli_result *result, const cli_cell *cells, size_t count);
void cli_row_end(cli_result *result);
void cli_table_end(cli_result *result);

/* The same for arrays, with the count filled in. */
#define CLI_TABLE(result, key, columns)                                                            \
    cli_table_begin(result, key, columns, sizeof(columns) / sizeof *(columns))
#define CLI_ROW(result, ...)                                                                       \
    cli_row(result, (const cli_cell[]){__VA_ARGS__},                                               \
            sizeof((const cli_cell[]){__VA_ARGS__}) / sizeof(cli_cell))
#define CLI_ROW_BEGIN(result, ...)                                                                 \
    cli_row_begin(result, (const cli_cell[]){__VA_ARGS__},                                         \
                  sizeof((const cli_cell[]){__VA_ARGS__}) / sizeof(cli_cell))
#define CLI_ROW_NOTED(result, shown, note, ...)                                                    \
    cli_row_noted(result, (const cli_cell[]){__VA_ARGS__},                                         \
                  sizeof((const cli_cell[]){__VA_ARGS__}) / sizeof(cli_cell), shown, note)

#endif
