/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a CSV or TSV file into rows and cells while it is read. */
#include "record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool hd__csv_is_delimiter(const hd__csv *csv, char c)
{
    if (csv->delimiter != 0)
        return c == csv->delimiter;
    return c == ',' || c == '\t' || c == ';';
}

static int hd__csv_grow(hd__csv *csv, char *message)
{
    size_t capacity = csv->capacity > csv->limit / 2 ? csv->limit : csv->capacity * 2;
    char *buffer;

    if (csv->capacity >= csv->limit)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "line %" PRIu64 ": the row is longer than %zu bytes", csv->line,
                           csv->limit);
    buffer = realloc(csv->buffer, capacity + 1);
    if (buffer == NULL)
        return hd__io_fail(message, HD__IO_ERR_MEMORY, csv->bytes->name,
                           "line %" PRIu64 ": no memory for a row of more than %zu bytes",
                           csv->line, csv->capacity);
    csv->buffer = buffer;
    csv->capacity = capacity;
    return 0;
}

/* Reads more bytes; moves the current record to the front of the buffer. */
int hd__csv_fill(hd__csv *csv, char *message)
{
    size_t got;
    int status = 0;

    if (csv->begin > 0) {
        memmove(csv->buffer, csv->buffer + csv->begin, csv->end - csv->begin);
        csv->end -= csv->begin;
        csv->begin = 0;
    }
    if (csv->end == csv->capacity)
        status = hd__csv_grow(csv, message);
    if (status != 0)
        return status;
    status = hd__bytes_read(csv->bytes, csv->buffer + csv->end, csv->capacity - csv->end, &got,
                            message);
    if (status != 0)
        return status;
    csv->ended = got < csv->capacity - csv->end;
    csv->end += got;
    return 0;
}

static int hd__csv_after_quote(const hd__csv *csv, uint64_t line, char *message)
{
    return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                       "line %" PRIu64 ": a closing quote is followed by more text", line);
}

/* Finds the end of a record with quotes: the first line end outside of quotes, or the end of the
   file. *lines_out: number of line ends before it. */
static int hd__csv_quoted_end(hd__csv *csv, size_t *stop_out, uint64_t *lines_out, char *message)
{
    enum { FIRST, PLAIN, QUOTED, CLOSED, RETURN } state = FIRST;
    uint64_t lines = 0, opened = 0;
    size_t at;

    for (at = 0;; at++) {
        char c;
        if (csv->begin + at == csv->end && !csv->ended) {
            int status = hd__csv_fill(csv, message);
            if (status != 0)
                return status;
        }
        if (csv->begin + at == csv->end)
            break;
        c = csv->buffer[csv->begin + at];
        if (c == '\n' && state != QUOTED)
            break;
        if (state == QUOTED) {
            lines += c == '\n';
            state = c == '"' ? CLOSED : QUOTED;
        } else if (state == RETURN) {
            return hd__csv_after_quote(csv, csv->line + lines, message);
        } else if (hd__csv_is_delimiter(csv, c)) {
            state = FIRST;
        } else if (state == CLOSED) {
            if (c != '"' && c != '\r')
                return hd__csv_after_quote(csv, csv->line + lines, message);
            state = c == '"' ? QUOTED : RETURN;
        } else {
            if (state == FIRST && c == '"')
                opened = csv->line + lines;
            state = state == FIRST && c == '"' ? QUOTED : PLAIN;
        }
    }
    if (state == QUOTED)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "line %" PRIu64 ": a quote is opened and never closed", opened);
    *stop_out = at;
    *lines_out = lines;
    return 0;
}

/* Finds the end of the next record, relative to its beginning. */
static int hd__csv_end(hd__csv *csv, size_t *stop_out, uint64_t *lines_out, char *message)
{
    size_t scanned = 0;

    for (;;) {
        const char *start = csv->buffer + csv->begin;
        size_t present = csv->end - csv->begin;
        const char *newline = NULL;
        int status;
        if (present > scanned)
            newline = memchr(start + scanned, '\n', present - scanned);
        if (newline != NULL || csv->ended) {
            *stop_out = newline != NULL ? (size_t)(newline - start) : present;
            *lines_out = 0;
            if (*stop_out == 0 || memchr(start, '"', *stop_out) == NULL)
                return 0;
            return hd__csv_quoted_end(csv, stop_out, lines_out, message);
        }
        scanned = present;
        status = hd__csv_fill(csv, message);
        if (status != 0)
            return status;
    }
}

/* Takes the next line or record, empty or not. *have_out: whether there was one. */
static int hd__csv_line(hd__csv *csv, hd__csv_record *record_out, bool *have_out, char *message)
{
    uint64_t lines;
    size_t stop, length;
    int status = hd__csv_end(csv, &stop, &lines, message);

    if (status != 0)
        return status;
    *have_out = csv->begin + stop < csv->end || stop > 0;
    length = stop;
    if (length > 0 && csv->buffer[csv->begin + length - 1] == '\r')
        length--;
    *record_out = (hd__csv_record){csv->buffer + csv->begin, length, csv->begin, csv->line};
    csv->line += lines + 1;
    csv->begin += stop;
    csv->begin += csv->begin < csv->end;
    return 0;
}

/* Takes the next record that is not an empty line. */
int hd__csv_next(hd__csv *csv, hd__csv_record *record_out, bool *have_out, char *message)
{
    for (;;) {
        int status = hd__csv_line(csv, record_out, have_out, message);
        if (status != 0 || !*have_out)
            return status;
        if (record_out->length > 0)
            break;
        if (csv->blank == 0)
            csv->blank = record_out->line;
    }
    if (csv->blank != 0)
        return hd__io_fail(message, HD__IO_ERR_CONTENT, csv->bytes->name,
                           "line %" PRIu64 " is empty, and rows follow it", csv->blank);
    return 0;
}

/* Undoes the last hd__csv_next; its record is still in the buffer. */
void hd__csv_put_back(hd__csv *csv, const hd__csv_record *record)
{
    csv->begin = record->begin;
    csv->line = record->line;
}

static bool hd__csv_is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Returns the cell at *at, an offset into the record, and advances *at past its delimiter. After
   the last cell *at is greater than the record's length. */
hd__csv_cell hd__csv_cell_at(const hd__csv *csv, const hd__csv_record *record, size_t *at)
{
    char *text = record->text + *at;
    size_t left = record->length - *at, length = 0;
    hd__csv_cell cell = {text, 0, left > 0 && text[0] == '"'};
    const char *delimiter;

    if (cell.quoted) {
        cell.text++;
        for (length = 1; text[length] != '"' || (length + 1 < left && text[length + 1] == '"');)
            length += text[length] == '"' ? 2 : 1;
        cell.length = length - 1;
        *at += length + 2;
        return cell;
    }
    delimiter = left > 0 ? memchr(text, csv->delimiter, left) : NULL;
    length = delimiter != NULL ? (size_t)(delimiter - text) : left;
    *at += length + 1;
    while (length > 0 && hd__csv_is_space(text[length - 1]))
        length--;
    while (length > 0 && hd__csv_is_space(cell.text[0])) {
        cell.text++;
        length--;
    }
    cell.length = length;
    return cell;
}

/* Counts the record's cells and returns the column-th; if there is none, the output is
   unchanged. */
size_t hd__csv_split(const hd__csv *csv, const hd__csv_record *record, size_t column,
                     hd__csv_cell *cell_out)
{
    size_t at = 0, cells = 0;

    while (at <= record->length) {
        hd__csv_cell cell = hd__csv_cell_at(csv, record, &at);
        if (cells == column)
            *cell_out = cell;
        cells++;
    }
    return cells;
}
