/* SPDX-License-Identifier: Apache-2.0 */
/* test_fit.c - the line that `heddle p2p` and `heddle mpi pingpong` fit to times: known lines,
   numbers computed by hand, and noisy data against a different method of least squares. */
#include "test.h"

#include <math.h>

#include "cli/bench/fit.h"

enum { SIZES = 10 };

static void check_near(double found, double expected, double error)
{
    if (!CHECK(fabs(found - expected) <= error * fabs(expected)))
        NOTE("found %.17g, expected %.17g", found, expected);
}

/* 4 KiB, then four times the previous size. */
static void sizes_make(size_t bytes[SIZES])
{
    for (size_t i = 0; i < SIZES; i++)
        bytes[i] = (size_t)4096 << 2 * i;
}

TEST(a_line_is_found_as_it_is)
{
    size_t bytes[SIZES];
    double seconds[SIZES];

    sizes_make(bytes);
    for (size_t i = 0; i < SIZES; i++)
        seconds[i] = 5e-6 + (double)bytes[i] / 393e9;
    const cli_fit fit = cli_fit_of(bytes, seconds, SIZES);
    check_near(fit.latency, 5e-6, 1e-9);
    check_near(fit.rate, 393e9, 1e-9);
    CHECK(fit.worst < 1e-9);
}

/* Weights 1/4, 1/4, 1/16: slope 10/17, 20/17 at 0 bytes, with errors of -2/17, 3/17 and -2/17 of
   the times. Unweighted, the slope would be 5/7. */
TEST(relative_errors_are_squared)
{
    const size_t bytes[] = {1, 2, 4};
    const double seconds[] = {2, 2, 4};
    const cli_fit fit = cli_fit_of(bytes, seconds, 3);

    check_near(fit.latency, 20.0 / 17, 1e-12);
    check_near(fit.rate, 17.0 / 10, 1e-12);
    check_near(fit.worst, 3.0 / 17, 1e-12);
}

/* The best line starts at -1; the best one through 0 has the slope (34/15) / (406/225). */
TEST(latency_is_not_negative)
{
    const size_t bytes[] = {1, 2, 3};
    const double seconds[] = {1, 3, 5};
    const cli_fit fit = cli_fit_of(bytes, seconds, 3);

    CHECK_EQ_F64_BITS(fit.latency, 0.0);
    check_near(fit.rate, 203.0 / 255, 1e-12);
    check_near(fit.worst, 52.0 / 203, 1e-12);
}

TEST(times_that_do_not_grow_have_no_rate)
{
    const size_t bytes[] = {1024, 4096, 16384};
    const double seconds[] = {2e-6, 2e-6, 2e-6};
    const cli_fit fit = cli_fit_of(bytes, seconds, 3);

    check_near(fit.latency, 2e-6, 1e-12);
    CHECK_EQ_F64_BITS(fit.rate, 0.0);
}

/* Solves a / t + b x / t = 1 in the least-squares sense by orthogonalizing the columns 1 / t and x
   / t (Gram-Schmidt), while the code uses the normal equations. */
static void orthogonal(const size_t *bytes, const double *seconds, size_t count, double *a,
                       double *b)
{
    long double uu = 0, uv = 0, rest_y = 0, rest_rest = 0, u_left = 0;

    for (size_t i = 0; i < count; i++) {
        const long double u = 1 / (long double)seconds[i], v = u * (long double)bytes[i];
        uu += u * u;
        uv += u * v;
    }
    for (size_t i = 0; i < count; i++) {
        const long double u = 1 / (long double)seconds[i], v = u * (long double)bytes[i];
        const long double rest = v - uv / uu * u;
        rest_y += rest;
        rest_rest += rest * rest;
    }
    *b = (double)(rest_y / rest_rest);
    for (size_t i = 0; i < count; i++) {
        const long double u = 1 / (long double)seconds[i];
        u_left += u * (1 - (long double)*b * u * (long double)bytes[i]);
    }
    *a = (double)(u_left / uu);
}

/* A valid fit needs three points, a significant slope, and points that are near the line. */
TEST(only_lines_hold)
{
    const size_t bytes[] = {4096, 16384, 65536, 262144, 1048576, 4194304, 16777216};
    const double constant[] = {3.1e-7, 3.3e-7, 3.2e-7, 3.3e-7, 3.1e-7, 3.2e-7, 3.25e-7};
    const double one_more[] = {3e-7, 3e-7, 3e-7, 3e-7, 3e-7, 3e-7, 3.6e-7};
    const double falling[] = {9e-6, 8e-6, 7e-6, 6e-6, 5e-6, 4e-6, 3e-6};
    const double wild[] = {1e-6, 1e-4, 1e-6, 1e-3, 1e-5, 1e-6, 1e-3};
    double line[7], zeros[7] = {0}, outlier[7];

    for (size_t i = 0; i < 7; i++)
        outlier[i] = line[i] = 4e-7 + (double)bytes[i] / 40e9;
    outlier[5] *= 3;
    CHECK(cli_fit_of(bytes, line, 7).holds);
    CHECK(cli_fit_of(bytes, line, 3).holds);
    CHECK(!cli_fit_of(bytes, line, 2).holds);
    CHECK(!cli_fit_of(bytes, line, 1).holds);
    CHECK(cli_fit_of(bytes, outlier, 7).holds);
    CHECK(!cli_fit_of(bytes, constant, 7).holds);
    CHECK(!cli_fit_of(bytes, one_more, 3).holds);
    CHECK(!cli_fit_of(bytes, falling, 7).holds);
    CHECK(!cli_fit_of(bytes, wild, 7).holds);
    CHECK(!cli_fit_of(bytes, zeros, 7).holds);
}

/* For constant times with a noise of 10 %, a slope is found in 2.5 % of cases (2.5 % have a
   negative one); for lines with that noise, always. */
TEST(scatter_is_no_slope)
{
    uint32_t random = 9;
    int constants = 0, lines = 0;

    for (int turn = 0; turn < 1000; turn++) {
        size_t bytes[SIZES];
        double seconds[SIZES], sloped[SIZES];
        sizes_make(bytes);
        for (size_t i = 0; i < SIZES; i++) {
            random = random * 1664525u + 1013904223u;
            const double factor = 0.9 + 0.2 * (random >> 8) / 16777216.0;
            seconds[i] = 3e-6 * factor;
            sloped[i] = (3e-6 + (double)bytes[i] / 25e9) * factor;
        }
        constants += cli_fit_of(bytes, seconds, SIZES).holds;
        lines += cli_fit_of(bytes, sloped, SIZES).holds;
    }
    CHECK(constants < 60);
    CHECK_EQ_I64(lines, 1000);
}

TEST(noisy_times_have_the_line_of_least_squares)
{
    uint32_t random = 1;

    for (int turn = 0; turn < 50; turn++) {
        size_t bytes[SIZES];
        double seconds[SIZES], a, b, worst = 0;
        sizes_make(bytes);
        for (size_t i = 0; i < SIZES; i++) {
            random = random * 1664525u + 1013904223u;
            seconds[i] = (3e-6 + (double)bytes[i] / 25e9) *
                         (0.9 + 0.2 * (random >> 8) / 16777216.0);
        }
        orthogonal(bytes, seconds, SIZES, &a, &b);
        REQUIRE(a > 0 && b > 0);
        for (size_t i = 0; i < SIZES; i++)
            worst = fmax(worst, fabs((a + b * (double)bytes[i]) / seconds[i] - 1));
        const cli_fit fit = cli_fit_of(bytes, seconds, SIZES);
        check_near(fit.latency, a, 1e-9);
        check_near(fit.rate, 1 / b, 1e-9);
        check_near(fit.worst, worst, 1e-9);
    }
}

TEST_MAIN
