/* SPDX-License-Identifier: Apache-2.0 */
/* test_tridiag.c - hd_tridiag against the scalar program of tridiag_reference.inc, as bits, and
   against a bound on residuals in long double: layouts, sizes around every edge, all forms of
   launch, the plain algorithms, singular systems, bad input. */
#include "arrays.h"

#include <heddle/tridiag.h>

#include "src/drivers/tridiag_plan.h"

#define REF_ELEM float
#define REF(name) name##_f32
#include "tridiag_reference.inc"
#undef REF_ELEM
#undef REF
#define REF_ELEM double
#define REF(name) name##_f64
#include "tridiag_reference.inc"

enum { LOWER, DIAGONAL, UPPER, RIGHT, X, ARRAYS };

/* A batch, its arrays and what comes out of it. */
typedef struct bench {
    hd_tridiag_batch batch;
    test_array array[ARRAYS];
    uint64_t *singular; /* device */
    hd_stream *stream;
    size_t size, count; /* bytes and number of elements */
} bench;

static void put(bench *b, int array, size_t i, double value)
{
    const float f = (float)value;

    if (b->size == 4)
        memcpy(b->array[array].host + 4 * i, &f, 4);
    else
        memcpy(b->array[array].host + 8 * i, &value, 8);
}

static double get(const bench *b, int array, size_t i)
{
    float f;
    double d;

    memcpy(&f, b->array[array].host + 4 * i, 4);
    if (b->size == 4)
        return (double)f;
    memcpy(&d, b->array[array].host + 8 * i, 8);
    return d;
}

static size_t place(const bench *b, size_t system, size_t row)
{
    const size_t width = b->batch.width;

    return (system / width * b->batch.rows + row) * width + system % width;
}

/* Random rows with |lower| + |upper| <= theta |diagonal|, signs of all kinds; what no system uses
   is NaN. */
static void fill(bench *b, double theta, uint64_t seed)
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

static void setup(bench *b, hd_type type, size_t rows, size_t systems, size_t width, size_t shift)
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

static void teardown(bench *b)
{
    CHECK_STATUS(hd_stream_synchronize(b->stream), HD_OK);
    for (int k = 0; k < ARRAYS; k++)
        test_array_free(&b->array[k]);
    CHECK_STATUS(hd_free(b->singular), HD_OK);
    CHECK_STATUS(hd_stream_destroy(b->stream), HD_OK);
}

static hd_status solve(bench *b, hd_tridiag_algorithm algorithm)
{
    return hd_tridiag_with(algorithm, &b->batch, b->array[LOWER].device, b->array[DIAGONAL].device,
                           b->array[UPPER].device, b->array[RIGHT].device, b->array[X].device,
                           b->singular, NULL, b->stream);
}

/* ---- one system of the reference ------------------------------------------------------------- */

/* v[0 .. 3] the rows of a system, v[4] the solution that came out, v[5] the reference's. */
static void gather(const bench *b, size_t system, unsigned char *v[6])
{
    for (int k = 0; k < ARRAYS; k++)
        for (size_t i = 0; i < b->batch.rows; i++)
            memcpy(v[k] + i * b->size, b->array[k].host + place(b, system, i) * b->size, b->size);
}

/* The plain algorithms work in place, and have 0 where no row is. */
static void plain_f32(hd_tridiag_algorithm algorithm, size_t n, float *const v[6])
{
    v[LOWER][0] = v[UPPER][n - 1] = 0;
    memcpy(v[5], v[RIGHT], n * sizeof *v[5]);
    if (algorithm == HD_TRIDIAG_THOMAS)
        thomas_f32(n, v[LOWER], v[DIAGONAL], v[UPPER], v[5]);
    else
        pcr_raw_f32(n, v[LOWER], v[DIAGONAL], v[UPPER], v[5]);
}

static void plain_f64(hd_tridiag_algorithm algorithm, size_t n, double *const v[6])
{
    v[LOWER][0] = v[UPPER][n - 1] = 0;
    memcpy(v[5], v[RIGHT], n * sizeof *v[5]);
    if (algorithm == HD_TRIDIAG_THOMAS)
        thomas_f64(n, v[LOWER], v[DIAGONAL], v[UPPER], v[5]);
    else
        pcr_raw_f64(n, v[LOWER], v[DIAGONAL], v[UPPER], v[5]);
}

static double expect_f32(const bench *b, hd_tridiag_algorithm algorithm, unsigned char *const p[6])
{
    float *v[6];
    double residual;

    for (int k = 0; k < 6; k++)
        v[k] = (float *)(void *)p[k];
    residual = residual_f32(b->batch.rows, v[0], v[1], v[2], v[3], v[4]);
    if (algorithm == HD_TRIDIAG_AUTO)
        solve_f32(b->batch.width, b->batch.rows, v[0], v[1], v[2], v[3], v[5]);
    else
        plain_f32(algorithm, b->batch.rows, v);
    return residual;
}

static double expect_f64(const bench *b, hd_tridiag_algorithm algorithm, unsigned char *const p[6])
{
    double *v[6];
    double residual;

    for (int k = 0; k < 6; k++)
        v[k] = (double *)(void *)p[k];
    residual = residual_f64(b->batch.rows, v[0], v[1], v[2], v[3], v[4]);
    if (algorithm == HD_TRIDIAG_AUTO)
        solve_f64(b->batch.width, b->batch.rows, v[0], v[1], v[2], v[3], v[5]);
    else
        plain_f64(algorithm, b->batch.rows, v);
    return residual;
}

/* What docs/tridiagonal.md promises, in units of u |b| max|x|. */
static double bound(double theta, size_t rows)
{
    return 8 * (4 + log2((double)rows)) / (1 - theta);
}

/* Solves and compares every system; returns the largest residual. */
static double check(bench *b, hd_tridiag_algorithm algorithm, double theta)
{
    const size_t bytes = b->batch.rows * b->size;
    unsigned char *v[6];
    char what[128];
    double worst = 0;

    CHECK_STATUS(solve(b, algorithm), HD_OK);
    CHECK_STATUS(hd_tridiag_check(b->singular, b->stream), HD_OK);
    test_array_download(&b->array[X], b->stream);
    for (int k = 0; k < 6; k++)
        v[k] = malloc(bytes);
    for (size_t s = 0; s < b->batch.systems; s++) {
        double residual;
        gather(b, s, v);
        residual = b->size == 4 ? expect_f32(b, algorithm, v) : expect_f64(b, algorithm, v);
        worst = residual > worst ? residual : worst;
        snprintf(what, sizeof what, "%s %s, system %zu of %zu, %zu rows, width %zu, force %u",
                 hd_tridiag_algorithm_name(algorithm), hd_type_name(b->batch.type), s,
                 b->batch.systems, b->batch.rows, b->batch.width, hd__tridiag_force);
        if (!CHECK_BITS(what, v[4], v[5], b->batch.rows, b->size))
            break;
    }
    if (worst > bound(theta, b->batch.rows))
        test_fail(__FILE__, __LINE__, "%s: residual %.3g, bound %.3g", what, worst,
                  bound(theta, b->batch.rows));
    for (int k = 0; k < 6; k++)
        free(v[k]);
    return worst;
}

static double check_once(hd_tridiag_algorithm algorithm, hd_type type, size_t rows, size_t systems,
                         size_t width, double theta)
{
    bench b;
    double worst;

    setup(&b, type, rows, systems, width, 0);
    fill(&b, theta, rows * 31 + systems);
    worst = check(&b, algorithm, theta);
    teardown(&b);
    return worst;
}

/* ---- sizes and layouts ----------------------------------------------------------------------- */

static const hd_type types[] = {HD_F32, HD_F64};
/* Edges of 16-byte vectors, chunks, warps, blocks of either type. */
static const size_t rows_of[] = {1,   2,   3,   4,    7,    8,    9,    15,   16,   17,   31,
                                 32,  33,  63,  64,   65,   100,  127,  128,  129,  255,  257,
                                 511, 512, 513, 1000, 1021, 1024, 2047, 2048, 2049, 4096, 4097};
enum { SIZES = sizeof rows_of / sizeof *rows_of };

static void check_layouts(unsigned force)
{
    hd__tridiag_force = force;
    for (size_t i = 0; i < SIZES; i += test_watched(1, 6))
        for (int t = 0; t < 2; t++) {
            check_once(HD_TRIDIAG_AUTO, types[t], rows_of[i], 5, 1, 0.9);
            check_once(HD_TRIDIAG_AUTO, types[t], rows_of[i], 5, 5, 0.9);
            check_once(HD_TRIDIAG_AUTO, types[t], rows_of[i], 6, 2, 0.9);
        }
    hd__tridiag_force = 0;
}

TEST(sizes_and_layouts)
{
    check_layouts(0);
}

TEST(forms_for_blocks_of_many_threads)
{
    check_layouts(HD__TRIDIAG_THREADS);
}

TEST(two_passes_for_short_systems)
{
    check_layouts(HD__TRIDIAG_THREADS | HD__TRIDIAG_PASSES);
}

/* More systems than lanes of a block, and parts of blocks. */
TEST(many_systems)
{
    for (unsigned force = 0; force <= HD__TRIDIAG_THREADS; force += HD__TRIDIAG_THREADS)
        for (int t = 0; t < 2; t++) {
            const size_t systems = test_watched(301, 67);
            hd__tridiag_force = force;
            check_once(HD_TRIDIAG_AUTO, types[t], 40, systems, 1, 0.9);
            check_once(HD_TRIDIAG_AUTO, types[t], 40, systems, systems, 0.9);
            check_once(HD_TRIDIAG_AUTO, types[t], 3, systems, systems, 0.9);
            check_once(HD_TRIDIAG_AUTO, types[t], 130, 2 * 37, 37, 0.9);
        }
    hd__tridiag_force = 0;
}

TEST(long_systems)
{
    for (unsigned force = 0; force <= HD__TRIDIAG_THREADS; force += HD__TRIDIAG_THREADS)
        for (int t = 0; t < 2; t++) {
            hd__tridiag_force = force;
            check_once(HD_TRIDIAG_AUTO, types[t], test_watched(65536, 4300), 2, 1, 0.9);
            check_once(HD_TRIDIAG_AUTO, types[t], test_watched(65521, 4099), 3, 3, 0.9);
            if (test_watched(1, 0)) /* three levels of chunks */
                check_once(HD_TRIDIAG_AUTO, types[t], 1050007, 1, 1, 0.9);
        }
    hd__tridiag_force = 0;
}

TEST(arrays_that_are_not_aligned)
{
    for (int t = 0; t < 2; t++)
        for (size_t shift = 1; shift < 4; shift++) {
            bench b;
            setup(&b, types[t], 208, 3, 1, shift);
            fill(&b, 0.9, 5);
            check(&b, HD_TRIDIAG_AUTO, 0.9);
            teardown(&b);
        }
}

TEST(plain_algorithms)
{
    for (size_t i = 0; i < SIZES && rows_of[i] <= 1024; i += test_watched(1, 5))
        for (int t = 0; t < 2; t++)
            for (size_t width = 1; width <= 4; width += 3)
                for (unsigned force = 0; force <= HD__TRIDIAG_THREADS; force++) {
                    hd__tridiag_force = force;
                    check_once(HD_TRIDIAG_THOMAS, types[t], rows_of[i], 4, width, 0.9);
                    check_once(HD_TRIDIAG_PCR_SHARED, types[t], rows_of[i], 4, width, 0.9);
                    if (rows_of[i] <= 32)
                        check_once(HD_TRIDIAG_PCR_SHUFFLE, types[t], rows_of[i], 4, width, 0.9);
                }
    hd__tridiag_force = 0;
}

/* Widths above 1 change no bit, nor do the other systems. */
TEST(widths_have_the_same_bits)
{
    bench two, four;

    setup(&two, HD_F32, 777, 4, 2, 0);
    setup(&four, HD_F32, 777, 4, 4, 0);
    fill(&two, 0.99, 9);
    for (int k = 0; k < X; k++) {
        for (size_t s = 0; s < 4; s++)
            for (size_t i = 0; i < 777; i++)
                put(&four, k, place(&four, s, i), get(&two, k, place(&two, s, i)));
        test_array_upload(&four.array[k], four.stream);
    }
    check(&two, HD_TRIDIAG_AUTO, 0.99);
    check(&four, HD_TRIDIAG_AUTO, 0.99);
    for (size_t s = 0; s < 4; s++)
        for (size_t i = 0; i < 777; i++)
            CHECK_EQ_F64_BITS(get(&four, X, place(&four, s, i)), get(&two, X, place(&two, s, i)));
    teardown(&two);
    teardown(&four);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* -x'' with a known solution: the diagonal does not dominate strictly, the matrix is symmetric
   positive definite. The error is at most the condition number, 0.41 (rows + 1)^2, times a few
   u. */
TEST(symmetric_positive_definite)
{
    static const size_t rows[] = {10, 100, 1000};

    for (size_t r = 0; r < 3; r++) {
        const size_t n = rows[r];
        double worst = 0;
        bench b;
        setup(&b, HD_F64, n, 1, 1, 0);
        for (size_t i = 0; i < n; i++) {
            put(&b, LOWER, i, -1);
            put(&b, DIAGONAL, i, 2);
            put(&b, UPPER, i, -1);
            put(&b, RIGHT, i, (i == 0) + (i + 1 == n)); /* the solution is 1 everywhere */
        }
        for (int k = 0; k < X; k++)
            test_array_upload(&b.array[k], b.stream);
        CHECK_STATUS(solve(&b, HD_TRIDIAG_AUTO), HD_OK);
        CHECK_STATUS(hd_tridiag_check(b.singular, b.stream), HD_OK);
        test_array_download(&b.array[X], b.stream);
        for (size_t i = 0; i < n; i++)
            worst = fmax(worst, fabs(get(&b, X, i) - 1));
        CHECK_NEAR(worst, 0, 0.41 * (double)(n + 1) * (double)(n + 1) * 8 * 0x1p-53);
        teardown(&b);
    }
}

TEST(solutions_may_replace_an_input)
{
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < X; k++)
            for (size_t width = 1; width <= 3; width += 2)
                for (size_t rows = 200; rows <= 20000; rows += test_watched(19800, 4800)) {
                    bench b;
                    void *in[4];
                    unsigned char *x = malloc(rows * 3 * 8);
                    setup(&b, types[t], rows, 3, width, 0);
                    fill(&b, 0.9, 3);
                    CHECK_STATUS(solve(&b, HD_TRIDIAG_AUTO), HD_OK);
                    test_array_download(&b.array[X], b.stream);
                    for (int i = 0; i < 4; i++)
                        in[i] = b.array[i].device;
                    CHECK_STATUS(hd_tridiag(&b.batch, in[0], in[1], in[2], in[3], in[k], b.singular,
                                            NULL, b.stream),
                                 HD_OK);
                    CHECK_STATUS(hd_copy_blocking_bytes(x, in[k], b.array[X].bytes, 1, b.stream),
                                 HD_OK);
                    CHECK_BITS("in place", x, b.array[X].host, b.count, b.size);
                    free(x);
                    teardown(&b);
                    if (test_watched(0, rows > 200))
                        break;
                }
}

/* ---- systems without a solution -------------------------------------------------------------- */

static void upload(bench *b)
{
    for (int k = 0; k < X; k++)
        test_array_upload(&b->array[k], b->stream);
}

/* System 2 of 5 gets `value` at one place: it and no other is reported, and the others keep their
   bits. */
static void check_broken(bench *b, hd_tridiag_algorithm algorithm, int array, size_t row,
                         double value, const unsigned char *good)
{
    const size_t at = place(b, 2, row);
    const double was = get(b, array, at);
    uint64_t first = 0;

    put(b, array, at, value);
    upload(b);
    CHECK_STATUS(solve(b, algorithm), HD_OK);
    CHECK_STATUS(hd_tridiag_check(b->singular, b->stream), HD_ERR_SINGULAR);
    CHECK(strstr(hd_error_last()->message, "system 2 ") != NULL);
    CHECK_STATUS(hd_copy_blocking(&first, b->singular, 1, b->stream), HD_OK);
    if (first != 2)
        test_fail(__FILE__, __LINE__, "%s: array %d, row %zu of %zu is %g: first %" PRIu64,
                  hd_tridiag_algorithm_name(algorithm), array, row, b->batch.rows, value, first);
    test_array_download(&b->array[X], b->stream);
    for (size_t s = 0; s < 5; s++)
        for (size_t i = 0; i < b->batch.rows && s != 2; i++) {
            const size_t p = place(b, s, i) * b->size;
            if (memcmp(b->array[X].host + p, good + p, b->size) != 0) {
                test_fail(__FILE__, __LINE__, "system %zu is not as it was", s);
                return;
            }
        }
    put(b, array, at, was);
}

/* A row of zeros makes a pivot 0 at any place, whatever the algorithm. */
static void check_zero_row(bench *b, hd_tridiag_algorithm algorithm, size_t row,
                           const unsigned char *good)
{
    const size_t at = place(b, 2, row);
    const double lower = get(b, LOWER, at), upper = get(b, UPPER, at);

    put(b, LOWER, at, 0);
    put(b, UPPER, at, 0);
    check_broken(b, algorithm, DIAGONAL, row, 0, good);
    put(b, LOWER, at, lower);
    put(b, UPPER, at, upper);
}

static void check_reports(hd_tridiag_algorithm algorithm, hd_type type, size_t rows, size_t width)
{
    const size_t place_of[] = {0, 1, rows / 2, rows - 2, rows - 1};
    unsigned char *good = malloc(rows * 5 * 8);
    bench b;

    setup(&b, type, rows, 5, width, 0);
    fill(&b, 0.8, rows);
    CHECK_STATUS(solve(&b, algorithm), HD_OK);
    CHECK_STATUS(hd_tridiag_check(b.singular, b.stream), HD_OK);
    test_array_download(&b.array[X], b.stream);
    memcpy(good, b.array[X].host, b.count * b.size);
    for (size_t p = 0; p < 5; p += test_watched(1, 2)) {
        const size_t row = place_of[p];
        check_zero_row(&b, algorithm, row, good);
        check_broken(&b, algorithm, RIGHT, row, NAN, good);
        check_broken(&b, algorithm, DIAGONAL, row, INFINITY, good);
        check_broken(&b, algorithm, DIAGONAL, row, NAN, good);
        check_broken(&b, algorithm, RIGHT, row, -INFINITY, good);
        if (row > 0)
            check_broken(&b, algorithm, LOWER, row, INFINITY, good);
        if (row + 1 < rows)
            check_broken(&b, algorithm, UPPER, row, NAN, good);
    }
    free(good);
    teardown(&b);
}

TEST(singular_systems_are_reported)
{
    for (unsigned force = 0; force <= HD__TRIDIAG_THREADS; force++)
        for (int t = 0; t < 2; t++)
            for (size_t width = 1; width <= 5; width += 4) {
                hd__tridiag_force = force;
                check_reports(HD_TRIDIAG_AUTO, types[t], 5, width);
                check_reports(HD_TRIDIAG_AUTO, types[t], 100, width);
                check_reports(HD_TRIDIAG_AUTO, types[t], test_watched(5000, 700), width);
                check_reports(HD_TRIDIAG_THOMAS, types[t], 33, width);
                check_reports(HD_TRIDIAG_PCR_SHARED, types[t], 33, width);
                check_reports(HD_TRIDIAG_PCR_SHUFFLE, types[t], 30, width);
            }
    hd__tridiag_force = 0;
}

TEST(the_first_of_several_is_reported)
{
    bench b;
    uint64_t first = 0;

    setup(&b, HD_F32, 50, 200, 200, 0);
    fill(&b, 0.5, 1);
    for (size_t s = 77; s < 200; s += 11)
        for (size_t i = 0; i < 50; i++)
            put(&b, DIAGONAL, place(&b, s, i), 0);
    for (size_t s = 77; s < 200; s += 11)
        put(&b, UPPER, place(&b, s, 0), 0);
    upload(&b);
    CHECK_STATUS(solve(&b, HD_TRIDIAG_AUTO), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&first, b.singular, 1, b.stream), HD_OK);
    CHECK_EQ_U64(first, 77);
    teardown(&b);
}

/* ---- arguments ------------------------------------------------------------------------------- */

TEST(nothing_to_solve)
{
    bench b;
    uint64_t first = 0;

    setup(&b, HD_F32, 0, 3, 3, 0);
    CHECK_STATUS(solve(&b, HD_TRIDIAG_AUTO), HD_OK);
    CHECK_STATUS(hd_copy_blocking(&first, b.singular, 1, b.stream), HD_OK);
    CHECK(first == HD_TRIDIAG_NONE);
    b.batch.rows = 3;
    b.batch.systems = b.batch.width = 0;
    CHECK_STATUS(hd_tridiag(&b.batch, NULL, NULL, NULL, NULL, NULL, b.singular, NULL, b.stream),
                 HD_OK);
    teardown(&b);
}

static hd_status with(const bench *b, hd_tridiag_batch batch, hd_tridiag_algorithm algorithm)
{
    return hd_tridiag_with(algorithm, &batch, b->array[0].device, b->array[1].device,
                           b->array[2].device, b->array[3].device, b->array[4].device, b->singular,
                           NULL, b->stream);
}

TEST(bad_batches)
{
    const hd_tridiag_batch good = {40, 6, 3, HD_F32};
    hd_tridiag_batch batch = good;
    size_t bytes = 0;
    bench b;

    setup(&b, HD_F32, 40, 6, 3, 0);
    batch.width = 4;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_AUTO), HD_ERR_ARGUMENT);
    CHECK(strstr(hd_error_last()->message, "a width of 4 does not divide 6 systems") != NULL);
    batch.width = 0;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_AUTO), HD_ERR_ARGUMENT);
    batch = good;
    batch.type = HD_I32;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_AUTO), HD_ERR_UNSUPPORTED);
    batch.type = (hd_type)99;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_AUTO), HD_ERR_UNSUPPORTED);
    batch = good;
    batch.rows = SIZE_MAX / 8;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_AUTO), HD_ERR_OVERFLOW);
    batch.rows = 80;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_AUTO), HD_ERR_POINTER);
    CHECK_STATUS(with(&b, good, (hd_tridiag_algorithm)17), HD_ERR_ARGUMENT);
    CHECK_STATUS(with(&b, good, HD_TRIDIAG_PCR_SHUFFLE), HD_ERR_UNSUPPORTED);
    batch.rows = 1025;
    CHECK_STATUS(with(&b, batch, HD_TRIDIAG_PCR_SHARED), HD_ERR_UNSUPPORTED);
    CHECK_STATUS(hd_tridiag_workspace(NULL, HD_TRIDIAG_AUTO, &bytes), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag_workspace(&good, HD_TRIDIAG_AUTO, NULL), HD_ERR_ARGUMENT);
    teardown(&b);
}

TEST(bad_pointers)
{
    bench b;
    unsigned char *p[ARRAYS];

    setup(&b, HD_F64, 40, 1, 1, 0);
    fill(&b, 0.5, 1);
    for (int bad = 0; bad < ARRAYS; bad++) {
        for (int k = 0; k < ARRAYS; k++)
            p[k] = k == bad ? NULL : b.array[k].device;
        CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, b.stream),
                     HD_ERR_ARGUMENT);
        p[bad] = b.array[bad].device + 4;
        CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, b.stream),
                     HD_ERR_ARGUMENT);
    }
    for (int k = 0; k < ARRAYS; k++)
        p[k] = b.array[k].device;
    b.batch.rows = 20; /* part of right */
    CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[3] + 8, b.singular, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], NULL, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag(NULL, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag_check(NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag_check(b.singular, NULL), HD_ERR_ARGUMENT);
    teardown(&b);
}

TEST(workspaces)
{
    const size_t rows = 70000;
    hd_workspace workspace = {NULL, 0, 0};
    unsigned char *x = malloc(rows * 4);
    bench b;

    setup(&b, HD_F32, rows, 1, 1, 0);
    fill(&b, 0.9, 1);
    CHECK_STATUS(solve(&b, HD_TRIDIAG_AUTO), HD_OK);
    test_array_download(&b.array[X], b.stream);
    memcpy(x, b.array[X].host, rows * 4);
    CHECK_STATUS(hd_tridiag_workspace(&b.batch, HD_TRIDIAG_AUTO, &workspace.bytes), HD_OK);
    CHECK(workspace.bytes >= 4 * (rows / 16) * 4 && workspace.bytes < rows * 4 * 2);
    REQUIRE(hd_alloc_bytes(&workspace.memory, workspace.bytes, 1, HD_MEM_DEVICE, 0) == HD_OK);
    CHECK_STATUS(hd_tridiag(&b.batch, b.array[0].device, b.array[1].device, b.array[2].device,
                            b.array[3].device, b.array[4].device, b.singular, &workspace, b.stream),
                 HD_OK);
    test_array_download(&b.array[X], b.stream);
    CHECK_BITS("with a workspace", b.array[X].host, x, rows, 4);
    workspace.bytes--;
    CHECK_STATUS(hd_tridiag(&b.batch, b.array[0].device, b.array[1].device, b.array[2].device,
                            b.array[3].device, b.array[4].device, b.singular, &workspace, b.stream),
                 HD_ERR_WORKSPACE);
    CHECK_STATUS(hd_stream_synchronize(b.stream), HD_OK);
    CHECK_STATUS(hd_free(workspace.memory), HD_OK);
    free(x);
    teardown(&b);
}

TEST_MAIN
