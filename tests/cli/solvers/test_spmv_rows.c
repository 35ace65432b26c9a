/* SPDX-License-Identifier: Apache-2.0 */
/* test_spmv_rows.c - what `heddle spmv` calls a wrong row: finite, infinite and NaN ones, in both
   types. labels: once */
#include "test.h"

#include <math.h>

#include "cli/input/matrix.h"

/* One row of n values times x, and y for it: right or not. */
static int right_f64(size_t n, const double *value, const double *x, double y)
{
    const int32_t offsets[2] = {0, (int32_t)n}, column[4] = {0, 1, 2, 3};
    const hd_csr m = {.rows = 1,
                      .columns = n,
                      .entries = n,
                      .offset_type = HD_I32,
                      .type = HD_F64,
                      .offsets = offsets,
                      .column = column,
                      .value = value};
    size_t first = 0;

    return cli_spmv_wrong_rows(&m, x, &y, &first) == 0;
}

static int right_f32(size_t n, const float *value, const float *x, float y)
{
    const int32_t offsets[2] = {0, (int32_t)n}, column[4] = {0, 1, 2, 3};
    const hd_csr m = {.rows = 1,
                      .columns = n,
                      .entries = n,
                      .offset_type = HD_I32,
                      .type = HD_F32,
                      .offsets = offsets,
                      .column = column,
                      .value = value};
    size_t first = 0;

    return cli_spmv_wrong_rows(&m, x, &y, &first) == 0;
}

static const double ones[4] = {1, 1, 1, 1};
static const float ones_f32[4] = {1, 1, 1, 1};
#define F64(y, ...) right_f64(sizeof(double[]){__VA_ARGS__} / 8, (double[]){__VA_ARGS__}, ones, y)
#define F32(y, ...) right_f32(sizeof(float[]){__VA_ARGS__} / 4, (float[]){__VA_ARGS__}, ones_f32, y)

TEST(finite_rows)
{
    CHECK(F64(6, 1, 2, 3));
    CHECK(!F64(6.0000001, 1, 2, 3));
    CHECK(!F64(HUGE_VAL, 1, 2, 3));
    CHECK(!F64(NAN, 1, 2, 3));
    CHECK(F32(6, 1, 2, 3));
    CHECK(!F32(6.00001f, 1, 2, 3));
    CHECK(!F32(-HUGE_VALF, 1, 2, 3));
    CHECK(F64(0.3, 0.1, 0.2));
    CHECK(right_f64(0, ones, ones, 0));
    CHECK(!right_f64(0, ones, ones, 1));
}

/* Products that vanish. */
TEST(small_products)
{
    const float small[1] = {1e-30f};
    const double tiny[1] = {1e-200};

    CHECK(right_f32(1, small, small, 0));
    CHECK(!right_f32(1, small, small, 1e-40f));
    CHECK(right_f64(1, tiny, tiny, 0));
}

TEST(infinite_elements)
{
    CHECK(F64(HUGE_VAL, 1, HUGE_VAL));
    CHECK(F64(-HUGE_VAL, -HUGE_VAL, 1));
    CHECK(!F64(-HUGE_VAL, 1, HUGE_VAL));
    CHECK(!F64(1.5, 1, HUGE_VAL));
    CHECK(!F64(NAN, 1, HUGE_VAL));
    CHECK(F64(NAN, -HUGE_VAL, HUGE_VAL));
    CHECK(!F64(HUGE_VAL, -HUGE_VAL, HUGE_VAL));
    CHECK(!F64(0, NAN, 1));
    CHECK(F32(HUGE_VALF, 1, HUGE_VALF));
    CHECK(!F32(3e38f, 1, HUGE_VALF));
    CHECK(F64(NAN, -1e308, -1e308, HUGE_VAL)); /* -inf + inf */
}

TEST(sums_beyond_the_range)
{
    CHECK(F64(HUGE_VAL, 1e308, 1e308));
    CHECK(!F64(-HUGE_VAL, 1e308, 1e308));
    CHECK(!F64(1.7e308, 1e308, 1e308));
    CHECK(!F64(NAN, 1e308, 1e308));
    CHECK(F64(-HUGE_VAL, -1e308, -1e308));
    CHECK(!F64(HUGE_VAL, 1e307, 1e307));
    CHECK(F32(HUGE_VALF, 3e38f, 3e38f));
    CHECK(!F32(3.4e38f, 3e38f, 3e38f));
    CHECK(!F32(HUGE_VALF, 1e38f, 1e38f));
    CHECK(F64(1e308, 1e308, 1e308, -1e308)); /* in another order */
    CHECK(F64(HUGE_VAL, 1e308, 1e308, -1e308));
    CHECK(!F64(2e307, 1e308, 1e308, -1e308));
}

TEST_MAIN
