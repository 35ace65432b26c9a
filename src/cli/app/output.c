/* SPDX-License-Identifier: Apache-2.0 */
/* output.c - numbers as text, JSON and CSV. */
#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

int cli_format_read(const cli_arguments *arguments, cli_format *format_out)
{
    int json = cli_option_given(arguments, "json"), csv = cli_option_given(arguments, "csv");

    if (json && csv)
        return cli_misused(arguments->command, "--json and --csv are mutually exclusive");
    *format_out = json ? CLI_JSON : csv ? CLI_CSV : CLI_TEXT;
    return CLI_DONE;
}

/* Reports once why writing to standard output failed; `error` is an errno, 0 if unknown. */
static int output_failed(const cli_command *command, int error)
{
    static bool reported;

    if (!reported && error != EPIPE)
        cli_failed(command, "standard output: %s", error ? strerror(error) : "write error");
    reported = true;
    errno = error;
    return CLI_FAILED;
}

int cli_flush(const cli_command *command)
{
    bool failed = ferror(stdout) != 0;

    errno = 0;
    failed |= fflush(stdout) != 0;
    return failed ? output_failed(command, errno) : CLI_DONE;
}

int cli_write(const cli_command *command, const void *bytes, size_t count)
{
    errno = 0;
    return fwrite(bytes, 1, count, stdout) == count ? CLI_DONE : output_failed(command, errno);
}

static bool text_special(double value, char text[CLI_NUMBER])
{
    if (!isnan(value) && !isinf(value))
        return false;
    strcpy(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return true;
}

void cli_text_f32(float value, char text[CLI_NUMBER])
{
    if (!text_special((double)value, text))
        snprintf(text, CLI_NUMBER, "%.9g", (double)value);
}

void cli_text_f64(double value, char text[CLI_NUMBER])
{
    if (!text_special(value, text))
        snprintf(text, CLI_NUMBER, "%.17g", value);
}

void cli_text_i128(hd_i128 value, char text[CLI_NUMBER])
{
    unsigned __int128 rest = (unsigned __int128)(uint64_t)value.high << 64 | value.low;
    char digits[CLI_NUMBER];
    size_t at = sizeof digits - 1;

    if (value.high < 0)
        rest = -rest;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (value.high < 0)
        digits[--at] = '-';
    memcpy(text, digits + at, sizeof digits - at);
}

void cli_json_number(const char *text, char json[CLI_NUMBER])
{
    const char *name = strcmp(text, "nan") == 0    ? "\"NaN\""
                       : strcmp(text, "inf") == 0  ? "\"Infinity\""
                       : strcmp(text, "-inf") == 0 ? "\"-Infinity\""
                                                   : text;

    snprintf(json, CLI_NUMBER, "%s", name);
}

void cli_json_quote(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;

    putchar('"');
    while (*at) {
        size_t length = hd__utf8_length(at);

        if (length == 0)
            fputs("\\ufffd", stdout);
        else if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else if (*at < 0x20 || *at == 0x7f)
            printf("\\u%04x", *at);
        else
            fwrite(at, 1, length, stdout);
        at += length ? length : 1;
    }
    putchar('"');
}

void cli_json_begin(cli_json *object)
{
    object->members = 0;
    putchar('{');
}

void cli_json_raw(cli_json *object, const char *key, const char *json)
{
    fputs(object->members++ ? ", " : "", stdout);
    cli_json_quote(key);
    printf(": %s", json);
}

void cli_json_text(cli_json *object, const char *key, const char *text)
{
    cli_json_raw(object, key, "");
    cli_json_quote(text);
}

void cli_json_end(void)
{
    putchar('}');
}

void cli_csv_cell(const char *text, FILE *to)
{
    if (!text[strcspn(text, ",\"\r\n")]) {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

void cli_text_bytes(double bytes, char text[CLI_NUMBER])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;

    while (bytes >= 1024.0 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1024.0;
        unit++;
    }
    snprintf(text, CLI_NUMBER, unit ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

void cli_text_size(uint64_t bytes, char text[CLI_NUMBER])
{
    char *point;

    cli_text_bytes((double)bytes, text);
    point = strstr(text, ".0 ");
    if (point)
        memmove(point, point + 2, strlen(point + 2) + 1);
}

void cli_text_seconds(double seconds, char text[CLI_NUMBER])
{
    if (seconds < 1e-6)
        snprintf(text, CLI_NUMBER, "%.0f ns", seconds * 1e9);
    else if (seconds < 1e-3)
        snprintf(text, CLI_NUMBER, "%.2f us", seconds * 1e6);
    else if (seconds < 1.0)
        snprintf(text, CLI_NUMBER, "%.2f ms", seconds * 1e3);
    else
        snprintf(text, CLI_NUMBER, "%.2f s", seconds);
}
