/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - writes results as text, JSON or CSV. */
#include "table.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* The value for JSON and CSV; `room` holds it unless it is text. */
static const char *plain_text(const cli_cell *cell, int digits, char room[CLI_NUMBER])
{
    switch (cell->kind) {
    case CLI_CELL_NONE:
        return "";
    case CLI_CELL_COUNT:
        snprintf(room, CLI_NUMBER, "%" PRIu64, cell->count);
        return room;
    case CLI_CELL_NUMBER:
        cli_text_f64(cell->number, room);
        if (cell->number - cell->number == 0)
            snprintf(room, CLI_NUMBER, "%.*g", digits ? digits : CLI_DIGITS, cell->number);
        return room;
    default:
        return cell->text;
    }
}

static void json_list(const char *numbers)
{
    putchar('[');
    for (const char *c = numbers; *c; c++) {
        putchar(*c);
        if (*c == ',' && c[1] != ' ')
            putchar(' ');
    }
    putchar(']');
}

/* "a, b" as ["a", "b"] */
static void json_words(const char *names)
{
    putchar('[');
    for (size_t length; *names; names += length) {
        char word[128];

        length = strcspn(names, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, names);
        cli_json_quote(word);
        length += strspn(names + length, ", ");
        fputs(names[length] ? ", " : "", stdout);
    }
    putchar(']');
}

static void json_value(const cli_cell *cell, int digits)
{
    char room[CLI_NUMBER], json[CLI_NUMBER];
    const char *text = plain_text(cell, digits, room);

    if (cell->kind == CLI_CELL_TEXT) {
        cli_json_quote(text);
    } else if (cell->kind == CLI_CELL_LIST) {
        json_list(text);
    } else if (cell->kind == CLI_CELL_WORDS) {
        json_words(text);
    } else if (cell->kind == CLI_CELL_NONE) {
        fputs("null", stdout);
    } else {
        cli_json_number(text, json);
        fputs(json, stdout);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Separator before a member of the innermost list or object; key is NULL in lists. */
static void json_next(cli_result *r, const char *key)
{
    const int at = r->depth - 1;

    if (r->lined[at])
        printf("%s\n%*s", r->filled[at] ? "," : "", r->depth - 1, "");
    else
        fputs(r->filled[at] ? ", " : "", stdout);
    r->filled[at] = true;
    if (key) {
        cli_json_quote(key);
        fputs(": ", stdout);
    }
}

/* The nesting depth is counted in every format. */
static void open_bracket(cli_result *r, char bracket, bool lined)
{
    assert(r->depth < CLI_DEPTH);
    if (r->format == CLI_JSON)
        putchar(bracket);
    r->filled[r->depth] = false;
    r->lined[r->depth++] = lined;
}

static void close_bracket(cli_result *r, char bracket)
{
    r->depth--;
    if (r->format == CLI_JSON && r->lined[r->depth])
        putchar('\n');
    if (r->format == CLI_JSON)
        putchar(bracket);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Lists are separated by blanks, so that they need no quotes. */
static void csv_value(const cli_cell *cell, int digits, FILE *to)
{
    char room[CLI_NUMBER];

    if (cell->kind != CLI_CELL_LIST && cell->kind != CLI_CELL_WORDS) {
        cli_csv_cell(plain_text(cell, digits, room), to);
        return;
    }
    for (const char *c = cell->text; *c; c++)
        if (*c != ' ')
            putc(*c == ',' ? ' ' : *c, to);
}

static void csv_field(cli_result *r, const char *key, const cli_cell *cell, int digits)
{
    if (r->csv_table || r->depth > 1 || !r->names || !r->values)
        return;
    fprintf(r->names, "%s%s", ftell(r->names) > 0 ? "," : "", key);
    fputs(ftell(r->names) > (long)strlen(key) ? "," : "", r->values);
    csv_value(cell, digits, r->values);
}

static void csv_header(const cli_result *r)
{
    const char *before = "";

    for (size_t i = 0; i < r->column_count; i++)
        if (r->columns[i].key) {
            printf("%s%s", before, r->columns[i].key);
            before = ",";
        }
    putchar('\n');
}

static void csv_row(const cli_result *r, const cli_cell *cells)
{
    const char *before = "";

    for (size_t i = 0; i < r->column_count; i++)
        if (r->columns[i].key) {
            fputs(before, stdout);
            csv_value(&cells[i], r->columns[i].digits, stdout);
            before = ",";
        }
    putchar('\n');
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_padded(const cli_column *column, bool first, bool last, const char *text)
{
    const int width = last && column->width < 0 ? 0 : column->width;

    printf("%*s%*s", first ? 0 : column->gap ? column->gap : 1, "", width, text);
}

/* Line `line` of a heading with several lines; "" after the last. */
static void heading_line(const char *heading, int line, char text[CLI_NUMBER])
{
    for (; line > 0 && heading; line--) {
        heading = strchr(heading, '\n');
        heading += heading != NULL;
    }
    snprintf(text, CLI_NUMBER, "%.*s", heading ? (int)strcspn(heading, "\n") : 0,
             heading ? heading : "");
}

/* The last column that text prints; SIZE_MAX if there is none. */
static size_t last_shown(const cli_result *r)
{
    size_t last = SIZE_MAX;

    for (size_t i = 0; i < r->column_count; i++)
        if (r->columns[i].heading)
            last = i;
    return last;
}

static int heading_lines(const cli_result *r)
{
    int most = 0;

    for (size_t i = 0; i < r->column_count; i++) {
        int lines = 1;

        for (const char *c = r->columns[i].heading; c && *c; c++)
            lines += *c == '\n';
        most = r->columns[i].heading && lines > most ? lines : most;
    }
    return most;
}

/* Prints one line of all headings, up to the last column that has it. */
static void print_heading_line(const cli_result *r, int line)
{
    char text[CLI_NUMBER];
    size_t end = 0;
    bool first = true;

    for (size_t i = 0; i < r->column_count; i++) {
        heading_line(r->columns[i].heading, line, text);
        end = text[0] ? i + 1 : end;
    }
    for (size_t i = 0; i < end; i++)
        if (r->columns[i].heading) {
            heading_line(r->columns[i].heading, line, text);
            print_padded(&r->columns[i], first, i + 1 == end, text);
            first = false;
        }
    putchar('\n');
}

static void print_heading(const cli_result *r)
{
    const int lines = heading_lines(r);

    for (int line = 0; line < lines; line++)
        print_heading_line(r, line);
}

/* A value in text. */
static void print_cell(const cli_column *column, const cli_cell *cell, bool first, bool last)
{
    char room[CLI_NUMBER + 8];
    const char *text = cell->shown;

    if (!text && cell->kind == CLI_CELL_NONE)
        text = "-";
    if (!text && cell->kind == CLI_CELL_NUMBER) {
        snprintf(room, sizeof room, "%.*f%s", column->decimals,
                 cell->number * (column->scale > 0 ? column->scale : 1),
                 column->unit ? column->unit : "");
        text = room;
    }
    print_padded(column, first, last, text ? text : plain_text(cell, column->digits, room));
}

static void print_cells(const cli_result *r, const cli_cell *cells, size_t count, const char *note)
{
    size_t printed = 0;

    for (size_t i = 0; i < r->column_count && printed < count; i++)
        if (r->columns[i].heading) {
            print_cell(&r->columns[i], &cells[i], printed == 0, i == last_shown(r));
            printed++;
        }
    printf("%s%s\n", note ? "  " : "", note ? note : "");
}

/* ---- fields and lists ------------------------------------------------------------------------ */

static void field(cli_result *r, const char *key, cli_cell cell, int digits)
{
    r->verdict |= r->depth <= 1 && key && strcmp(key, "verified") == 0;
    if (r->format == CLI_CSV)
        csv_field(r, key, &cell, digits);
    if (r->format != CLI_JSON)
        return;
    json_next(r, key);
    json_value(&cell, digits);
}

void cli_field(cli_result *result, const char *key, cli_cell cell)
{
    field(result, key, cell, 0);
}

void cli_field_digits(cli_result *result, const char *key, double number, int digits)
{
    field(result, key, cell_number(number), digits);
}

void cli_key(cli_result *result, const char *key)
{
    if (result->format == CLI_JSON)
        json_next(result, key);
}

void cli_list_begin(cli_result *result, const char *key, bool lined)
{
    cli_key(result, key);
    open_bracket(result, '[', lined);
}

void cli_item(cli_result *result, cli_cell cell)
{
    field(result, NULL, cell, 0);
}

void cli_list_end(cli_result *result)
{
    close_bracket(result, ']');
}

void cli_object_begin(cli_result *result)
{
    cli_key(result, NULL);
    open_bracket(result, '{', false);
}

void cli_object_end(cli_result *result)
{
    close_bracket(result, '}');
}

void cli_say(cli_result *result, const char *format, ...)
{
    va_list args;

    if (result->format != CLI_TEXT)
        return;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

/* ---- tables ---------------------------------------------------------------------------------- */

void cli_table_open(cli_result *result, const char *key, const cli_column *columns, size_t count)
{
    result->columns = columns;
    result->column_count = count;
    result->rows = 0;
    if (result->format == CLI_CSV && !result->csv_table)
        csv_header(result);
    cli_list_begin(result, key, true);
}

void cli_table_part(cli_result *result, const cli_column *columns, size_t count)
{
    result->columns = columns;
    result->column_count = count;
    if (result->format == CLI_TEXT)
        print_heading(result);
}

void cli_table_begin(cli_result *result, const char *key, const cli_column *columns, size_t count)
{
    cli_table_open(result, key, columns, count);
    cli_table_part(result, columns, count);
}

static void json_row(cli_result *r, const cli_cell *cells)
{
    for (size_t i = 0; i < r->column_count; i++)
        if (r->columns[i].key && !r->columns[i].once)
            field(r, r->columns[i].key, cells[i], r->columns[i].digits);
}

static void row_verdict(cli_result *r, const cli_cell *cells)
{
    for (size_t i = 0; i < r->column_count; i++)
        if (r->columns[i].key && strcmp(r->columns[i].key, "verified") == 0 &&
            cells[i].kind == CLI_CELL_FLAG) {
            r->compared = true;
            r->wrong |= strcmp(cells[i].text, "false") == 0;
        }
}

static void row_begin(cli_result *r, const cli_cell *cells, size_t count, size_t shown,
                      const char *note)
{
    assert(count == r->column_count);
    (void)count;
    row_verdict(r, cells);
    cli_object_begin(r);
    if (r->format == CLI_JSON)
        json_row(r, cells);
    else if (r->format == CLI_TEXT && last_shown(r) != SIZE_MAX)
        print_cells(r, cells, shown, note);
    else if (r->format == CLI_CSV && !r->csv_table)
        csv_row(r, cells);
    r->rows++;
}

void cli_row_begin(cli_result *result, const cli_cell *cells, size_t count)
{
    row_begin(result, cells, count, count, NULL);
}

void cli_row_end(cli_result *result)
{
    cli_object_end(result);
}

void cli_row_noted(cli_result *result, const cli_cell *cells, size_t count, size_t shown,
                   const char *note)
{
    row_begin(result, cells, count, shown, note);
    cli_object_end(result);
}

void cli_row(cli_result *result, const cli_cell *cells, size_t count)
{
    cli_row_noted(result, cells, count, count, NULL);
}

void cli_table_end(cli_result *result)
{
    cli_list_end(result);
    result->csv_table = true;
}

/* ---- whole results --------------------------------------------------------------------------- */

static cli_cell device_cell(const cli_result *r)
{
    return cell_if(r->device[0], cell_text(r->device));
}

static cli_cell warp_cell(const cli_result *r)
{
    return cell_if(r->warp > 0, cell_count((uint64_t)r->warp));
}

void cli_result_begin(cli_result *result, const cli_command *command, cli_format format, int device)
{
    *result = (cli_result){.command = command, .format = format};
    if (device >= 0 && (hd_device_name(device, result->device, sizeof result->device) < 0 ||
                        hd_device_get(device, HD_ATTR_WARP_SIZE, &result->warp) < 0))
        hd_error_clear();
    if (format == CLI_CSV) {
        result->names = open_memstream(&result->names_text, &result->names_size);
        result->values = open_memstream(&result->values_text, &result->values_size);
    }
    open_bracket(result, '{', false);
    if (format != CLI_JSON)
        return;
    cli_field(result, "version", cell_text(hd_version()));
    cli_field(result, "command", cell_text(command->name));
    cli_field(result, "backend", cell_text(hd_backend_name()));
    cli_field(result, "device", device_cell(result));
    cli_field(result, "warp", warp_cell(result));
}

void cli_result_begin_devices(cli_result *result, const cli_command *command, cli_format format,
                              const cli_devices *devices)
{
    char list[CLI_DEVICES_TEXT];

    cli_devices_text(devices, list);
    cli_result_begin(result, command, format, devices->device[0]);
    cli_field(result, "devices", cell_list(list));
}

/* The CSV row of a result without tables: its own fields, then those common to all results. */
static int csv_fields_end(cli_result *r)
{
    bool written = r->names && r->values;

    cli_field(r, "backend", cell_text(hd_backend_name()));
    cli_field(r, "device", device_cell(r));
    cli_field(r, "warp", warp_cell(r));
    cli_field(r, "version", cell_text(hd_version()));
    cli_field(r, "command", cell_text(r->command->name));
    written &= !r->names || fclose(r->names) == 0;
    written &= !r->values || fclose(r->values) == 0;
    if (written && !r->csv_table)
        printf("%s\n%s\n", r->names_text, r->values_text);
    free(r->names_text);
    free(r->values_text);
    return written ? CLI_DONE : cli_failed(r->command, "no memory for the result");
}

int cli_result_end(cli_result *result)
{
    int status = CLI_DONE;

    if (!result->verdict)
        cli_field(result, "verified", cell_verdict(result->compared, !result->wrong));
    if (result->format == CLI_JSON) {
        close_bracket(result, '}');
        putchar('\n');
    } else if (result->format == CLI_CSV) {
        status = csv_fields_end(result);
    }
    return status == CLI_DONE ? cli_flush(result->command) : status;
}
