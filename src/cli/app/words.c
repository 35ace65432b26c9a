/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - reads values of options: words of a list, counts and numbers within limits,
   elements. */
#include "words.h"

#include <math.h>
#include <string.h>

#include "io/number.h"

enum { WORD_BYTES = 32, NUMBER_BYTES = 64, LIST_BYTES = 256 };

/* The index of the word text[0..length) in a list; `count` if it is not in the list. */
static size_t word_find(const char *text, size_t length, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return i;
    return count;
}

/* One line for an option's value that is not in the list: suggests the nearest word or lists
   all. */
static int unknown_word(const cli_arguments *arguments, const char *option, const char *text,
                        size_t length, const char *const *words, size_t count)
{
    char word[WORD_BYTES], list[LIST_BYTES] = "";
    const char *nearest;

    snprintf(word, sizeof word, "%.*s", (int)length, text);
    nearest = strcmp(word, "all") == 0 ? NULL : cli_nearest(word, words, count);
    if (nearest)
        return cli_misused(arguments->command, "--%s: unknown '%.*s', did you mean '%s'?", option,
                           (int)length, text, nearest);
    for (size_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), " %s", words[i]);
    return cli_misused(arguments->command, "--%s: unknown '%.*s'; choose one of%s", option,
                       (int)length, text, list);
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

bool cli_list_has(const char *list, const char *word)
{
    for (size_t length; list; list = list[length] ? list + length + 1 : NULL) {
        length = strcspn(list, ",");
        if (strlen(word) == length && memcmp(list, word, length) == 0)
            return true;
    }
    return false;
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
        if (bits >> i & 1)
            return cli_misused(arguments->command, "--%s: '%s' is listed twice", name, words[i]);
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

    if (text && !cli_size_read(text, strlen(text), &value) && text[0] != '-')
        return cli_misused(arguments->command,
                           "--%s: '%s' is not a count such as 1000, 64M or 2^20", name, text);
    if (text && (text[0] == '-' || value < least || value > most))
        return cli_misused(arguments->command, "--%s: '%s' is not from %llu to %llu", name, text,
                           (unsigned long long)least, (unsigned long long)most);
    *value_out = value;
    return CLI_DONE;
}

int cli_choice_read(const cli_arguments *arguments, const char *name, unsigned fallback,
                    const unsigned *choices, size_t count, unsigned *value_out)
{
    const char *text = cli_option_value(arguments, name);
    uint64_t value = fallback;
    char list[96] = "";
    size_t i = 0;

    if (text && !cli_size_read(text, strlen(text), &value))
        value = UINT64_MAX;
    while (text && i < count && choices[i] != value)
        i++;
    if (i < count) {
        *value_out = (unsigned)value;
        return CLI_DONE;
    }
    for (i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%u",
                 i == 0           ? ""
                 : i + 1 == count ? " and "
                                  : ", ",
                 choices[i]);
    return cli_misused(arguments->command, "--%s: '%s' is not one of %s", name, text, list);
}

int cli_depth_read(const cli_arguments *arguments, hd_type type, unsigned fallback,
                   unsigned *depth_out)
{
    static const unsigned depths[] = {0, 1, 2, 4, 8};
    const char *text = cli_option_value(arguments, "depth");
    uint64_t asked = 0;

    if (type != HD_F32 && text && cli_size_read(text, strlen(text), &asked) && asked == 8)
        return cli_misused(arguments->command,
                           "--depth: 8 sweeps per pass are available in f32 only; %s has 0, 1, "
                           "2 and 4",
                           hd_type_name(type));
    return cli_choice_read(arguments, "depth", fallback, depths, type == HD_F32 ? 5 : 4, depth_out);
}

void cli_depth_text(unsigned depth, unsigned asked, char text[CLI_DEPTH_TEXT])
{
    const int made = snprintf(text, CLI_DEPTH_TEXT, "depth %u", depth);

    if (depth < asked)
        snprintf(text + made, CLI_DEPTH_TEXT - (size_t)made,
                 "; %u requested; this backend cannot do more per pass", asked);
}

int cli_second_digits(double seconds)
{
    return seconds < 1e-3 ? 8 : seconds < 0.1 ? 6 : 4;
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
        return cli_misused(arguments->command, "--%s: '%s' is not a finite number", name, text);
    *value_out = value;
    return CLI_DONE;
}

int cli_verify_read(const cli_arguments *arguments, bool *verify_out)
{
    const bool verify = !cli_option_given(arguments, "no-verify");

    if (!verify && cli_option_given(arguments, "verify"))
        return cli_misused(arguments->command, "--verify and --no-verify are mutually exclusive");
    *verify_out = verify;
    return CLI_DONE;
}

int cli_verify_always(const cli_arguments *arguments)
{
    if (cli_option_given(arguments, "no-verify"))
        return cli_misused(arguments->command,
                           "--no-verify: what arrives is always compared with what was sent");
    return CLI_DONE;
}

/* ---- elements ------------------------------------------------------------------------------- */

static hd__number_result read_integer(const char *text, hd_type type, hd_scalar *value)
{
    const size_t length = strlen(text);
    uint64_t natural = 0;
    int64_t integer = 0;
    const int is_signed = type == HD_I32 || type == HD_I64;
    const hd__number_result result = is_signed ? hd__number_i64(text, length, &integer)
                                               : hd__number_u64(text, length, &natural);
    const uint64_t most = type == HD_U8 ? UINT8_MAX : type == HD_U32 ? UINT32_MAX : UINT64_MAX;

    if (result != HD__NUMBER_OK)
        return result;
    if (natural > most || (type == HD_I32 && (integer < INT32_MIN || integer > INT32_MAX)))
        return HD__NUMBER_RANGE;
    if (type == HD_I32)
        value->i32 = (int32_t)integer;
    else if (type == HD_I64)
        value->i64 = integer;
    else if (type == HD_U8)
        value->u8 = (uint8_t)natural;
    else if (type == HD_U32)
        value->u32 = (uint32_t)natural;
    else
        value->u64 = natural;
    return HD__NUMBER_OK;
}

static hd__number_result read_real(const char *text, hd_type type, hd_scalar *value)
{
    char copy[NUMBER_BYTES];
    double real = 0;

    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return HD__NUMBER_BAD;
    const hd__number_result result = hd__number_f64(copy, strlen(copy), &real);
    if (result == HD__NUMBER_OK && type == HD_F32 && isfinite(real) && isinf((float)real))
        return HD__NUMBER_RANGE;
    if (type == HD_F32)
        value->f32 = (float)real;
    else
        value->f64 = real;
    return result;
}

/* Reports a whole number that the type rounds; rounding of a decimal fraction is expected. */
static void note_rounded(const cli_arguments *arguments, const char *name, hd_type type,
                         const char *text, const hd_scalar *value)
{
    const double kept = type == HD_F32 ? (double)value->f32 : value->f64;
    char copy[NUMBER_BYTES];
    double real = 0;

    (void)snprintf(copy, sizeof copy, "%s", text);
    if (hd__number_f64(copy, strlen(copy), &real) != HD__NUMBER_OK || !isfinite(real) ||
        floor(real) < real)
        return;
    if (kept < real || kept > real || hd__number_is_rounded(text, strlen(text), real))
        cli_note(arguments->command, "--%s: %s is rounded to %.17g, the nearest %s", name, text,
                 kept, hd_type_name(type));
}

int cli_scalar_parse(const cli_arguments *arguments, const char *name, const char *text,
                     hd_type type, hd_scalar *value_out)
{
    const bool real = type == HD_F32 || type == HD_F64;
    const hd__number_result result = real ? read_real(text, type, value_out)
                                          : read_integer(text, type, value_out);

    if (result != HD__NUMBER_OK)
        return cli_misused(arguments->command, "--%s: '%s' is not a value of type %s", name, text,
                           hd_type_name(type));
    if (real)
        note_rounded(arguments, name, type, text, value_out);
    return CLI_DONE;
}

int cli_scalar_read(const cli_arguments *arguments, const char *name, hd_type type,
                    hd_scalar *value_out)
{
    const char *text = cli_option_value(arguments, name);

    return text ? cli_scalar_parse(arguments, name, text, type, value_out) : CLI_DONE;
}
