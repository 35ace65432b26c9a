/* SPDX-License-Identifier: Apache-2.0 */
/* labels: small
   test_tridiag.c - hd_tridiag against the scalar program of tridiag_reference.inc, as bits, and
   against a bound on residuals in long double: layouts, sizes around every edge, all forms of
   launch, the plain algorithms. */
#include "tridiag_bench.h"

#include "drivers/tridiag/plan.h"

#define REF_ELEM float
#define REF(name) name##_f32
#include "tridiag_reference.inc"
#undef REF_ELEM
#undef REF
#define REF_ELEM double
#define REF(name) name##_f64
#include "tridiag_reference.inc"

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

/* Columns of one vector, of several and of a part of one, strips and parts of them; systems of
   which rows are kept, and those that are passed through twice. */
static void check_wide(unsigned force, hd_tridiag_algorithm algorithm, const size_t *rows)
{
    static const size_t widths[] = {8, 16, 31, 37, 131, 1030};
    hd__tridiag_force = force;
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w += test_watched(1, 3))
        for (size_t i = 0; rows[i]; i += test_watched(1, rows[i + 1] ? 2 : 1))
            for (int t = 0; t < 2; t++)
                if (rows[i] * widths[w] < 200000)
                    check_once(algorithm, types[t], rows[i], 2 * widths[w], widths[w], 0.9);
    hd__tridiag_force = 0;
}

TEST(long_systems_side_by_side)
{
    static const size_t rows[] = {256, 257, 272, 287, 4113, 0};
    check_wide(0, HD_TRIDIAG_AUTO, rows);
}

TEST(two_passes_of_wide_batches)
{
    static const size_t rows[] = {17, 40, 160, 256, 0};
    check_wide(HD__TRIDIAG_PASSES, HD_TRIDIAG_AUTO, rows);
}

TEST(plain_cyclic_reduction_of_wide_batches)
{
    static const size_t rows[] = {1, 2, 7, 16, 17, 0};
    check_wide(0, HD_TRIDIAG_PCR_SHARED, rows);
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

/* The last row of an input, or of the solution, is not there. */
TEST(one_element_short)
{
    void *p[5], *few = NULL;
    bench b;

    setup(&b, HD_F64, 20, 3, 1, 0);
    fill(&b, 0.9, 3);
    REQUIRE(hd_alloc_bytes(&few, 20 * 3 - 1, 8, HD_MEM_DEVICE, 0) == HD_OK);
    for (int short_one = 0; short_one < 5; short_one++) {
        for (int i = 0; i < 5; i++)
            p[i] = i == short_one ? few : b.array[i].device;
        CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, b.stream),
                     HD_ERR_POINTER);
    }
    CHECK_STATUS(hd_free(few), HD_OK);
    teardown(&b);
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

TEST_MAIN
