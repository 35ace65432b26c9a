/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag_bench.h - what the tests of tridiagonal systems share: a batch with its arrays, filled
   with rows that dominate, and its solution. */
#ifndef HEDDLE_TESTS_DRIVERS_TRIDIAG_BENCH_H
#define HEDDLE_TESTS_DRIVERS_TRIDIAG_BENCH_H

#include "arrays.h"

#include <heddle/tridiag.h>

static const hd_type types[] = {HD_F32, HD_F64};

enum { LOWER, DIAGONAL, UPPER, RIGHT, X, ARRAYS };

/* A batch, its arrays and what comes out of it. */
typedef struct bench {
    hd_tridiag_batch batch;
    test_array array[ARRAYS];
    uint64_t *singular; /* device */
    hd_stream *stream;
    size_t size, count; /* bytes and number of elements */
} bench;

TEST_UNUSED static void put(bench *b, int array, size_t i, double value)
{
    const float f = (float)value;

    if (b->size == 4)
        memcpy(b->array[array].host + 4 * i, &f, 4);
    else
        memcpy(b->array[array].host + 8 * i, &value, 8);
}

TEST_UNUSED static double get(const bench *b, int array, size_t i)
{
    float f;
    double d;

    memcpy(&f, b->array[array].host + 4 * i, 4);
    if (b->size == 4)
        return (double)f;
    memcpy(&d, b->array[array].host + 8 * i, 8);
    return d;
}

TEST_UNUSED static size_t place(const bench *b, size_t system, size_t row)
{
    const size_t width = b->batch.width;

    return (system / width * b->batch.rows + row) * width + system % width;
}

/* Random rows with |lower| + |upper| <= theta |diagonal|, signs of all kinds; what no system uses
   is NaN. */
TEST_UNUSED static void fill(bench *b, double theta, uint64_t seed)
{
    for (size_t s = 0; s < b->batch.systems; s++)
        for (size_t i = 0; i < b->batch.rows; i++) {
            const size_t at = place(b, s, i);
            const uint64_t r = test_next(&seed);
            const double p = (double)(r & 0xffff) / 65536, q = (double)(r >> 16 & 0xffff) / 65536;
            const double scale = ldexp(1 + (double)(r >> 32 & 0xff) / 256, (int)(r >> 40 & 3));
            const double sum = theta * scale * 0.999;
            put(b, DIAGONAL, at, r >> 50 & 1 ? -scale : scale);
            put(b, LOWER, at, i == 0 ? NAN : (r >> 51 & 1 ? -p : p) * sum);
            put(b, UPPER, at,
                i + 1 == b->batch.rows ? NAN : (r >> 52 & 1 ? -1 : 1) * (1 - p) * sum);
            put(b, RIGHT, at, (r >> 53 & 1 ? -q : q) * scale);
        }
    for (int k = 0; k < X; k++)
        test_array_upload(&b->array[k], b->stream);
}

TEST_UNUSED static void setup(bench *b, hd_type type, size_t rows, size_t systems, size_t width,
                              size_t shift)
{
    memset(b, 0, sizeof *b);
    b->batch.rows = rows;
    b->batch.systems = systems;
    b->batch.width = width;
    b->batch.type = type;
    b->size = hd_type_bytes(type);
    b->count = rows * systems;
    REQUIRE(hd_stream_create(0, &b->stream) == HD_OK);
    REQUIRE(hd_alloc(&b->singular, 1, 0) == HD_OK);
    for (int k = 0; k < ARRAYS; k++)
        test_array_make(&b->array[k], b->count * b->size, shift * b->size, b->stream);
}

TEST_UNUSED static void teardown(bench *b)
{
    CHECK_STATUS(hd_stream_synchronize(b->stream), HD_OK);
    for (int k = 0; k < ARRAYS; k++)
        test_array_free(&b->array[k]);
    CHECK_STATUS(hd_free(b->singular), HD_OK);
    CHECK_STATUS(hd_stream_destroy(b->stream), HD_OK);
}

TEST_UNUSED static hd_status solve(bench *b, hd_tridiag_algorithm algorithm)
{
    return hd_tridiag_with(algorithm, &b->batch, b->array[LOWER].device, b->array[DIAGONAL].device,
                           b->array[UPPER].device, b->array[RIGHT].device, b->array[X].device,
                           b->singular, NULL, b->stream);
}

/* ---- one system of the reference ------------------------------------------------------------- */

#endif
