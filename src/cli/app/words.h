/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - reads values of options: words of a list, counts and numbers within limits,
   elements. */
#ifndef HEDDLE_CLI_APP_WORDS_H
#define HEDDLE_CLI_APP_WORDS_H

#include <stdbool.h>

#include <heddle/select.h>

#include "arguments.h"

/* All read --NAME, or return `fallback` if it was not given. CLI_DONE, or CLI_MISUSED after a
   line. */

/* The index among words[0..count); for an unknown word the line suggests the nearest. */
int cli_word_read(const cli_arguments *arguments, const char *name, const char *const *words,
                  size_t count, size_t fallback, size_t *index_out);
/* Whether a comma-separated list such as sum,min contains the word; NULL contains none. */
bool cli_list_has(const char *list, const char *word);
/* A comma-separated list without duplicates, such as sum,min: bit i stands for words[i]. */
int cli_word_list_read(const cli_arguments *arguments, const char *name, const char *const *words,
                       size_t count, unsigned fallback, unsigned *bits_out);
/* --type as an hd_type. */
int cli_type_read(const cli_arguments *arguments, hd_type fallback, hd_type *type_out);
/* A count or size (1000, 2^20, 64M) from `least` to `most`. */
int cli_count_read(const cli_arguments *arguments, const char *name, uint64_t fallback,
                   uint64_t least, uint64_t most, uint64_t *value_out);
/* One of a few allowed values; the error lists them. */
int cli_choice_read(const cli_arguments *arguments, const char *name, unsigned fallback,
                    const unsigned *choices, size_t count, unsigned *value_out);
/* --depth of a 2-D Jacobi problem: a number of sweeps that kernels support; 0: the fastest. */
int cli_depth_read(const cli_arguments *arguments, hd_type type, unsigned fallback,
                   unsigned *depth_out);
/* "depth 4", with the reason if that is less than requested (unless 0 was). */
enum { CLI_DEPTH_TEXT = 96 };
void cli_depth_text(unsigned depth, unsigned asked, char text[CLI_DEPTH_TEXT]);
/* Decimals for printing seconds: four, or more for short runs so that some digits are not 0. */
int cli_second_digits(double seconds);
/* A finite number. */
int cli_number_read(const cli_arguments *arguments, const char *name, double fallback,
                    double *value_out);
/* Whether results are verified: --verify (the default) or --no-verify; both are misuse. */
int cli_verify_read(const cli_arguments *arguments, bool *verify_out);
/* For commands that always verify: --no-verify is misuse. */
int cli_verify_always(const cli_arguments *arguments);
#define CLI_VERIFY_ALWAYS_OPTIONS                                                                  \
    {"verify", NULL, "verify the received data: always done"},                                     \
    {                                                                                              \
        "no-verify", NULL, "refused, because the timing of a wrong transfer is meaningless"        \
    }
/* Reads `text`, a part of the value of --NAME, as one element. */
int cli_scalar_parse(const cli_arguments *arguments, const char *name, const char *text,
                     hd_type type, hd_scalar *value_out);
/* Reads one element of type u8, i32, u32, i64, u64, f32 or f64; not set if the option was not
   given. */
int cli_scalar_read(const cli_arguments *arguments, const char *name, hd_type type,
                    hd_scalar *value_out);

#endif
