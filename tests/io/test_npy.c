/* SPDX-License-Identifier: Apache-2.0 */
/* .npy files made byte by byte: every type, version, order and shape, and how they can be bad. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <sys/stat.h>

#include "../../src/io/source.h"
#include "scratch.h"

static unsigned char made[4096];

/* Builds a file from the dict as it stands, in the given version, and data bytes. */
static size_t make(int version, const char *dict, const void *data, size_t size)
{
    size_t length = strlen(dict), head = version == 1 ? 10 : 12;

    memcpy(made, "\x93NUMPY", 6);
    made[6] = (unsigned char)version;
    made[7] = 0;
    made[8] = (unsigned char)(length & 255);
    made[9] = (unsigned char)(length >> 8 & 255);
    made[10] = made[11] = 0;
    memcpy(made + head, dict, length);
    if (size > 0)
        memcpy(made + head + length, data, size);
    return head + length + size;
}

static int open_made(size_t size, hd__source **source, char *message)
{
    hd__source_options options = {.path = "a.npy"};

    return hd__source_open_memory(made, size, &options, source, message);
}

/* The message that opening these bytes gives; "" when they open. */
static const char *refusal(size_t size)
{
    static char message[HD__IO_MESSAGE];
    hd__source *source = NULL;
    int status = open_made(size, &source, message);

    if (status == 0) {
        hd__source_close(source);
        return "";
    }
    CHECK_STATUS(status, HD__IO_ERR_CONTENT);
    return message;
}

/* The same for a header with one byte of data. */
static const char *header_refusal(const char *dict)
{
    return refusal(make(1, dict, "x", 1));
}

static void check_type(const char *descr, hd__io_type type, size_t element, int version)
{
    unsigned char data[24], back[24];
    char dict[128], message[HD__IO_MESSAGE] = "";
    hd__source *source;
    size_t i, got = 99;

    for (i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 37 + 5);
    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }    \n",
             descr);
    CHECK_STATUS(open_made(make(version, dict, data, 3 * element), &source, message), 0);
    if (!CHECK_EQ_STR(message, ""))
        return;
    CHECK_EQ_I64(hd__source_type(source), type);
    CHECK_EQ_SIZE(hd__io_type_size(type), element);
    CHECK_EQ_SIZE(hd__source_count(source), 3);
    CHECK_STATUS(hd__source_read(source, back, 10, &got, message), 0);
    CHECK_EQ_SIZE(got, 3);
    CHECK(memcmp(back, data, 3 * element) == 0);
    hd__source_close(source);
}

TEST(npy_types_and_versions)
{
    int version;

    for (version = 1; version <= 3; version++) {
        check_type("|u1", HD__IO_U8, 1, version);
        check_type("<u1", HD__IO_U8, 1, version);
        check_type("|b1", HD__IO_U8, 1, version);
        check_type("<u2", HD__IO_U16, 2, version);
        check_type("<u4", HD__IO_U32, 4, version);
        check_type("<u8", HD__IO_U64, 8, version);
        check_type("|i1", HD__IO_I8, 1, version);
        check_type("<i2", HD__IO_I16, 2, version);
        check_type("<i4", HD__IO_I32, 4, version);
        check_type("<i8", HD__IO_I64, 8, version);
        check_type("<f2", HD__IO_F16, 2, version);
        check_type("<f4", HD__IO_F32, 4, version);
        check_type("<f8", HD__IO_F64, 8, version);
    }
}

/* The bytes of a file as NumPy writes it for arange(6, dtype=f4).reshape(2, 3), C order. */
TEST(npy_file_from_disk)
{
    static const char head[] = "\x93NUMPY\x01\x00\x76\x00"
                               "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    static const unsigned char data[24] = {0, 0, 0,    0,    0, 0, 0x80, 0x3f, 0, 0, 0x00, 0x40,
                                           0, 0, 0x40, 0x40, 0, 0, 0x80, 0x40, 0, 0, 0xa0, 0x40};
    unsigned char file[152];
    char message[HD__IO_MESSAGE], text[HD__IO_INDEX];
    hd__source_options options = {0};
    hd__source *source;
    float values[6];
    size_t got, axes;

    memset(file, ' ', sizeof file);
    memcpy(file, head, sizeof head - 1);
    file[127] = '\n';
    memcpy(file + 128, data, sizeof data);
    options.path = scratch_write("matrix.npy", file, sizeof file);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_I64(hd__source_format(source), HD__IO_NPY);
    CHECK_EQ_STR(hd__source_shape_text(source), "(2, 3)");
    CHECK_EQ_U64(hd__source_shape(source, &axes)[1], 3);
    CHECK_EQ_SIZE(axes, 2);
    CHECK(!hd__source_fortran_order(source));
    CHECK_STATUS(hd__source_read(source, values, 4, &got, message), 0);
    CHECK_EQ_SIZE(got, 4);
    CHECK_STATUS(hd__source_read(source, values + 4, 4, &got, message), 0);
    CHECK_EQ_SIZE(got, 2);
    CHECK_EQ_F32_BITS(values[5], 5.0f);
    CHECK_STATUS(hd__source_read(source, values, 4, &got, message), 0);
    CHECK_EQ_SIZE(got, 0);
    CHECK_STATUS(hd__source_rewind(source, message), 0);
    CHECK_STATUS(hd__source_read(source, values, 2, &got, message), 0);
    CHECK_EQ_F32_BITS(values[1], 1.0f);
    CHECK_STATUS(hd__source_unravel(source, 4, text), 0);
    CHECK_EQ_STR(text, "(1, 1)");
    CHECK_STATUS(hd__source_unravel(source, 6, text), HD__IO_ERR_ARGUMENT);
    CHECK_EQ_STR(text, "");
    hd__source_close(source);
}

/* Fortran order: the first axis varies fastest, so element 3 of a (2, 3, 2) array is (1, 1, 0). */
TEST(npy_fortran_order)
{
    char message[HD__IO_MESSAGE], text[HD__IO_INDEX];
    hd__source *source;
    size_t size = make(1, "{\"shape\":(2,3,2,),'fortran_order':True,'descr':\"|u1\"}",
                       "abcdefghijkl", 12);

    REQUIRE(CHECK_STATUS(open_made(size, &source, message), 0));
    CHECK(hd__source_fortran_order(source));
    CHECK_STATUS(hd__source_unravel(source, 3, text), 0);
    CHECK_EQ_STR(text, "(1, 1, 0)");
    CHECK_STATUS(hd__source_unravel(source, 10, text), 0);
    CHECK_EQ_STR(text, "(0, 2, 1)");
    hd__source_close(source);
}

static void check_shape(const char *shape, size_t elements, const char *text)
{
    char dict[512], message[HD__IO_MESSAGE] = "", place[HD__IO_INDEX];
    hd__source *source;

    snprintf(dict, sizeof dict, "{'descr':'|u1','fortran_order':False,'shape':%s}", shape);
    CHECK_STATUS(open_made(make(1, dict, "abcdefghij", elements), &source, message), 0);
    if (!CHECK_EQ_STR(message, ""))
        return;
    CHECK_EQ_SIZE(hd__source_count(source), elements);
    CHECK_EQ_STR(hd__source_shape_text(source), text);
    CHECK_STATUS(hd__source_unravel(source, elements, place), HD__IO_ERR_ARGUMENT);
    hd__source_close(source);
}

TEST(npy_shapes)
{
    check_shape("()", 1, "()");
    check_shape("( )", 1, "()");
    check_shape("(5,)", 5, "(5,)");
    check_shape("(0,)", 0, "(0,)");
    check_shape("(0, 1000000, 1000000, 1000000)", 0, "(0, 1000000, 1000000, 1000000)");
    check_shape("(1000000, 1000000, 1000000, 1000000, 0)", 0,
                "(1000000, 1000000, 1000000, 1000000, 0)");
    check_shape("(2L, 5L)", 10, "(2, 5)");
    check_shape(" ( 2 , 1 ,) ", 2, "(2, 1)");
}

/* 64 axes are the most that NumPy knows. */
TEST(npy_many_axes)
{
    char dict[512], shape[256] = "(";
    int i;

    for (i = 0; i < 64; i++)
        strcat(shape, i < 63 ? "1, " : "1)");
    check_shape(shape, 1, shape);
    shape[strlen(shape) - 1] = '\0';
    snprintf(dict, sizeof dict, "{'descr':'|u1','fortran_order':False,'shape':%s, 1)}", shape);
    CHECK_EQ_STR(header_refusal(dict), "a.npy: bad .npy header: shape has more than 64 axes");
}

TEST(npy_bad_dict)
{
    static const struct {
        const char *dict;
        const char *message;
    } cases[] = {
        {"", "it is not a dict"},
        {"\n", "it is not a dict"},
        {"[1, 2]", "it is not a dict"},
        {"{}", "descr, fortran_order or shape is missing"},
        {"{'descr':'|u1','shape':()}", "descr, fortran_order or shape is missing"},
        {"{'descr':'|u1','fortran_order':False,'shape':()} + 1", "something follows the dict"},
        {"{'descr':'|u1','fortran_order':False,'shape':()", "a ',' or '}' is missing"},
        {"{'descr':'|u1' 'fortran_order':False,'shape':()}", "a ',' or '}' is missing"},
        {"{'descr':'|u1',,'fortran_order':False,'shape':()}", "a quoted string is missing"},
        {"{'descr' '|u1'}", "a ':' is missing"},
        {"{'descr':'|u1}", "a string has no closing quote"},
        {"{'des\\x63r':'|u1'}", "a string has a backslash"},
        {"{'descr':'|u1','descr':'|u1','fortran_order':False,'shape':()}",
         "a key stands there twice"},
        {"{'descr':'|u1','fortran_order':False,'shape':(),'more':1}",
         "a key is not descr, fortran_order or shape"},
        {"{'descr':'|u1','fortran_order':0,'shape':()}", "fortran_order is neither True nor False"},
        {"{'descr':'|u1','fortran_order':true,'shape':()}",
         "fortran_order is neither True nor False"},
        {"{'descr':'|u1','fortran_order':False,'shape':3}", "shape is not a tuple"},
        {"{'descr':'|u1','fortran_order':False,'shape':[3]}", "shape is not a tuple"},
        {"{'descr':'|u1','fortran_order':False,'shape':(1)}",
         "shape is not a tuple: (n) lacks its comma"},
        {"{'descr':'|u1','fortran_order':False,'shape':(,)}",
         "shape is not a tuple of whole numbers"},
        {"{'descr':'|u1','fortran_order':False,'shape':(1.0,)}",
         "shape is not a tuple of whole numbers"},
        {"{'descr':'|u1','fortran_order':False,'shape':(1 1)}",
         "shape is not a tuple of whole numbers"},
        {"{'descr':'|u1','fortran_order':False,'shape':(None,)}",
         "shape is not a tuple of whole numbers"},
        {"{'descr':'|u1','fortran_order':False,'shape':(-1,)}", "shape has a negative length"},
        {"{'descr':'|u1','fortran_order':False,'shape':(99999999999999999999,)}",
         "shape has an absurd length"},
        {"{'descr':'<f8','fortran_order':False,'shape':(4294967296, 4294967296)}",
         "the shape has more elements than can be counted"},
        {"{'descr':'<f8','fortran_order':False,'shape':(2147483648, 1073741824)}",
         "the shape has more elements than can be counted"},
        {"{'descr':'<f8','fortran_order':False,'shape':(536870912, 536870912, 64)}",
         "the shape has more elements than can be counted"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char wanted[HD__IO_MESSAGE];
        snprintf(wanted, sizeof wanted, "a.npy: bad .npy header: %s", cases[i].message);
        CHECK_EQ_STR(header_refusal(cases[i].dict), wanted);
    }
}

TEST(npy_bad_dtype)
{
    static const struct {
        const char *descr;
        const char *message;
    } cases[] = {
        {"'>f4'", "dtype '>f4' is big-endian data; save it as '<f4'"},
        {"'>i8'", "dtype '>i8' is big-endian data; save it as '<i8'"},
        {"'=f4'", "dtype '=f4' does not say which byte order it has"},
        {"'|f4'", "dtype '|f4' does not say which byte order it has"},
        {"'f4'", "dtype 'f4' is not a byte order and a type, such as '<f4'"},
        {"''", "dtype '' is not a byte order and a type, such as '<f4'"},
        {"'<'", "dtype '<' is not a byte order and a type, such as '<f4'"},
        {"'<c8'", "dtype '<c8' is complex numbers; supported are u8 to u64, i8 to i64, f16, f32, "
                  "f64"},
        {"'|O'", "dtype '|O' is Python objects; supported are u8 to u64, i8 to i64, f16, f32, f64"},
        {"'<U7'", "dtype '<U7' is strings; supported are u8 to u64, i8 to i64, f16, f32, f64"},
        {"'|S3'", "dtype '|S3' is strings; supported are u8 to u64, i8 to i64, f16, f32, f64"},
        {"'|V2'", "dtype '|V2' is untyped bytes; supported are u8 to u64, i8 to i64, f16, f32, "
                  "f64"},
        {"'<M8[ns]'", "dtype '<M8[ns]' is dates or times; supported are u8 to u64, i8 to i64, "
                      "f16, f32, f64"},
        {"'<f16'", "dtype '<f16' is a width that is not known; supported are u8 to u64, i8 to "
                   "i64, f16, f32, f64"},
        {"'<i3'", "dtype '<i3' is a width that is not known; supported are u8 to u64, i8 to i64, "
                  "f16, f32, f64"},
        {"'<\x1b[2J'", "dtype '<\\x1b[2J' is a type that is not known; supported are u8 to u64, "
                       "i8 to i64, f16, f32, f64"},
        {"[('a', '<f4'), ('b', '<i4')]",
         "structured dtype; save one field of it as an array of its own"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char wanted[HD__IO_MESSAGE], dict[256];
        snprintf(wanted, sizeof wanted, "a.npy: %s", cases[i].message);
        snprintf(dict, sizeof dict, "{'descr': %s, 'fortran_order': False, 'shape': (1,)}",
                 cases[i].descr);
        CHECK_EQ_STR(header_refusal(dict), wanted);
    }
}

TEST(npy_nul_bytes)
{
    size_t size = make(1, "{'descr':'|u1','fortran_order':False,'shape':()}  ", "x", 1);

    made[size - 2] = '\0';
    CHECK_EQ_STR(refusal(size), "a.npy: bad .npy header: something follows the dict");
    size = make(1, "{'descr':'|u1','fortran_order':False,'shape':()}", "x", 1);
    made[11] = '\0';
    CHECK_EQ_STR(refusal(size), "a.npy: bad .npy header: a quoted string is missing");
    made[10] = '\0';
    CHECK_EQ_STR(refusal(size), "a.npy: bad .npy header: it is not a dict");
}

TEST(npy_sizes)
{
    static const char dict[] = "{'descr':'<f4','fortran_order':False,'shape':(2, 2)}";

    CHECK_EQ_STR(refusal(make(1, dict, "0123456789abcde", 15)),
                 "a.npy: truncated: 4 elements of f32 need 16 bytes, the file has 15");
    CHECK_EQ_STR(refusal(make(2, dict, NULL, 0)),
                 "a.npy: truncated: 4 elements of f32 need 16 bytes, the file has 0");
    CHECK_EQ_STR(refusal(make(3, dict, "0123456789abcdefg", 17)),
                 "a.npy: 1 bytes too many: 4 "
                 "elements of f32 need 16 bytes, the file has 17");
    CHECK_EQ_STR(refusal(make(3, dict, "0123456789abcdef", 16)), "");
}

/* Every prefix of a good file is refused. */
TEST(npy_truncated_anywhere)
{
    int version;

    for (version = 1; version <= 3; version++) {
        size_t size = make(version, "{'descr':'<u2','fortran_order':False,'shape':(2,)}", "abcd",
                           4);
        size_t cut;
        CHECK_EQ_STR(refusal(size), "");
        for (cut = 0; cut < size; cut++)
            CHECK(refusal(cut)[0] != '\0');
        CHECK_EQ_STR(refusal(0), "a.npy: empty, no .npy file");
        CHECK_EQ_STR(refusal(9), "a.npy: truncated .npy header");
        CHECK_EQ_STR(refusal(20), "a.npy: truncated .npy header");
    }
}

TEST(npy_preamble)
{
    size_t size = make(1, "{'descr':'|u1','fortran_order':False,'shape':()}", "x", 1);

    made[6] = 4;
    CHECK_EQ_STR(refusal(size), "a.npy: .npy format 4.0 is not known; 1.0, 2.0 and 3.0 are");
    made[6] = 1;
    made[7] = 1;
    CHECK_EQ_STR(refusal(size), "a.npy: .npy format 1.1 is not known; 1.0, 2.0 and 3.0 are");
    made[0] = 'P';
    CHECK_EQ_STR(refusal(size), "a.npy: no .npy file");
    size = make(2, "{'descr':'|u1','fortran_order':False,'shape':()}", "x", 1);
    made[10] = 0x10;
    made[8] = 1;
    made[9] = 0;
    CHECK_EQ_STR(refusal(size), "a.npy: bad .npy header: 1048577 bytes long, more than 1 MiB");
    made[8] = made[9] = made[10] = made[11] = 255;
    CHECK_EQ_STR(refusal(size), "a.npy: bad .npy header: 4294967295 bytes long, more than 1 MiB");
}

TEST(npy_options)
{
    char message[HD__IO_MESSAGE];
    hd__source_options options = {.path = "x.bin"};
    hd__source *source;
    size_t size = make(1, "{'descr':'|u1','fortran_order':False,'shape':()}", "x", 1);

    REQUIRE(CHECK_STATUS(hd__source_open_memory(made, size, &options, &source, message), 0));
    CHECK_EQ_I64(hd__source_format(source), HD__IO_NPY);
    hd__source_close(source);
    options.type = HD__IO_F32;
    CHECK_STATUS(hd__source_open_memory(made, size, &options, &source, message),
                 HD__IO_ERR_ARGUMENT);
    CHECK_EQ_STR(message, "x.bin: the file holds u8, not f32");
    options.type = HD__IO_DEFAULT;
    options.column = "1";
    CHECK_STATUS(hd__source_open_memory(made, size, &options, &source, message),
                 HD__IO_ERR_ARGUMENT);
    CHECK_EQ_STR(message, "x.bin: only CSV files have columns to choose");
}

/* A pipe has no size to hold the header against. */
TEST(npy_from_pipe)
{
    char message[HD__IO_MESSAGE];
    hd__source_options options = {.path = "-"};
    hd__source *source;
    int ends[2];
    size_t size = make(1, "{'descr':'|u1','fortran_order':False,'shape':()}", "x", 1);

    REQUIRE(pipe(ends) == 0);
    REQUIRE(write(ends[1], made, size) == (ssize_t)size);
    close(ends[1]);
    REQUIRE(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    CHECK_STATUS(hd__source_open(&options, &source, message), HD__IO_ERR_FILE);
    CHECK_EQ_STR(message, "standard input: a .npy file must be a regular file, not a pipe or a "
                          "device");
}

TEST_MAIN
