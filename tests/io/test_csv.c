/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of CSV and TSV text: quoting, headers, delimiters, exact integers, and bad cells. Every
   text is read with a large buffer and with buffers of one byte and more that have to grow. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <stdlib.h>

#include "../../src/io/source.h"
#include "scratch.h"

static const size_t buffers[] = {0, 1, 2, 3, 5, 16, 61};
#define BUFFERS (sizeof buffers / sizeof buffers[0])

static char message[HD__IO_MESSAGE];

/* Reads all numbers of the text; the status of the first call that fails. */
static int read_all(const char *text, size_t length, const hd__source_options *options,
                    double *values, size_t room, size_t *count)
{
    hd__source *source;
    size_t got = 1;
    int status = hd__source_open_memory(text, length, options, &source, message);

    *count = 0;
    if (status != 0)
        return status;
    while (status == 0 && got > 0 && *count < room) {
        status = hd__source_read(source, values + *count, room - *count, &got, message);
        *count += status == 0 ? got : 0;
    }
    hd__source_close(source);
    return status;
}

static void check_with(const char *text, hd__source_options options, size_t count,
                       const double *wanted)
{
    double values[16];
    size_t i, k, got;

    options.path = "t.csv";
    for (k = 0; k < BUFFERS; k++) {
        options.csv_buffer = buffers[k];
        message[0] = '\0';
        CHECK_STATUS(read_all(text, strlen(text), &options, values, 16, &got), 0);
        CHECK_EQ_STR(message, "");
        if (!CHECK_EQ_SIZE(got, count))
            continue;
        for (i = 0; i < count; i++)
            CHECK_EQ_F64_BITS(values[i], wanted[i]);
    }
}

static void check(const char *text, const char *column, size_t count, const double *wanted)
{
    check_with(text, (hd__source_options){.column = column}, count, wanted);
}

static void refuse_with(const char *text, size_t length, hd__source_options options, int status,
                        const char *wanted)
{
    double values[16];
    size_t k, got;

    options.path = "t.csv";
    for (k = 0; k < BUFFERS; k++) {
        options.csv_buffer = buffers[k];
        message[0] = '\0';
        CHECK_STATUS(read_all(text, length, &options, values, 16, &got), status);
        CHECK_EQ_STR(message, wanted);
    }
}

static void refuse(const char *text, const char *column, const char *wanted)
{
    refuse_with(text, strlen(text), (hd__source_options){.column = column}, HD__IO_ERR_CONTENT,
                wanted);
}

#define VALUES(...)                                                                                \
    sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[])                                   \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

TEST(csv_one_column)
{
    check("1\n2\n3\n", NULL, VALUES(1, 2, 3));
    check("1\n2\n3", NULL, VALUES(1, 2, 3));
    check("1\r\n2\r\n3\r\n\r\n\n", NULL, VALUES(1, 2, 3));
    check("\xef\xbb\xbf"
          "1\n2",
          NULL, VALUES(1, 2));
    check(" 1 \n  -2.5e1 ", NULL, VALUES(1, -25));
    check("value\n7\n", NULL, VALUES(7));
    check("", NULL, 0, NULL);
    check("\n\n", NULL, 0, NULL);
    check("name\n", NULL, 0, NULL);
}

TEST(csv_columns)
{
    check("1,2\n3,4\n", "1", VALUES(1, 3));
    check("1,2\n3,4\n", "2", VALUES(2, 4));
    check("a,b\n3,4\n5,6", "b", VALUES(4, 6));
    check("a,b\n3,4\n5,6", "2", VALUES(4, 6));
    check("a;b\n3;4\n", "b", VALUES(4));
    check("a\tb\n3\t4\n", "b", VALUES(4));
    check("\xef\xbb\xbf"
          "a,b\r\n3,4\r\n",
          "a", VALUES(3));
    check("x,2024\n1,5\n2,6\n", "2024", VALUES(5, 6));
    check("name,v\nbob,5\namy,6\n", "v", VALUES(5, 6));
    check(" a , b \n1,2\n", "b", VALUES(2));
    check_with("1 2\n3 4\n", (hd__source_options){.column = "2", .delimiter = ' '}, VALUES(2, 4));
    check_with("a|b,c\n3|4\n", (hd__source_options){.column = "b,c", .delimiter = '|'}, VALUES(4));
}

TEST(csv_header)
{
    check(",b\n1,2\n", "1", VALUES(1));
    check_with("1,2\n3,4\n", (hd__source_options){.column = "1", .header = HD__IO_HEADER_YES},
               VALUES(3));
    check_with("1\n", (hd__source_options){.header = HD__IO_HEADER_YES}, 0, NULL);
    refuse_with("a\n1\n", 4, (hd__source_options){.header = HD__IO_HEADER_NO}, HD__IO_ERR_CONTENT,
                "t.csv: line 1, column 1: \"a\" is not a number");
    refuse_with("a,b\n", 4, (hd__source_options){.column = "a", .header = HD__IO_HEADER_NO},
                HD__IO_ERR_ARGUMENT, "t.csv: without a header a column is a number from 1 to 2");
    refuse(",2\n1,2\n", "1", "t.csv: line 1, column 1: the cell is empty");
}

TEST(csv_quotes)
{
    check("\"1\"\n\"2.5\"\r\n", NULL, VALUES(1, 2.5));
    check("\"x,y\",b\n\"p,\"\"q\"\"\",4\n", "b", VALUES(4));
    check("\"x,y\",b\n9,4\n", "x,y", VALUES(9));
    check("\"say \"\"hi\"\"\",b\n9,4\n", "say \"hi\"", VALUES(9));
    check("n,v\n\"two\nlines\r\nor three\",5\n\"\",6\n", "v", VALUES(5, 6));
    check("n,v\n5\" pipe,5\na\"b\"c,6\n", "v", VALUES(5, 6));
    check("n;v\n\"a,b\";5\n", "v", VALUES(5));
    check("5\" pipe;v\n1;2\n", "v", VALUES(2));
    check("n,v\n\"x\",\"7\"", "v", VALUES(7));
    check("n,v\r\n\"x\",\"7\"\r", "v", VALUES(7));
    refuse("n,v\n\"x\"y,1\n", "v", "t.csv: line 2: a closing quote is followed by more text");
    refuse("n,v\n\"x\" ,1\n", "v", "t.csv: line 2: a closing quote is followed by more text");
    refuse("n,v\n\"x\"\r\r\n", "v", "t.csv: line 2: a closing quote is followed by more text");
    refuse("n,v\n1,2\n3,\"4\n5,6\n", "v", "t.csv: line 3: a quote is opened and never closed");
    refuse("n,v\n\"a\nb\",\"c\nd", "v", "t.csv: line 3: a quote is opened and never closed");
}

TEST(csv_special_values)
{
    check("inf\n-INF\n+Infinity\n0x1p-1\n-0\n", NULL,
          VALUES(strtod("inf", NULL), -strtod("inf", NULL), strtod("inf", NULL), 0.5, -0.0));
    check("nan\n", NULL, VALUES(strtod("nan", NULL)));
}

TEST(csv_bad_cells)
{
    refuse("a,b\n1,2\n3,x\n", "b", "t.csv: line 3, column 2 (b): \"x\" is not a number");
    refuse("a,b\n1,2\n3,\n", "b", "t.csv: line 3, column 2 (b): the cell is empty");
    refuse("a,b\n1,2\n3,  \n", "b", "t.csv: line 3, column 2 (b): the cell is empty");
    refuse("a,b\n1,2\n3,\"\"\n", "b", "t.csv: line 3, column 2 (b): the cell is empty");
    refuse("1\n1e999\n", NULL, "t.csv: line 2, column 1: \"1e999\" is out of the range of f64");
    refuse("1\n\x1b[31mred\n", NULL, "t.csv: line 2, column 1: \"\\x1b[31mred\" is not a number");
    refuse("a\n\"1\n\"\n", NULL, "t.csv: line 2, column 1 (a): \"1\\n\" is not a number");
    refuse("n,v\n\"p\nq\",1\nx,y\n", "v", "t.csv: line 4, column 2 (v): \"y\" is not a number");
    refuse("a;b\n1,5;2,5\n", "a", "t.csv: line 2, column 1 (a): \"1,5\" is not a number");
    refuse("1\r2\r", NULL, "t.csv: line ends are CR alone; save it with LF or CR LF");
    refuse("1\n0123456789012345678901234567890123456789012345678901234567890x\n", NULL,
           "t.csv: line 2, column 1: \"01234567890123456789012345678901234567890123...\" is not a "
           "number");
    refuse_with("1\n1\0"
                "2\n",
                6, (hd__source_options){0}, HD__IO_ERR_CONTENT,
                "t.csv: line 2, column 1: \"1\\x002\" is not a number");
}

TEST(csv_ragged)
{
    refuse("1,2\n3\n", "1", "t.csv: line 2 has 1 cell, the first row has 2");
    refuse("1,2\n3,4,5\n", "1", "t.csv: line 2 has 3 cells, the first row has 2");
    refuse("1,2\n3,4,\n", "2", "t.csv: line 2 has 3 cells, the first row has 2");
    refuse("1\n2\n\n\n3\n", NULL, "t.csv: line 3 is empty, and rows follow it");
    refuse("\n1\n", NULL, "t.csv: line 1 is empty, and rows follow it");
}

static void refuse_choice(const char *text, const char *column, const char *wanted)
{
    refuse_with(text, strlen(text), (hd__source_options){.column = column}, HD__IO_ERR_ARGUMENT,
                wanted);
}

TEST(csv_choice)
{
    refuse_choice("a,b,c\n1,2,3\n", NULL,
                  "t.csv: has 3 columns (a, b, c); choose one with --column");
    refuse_choice("a,b\n", "c", "t.csv: no column \"c\" among 2 (a, b)");
    refuse_choice("a,b\n", "3", "t.csv: no column \"3\" among 2 (a, b)");
    refuse_choice("a,b\n", "0", "t.csv: no column \"0\" among 2 (a, b)");
    refuse_choice("a,b\n", "", "t.csv: no column \"\" among 2 (a, b)");
    refuse_choice("a,b,a\n", "a", "t.csv: 2 columns are named \"a\"; give a number");
    refuse_choice("", "a", "t.csv: is empty, it has no columns with names");
    refuse_choice("1,5;2,5\n", "1", "t.csv: line 1 has both ',' and ';'; name the delimiter");
    refuse_choice("a\tb,c\n", "1", "t.csv: line 1 has both tab and ','; name the delimiter");
    refuse_with("1", 1, (hd__source_options){.delimiter = '"'}, HD__IO_ERR_ARGUMENT,
                "t.csv: a delimiter cannot be a quote, line end, digit, sign or point");
    refuse_with("1", 1, (hd__source_options){.type = HD__IO_F32}, HD__IO_ERR_ARGUMENT,
                "t.csv: a CSV column is read as f64, i64 or u64, not as f32");
}

TEST(csv_utf16)
{
    refuse_with("\xff\xfe"
                "1\0\n\0",
                6, (hd__source_options){0}, HD__IO_ERR_CONTENT,
                "t.csv: the text is UTF-16; save it as UTF-8");
    refuse_with("\xfe\xff\0"
                "1",
                4, (hd__source_options){0}, HD__IO_ERR_CONTENT,
                "t.csv: the text is UTF-16; save it as UTF-8");
}

TEST(csv_integers)
{
    static const char signed_text[] = "v\n-9223372036854775808\n9007199254740993\n+4\n";
    static const char unsigned_text[] = "18446744073709551615\n0\n";
    hd__source_options options = {.path = "t.csv", .type = HD__IO_I64};
    hd__source *source;
    int64_t values[4];
    uint64_t naturals[4];
    size_t got;

    REQUIRE(hd__source_open_memory(signed_text, sizeof signed_text - 1, &options, &source,
                                   message) == 0);
    CHECK_EQ_I64(hd__source_type(source), HD__IO_I64);
    CHECK_EQ_STR(hd__source_column_name(source), "v");
    CHECK_STATUS(hd__source_read(source, values, 4, &got, message), 0);
    CHECK_EQ_SIZE(got, 3);
    CHECK_EQ_I64(values[0], INT64_MIN);
    CHECK_EQ_I64(values[1], 9007199254740993);
    CHECK_EQ_I64(values[2], 4);
    hd__source_close(source);
    options.type = HD__IO_U64;
    REQUIRE(hd__source_open_memory(unsigned_text, sizeof unsigned_text - 1, &options, &source,
                                   message) == 0);
    CHECK_STATUS(hd__source_read(source, naturals, 4, &got, message), 0);
    CHECK_EQ_SIZE(got, 2);
    CHECK_EQ_U64(naturals[0], UINT64_MAX);
    hd__source_close(source);
    refuse_with("1.5\n", 4, options, HD__IO_ERR_CONTENT,
                "t.csv: line 1, column 1: \"1.5\" is not a whole number");
    refuse_with("-1\n", 3, options, HD__IO_ERR_CONTENT,
                "t.csv: line 1, column 1: \"-1\" is out of the range of u64");
    options.type = HD__IO_I64;
    refuse_with("9223372036854775808\n", 20, options, HD__IO_ERR_CONTENT,
                "t.csv: line 1, column 1: \"9223372036854775808\" is out of the range of i64");
}

/* A row of 3 MB, mostly one quoted cell, grows the buffer; a limit below it is an error. */
TEST(csv_long_row)
{
    size_t length = 3000000, got;
    char *text = malloc(length);
    double value = 0;
    hd__source_options options = {.path = "t.csv", .column = "2"};

    REQUIRE(text != NULL);
    memset(text, 'x', length);
    memcpy(text, "n,v\n\"", 5);
    memcpy(text + length - 6, "\",4.5\n", 6);
    CHECK_STATUS(read_all(text, length, &options, &value, 1, &got), 0);
    CHECK_EQ_SIZE(got, 1);
    CHECK_EQ_F64_BITS(value, 4.5);
    options.csv_limit = 1000000;
    CHECK_STATUS(read_all(text, length, &options, &value, 1, &got), HD__IO_ERR_CONTENT);
    CHECK_EQ_STR(message, "t.csv: line 2: the row is longer than 1000000 bytes");
    free(text);
}

/* Reads the rows that csv_file wrote, to the end and, after a rewind, again. */
static void check_rows(const hd__source_options *options)
{
    static double values[1000];
    char text[HD__IO_INDEX];
    hd__source *source;
    size_t got, i, n = 0, pass;

    REQUIRE(CHECK_STATUS(hd__source_open(options, &source, message), 0));
    CHECK_EQ_SIZE(hd__source_count(source), SIZE_MAX);
    CHECK_EQ_STR(hd__source_shape_text(source), "");
    for (pass = 0; pass < 2; pass++) {
        n = 0;
        do {
            got = 0;
            CHECK_STATUS(hd__source_read(source, values, 999, &got, message), 0);
            for (i = 0; i < got; i++, n++)
                CHECK_EQ_F64_BITS(values[i], (double)n + 0.5);
        } while (got == 999);
        CHECK_EQ_SIZE(n, 100000);
        CHECK_STATUS(hd__source_unravel(source, 99999, text), 0);
        CHECK_EQ_STR(text, "(99999,)");
        CHECK_STATUS(hd__source_unravel(source, 100000, text), HD__IO_ERR_ARGUMENT);
        CHECK_STATUS(hd__source_rewind(source, message), 0);
    }
    hd__source_close(source);
}

/* 100000 rows in a real file, whose rows meet the end of the buffer at every offset. */
TEST(csv_file)
{
    const char *path = scratch_path("many.tsv");
    FILE *file = fopen(path, "wb");
    hd__source_options options = {.path = path, .column = "value"};
    size_t i;

    REQUIRE(file != NULL);
    fputs("label, with comma\tvalue\r\n", file);
    for (i = 0; i < 100000; i++)
        fprintf(file, "row %zu\t%zu.5\r\n", i, i);
    REQUIRE(fclose(file) == 0);
    check_rows(&options);
    options.csv_buffer = 1021;
    check_rows(&options);
}

/* An error stays until a rewind, and the numbers before it can be read again. */
TEST(csv_error_stays)
{
    hd__source_options options = {.path = "t.csv"};
    hd__source *source;
    double values[4];
    size_t got = 77;

    REQUIRE(hd__source_open_memory("1\n2\nx\n4\n", 8, &options, &source, message) == 0);
    CHECK_STATUS(hd__source_read(source, values, 4, &got, message), HD__IO_ERR_CONTENT);
    CHECK_STATUS(hd__source_read(source, values, 4, &got, message), HD__IO_ERR_CONTENT);
    CHECK_EQ_STR(message, "t.csv: line 3, column 1: \"x\" is not a number");
    CHECK_EQ_SIZE(got, 77);
    CHECK_STATUS(hd__source_rewind(source, message), 0);
    CHECK_STATUS(hd__source_read(source, values, 2, &got, message), 0);
    CHECK_EQ_SIZE(got, 2);
    CHECK_EQ_F64_BITS(values[1], 2.0);
    CHECK_STATUS(hd__source_read(source, values, 2, &got, message), HD__IO_ERR_CONTENT);
    CHECK_EQ_STR(message, "t.csv: line 3, column 1: \"x\" is not a number");
    hd__source_close(source);
}

/* Standard input is read as CSV when a column is asked for; a pipe cannot be rewound. */
TEST(csv_pipe)
{
    hd__source_options options = {.path = "-", .column = "b", .csv_buffer = 3};
    hd__source *source;
    double values[4];
    size_t got;
    int ends[2];

    REQUIRE(pipe(ends) == 0);
    REQUIRE(write(ends[1], "a,b\n1,2\n3,4\n", 12) == 12);
    close(ends[1]);
    REQUIRE(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
    REQUIRE(CHECK_STATUS(hd__source_open(&options, &source, message), 0));
    CHECK_EQ_I64(hd__source_format(source), HD__IO_CSV);
    CHECK_STATUS(hd__source_read(source, values, 4, &got, message), 0);
    CHECK_EQ_SIZE(got, 2);
    CHECK_EQ_F64_BITS(values[1], 4.0);
    CHECK_STATUS(hd__source_rewind(source, message), HD__IO_ERR_FILE);
    CHECK_EQ_STR(message, "standard input: a pipe cannot be read again");
    hd__source_close(source);
}

TEST_MAIN
