/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - solves batches of systems and compares with elimination in double precision on the host.
   The diagonal dominates, so that no pivoting is needed. */
#include <math.h>

#include "exercise.h"

#include "kernel.h"

enum { SIZES = 6, ELEMENTS = 4096, ARRAYS = 5 }; /* at most ELEMENTS rows in all systems */

/* {rows, systems}; small systems are solved by shuffles. */
static const size_t shapes[SIZES][2] = {{256, 1}, {200, 2}, {1, 2}, {32, 9}, {19, 5}, {2, 3}};

static float number(size_t i, unsigned salt)
{
    const uint32_t h = ((uint32_t)i * 2654435761u) ^ (salt * 40503u + 12345u);

    return (float)((h ^ h >> 15) % 2001) / 1000.0f - 1.0f; /* -1 to 1 */
}

/* lower, diagonal, upper, right; NaN where the first and last row of a system have nothing. */
static void fill(float *const host[ARRAYS], size_t rows, size_t systems)
{
    for (size_t i = 0; i < rows * systems; i++) {
        host[0][i] = i % rows == 0 ? NAN : number(i, 1);
        host[2][i] = i % rows == rows - 1 ? NAN : number(i, 2);
        host[1][i] = (i % 2 ? 1.0f : -1.0f) * (2.5f + number(i, 3));
        if (fabsf(host[1][i]) < 2.2f)
            host[1][i] = 2.2f;
        host[3][i] = 10.0f * number(i, 4);
    }
}

/* Gaussian elimination without pivoting (Thomas): the solution of one system. */
static void solve_host(float *const host[ARRAYS], size_t first, size_t rows, double *x)
{
    double factors[BLOCK];

    for (size_t i = 0; i < rows; i++) {
        const double lower = i > 0 ? host[0][first + i] : 0.0;
        const double upper = i + 1 < rows ? host[2][first + i] : 0.0;
        const double pivot = host[1][first + i] - (i > 0 ? lower * factors[i - 1] : 0.0);

        factors[i] = upper / pivot;
        x[i] = (host[3][first + i] - (i > 0 ? lower * x[i - 1] : 0.0)) / pivot;
    }
    for (size_t i = rows - 1; i-- > 0;)
        x[i] -= factors[i] * x[i + 1];
}

static int check(const char *kernel, float *const host[ARRAYS], size_t rows, size_t systems)
{
    double expected[BLOCK];

    for (size_t s = 0; s < systems; s++) {
        solve_host(host, s * rows, rows, expected);
        for (size_t i = 0; i < rows; i++) {
            const float got = host[4][s * rows + i];

            if (!(fabs(got - expected[i]) < 2e-5 * (1.0 + fabs(expected[i]))))
                return exercise_wrong("%s: x[%zu] of system %zu (%zu rows) is %.7g, expected %.7g",
                                      kernel, i, s, rows, (double)got, expected[i]);
        }
    }
    return 0;
}

static int run(hd_stream *stream, float *const host[ARRAYS], float *const device[ARRAYS],
               const size_t shape[2], uint32_t *hash)
{
    const batch b = {shape[0], shape[1], device[0], device[1], device[2], device[3]};
    const size_t n = b.rows * b.systems;

    fill(host, b.rows, b.systems);
    for (int k = 0; k < 4; k++)
        TRY(hd_copy_blocking(device[k], host[k], n, stream));
    for (int small = 0; small <= (b.rows <= GROUP); small++) {
        const hd_launch_config config = hd_launch_1d(b.systems * (small ? GROUP : BLOCK), BLOCK,
                                                     stream);

        TRY(hd_fill_bytes(device[4], 0x7fc00000u, 4, n, stream)); /* not a number */
        TRY(small ? hd_launch(solve_shuffles, config, b, device[4])
                  : hd_launch(solve_shared, config, b, device[4]));
        TRY(hd_copy_blocking(host[4], device[4], n, stream));
        if (check(small ? "solve_shuffles" : "solve_shared", host, b.rows, b.systems))
            return 1;
        for (size_t i = 0; i < n; i++)
            *hash = (*hash ^ exercise_bits(host[4][i])) * 16777619u;
    }
    return 0;
}

int main(void)
{
    float *host[ARRAYS], *device[ARRAYS], *memory = malloc(ARRAYS * ELEMENTS * sizeof *memory);
    uint32_t hash = 2166136261u; /* of the bits of all solutions */
    hd_stream *stream;
    int result = 0;

    if (!memory)
        return 2;
    TRY(hd_stream_create(0, &stream));
    for (int k = 0; k < ARRAYS; k++) {
        host[k] = memory + (size_t)k * ELEMENTS;
        TRY(hd_alloc(&device[k], ELEMENTS, 0));
    }
    for (int i = 0; i < SIZES && !result; i++)
        result = run(stream, host, device, shapes[i], &hash);
    if (!result)
        printf("all systems are solved; their bits: %08x\n", hash);
    for (int k = 0; k < ARRAYS; k++)
        TRY(hd_free(device[k]));
    TRY(hd_stream_destroy(stream));
    free(memory);
    return result;
}
