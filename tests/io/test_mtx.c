/* SPDX-License-Identifier: Apache-2.0 */
/* labels: once */
/* Matrix Market files: kinds, symmetries, comments, entries that come twice, and what is wrong with
   bad ones, by line. */
#define _POSIX_C_SOURCE 200809L

#include "../test.h"

#include <stdlib.h>

#include "../../src/io/mtx/mtx.h"
#include "scratch.h"

static char message[HD__IO_MESSAGE];

/* The matrix as dense rows of at most 16 numbers. */
static void check_dense(const char *text, size_t rows, size_t columns, size_t entries,
                        const double *wanted)
{
    double dense[16] = {0};
    hd__mtx m = {0};

    message[0] = '\0';
    if (!CHECK_STATUS(hd__mtx_read_memory(text, strlen(text), "t.mtx", 0, &m, message), 0)) {
        NOTE("%s", message);
        return;
    }
    CHECK_EQ_STR(message, "");
    CHECK_EQ_SIZE(m.rows, rows);
    CHECK_EQ_SIZE(m.columns, columns);
    CHECK_EQ_SIZE(m.entries, entries);
    for (size_t i = 0; i < m.rows; i++)
        for (int64_t k = m.offsets[i]; k < m.offsets[i + 1]; k++) {
            CHECK(k == m.offsets[i] || m.column[k] > m.column[k - 1]);
            dense[i * columns + (size_t)m.column[k]] = m.value[k];
        }
    for (size_t i = 0; i < rows * columns; i++)
        CHECK_EQ_F64_BITS(dense[i], wanted[i]);
    hd__mtx_free(&m);
}

static void check_refused(const char *text, const char *wanted)
{
    hd__mtx m = {0};

    message[0] = '\0';
    CHECK(hd__mtx_read_memory(text, strlen(text), "t.mtx", 0, &m, message) < 0);
    CHECK_EQ_STR(message, wanted);
    CHECK(m.offsets == NULL);
}

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"

TEST(coordinate)
{
    const double wanted[] = {0, 1.5, 0, -2e-3, 0, 7};

    check_dense(COORDINATE "% comment\n%\n\n2 3 3\n2 3 7\n1 2 1.5\n2 1 -2e-3\n", 2, 3, 3, wanted);
    check_dense("%%matrixmarket MATRIX Coordinate REAL General\r\n2 3 3\r\n% here too\r\n\r\n"
                "\t2  3 7\r\n1 2 1.5\r\n2 1 -2e-3",
                2, 3, 3, wanted);
}

TEST(fields)
{
    const double whole[] = {0, 9007199254740992.0, -3, 0}, pattern[] = {0, 1, 1, 0};

    check_dense("%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 9007199254740992\n"
                "2 1 -3\n",
                2, 2, 2, whole);
    check_dense("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n", 2, 2, 2,
                pattern);
}

TEST(symmetries)
{
    const double symmetric[] = {4, -1, 0, -1, 4, 2, 0, 2, 5};
    const double skew[] = {0, -3, -1, 3, 0, 0, 1, 0, 0};

    check_dense("%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n3 2 2\n"
                "2 2 4\n3 3 5\n",
                3, 3, 7, symmetric);
    check_dense("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 3\n3 1 1\n", 3, 3,
                4, skew);
}

TEST(arrays)
{
    const double general[] = {1, 3, 5, 2, 0, 6}, symmetric[] = {1, 2, 2, 3};
    const double skew[] = {0, -1, -2, 1, 0, -3, 2, 3, 0}, vector[] = {0, 8};

    check_dense("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n0\n5\n6\n", 2, 3, 5,
                general);
    check_dense("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", 2, 2, 4,
                symmetric);
    check_dense("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n", 3, 3, 6, skew);
    check_dense("%%MatrixMarket matrix array real general\n2 1\n0\n8\n", 2, 1, 1, vector);
}

/* 1 + 2^-53 three times: the order decides. */
TEST(twice)
{
    const double in_order[] = {1.0}, reversed[] = {0x1.0000000000001p0};

    check_dense(COORDINATE "1 1 3\n1 1 1\n1 1 0x1p-53\n1 1 0x1p-53\n", 1, 1, 1, in_order);
    check_dense(COORDINATE "1 1 3\n1 1 0x1p-53\n1 1 0x1p-53\n1 1 1\n", 1, 1, 1, reversed);
}

TEST(nothing)
{
    check_dense(COORDINATE "0 0 0\n", 0, 0, 0, NULL);
    check_dense(COORDINATE "0 5 0\n% end\n", 0, 5, 0, NULL);
    check_dense("%%MatrixMarket matrix array real general\n0 3\n", 0, 3, 0, NULL);
}

TEST(first_lines)
{
    check_refused("", "t.mtx: not a Matrix Market file: the first line does not begin with "
                      "%%MatrixMarket");
    check_refused("1 1 1\n", "t.mtx: not a Matrix Market file: the first line does not begin with "
                             "%%MatrixMarket");
    check_refused("%%MatrixMarket matrix coordinate real\n1 1 0\n",
                  "t.mtx: line 1: the first line is not \"%%MatrixMarket matrix FORMAT FIELD "
                  "SYMMETRY\"");
    check_refused("%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
                  "t.mtx: line 1: complex matrices are not supported");
    check_refused("%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n",
                  "t.mtx: line 1: \"hermitian\" is not general, symmetric or skew-symmetric");
    check_refused("%%MatrixMarket matrix list real general\n1 1 0\n",
                  "t.mtx: line 1: \"list\" is neither coordinate nor array");
    check_refused("%%MatrixMarket matrix array pattern general\n1 1\n",
                  "t.mtx: line 1: an array cannot have the field pattern");
    check_refused(COORDINATE "% no more\n", "t.mtx: the file ends before the line of sizes");
    check_refused(COORDINATE "2 2\n", "t.mtx: line 2: the line of sizes has 2 numbers, 3 are "
                                      "needed");
    check_refused(COORDINATE "2 -2 1\n", "t.mtx: line 2: \"-2\" is not a number of columns");
    check_refused(COORDINATE "2 x 1\n", "t.mtx: line 2: \"x\" is not a number of columns");
    check_refused(COORDINATE "-2 2 1\n", "t.mtx: line 2: \"-2\" is not a number of rows");
    check_refused(COORDINATE "2147483648 1 1\n",
                  "t.mtx: line 2: 2147483648 rows are more than 2147483647");
    check_refused("%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n",
                  "t.mtx: line 2: a symmetric matrix has 2 rows and 3 columns");
}

TEST(entries)
{
    check_refused(COORDINATE "2 2 2\n1 1 1\n", "t.mtx: the file ends after 1 of the 2 entries that "
                                               "line 2 announces");
    check_refused(COORDINATE "2 2 1\n1 1 1\n%\n2 2 1\n",
                  "t.mtx: line 5: more than the 1 entries that line 2 announces");
    check_refused(COORDINATE "2 2 1\n0 1 1\n", "t.mtx: line 3: row 0 is not between 1 and 2");
    check_refused(COORDINATE "2 2 1\n1 3 1\n", "t.mtx: line 3: column 3 is not between 1 and 2");
    check_refused(COORDINATE "2 2 1\n1.0 1 1\n", "t.mtx: line 3: \"1.0\" is not a valid row");
    check_refused(COORDINATE "2 2 1\n1 1 1,5\n", "t.mtx: line 3: \"1,5\" is not a number");
    check_refused(COORDINATE "2 2 1\n1 1 1e999\n", "t.mtx: line 3: 1e999 is out of the range of "
                                                   "f64");
    check_refused(COORDINATE "2 2 1\n1 1\n", "t.mtx: line 3: an entry has 2 numbers, 3 are needed");
    check_refused(COORDINATE "2 2 1\n1 1 1 1\n",
                  "t.mtx: line 3: an entry has 4 numbers, 3 are needed");
    check_refused(COORDINATE "2 2 99999999999\n1 1 1\n",
                  "t.mtx: the file ends after 1 of the 99999999999 entries that line 2 announces");
    check_refused("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
                  "t.mtx: line 3: \"1.5\" is not a whole number");
    check_refused("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
                  "t.mtx: line 3: entry (1, 2) is above the diagonal of a symmetric matrix");
    check_refused("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1\n",
                  "t.mtx: line 3: entry (2, 2) is on the diagonal of a skew-symmetric matrix");
    check_refused("%%MatrixMarket matrix array real general\n1 2\n1 2\n",
                  "t.mtx: line 3: a line of an array has 2 numbers");
    check_refused("%%MatrixMarket matrix array real general\n1 2\n1\n",
                  "t.mtx: the file ends after 1 of the 2 entries that line 2 announces");
}

/* A line that does not fit the buffer, and lines that do not fit together. */
/* A caller that has room for fewer rows says so. */
TEST(at_most)
{
    const char *text = COORDINATE "3 2 1\n1 1 7\n";
    hd__mtx m = {0};

    CHECK(hd__mtx_read_memory(text, strlen(text), "t.mtx", 2, &m, message) < 0);
    CHECK_EQ_STR(message, "t.mtx: line 2: 3 rows are more than 2");
    CHECK_STATUS(hd__mtx_read_memory(text, strlen(text), "t.mtx", 3, &m, message), 0);
    hd__mtx_free(&m);
}

TEST(long_lines)
{
    char *text = malloc(400000);
    size_t at = strlen(COORDINATE "1 1 1\n");
    const double one[] = {1};

    REQUIRE(text != NULL);
    memcpy(text, COORDINATE "1 1 1\n", at);
    for (int line = 0; line < 4; line++) {
        text[at++] = '%';
        memset(text + at, 'x', 60000);
        at += 60000;
        text[at++] = '\n';
    }
    strcpy(text + at, "1 1 1\n");
    check_dense(text, 1, 1, 1, one);
    memset(text + at, ' ', 70000);
    text[at + 70000] = '\0';
    check_refused(text, "t.mtx: line 7 is longer than 65536 bytes");
    free(text);
}

/* What is written is read back. */
TEST(written)
{
    const char *path = scratch_path("m.mtx");
    const char *text = COORDINATE "3 2 3\n3 1 0.1\n1 2 1e-300\n3 2 -12345678901234567890\n";
    hd__mtx m = {0}, back = {0};

    REQUIRE(hd__mtx_read_memory(text, strlen(text), "t.mtx", 0, &m, message) == 0);
    CHECK_STATUS(hd__mtx_write(path, &m, message), 0);
    CHECK_STATUS(hd__mtx_read(path, 0, &back, message), 0);
    REQUIRE(back.rows == 3 && back.columns == 2 && back.entries == 3);
    CHECK(memcmp(back.offsets, m.offsets, 4 * sizeof *m.offsets) == 0);
    CHECK(memcmp(back.column, m.column, 3 * sizeof *m.column) == 0);
    CHECK(memcmp(back.value, m.value, 3 * sizeof *m.value) == 0);
    hd__mtx_free(&m);
    hd__mtx_free(&back);
    CHECK(hd__mtx_read("/nowhere/m.mtx", 0, &m, message) < 0);
    CHECK(strstr(message, "/nowhere/m.mtx") != NULL);
}

TEST_MAIN
