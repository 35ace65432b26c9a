/* SPDX-License-Identifier: Apache-2.0 */
/* One column of a CSV or TSV file, parsed while it is read. */
#include "csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/number.h"
#include "record.h"

#define HD__CSV_BUFFER ((size_t)1 << 18)
#define HD__CSV_LIMIT ((size_t)1 << 30)

/* Formats an error: "line 3, column 2 (price): " and the problem of that cell. */
static int hd__csv_bad_cell(const hd__csv *csv, uint64_t line, const hd__csv_cell *cell,
                            const char *what, char *message)
{
    bool named = csv->column_name[0] != '\0';
    char shown[HD__IO_CELL];

    hd__io_printable(cell->text, cell->length, shown, sizeof shown);
    if (cell->length == 0)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "line %" PRIu64 ", column %zu%s%s%s: the cell is empty", line,
                           csv->column + 1, named ? " (" : "", csv->column_name, named ? ")" : "");
    return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                       "line %" PRIu64 ", column %zu%s%s%s: \"%s\" %s", line, csv->column + 1,
                       named ? " (" : "", csv->column_name, named ? ")" : "", shown, what);
}

/* Converts the record's cell in the chosen column into the 8 bytes at value. */
static int hd__csv_value(hd__csv *csv, const hd__csv_record *record, void *value, char *message)
{
    hd__csv_cell cell = {record->text, 0, false};
    size_t cells = hd__csv_split(csv, record, csv->column, &cell);
    bool whole = csv->type != HD__IO_F64;
    hd__number_result result;
    union {
        double f64;
        int64_t i64;
        uint64_t u64;
    } number;

    if (cells != csv->cells)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "line %" PRIu64 " has %zu cell%s, the first row has %zu", record->line,
                           cells, cells == 1 ? "" : "s", csv->cells);
    if (csv->type == HD__IO_F64)
        result = hd__number_f64(cell.text, cell.length, &number.f64);
    else if (csv->type == HD__IO_I64)
        result = hd__number_i64(cell.text, cell.length, &number.i64);
    else
        result = hd__number_u64(cell.text, cell.length, &number.u64);
    if (result == HD__NUMBER_BAD)
        return hd__csv_bad_cell(csv, record->line, &cell,
                                whole ? "is not a whole number" : "is not a number", message);
    if (result == HD__NUMBER_RANGE)
        return hd__csv_bad_cell(csv, record->line, &cell,
                                csv->type == HD__IO_F64   ? "is out of the range of f64"
                                : csv->type == HD__IO_I64 ? "is out of the range of i64"
                                                          : "is out of the range of u64",
                                message);
    if (csv->type == HD__IO_F64)
        csv->rounded += hd__number_is_rounded(cell.text, cell.length, number.f64);
    memcpy(value, &number, sizeof number);
    return 0;
}

static bool hd__csv_is_number(const hd__csv_cell *cell)
{
    double value;

    return hd__number_f64(cell->text, cell->length, &value) != HD__NUMBER_BAD;
}

/* Whether the cell's text equals the name; two quotes in a quoted cell mean one. */
static bool hd__csv_is_named(const hd__csv_cell *cell, const char *name)
{
    size_t i;

    for (i = 0; i < cell->length; i++, name++) {
        if (*name == '\0' || cell->text[i] != *name)
            return false;
        if (cell->quoted && cell->text[i] == '"')
            i++;
    }
    return *name == '\0';
}

/* Finds the delimiter of the first row. If two kinds occur, the row could be split either way, and
   a wrong guess would read "1,5;2,5" as 1: the user must decide. */
static int hd__csv_find_delimiter(hd__csv *csv, const hd__csv_record *record, char *message)
{
    static const char kinds[3] = {',', '\t', ';'};
    static const char *const names[3] = {"','", "tab", "';'"};
    bool quoted = false;
    size_t i, k, found = 3;

    for (i = 0; i < record->length; i++) {
        if (record->text[i] == '"' &&
            (quoted || i == 0 || hd__csv_is_delimiter(csv, record->text[i - 1])))
            quoted = !quoted;
        for (k = 0; k < 3 && !quoted; k++) {
            if (record->text[i] != kinds[k])
                continue;
            if (found < 3 && found != k)
                return hd__io_fail(message, HD__IO_ERR_ARGUMENT, csv->bytes->name,
                                   "line %" PRIu64 " has both %s and %s; name the delimiter",
                                   record->line, names[found], names[k]);
            found = k;
        }
    }
    csv->delimiter = found < 3 ? kinds[found] : ',';
    return 0;
}

/* The names of the first row as "a, b, c", truncated if necessary. */
static void hd__csv_list(const hd__csv *csv, const hd__csv_record *record, char *text, size_t size)
{
    size_t at = 0, used = 0;

    text[0] = '\0';
    while (at <= record->length) {
        hd__csv_cell cell = hd__csv_cell_at(csv, record, &at);
        char shown[24];
        hd__io_printable(cell.text, cell.length, shown, sizeof shown);
        if (used + strlen(shown) + 8 > size) {
            memcpy(text + used, "...", 4);
            return;
        }
        memcpy(text + used, shown, strlen(shown) + 1);
        used += strlen(shown);
        if (at <= record->length) {
            memcpy(text + used, ", ", 3);
            used += 2;
        }
    }
}

/* Parses a column number, from 1 on; 0 if the text is not one. */
static size_t hd__csv_column_number(const char *text)
{
    uint64_t number;

    if (text[0] < '0' || text[0] > '9' ||
        hd__number_u64(text, strlen(text), &number) != HD__NUMBER_OK || number > SIZE_MAX)
        return 0;
    return (size_t)number;
}

/* Finds the column by its name in the first row. */
static int hd__csv_find_name(hd__csv *csv, const hd__csv_record *record, const char *name,
                             char *message)
{
    size_t at = 0, index = 0, found = 0;
    char shown[HD__IO_CELL], list[80];

    while (at <= record->length) {
        hd__csv_cell cell = hd__csv_cell_at(csv, record, &at);
        if (hd__csv_is_named(&cell, name)) {
            csv->column = index;
            found++;
        }
        index++;
    }
    if (found == 1)
        return 0;
    hd__io_printable(name, strlen(name), shown, sizeof shown);
    if (found > 1)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, csv->bytes->name,
                           "%zu columns are named \"%s\"; give a number", found, shown);
    hd__csv_list(csv, record, list, sizeof list);
    return hd__io_fail(message, HD__IO_ERR_ARGUMENT, csv->bytes->name,
                       "no column \"%s\" among %zu (%s)", shown, csv->cells, list);
}

/* Finds the column that the options select. *named_out: it was found by its name. */
static int hd__csv_find_column(hd__csv *csv, const hd__csv_record *record,
                               const hd__source_options *options, bool *named_out, char *message)
{
    size_t number;
    char list[96];

    *named_out = false;
    if (options->column == NULL && csv->cells > 1) {
        hd__csv_list(csv, record, list, sizeof list);
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, csv->bytes->name,
                           "has %zu columns (%s); choose one with --column", csv->cells, list);
    }
    if (options->column == NULL)
        return 0;
    number = hd__csv_column_number(options->column);
    if (number > 0 && number <= csv->cells) {
        csv->column = number - 1;
        return 0;
    }
    if (options->header == HD__IO_HEADER_NO)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, csv->bytes->name,
                           "without a header a column is a number from 1 to %zu", csv->cells);
    *named_out = true;
    return hd__csv_find_name(csv, record, options->column, message);
}

/* Decides whether the first row is a header. An empty cell is a missing number rather than a name,
   unless another cell of the row is a name. */
static bool hd__csv_find_header(const hd__csv *csv, const hd__csv_record *record)
{
    hd__csv_cell cell = {record->text, 0, false};
    size_t at = 0;

    hd__csv_split(csv, record, csv->column, &cell);
    if (cell.length > 0)
        return !hd__csv_is_number(&cell);
    while (at <= record->length) {
        cell = hd__csv_cell_at(csv, record, &at);
        if (cell.length > 0 && !hd__csv_is_number(&cell))
            return true;
    }
    return false;
}

/* Fills the buffer for the first time and skips a byte order mark. */
static int hd__csv_begin(hd__csv *csv, char *message)
{
    const char *text;
    int status;

    csv->begin = csv->end = 0;
    csv->ended = false;
    csv->line = 1;
    csv->blank = 0;
    do
        status = hd__csv_fill(csv, message);
    while (status == 0 && !csv->ended && csv->end < 3);
    text = csv->buffer;
    if (status == 0 && csv->end >= 2 &&
        (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "the text is UTF-16; save it as UTF-8");
    if (status == 0 && csv->end >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        csv->begin = 3;
    return status;
}

/* Reads the first row, determines the delimiter, header and column from it, and skips it if it is a
   header. */
static int hd__csv_first_row(hd__csv *csv, const hd__source_options *options, char *message)
{
    hd__csv_record record;
    hd__csv_cell cell = {NULL, 0, false};
    bool have, named;
    int status = hd__csv_next(csv, &record, &have, message);

    if (status == 0 && have && csv->delimiter == 0) {
        /* The delimiter determines where quoted cells begin, so the end of the row is searched
           again. */
        status = hd__csv_find_delimiter(csv, &record, message);
        hd__csv_put_back(csv, &record);
        if (status == 0)
            status = hd__csv_next(csv, &record, &have, message);
    }
    if (status != 0)
        return status;
    if (!have && options->column != NULL && hd__csv_column_number(options->column) == 0)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, csv->bytes->name,
                           "is empty, it has no columns with names");
    if (!have)
        return 0;
    /* A file with CR line ends would be a single row and pass as a header without numbers. */
    if (memchr(record.text, '\r', record.length) != NULL &&
        memchr(record.text, '"', record.length) == NULL)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "line ends are CR alone; save it with LF or CR LF");
    csv->cells = hd__csv_split(csv, &record, SIZE_MAX, &cell);
    status = hd__csv_find_column(csv, &record, options, &named, message);
    if (status != 0)
        return status;
    csv->header = named || options->header == HD__IO_HEADER_YES ||
                  (options->header == HD__IO_HEADER_AUTO && hd__csv_find_header(csv, &record));
    if (!csv->header) {
        hd__csv_put_back(csv, &record);
        return 0;
    }
    hd__csv_split(csv, &record, csv->column, &cell);
    hd__io_printable(cell.text, cell.length, csv->column_name, sizeof csv->column_name);
    return 0;
}

int hd__csv_open(hd__bytes *bytes, const hd__source_options *options, hd__csv *csv_out,
                 char *message)
{
    hd__csv csv = {.bytes = bytes, .type = options->type, .delimiter = options->delimiter};
    int status;

    if (csv.type == HD__IO_DEFAULT)
        csv.type = HD__IO_F64;
    if (csv.type != HD__IO_F64 && csv.type != HD__IO_I64 && csv.type != HD__IO_U64)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, bytes->name,
                           "a CSV column is read as f64, i64 or u64, not as %s",
                           hd__io_type_name(csv.type));
    if (csv.delimiter != 0 && strchr("\"\r\n+-.0123456789", csv.delimiter) != NULL)
        return hd__io_fail(message, HD__IO_ERR_ARGUMENT, bytes->name,
                           "a delimiter cannot be a quote, line end, digit, sign or point");
    csv.limit = options->csv_limit > 0 ? options->csv_limit : HD__CSV_LIMIT;
    csv.capacity = options->csv_buffer > 0 ? options->csv_buffer : HD__CSV_BUFFER;
    if (csv.capacity > csv.limit)
        csv.capacity = csv.limit;
    csv.buffer = malloc(csv.capacity + 1);
    if (csv.buffer == NULL)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, bytes->name, "out of memory");
    status = hd__csv_begin(&csv, message);
    if (status == 0)
        status = hd__csv_first_row(&csv, options, message);
    if (status != 0) {
        hd__csv_close(&csv);
        return status;
    }
    *csv_out = csv;
    return 0;
}

void hd__csv_close(hd__csv *csv)
{
    free(csv->buffer);
    csv->buffer = NULL;
}

int hd__csv_read(hd__csv *csv, void *buffer, size_t max, size_t *got_out, char *message)
{
    size_t got;

    for (got = 0; got < max; got++) {
        hd__csv_record record;
        bool have;
        int status = hd__csv_next(csv, &record, &have, message);
        if (status == 0 && !have)
            break;
        if (status == 0)
            status = hd__csv_value(csv, &record, (char *)buffer + got * sizeof(uint64_t), message);
        if (status != 0)
            return status;
    }
    *got_out = got;
    return 0;
}

int hd__csv_rewind(hd__csv *csv, char *message)
{
    hd__csv_record record;
    bool have;
    int status = hd__bytes_seek(csv->bytes, 0, message);

    csv->rounded = 0;
    if (status == 0)
        status = hd__csv_begin(csv, message);
    if (status == 0 && csv->header)
        status = hd__csv_next(csv, &record, &have, message);
    return status;
}
