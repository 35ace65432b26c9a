/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numbers in the format of the C locale, whatever the program's locale is. */
#define _POSIX_C_SOURCE 200809L

#include "number.h"

#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

/* A decimal number: value = digits * 10^exponent, exact unless digits were dropped. */
typedef struct hd__decimal {
    uint64_t digits;
    int64_t exponent;
    bool dropped; /* more than 19 significant digits */
} hd__decimal;

static bool hd__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool hd__is_hex(char c)
{
    return hd__is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Whether the text is the word, which is in lower case; ignores case. */
static bool hd__is_word(const char *text, size_t length, const char *word)
{
    size_t i;

    for (i = 0; i < length && word[i] != '\0'; i++) {
        if ((char)(text[i] | 0x20) != word[i])
            return false;
    }
    return i == length && word[i] == '\0';
}

/* Reads an optional sign, then digits up to the end. */
static bool hd__read_exponent(const char *text, size_t length, int64_t *exponent_out)
{
    bool negative = length > 0 && text[0] == '-';
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    int64_t value = 0;

    if (at == length)
        return false;
    for (; at < length; at++) {
        if (!hd__is_digit(text[at]))
            return false;
        if (value < 1000000000) /* far beyond every double; strtod parses the original text */
            value = value * 10 + (text[at] - '0');
    }
    *exponent_out = negative ? -value : value;
    return true;
}

/* Reads an unsigned decimal number: digits, a point, an exponent. Returns whether the text is
   one. */
static bool hd__read_decimal(const char *text, size_t length, hd__decimal *decimal_out)
{
    hd__decimal decimal = {0, 0, false};
    size_t at, point = SIZE_MAX, seen = 0;
    int64_t exponent = 0;

    for (at = 0; at < length; at++) {
        char c = text[at];
        if (hd__is_digit(c)) {
            seen++;
            if (decimal.digits < UINT64_C(1000000000000000000)) {
                decimal.digits = decimal.digits * 10 + (uint64_t)(c - '0');
                decimal.exponent -= point != SIZE_MAX;
            } else {
                decimal.dropped = true;
            }
        } else if (c == '.' && point == SIZE_MAX) {
            point = at;
        } else {
            break;
        }
    }
    if (seen == 0)
        return false;
    if (at < length) {
        if ((text[at] | 0x20) != 'e' ||
            !hd__read_exponent(text + at + 1, length - at - 1, &exponent))
            return false;
    }
    decimal.exponent += exponent;
    *decimal_out = decimal;
    return true;
}

/* Whether the text is an unsigned hexadecimal number: 0x, digits, a point, a binary exponent. */
static bool hd__is_hexadecimal(const char *text, size_t length)
{
    size_t at, points = 0, digits = 0;
    int64_t exponent;

    if (length < 3 || text[0] != '0' || (text[1] | 0x20) != 'x')
        return false;
    for (at = 2; at < length; at++) {
        if (hd__is_hex(text[at]))
            digits++;
        else if (text[at] != '.' || ++points > 1)
            break;
    }
    if (digits == 0)
        return false;
    return at == length || ((text[at] | 0x20) == 'p' &&
                            hd__read_exponent(text + at + 1, length - at - 1, &exponent));
}

/* Both the digits and the power of ten are exact doubles, so the product is rounded only once (W.
   D. Clinger, How to read floating point numbers accurately, PLDI 1990). */
static bool hd__exact_product(const hd__decimal *decimal, double *value_out)
{
#if FLT_EVAL_METHOD == 0
    static const double powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

    if (decimal->dropped || decimal->digits > UINT64_C(1) << 53)
        return false;
    if (decimal->exponent >= 0 && decimal->exponent <= 22) {
        *value_out = (double)decimal->digits * powers[decimal->exponent];
        return true;
    }
    if (decimal->exponent < 0 && decimal->exponent >= -22) {
        *value_out = (double)decimal->digits / powers[-decimal->exponent];
        return true;
    }
#else
    (void)decimal;
    (void)value_out;
#endif
    return false;
}

/* The text is known to be a number; strtod rounds it. */
static hd__number_result hd__number_round(char *text, size_t length, double *value_out)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(plain);
    char kept = text[length];
    int saved = errno;
    double value;
    char *end;

    errno = 0;
    text[length] = '\0';
    value = strtod(text, &end);
    text[length] = kept;
    uselocale(before);
    if (plain != (locale_t)0)
        freelocale(plain);
    errno = saved;
    if (end != text + length)
        return HD__NUMBER_BAD;
    if (isinf(value))
        return HD__NUMBER_RANGE;
    *value_out = value;
    return HD__NUMBER_OK;
}

hd__number_result hd__number_f64(char *text, size_t length, double *value_out)
{
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const char *rest = text + sign;
    hd__decimal decimal;
    double value;

    if (hd__read_decimal(rest, length - sign, &decimal)) {
        if (!hd__exact_product(&decimal, &value))
            return hd__number_round(text, length, value_out);
    } else if (hd__is_word(rest, length - sign, "nan")) {
        value = (double)NAN;
    } else if (hd__is_word(rest, length - sign, "inf") ||
               hd__is_word(rest, length - sign, "infinity")) {
        value = (double)INFINITY;
    } else if (hd__is_hexadecimal(rest, length - sign)) {
        return hd__number_round(text, length, value_out);
    } else {
        return HD__NUMBER_BAD;
    }
    *value_out = sign > 0 && text[0] == '-' ? -value : value;
    return HD__NUMBER_OK;
}

/* Sign and magnitude of a decimal integer. */
static hd__number_result hd__read_integer(const char *text, size_t length, bool *negative_out,
                                          uint64_t *size_out)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    bool large = false;
    uint64_t size = 0;

    *negative_out = at > 0 && text[0] == '-';
    if (at == length)
        return HD__NUMBER_BAD;
    for (; at < length; at++) {
        uint64_t digit = (uint64_t)(text[at] - '0');
        if (!hd__is_digit(text[at]))
            return HD__NUMBER_BAD;
        if (size > (UINT64_MAX - digit) / 10)
            large = true;
        else
            size = size * 10 + digit;
    }
    *size_out = size;
    return large ? HD__NUMBER_RANGE : HD__NUMBER_OK;
}

hd__number_result hd__number_i64(const char *text, size_t length, int64_t *value_out)
{
    bool negative;
    uint64_t size;
    hd__number_result result = hd__read_integer(text, length, &negative, &size);

    if (result != HD__NUMBER_OK)
        return result;
    if (size > (uint64_t)INT64_MAX + (negative ? 1u : 0u))
        return HD__NUMBER_RANGE;
    *value_out = !negative ? (int64_t)size : size == 0 ? 0 : -(int64_t)(size - 1) - 1;
    return HD__NUMBER_OK;
}

hd__number_result hd__number_u64(const char *text, size_t length, uint64_t *value_out)
{
    bool negative;
    uint64_t size;
    hd__number_result result = hd__read_integer(text, length, &negative, &size);

    if (result != HD__NUMBER_OK)
        return result;
    if (negative && size > 0)
        return HD__NUMBER_RANGE;
    *value_out = size;
    return HD__NUMBER_OK;
}

bool hd__number_is_rounded(const char *text, size_t length, double value)
{
    const double magnitude = fabs(value);
    uint64_t digits = 0;
    int64_t below = 0;

    if (magnitude < 0x1p53)
        return false;
    if (hd__number_i64(text, length, &below) == HD__NUMBER_OK)
        digits = below < 0 ? 0 - (uint64_t)below : (uint64_t)below;
    else if (hd__number_u64(text, length, &digits) != HD__NUMBER_OK)
        return false;
    return !(magnitude < 0x1p64) || (uint64_t)magnitude != digits;
}
