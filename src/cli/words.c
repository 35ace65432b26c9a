/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - values of options: words of a list, counts and numbers within bounds. */
#include "words.h"

#include <math.h>
#include <string.h>

#include "../io/number.h"

enum { WORD_BYTES = 32, NUMBER_BYTES = 64 };

/* The index of the word text[0..length) in a list; `count` where it is not there. */
static size_t word_find(const char *text, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return i;
    return count;
}

/* One line about an option's value that is none of the words. */
static int unknown_word(const cli_arguments *arguments, const char *option, const char *text,
                        size_t length, const char *const *words, size_t count)
{
    char word[WORD_BYTES];
    const char *nearest;

    snprintf(word, sizeof word, "%.*s", (int)length, text);
    nearest = cli_nearest(word, words, count);
    return cli_misused(arguments->command, "--%s: unknown '%.*s'%s%s%s", option, (int)length, text,
                       nearest ? ", did you mean '" : "", nearest ? nearest : "",
                       nearest ? "'?" : "");
}

int cli_word_read(const cli_arguments *arguments, const char *name, const char *const *words,
                  size_t count, size_t fallback, size_t *index_out)
{
    const char *text = cli_option_value(arguments, name);
    size_t i = text ? word_find(text, strlen(text), words, count) : fallback;

    if (text && i == count)
        return unknown_word(arguments, name, text, strlen(text), words, count);
    *index_out = i;
    return CLI_DONE;
}

int cli_word_list_read(const cli_arguments *arguments, const char *name, const char *const *words,
                       size_t count, unsigned fallback, unsigned *bits_out)
{
    const char *text = cli_option_value(arguments, name);
    unsigned bits = text ? 0 : fallback;

    while (text) {
        size_t length = strcspn(text, ","), i = word_find(text, length, words, count);

        if (i == count)
            return unknown_word(arguments, name, text, length, words, count);
        bits |= 1u << i;
        text = text[length] ? text + length + 1 : NULL;
    }
    *bits_out = bits;
    return CLI_DONE;
}

int cli_type_read(const cli_arguments *arguments, hd_type fallback, hd_type *type_out)
{
    const char *names[HD_TYPE_COUNT_];
    size_t type;
    int status;

    for (int i = 0; i < HD_TYPE_COUNT_; i++)
        names[i] = hd_type_name((hd_type)i);
    status = cli_word_read(arguments, "type", names, HD_TYPE_COUNT_, (size_t)fallback, &type);
    if (status == CLI_DONE)
        *type_out = (hd_type)type;
    return status;
}

int cli_count_read(const cli_arguments *arguments, const char *name, uint64_t fallback,
                   uint64_t least, uint64_t most, uint64_t *value_out)
{
    const char *text = cli_option_value(arguments, name);
    uint64_t value = fallback;

    if (text && (!cli_size_read(text, strlen(text), &value) || value < least || value > most))
        return cli_misused(arguments->command, "--%s: '%s' is not from %llu to %llu", name, text,
                           (unsigned long long)least, (unsigned long long)most);
    *value_out = value;
    return CLI_DONE;
}

int cli_number_read(const cli_arguments *arguments, const char *name, double fallback,
                    double *value_out)
{
    const char *text = cli_option_value(arguments, name);
    char copy[NUMBER_BYTES];
    double value = fallback;

    if (text && (strlen(text) >= sizeof copy ||
                 hd__number_f64(strcpy(copy, text), strlen(text), &value) != HD__NUMBER_OK ||
                 !isfinite(value)))
        return cli_misused(arguments->command, "--%s: '%s' is no finite number", name, text);
    *value_out = value;
    return CLI_DONE;
}
