/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* Arrays written as tables: their text, numbers that come back with the same bits, what is
   refused. */
#include "../test.h"

#include <stdlib.h>

#include "../../src/io/array_write.h"
#include "../../src/io/source.h"
#include "../../src/io/suffix.h"
#include "scratch.h"

static char message[HD__IO_MESSAGE];

static const char *get(const char *path)
{
    static char text[1024];
    FILE *file = fopen(path, "rb");
    size_t got = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    text[got] = '\0';
    if (file != NULL)
        (void)fclose(file);
    return text;
}

static void check_text(const char *name, hd__io_type type, size_t axes, uint64_t rows,
                       uint64_t columns, const void *data, const char *text)
{
    const char *path = scratch_path(name);
    const uint64_t shape[2] = {rows, columns};

    CHECK_STATUS(hd__array_write(path, type, axes, shape, data, message), 0);
    CHECK_EQ_STR(get(path), text);
}

TEST(integers_of_all_types)
{
    const uint64_t most = UINT64_MAX;
    const int64_t least = INT64_MIN;
    const uint8_t u8[3] = {0, 7, 255};
    const int8_t i8[3] = {-128, -1, 127};
    const uint16_t u16[2] = {0, 65535};
    const int16_t i16[2] = {-32768, 32767};
    const uint32_t u32[2] = {1, UINT32_MAX};
    const int32_t i32[2] = {INT32_MIN, INT32_MAX};

    check_text("u8.csv", HD__IO_U8, 1, 3, 0, u8, "0\n7\n255\n");
    check_text("i8.csv", HD__IO_I8, 1, 3, 0, i8, "-128\n-1\n127\n");
    check_text("u16.csv", HD__IO_U16, 1, 2, 0, u16, "0\n65535\n");
    check_text("i16.csv", HD__IO_I16, 1, 2, 0, i16, "-32768\n32767\n");
    check_text("u32.csv", HD__IO_U32, 1, 2, 0, u32, "1\n4294967295\n");
    check_text("i32.csv", HD__IO_I32, 1, 2, 0, i32, "-2147483648\n2147483647\n");
    check_text("u64.csv", HD__IO_U64, 0, 0, 0, &most, "18446744073709551615\n");
    check_text("i64.csv", HD__IO_I64, 1, 1, 0, &least, "-9223372036854775808\n");
}

TEST(rows_and_columns)
{
    const uint8_t data[6] = {1, 2, 3, 4, 5, 6};

    check_text("two.csv", HD__IO_U8, 2, 2, 3, data, "1,2,3\n4,5,6\n");
    check_text("two.tsv", HD__IO_U8, 2, 3, 2, data, "1\t2\n3\t4\n5\t6\n");
    check_text("CAPITALS.CSV", HD__IO_U8, 2, 1, 2, data, "1,2\n");
    check_text("none.csv", HD__IO_U8, 1, 0, 0, data, "");
}

TEST(floats_that_are_not_finite)
{
    const uint16_t f16[5] = {0x7c00, 0xfc00, 0xfe01, 0x8000, 0x0001};

    check_text("f16.csv", HD__IO_F16, 1, 5, 0, f16, "inf\n-inf\nnan\n-0\n5.9605e-08\n");
}

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 11 ^ *state << 31;
}

/* Read by strtod, which rounds correctly. */
TEST(every_float_comes_back)
{
    enum { COUNT = 2000 };
    static double f64[COUNT];
    static float f32[COUNT];
    const char *path64 = scratch_path("f64.csv"), *path32 = scratch_path("f32.csv");
    const uint64_t shape[1] = {COUNT};
    uint64_t state = 1;
    char line[64];

    for (size_t i = 0; i < COUNT; i++) {
        uint64_t bits = draw(&state) & ~((uint64_t)1 << 62);
        uint32_t half = (uint32_t)draw(&state) & ~((uint32_t)1 << 30);

        memcpy(&f64[i], &bits, sizeof bits);
        memcpy(&f32[i], &half, sizeof half);
    }
    CHECK_STATUS(hd__array_write(path64, HD__IO_F64, 1, shape, f64, message), 0);
    CHECK_STATUS(hd__array_write(path32, HD__IO_F32, 1, shape, f32, message), 0);
    FILE *file64 = fopen(path64, "r"), *file32 = fopen(path32, "r");
    REQUIRE(file64 != NULL && file32 != NULL);
    for (size_t i = 0; i < COUNT; i++) {
        double back64 = fgets(line, sizeof line, file64) != NULL ? strtod(line, NULL) : 0;
        float back32 = fgets(line, sizeof line, file32) != NULL ? strtof(line, NULL) : 0;

        CHECK(memcmp(&back64, &f64[i], sizeof back64) == 0);
        CHECK(memcmp(&back32, &f32[i], sizeof back32) == 0);
    }
    (void)fclose(file64);
    (void)fclose(file32);
}

/* All 63,488 numbers of f16, read as f64 and rounded, are themselves. */
TEST(every_half_comes_back)
{
    static uint16_t f16[1 << 16];
    static double back[1 << 16];
    const char *path = scratch_path("half.csv");
    hd__source_options options = {.path = path, .format = HD__IO_CSV, .type = HD__IO_F64};
    hd__source *source;
    size_t got = 0;
    uint64_t shape[1] = {0};

    for (unsigned bits = 0; bits < 1 << 16; bits++)
        if ((bits & 0x7c00) != 0x7c00)
            f16[shape[0]++] = (uint16_t)bits;
    CHECK_STATUS(hd__array_write(path, HD__IO_F16, 1, shape, f16, message), 0);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_STATUS(hd__source_read(source, back, 1 << 16, &got, message), 0);
    hd__source_close(source);
    REQUIRE(CHECK_EQ_U64(got, shape[0]));
    for (size_t i = 0; i < got; i++) { /* exponent and fraction as the format defines them */
        const int exponent = f16[i] >> 10 & 31;
        const double fraction = (f16[i] & 1023) / 1024.0;
        double exact = exponent ? (1 + fraction) * (double)((uint64_t)1 << exponent) / 32768
                                : fraction / 16384;

        exact = f16[i] >> 15 ? -exact : exact;
        const double off = back[i] > exact ? back[i] - exact : exact - back[i];
        const double size = exact < 0 ? -exact : exact;
        CHECK(off <= (size < 0x1p-14 ? 0x1p-26 : size / 8192)); /* not halfway to the next */
    }
}

TEST(what_is_refused)
{
    const uint64_t shape[3] = {1, 1, 1};
    const uint8_t data[1] = {1};

    CHECK_EQ_I64(hd__array_write("cube.csv", HD__IO_U8, 3, shape, data, message),
                 HD__IO_ERR_ARGUMENT);
    CHECK(strstr(message, "one or two axes, not 3") != NULL);
    CHECK_EQ_I64(hd__array_write("/nowhere/x.csv", HD__IO_U8, 1, shape, data, message),
                 HD__IO_ERR_FILE);
}

TEST(suffixes)
{
    CHECK(hd__io_ends_with("a.csv", ".csv"));
    CHECK(hd__io_ends_with("a.CsV", ".csv"));
    CHECK(!hd__io_ends_with(".csv", ".csv"));
    CHECK(!hd__io_ends_with("a.csv.x", ".csv"));
    CHECK_EQ_STR(hd__io_known_suffix("x/y.TXT"), ".txt");
    CHECK_EQ_STR(hd__io_known_suffix("a.npy.gz"), ".gz");
    CHECK(hd__io_known_suffix("run.2") == NULL);
    CHECK(hd__io_known_suffix("csv") == NULL);
    CHECK(hd__io_known_suffix("/dev/stdout") == NULL);
}

TEST_MAIN
