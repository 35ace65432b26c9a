/* SPDX-License-Identifier: Apache-2.0 */
/* Text to numbers: values by their bits, and texts that are no numbers. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <locale.h>
#include <stdlib.h>

#include "../../src/io/number.h"

static hd__number_result f64_of(const char *text, double *value)
{
    char buffer[2048];

    snprintf(buffer, sizeof buffer, "%s,9", text);
    return hd__number_f64(buffer, strlen(text), value);
}

static uint64_t bits_of(const char *text)
{
    double value = -12345.0;
    uint64_t bits;

    if (f64_of(text, &value) != HD__NUMBER_OK)
        return UINT64_C(0xdeadbeefdeadbeef);
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Bit patterns by IEEE 754 arithmetic done by hand, and well-known hard cases of rounding. */
TEST(number_f64_bits)
{
    CHECK_EQ_U64(bits_of("0"), UINT64_C(0));
    CHECK_EQ_U64(bits_of("-0"), UINT64_C(0x8000000000000000));
    CHECK_EQ_U64(bits_of("-0.0e-999999999999"), UINT64_C(0x8000000000000000));
    CHECK_EQ_U64(bits_of("1"), UINT64_C(0x3ff0000000000000));
    CHECK_EQ_U64(bits_of("+1."), UINT64_C(0x3ff0000000000000));
    CHECK_EQ_U64(bits_of(".5"), UINT64_C(0x3fe0000000000000));
    CHECK_EQ_U64(bits_of("-2.5e0"), UINT64_C(0xc004000000000000));
    CHECK_EQ_U64(bits_of("0.1"), UINT64_C(0x3fb999999999999a));
    CHECK_EQ_U64(bits_of("1E22"), UINT64_C(0x4480f0cf064dd592));
    CHECK_EQ_U64(bits_of("9007199254740993"), UINT64_C(0x4340000000000000));
    CHECK_EQ_U64(bits_of("9007199254740993.00000000000000000000000001"),
                 UINT64_C(0x4340000000000001));
    CHECK_EQ_U64(bits_of("9007199254740995"), UINT64_C(0x4340000000000002));
    CHECK_EQ_U64(bits_of("2.2250738585072011e-308"), UINT64_C(0x000fffffffffffff));
    CHECK_EQ_U64(bits_of("1.7976931348623157e308"), UINT64_C(0x7fefffffffffffff));
    CHECK_EQ_U64(bits_of("4.9406564584124654e-324"), UINT64_C(1));
    CHECK_EQ_U64(bits_of("1e-400"), UINT64_C(0));
    CHECK_EQ_U64(bits_of("100000000000000000000000e-23"), UINT64_C(0x3ff0000000000000));
    CHECK_EQ_U64(bits_of("0x1.8p3"), UINT64_C(0x4028000000000000));
    CHECK_EQ_U64(bits_of("-0X.8"), UINT64_C(0xbfe0000000000000));
    CHECK_EQ_U64(bits_of("inf"), UINT64_C(0x7ff0000000000000));
    CHECK_EQ_U64(bits_of("-Infinity"), UINT64_C(0xfff0000000000000));
    CHECK_EQ_U64(bits_of("INF"), UINT64_C(0x7ff0000000000000));
    CHECK_EQ_U64(bits_of("NaN") & UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff8000000000000));
    CHECK_EQ_U64(bits_of("+nan") & UINT64_C(0x7ff8000000000000), UINT64_C(0x7ff8000000000000));
}

TEST(number_f64_is_none)
{
    static const char *const texts[] = {
        "",    "+",   "-",   ".",     "e5",   "1e",     "1e+",       "--1",  "1.2.3", "1,5",
        "1 ",  " 1",  "0x",  "0x.",   "0x1p", "0xg",    "nan(1)",    "nano", "infi",  "1f",
        "1d5", "1_0", "\t1", "1e5.0", "abc",  "0x1p1.", "infinityy", "+-1",  "1e 5",  "i",
    };
    double value = 7;
    size_t i;

    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (f64_of(texts[i], &value) != HD__NUMBER_BAD)
            CHECK_EQ_STR(texts[i], "no number");
    }
    CHECK_EQ_I64(hd__number_f64((char[]){'1', '\0', '2', '\0'}, 3, &value), HD__NUMBER_BAD);
    CHECK_EQ_F64_BITS(value, 7.0);
}

TEST(number_f64_range)
{
    double value = 7;

    CHECK_EQ_I64(f64_of("1e309", &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(f64_of("-1.7976931348623159e308", &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(f64_of("1e99999999999999999999", &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(f64_of("0x1p1024", &value), HD__NUMBER_RANGE);
    CHECK_EQ_F64_BITS(value, 7.0);
}

/* The text around a number is put back. */
TEST(number_f64_restores_text)
{
    char text[] = "0.1234567890123456789;x";
    double value;

    CHECK_EQ_I64(hd__number_f64(text, 21, &value), HD__NUMBER_OK);
    CHECK_EQ_STR(text, "0.1234567890123456789;x");
}

/* The C library's own reader is the judge over random bit patterns in several notations. */
TEST(number_f64_round_trip)
{
    static const char *const formats[] = {"%.17g", "%.20e", "%a", "%.6f", "%.3g"};
    uint64_t state = 1;
    int i;

    for (i = 0; i < 100000; i++) {
        char text[400];
        double given, wanted, value = 0;
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        memcpy(&given, &state, sizeof given);
        if (!(given - given <= 0) || !(given < 1e300 && given > -1e300))
            continue;
        snprintf(text, sizeof text, formats[i % 5], given);
        wanted = strtod(text, NULL);
        CHECK_EQ_I64(f64_of(text, &value), HD__NUMBER_OK);
        if (!CHECK_EQ_F64_BITS(value, wanted))
            NOTE("%s", text);
    }
}

TEST(number_f64_ignores_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    size_t i;

    for (i = 0; i < sizeof names / sizeof names[0] && found == NULL; i++)
        found = setlocale(LC_ALL, names[i]);
    if (found == NULL)
        SKIP("no locale with a decimal comma is installed");
    CHECK_EQ_U64(bits_of("0.1234567890123456789"), UINT64_C(0x3fbf9add3746f65f));
    CHECK_EQ_U64(bits_of("1,5"), UINT64_C(0xdeadbeefdeadbeef));
    setlocale(LC_ALL, "C");
}

TEST(number_i64)
{
    int64_t value = 7;

    CHECK_EQ_I64(hd__number_i64("-9223372036854775808", 20, &value), HD__NUMBER_OK);
    CHECK_EQ_I64(value, INT64_MIN);
    CHECK_EQ_I64(hd__number_i64("+9223372036854775807", 20, &value), HD__NUMBER_OK);
    CHECK_EQ_I64(value, INT64_MAX);
    CHECK_EQ_I64(hd__number_i64("-0", 2, &value), HD__NUMBER_OK);
    CHECK_EQ_I64(value, 0);
    CHECK_EQ_I64(hd__number_i64("00012", 5, &value), HD__NUMBER_OK);
    CHECK_EQ_I64(value, 12);
    CHECK_EQ_I64(hd__number_i64("9223372036854775808", 19, &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(hd__number_i64("-9223372036854775809", 20, &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(hd__number_i64("99999999999999999999999999", 26, &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(hd__number_i64("99999999999999999999999x", 24, &value), HD__NUMBER_BAD);
    CHECK_EQ_I64(hd__number_i64("1.0", 3, &value), HD__NUMBER_BAD);
    CHECK_EQ_I64(hd__number_i64("", 0, &value), HD__NUMBER_BAD);
    CHECK_EQ_I64(hd__number_i64("-", 1, &value), HD__NUMBER_BAD);
    CHECK_EQ_I64(value, 12);
}

TEST(number_u64)
{
    uint64_t value = 7;

    CHECK_EQ_I64(hd__number_u64("18446744073709551615", 20, &value), HD__NUMBER_OK);
    CHECK_EQ_U64(value, UINT64_MAX);
    CHECK_EQ_I64(hd__number_u64("-0", 2, &value), HD__NUMBER_OK);
    CHECK_EQ_U64(value, 0);
    CHECK_EQ_I64(hd__number_u64("18446744073709551616", 20, &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(hd__number_u64("-1", 2, &value), HD__NUMBER_RANGE);
    CHECK_EQ_I64(hd__number_u64("0x10", 4, &value), HD__NUMBER_BAD);
}

TEST(integers_that_f64_rounds)
{
    static const struct {
        const char *text;
        int rounded;
    } cases[] = {
        {"9007199254740992", 0},     {"9007199254740993", 1},     {"-9007199254740993", 1},
        {"9007199254740994", 0},     {"18446744073709551615", 1}, {"9223372036854775807", 1},
        {"-9223372036854775808", 0}, {"9223372036854775808", 0},  {"0", 0},
        {"9007199254740993.0", 0},   {"36893488147419103233", 0}, {"1e300", 0},
        {"+9007199254740993", 1},    {"9007199254740991", 0}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[64];
        double value = 0;
        snprintf(copy, sizeof copy, "%s", cases[i].text);
        REQUIRE(hd__number_f64(copy, strlen(copy), &value) == HD__NUMBER_OK);
        if (!CHECK_EQ_I64(hd__number_is_rounded(copy, strlen(copy), value), cases[i].rounded))
            NOTE("%s", cases[i].text);
    }
}

TEST_MAIN
