/* SPDX-License-Identifier: Apache-2.0 */
/* test_tridiag_singular.c - hd_tridiag where there is nothing to solve, or no solution: singular
   systems are reported and touch no other, bad input is refused; workspaces. */
#include "tridiag_bench.h"

#include "drivers/tridiag/plan.h"

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

/* One broken system at a time, in every lane, vector and strip. */
static void check_numbers(hd_tridiag_algorithm algorithm, hd_type type, size_t rows, size_t width)
{
    bench b;
    setup(&b, type, rows, 2 * width, width, 0);
    fill(&b, 0.8, rows + width);
    for (size_t s = 0; s < 2 * width; s += test_watched(width > 64 ? 5 : 1, 11)) {
        const size_t at = place(&b, s, rows / 2);
        const double was = get(&b, RIGHT, at);
        uint64_t first = 0;
        put(&b, RIGHT, at, NAN);
        test_array_upload(&b.array[RIGHT], b.stream);
        CHECK_STATUS(solve(&b, algorithm), HD_OK);
        CHECK_STATUS(hd_copy_blocking(&first, b.singular, 1, b.stream), HD_OK);
        if (first != s) {
            test_fail(__FILE__, __LINE__, "%s %s, %zu rows, width %zu: system %zu, not %" PRIu64,
                      hd_tridiag_algorithm_name(algorithm), hd_type_name(type), rows, width, s,
                      first);
            break;
        }
        put(&b, RIGHT, at, was);
    }
    teardown(&b);
}

TEST(each_system_is_reported_by_its_number)
{
    for (int t = 0; t < 2; t++)
        for (size_t width = 37; width <= 275; width += 238) {
            check_numbers(HD_TRIDIAG_AUTO, types[t], 40, width);
            check_numbers(HD_TRIDIAG_AUTO, types[t], 300, width);
            check_numbers(HD_TRIDIAG_PCR_SHARED, types[t], 5, width);
        }
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
    for (int k = 0; k < ARRAYS; k++) {
        uint64_t *last = (uint64_t *)(void *)(p[k] + 8 * 19), *behind = last + 1;
        CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], last, NULL, b.stream),
                     HD_ERR_ARGUMENT);
        CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], behind, NULL, b.stream),
                     HD_OK);
    }
    CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, NULL),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag(NULL, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, b.stream),
                 HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag_check(NULL, b.stream), HD_ERR_ARGUMENT);
    CHECK_STATUS(hd_tridiag_check(b.singular, NULL), HD_ERR_ARGUMENT);
    teardown(&b);
}

/* x begins where an input ends, or ends where one begins; then an element nearer. */
TEST(arrays_one_after_the_other)
{
    enum { ROWS = 40, BYTES = 8 * ROWS };
    bench b;
    setup(&b, HD_F64, 5 * ROWS, 1, 1, 0);
    for (size_t i = 0; i < b.count; i++)
        put(&b, X, i, 1 + (double)(i / ROWS == 2));
    test_array_upload(&b.array[X], b.stream);
    b.batch.rows = ROWS;
    for (int place_of_x = 0; place_of_x < 5; place_of_x++) {
        unsigned char *p[5], *at = b.array[X].device;
        for (int k = 0; k < 4; k++)
            p[k] = at + BYTES * (k + (k >= place_of_x));
        p[4] = at + BYTES * place_of_x;
        CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4], b.singular, NULL, b.stream),
                     HD_OK);
        for (int step = -8; step <= 8; step += 16)
            if (place_of_x + step / 8 >= 0 && place_of_x + step / 8 < 5)
                CHECK_STATUS(hd_tridiag(&b.batch, p[0], p[1], p[2], p[3], p[4] + step, b.singular,
                                        NULL, b.stream),
                             HD_ERR_ARGUMENT);
    }
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
