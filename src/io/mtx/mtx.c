/* SPDX-License-Identifier: Apache-2.0 */
/* Reads Matrix Market files line by line. */
#include "mtx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/bytes.h"
#include "rows.h"
#include "io/number.h"

enum { MTX_BUFFER = 1 << 16, MTX_WORDS = 6 };

typedef enum mtx_field { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN } mtx_field;

typedef struct mtx_word {
    char *text;
    size_t length;
} mtx_word;

/* A file being read. */
typedef struct mtx_file {
    hd__bytes bytes;
    char *buffer; /* MTX_BUFFER bytes, and one to terminate a number */
    size_t begin, end;
    int ended;
    uint64_t line;             /* line number of the words, from 1 on */
    mtx_word words[MTX_WORDS]; /* words of the current line */
    size_t word_count;         /* at most MTX_WORDS */
    int array;
    mtx_field field;
    uint64_t size_line;
    uint64_t announced; /* entries according to the size line */
    hd__mtx_entry *entries;
    size_t count, room;
    size_t rounded; /* integers that were rounded to f64 */
    size_t most;
    char *message;
} mtx_file;

#define mtx_fail(f, status, ...) hd__io_fail((f)->message, (status), (f)->bytes.name, __VA_ARGS__)
#define mtx_bad(f, format, ...)                                                                    \
    mtx_fail((f), HD__IO_ERR_CONTENT, "line %" PRIu64 ": " format, (f)->line, __VA_ARGS__)

/* ---- lines ----------------------------------------------------------------------------------- */

/* Reads more bytes after the incomplete line. */
static int mtx_fill(mtx_file *f)
{
    size_t got = 0;
    int status;

    memmove(f->buffer, f->buffer + f->begin, f->end - f->begin);
    f->end -= f->begin;
    f->begin = 0;
    if (f->end == MTX_BUFFER)
        return mtx_fail(f, HD__IO_ERR_CONTENT, "line %" PRIu64 " is longer than %d bytes",
                        f->line + 1, (int)MTX_BUFFER);
    status = hd__bytes_read(&f->bytes, f->buffer + f->end, MTX_BUFFER - f->end, &got, f->message);
    f->ended = got < MTX_BUFFER - f->end;
    f->end += got;
    return status;
}

static int is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static void split(mtx_file *f, char *text, size_t length)
{
    size_t at = 0;

    f->word_count = 0;
    while (f->word_count < MTX_WORDS) {
        size_t begin;
        while (at < length && is_space(text[at]))
            at++;
        for (begin = at; at < length && !is_space(text[at]);)
            at++;
        if (at == begin)
            return;
        f->words[f->word_count++] = (mtx_word){text + begin, at - begin};
    }
}

/* Splits the next line into words; *have is 0 at the end of the file. */
static int mtx_line(mtx_file *f, int *have)
{
    for (;;) {
        char *text = f->buffer + f->begin;
        const size_t present = f->end - f->begin;
        const char *newline = present ? memchr(text, '\n', present) : NULL;
        int status;
        if (newline || (f->ended && present)) {
            const size_t length = newline ? (size_t)(newline - text) : present;
            f->begin += length + (newline ? 1 : 0);
            f->line++;
            *have = 1;
            split(f, text, length);
            return 0;
        }
        *have = 0;
        if (f->ended)
            return 0;
        status = mtx_fill(f);
        if (status != 0)
            return status;
    }
}

/* Reads the next line that is neither empty nor a comment. */
static int mtx_data(mtx_file *f, int *have)
{
    int status;

    do
        status = mtx_line(f, have);
    while (status == 0 && *have && (f->word_count == 0 || f->words[0].text[0] == '%'));
    return status;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void mtx_shown(const mtx_file *f, size_t word, char shown[HD__IO_CELL])
{
    hd__io_printable(f->words[word].text, f->words[word].length, shown, HD__IO_CELL);
}

static int is_word(const mtx_file *f, size_t word, const char *text)
{
    return word < f->word_count && f->words[word].length == strlen(text) &&
           strncasecmp(f->words[word].text, text, strlen(text)) == 0;
}

static int mtx_count(mtx_file *f, size_t word, const char *what, uint64_t most, uint64_t *value)
{
    char shown[HD__IO_CELL];
    const hd__number_result got = hd__number_u64(f->words[word].text, f->words[word].length, value);

    mtx_shown(f, word, shown);
    if (got == HD__NUMBER_BAD || shown[0] == '-')
        return mtx_bad(f, "\"%s\" is not a number of %s", shown, what);
    if (got == HD__NUMBER_RANGE || *value > most)
        return mtx_bad(f, "%s %s are more than %" PRIu64, shown, what, most);
    return 0;
}

static int mtx_index(mtx_file *f, size_t word, const char *what, size_t extent, int32_t *index)
{
    char shown[HD__IO_CELL];
    uint64_t value = 0;
    const hd__number_result got = hd__number_u64(f->words[word].text, f->words[word].length,
                                                 &value);

    if (got == HD__NUMBER_OK && value >= 1 && value <= extent) {
        *index = (int32_t)(value - 1);
        return 0;
    }
    mtx_shown(f, word, shown);
    if (got == HD__NUMBER_BAD)
        return mtx_bad(f, "\"%s\" is not a valid %s", shown, what);
    return mtx_bad(f, "%s %s is not between 1 and %zu", what, shown, extent);
}

static int mtx_value(mtx_file *f, size_t word, double *value)
{
    char shown[HD__IO_CELL];
    int64_t whole = 0;
    hd__number_result got;

    if (f->field == FIELD_INTEGER) {
        got = hd__number_i64(f->words[word].text, f->words[word].length, &whole);
        *value = (double)whole;
    } else {
        got = hd__number_f64(f->words[word].text, f->words[word].length, value);
    }
    f->rounded += got == HD__NUMBER_OK &&
                  hd__number_is_rounded(f->words[word].text, f->words[word].length, *value);
    if (got == HD__NUMBER_OK)
        return 0;
    mtx_shown(f, word, shown);
    if (got == HD__NUMBER_RANGE)
        return mtx_bad(f, "%s is out of the range of %s", shown,
                       f->field == FIELD_INTEGER ? "i64" : "f64");
    return mtx_bad(f, "\"%s\" is not a %snumber", shown, f->field == FIELD_INTEGER ? "whole " : "");
}

/* ---- header ---------------------------------------------------------------------------------- */

static int mtx_kind(mtx_file *f, hd__mtx *m)
{
    static const char *const fields[] = {"real", "integer", "pattern"};
    static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric"};
    char shown[HD__IO_CELL];
    int k = 3, s = 3;

    if (!is_word(f, 2, "coordinate") && !is_word(f, 2, "array")) {
        mtx_shown(f, 2, shown);
        return mtx_bad(f, "\"%s\" is neither coordinate nor array", shown);
    }
    f->array = is_word(f, 2, "array");
    while (k > 0 && !is_word(f, 3, fields[k - 1]))
        k--;
    while (s > 0 && !is_word(f, 4, symmetries[s - 1]))
        s--;
    mtx_shown(f, k ? 4 : 3, shown);
    if (k == 0 && (is_word(f, 3, "complex") || is_word(f, 3, "double")))
        return mtx_bad(f, "%s matrices are not supported", shown);
    if (k == 0)
        return mtx_bad(f, "\"%s\" is not real, integer or pattern", shown);
    if (s == 0)
        return mtx_bad(f, "\"%s\" is not general, symmetric or skew-symmetric", shown);
    f->field = (mtx_field)(k - 1);
    m->symmetry = (hd__mtx_symmetry)(s - 1);
    if (f->array && f->field == FIELD_PATTERN)
        return mtx_bad(f, "an array cannot have the field %s", "pattern");
    return 0;
}

static int mtx_first(mtx_file *f, hd__mtx *m)
{
    int have = 0;
    int status = mtx_line(f, &have);

    if (status != 0)
        return status;
    if (!have || !is_word(f, 0, "%%MatrixMarket"))
        return mtx_fail(f, HD__IO_ERR_CONTENT,
                        "not a Matrix Market file: the first line does not begin with "
                        "%%%%MatrixMarket");
    if (!is_word(f, 1, "matrix") || f->word_count != 5)
        return mtx_bad(f, "the first line is not \"%%%%MatrixMarket matrix FORMAT FIELD %s\"",
                       "SYMMETRY");
    return mtx_kind(f, m);
}

static int mtx_size(mtx_file *f, hd__mtx *m)
{
    const size_t wanted = f->array ? 2 : 3;
    uint64_t rows = 0, columns = 0;
    int have = 0, status = mtx_data(f, &have);

    if (status != 0)
        return status;
    if (!have)
        return mtx_fail(f, HD__IO_ERR_CONTENT, "the file ends before the line of sizes");
    if (f->word_count != wanted)
        return mtx_bad(f, "the line of sizes has %zu number%s, %zu are needed", f->word_count,
                       f->word_count == 1 ? "" : "s", wanted);
    status = mtx_count(f, 0, "rows", f->most, &rows);
    if (status == 0)
        status = mtx_count(f, 1, "columns", f->most, &columns);
    if (status == 0 && !f->array)
        status = mtx_count(f, 2, "entries", SIZE_MAX / 64, &f->announced);
    if (status != 0)
        return status;
    if (m->symmetry != HD__MTX_GENERAL && rows != columns)
        return mtx_bad(f, "a symmetric matrix has %" PRIu64 " rows and %" PRIu64 " columns", rows,
                       columns);
    m->rows = (size_t)rows;
    m->columns = (size_t)columns;
    f->size_line = f->line;
    if (f->array)
        f->announced = m->symmetry == HD__MTX_GENERAL     ? rows * columns
                       : m->symmetry == HD__MTX_SYMMETRIC ? rows * (rows + 1) / 2
                                                          : rows * (rows - (rows > 0)) / 2;
    return 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

static int mtx_add(mtx_file *f, const hd__mtx_entry *entry)
{
    if (f->count == f->room) {
        const size_t room = f->room ? 2 * f->room : 1024;
        hd__mtx_entry *larger = realloc(f->entries, room * sizeof *larger);
        if (!larger)
            return mtx_fail(f, HD__IO_ERR_MEMORY, "no memory for more than %zu entries", f->room);
        f->entries = larger;
        f->room = room;
    }
    f->entries[f->count++] = *entry;
    return 0;
}

static int mtx_coordinate(mtx_file *f, const hd__mtx *m)
{
    const size_t wanted = f->field == FIELD_PATTERN ? 2 : 3;
    hd__mtx_entry entry = {0, 0, 1.0};
    int status;

    if (f->word_count != wanted)
        return mtx_bad(f, "an entry has %zu number%s, %zu are needed", f->word_count,
                       f->word_count == 1 ? "" : "s", wanted);
    status = mtx_index(f, 0, "row", m->rows, &entry.row);
    if (status == 0)
        status = mtx_index(f, 1, "column", m->columns, &entry.column);
    if (status == 0 && wanted == 3)
        status = mtx_value(f, 2, &entry.value);
    if (status != 0)
        return status;
    if (m->symmetry != HD__MTX_GENERAL && entry.column > entry.row)
        return mtx_bad(f, "entry (%d, %d) is above the diagonal of a symmetric matrix",
                       entry.row + 1, entry.column + 1);
    if (m->symmetry == HD__MTX_SKEW && entry.column == entry.row)
        return mtx_bad(f, "entry (%d, %d) is on the diagonal of a skew-symmetric matrix",
                       entry.row + 1, entry.column + 1);
    return mtx_add(f, &entry);
}

/* Values of an array are listed column by column; *at is the position of the next one. */
static int mtx_element(mtx_file *f, const hd__mtx *m, hd__mtx_entry *at)
{
    int status;

    if (f->word_count != 1)
        return mtx_bad(f, "a line of an array has %zu numbers", f->word_count);
    status = mtx_value(f, 0, &at->value);
    if (status == 0 && !(at->value == 0))
        status = mtx_add(f, at);
    if ((size_t)++at->row == m->rows) {
        at->column++;
        at->row = m->symmetry == HD__MTX_GENERAL ? 0 : at->column + (m->symmetry == HD__MTX_SKEW);
    }
    return status;
}

static int mtx_entries(mtx_file *f, hd__mtx *m)
{
    hd__mtx_entry at = {f->array && m->symmetry == HD__MTX_SKEW, 0, 0};
    uint64_t read = 0;
    int have = 0, status = mtx_data(f, &have);

    for (; status == 0 && have; read++) {
        if (read == f->announced)
            return mtx_bad(f, "more than the %" PRIu64 " entries that line %" PRIu64 " announces",
                           f->announced, f->size_line);
        status = f->array ? mtx_element(f, m, &at) : mtx_coordinate(f, m);
        if (status == 0)
            status = mtx_data(f, &have);
    }
    if (status != 0)
        return status;
    if (read < f->announced)
        return mtx_fail(f, HD__IO_ERR_CONTENT,
                        "the file ends after %" PRIu64 " of the %" PRIu64 " entries that line "
                        "%" PRIu64 " announces",
                        read, f->announced, f->size_line);
    m->listed = (size_t)read;
    m->rounded = f->rounded;
    return 0;
}

/* ---- the whole file -------------------------------------------------------------------------- */

static int mtx_read(mtx_file *f, hd__mtx *m)
{
    int status;

    f->buffer = malloc(MTX_BUFFER + 1);
    if (!f->buffer)
        return mtx_fail(f, HD__IO_ERR_MEMORY, "no memory to read it");
    status = mtx_first(f, m);
    if (status == 0)
        status = mtx_size(f, m);
    if (status == 0)
        status = mtx_entries(f, m);
    if (status == 0 && hd__mtx_rows(f->entries, f->count, m) != 0)
        status = mtx_fail(f, HD__IO_ERR_MEMORY, "no memory for %zu rows and %zu entries", m->rows,
                          f->count);
    return status;
}

static int mtx_take(mtx_file *f, size_t most, hd__mtx *matrix_out)
{
    hd__mtx made = {0};
    int status;

    f->most = most && most < INT32_MAX ? most : INT32_MAX;
    status = mtx_read(f, &made);
    hd__bytes_close(&f->bytes);
    free(f->buffer);
    free(f->entries);
    if (status == 0)
        *matrix_out = made;
    else
        hd__mtx_free(&made);
    return status;
}

int hd__mtx_read(const char *path, size_t most, hd__mtx *matrix_out, char message[HD__IO_MESSAGE])
{
    mtx_file f = {0};
    const int status = hd__bytes_open(path, &f.bytes, message);

    f.message = message;
    return status != 0 ? status : mtx_take(&f, most, matrix_out);
}

int hd__mtx_read_memory(const void *data, size_t size, const char *name, size_t most,
                        hd__mtx *matrix_out, char message[HD__IO_MESSAGE])
{
    mtx_file f = {0};

    hd__bytes_open_memory(data, size, name, &f.bytes);
    f.message = message;
    return mtx_take(&f, most, matrix_out);
}

void hd__mtx_free(hd__mtx *matrix)
{
    free(matrix->offsets);
    free(matrix->column);
    free(matrix->value);
    memset(matrix, 0, sizeof *matrix);
}
