/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - runs the three kernels and a library, and compares every element with the host's. The
   elements of a and b are small integers, so that all sums are exact. */
#include "exercise.h"

#include "kernel.h"
#include "library.h"

enum { KERNELS = 3, SIZES = 3 };

static const size_t rows[SIZES] = {39, 32, 5}; /* of a: run one after another without an argument */

static const char *const names[KERNELS] = {"product_plain", "product_tiles", "product_rows"};

static float element_a(size_t row, size_t column)
{
    return (float)((3 * row + 5 * column) % 13) - 6.0f;
}

static float element_b(size_t row, size_t column)
{
    return (float)((7 * row + 2 * column) % 11) - 5.0f;
}

static int check(const char *name, sizes s, const float *c)
{
    for (size_t row = 0; row < s.m; row++)
        for (size_t column = 0; column < s.n; column++) {
            double expected = 0.0;

            for (size_t i = 0; i < s.k; i++)
                expected += (double)element_a(row, i) * element_b(i, column);
            if (c[row * s.n + column] != expected)
                return exercise_wrong("%s: row %zu, column %zu of %zu x %zu is %g, expected %g",
                                      name, row, column, s.m, s.n, (double)c[row * s.n + column],
                                      expected);
        }
    return 0;
}

static hd_status launch(int kernel, hd_stream *stream, sizes s, const float *a, const float *b,
                        float *c)
{
    hd_launch_config config = hd_launch_3d(s.n, s.m, 1, hd_dim(TILE, TILE, 1), stream);

    if (kernel == 0)
        return hd_launch(product_plain, config, s, a, b, c);
    if (kernel == 1)
        return hd_launch(product_tiles, config, s, a, b, c);
    config.block.y = TILE / ROWS;
    return hd_launch(product_rows, config, s, a, b, c);
}

/* Multiples of TILE if m is one. Otherwise all three differ: none can pass for another. */
static sizes sizes_of(size_t m)
{
    const sizes s = {m, m / 2 * 3, m + TILE};

    return s;
}

static double gflops(sizes s, double milliseconds)
{
    return 2e-6 * (double)s.m * (double)s.n * (double)s.k / milliseconds;
}

/* Runs a kernel between two events and checks its result. */
static int run(int kernel, hd_stream *stream, sizes s, const float *a, const float *b, float *host)
{
    hd_event *start, *stop;
    float *c, milliseconds;

    TRY(hd_event_create(0, HD_EVENT_TIMING, &start));
    TRY(hd_event_create(0, HD_EVENT_TIMING, &stop));
    TRY(hd_alloc(&c, s.m * s.n, 0));
    TRY(hd_fill_zero(c, s.m * s.n, stream));
    TRY(hd_event_record(start, stream));
    TRY(launch(kernel, stream, s, a, b, c));
    TRY(hd_event_record(stop, stream));
    TRY(hd_copy_blocking(host, c, s.m * s.n, stream));
    TRY(hd_event_elapsed(start, stop, &milliseconds));
    fprintf(stderr, "%s: %.3f ms, %.3f GFLOP/s\n", names[kernel], (double)milliseconds,
            gflops(s, (double)milliseconds));
    TRY(hd_free(c));
    TRY(hd_event_destroy(stop));
    TRY(hd_event_destroy(start));
    return check(names[kernel], s, host);
}

/* The library's product, and the check of its result. */
static int run_library(hd_stream *stream, sizes s, const float *a, const float *b, float *host)
{
    double milliseconds;
    float *c;

    TRY(hd_alloc(&c, s.m * s.n, 0));
    TRY(library_product(stream, s, a, b, c, &milliseconds));
    TRY(hd_copy_blocking(host, c, s.m * s.n, stream));
    TRY(hd_free(c));
    fprintf(stderr, "%s: %.3f ms, %.3f GFLOP/s\n", library_name(), milliseconds,
            gflops(s, milliseconds));
    return check(library_name(), s, host);
}

static int run_all(hd_stream *stream, size_t m, float *host)
{
    const sizes s = sizes_of(m);
    float *a, *b;
    int result = 0;

    TRY(hd_alloc(&a, s.m * s.k, 0));
    TRY(hd_alloc(&b, s.k * s.n, 0));
    for (size_t i = 0; i < s.m * s.k; i++)
        host[i] = element_a(i / s.k, i % s.k);
    TRY(hd_copy_blocking(a, host, s.m * s.k, stream));
    for (size_t i = 0; i < s.k * s.n; i++)
        host[i] = element_b(i / s.n, i % s.n);
    TRY(hd_copy_blocking(b, host, s.k * s.n, stream));
    for (int kernel = 0; kernel < KERNELS && !result; kernel++)
        result = run(kernel, stream, s, a, b, host);
    if (!result && library_name())
        result = run_library(stream, s, a, b, host);
    if (!result)
        fprintf(stderr, "%zu x %zu times %zu x %zu: no wrong element\n", s.m, s.k, s.k, s.n);
    TRY(hd_free(b));
    TRY(hd_free(a));
    return result;
}

int main(int argc, char **argv)
{
    const size_t m = exercise_size(argc, argv, rows[0]);
    float *host = malloc(2 * (m + TILE) * (m + TILE) * sizeof *host); /* enough for a, b and c */
    hd_stream *stream;
    int result = 2;

    if (host && m > 1) {
        TRY(hd_stream_create(0, &stream));
        result = run_all(stream, m, host);
        for (int i = 1; i < SIZES && argc < 2 && !result; i++)
            result = run_all(stream, rows[i], host);
        if (!result)
            printf("three kernels, no wrong element\n");
        TRY(hd_stream_destroy(stream));
    }
    free(host);
    return result;
}
