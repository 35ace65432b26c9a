/* SPDX-License-Identifier: Apache-2.0 */
/* output.h - numbers as text, JSON and CSV, and checked writes. */
#ifndef HEDDLE_CLI_APP_OUTPUT_H
#define HEDDLE_CLI_APP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/reduce.h>

#include "arguments.h"

enum { CLI_NUMBER = 48 }; /* maximum bytes of a number as text */

typedef enum cli_format { CLI_TEXT, CLI_JSON, CLI_CSV } cli_format;

/* The format selected by --json or --csv; CLI_MISUSED if both were given. */
int cli_format_read(const cli_arguments *arguments, cli_format *format_out);

/* Flushes standard output. CLI_DONE, or CLI_FAILED after a line with the reason; no line if the
   reader closed the pipe. */
int cli_flush(const cli_command *command);

/* Writes a large buffer to standard output and reports errors like cli_flush: stdio drops the errno
   of large writes. errno is left as the failure set it. */
int cli_write(const cli_command *command, const void *bytes, size_t count);

/* Round-trip precision: 9 digits for f32, 17 for f64; nan, inf and -inf. */
void cli_text_f32(float value, char text[CLI_NUMBER]);
void cli_text_f64(double value, char text[CLI_NUMBER]);
void cli_text_i128(hd_i128 value, char text[CLI_NUMBER]);
/* A number for JSON: NaN and infinities become the strings "NaN", "Infinity", "-Infinity". */
void cli_json_number(const char *text, char json[CLI_NUMBER]);

/* A JSON object that is written to standard output, member by member. */
typedef struct cli_json {
    int members;
} cli_json;
void cli_json_begin(cli_json *object);
void cli_json_raw(cli_json *object, const char *key, const char *json);
void cli_json_text(cli_json *object, const char *key, const char *text);
void cli_json_end(void);
/* A string in quotes, escaped; invalid UTF-8 becomes U+FFFD. */
void cli_json_quote(const char *text);

/* A cell of a CSV file, quoted if necessary. */
void cli_csv_cell(const char *text, FILE *to);

/* "4.0 MiB", "512 B" */
void cli_text_bytes(double bytes, char text[CLI_NUMBER]);
/* "256 KiB", "1.5 MiB": without a decimal that is 0 */
void cli_text_size(uint64_t bytes, char text[CLI_NUMBER]);
/* "3.42 ms", "512 ns" */
void cli_text_seconds(double seconds, char text[CLI_NUMBER]);

#endif
