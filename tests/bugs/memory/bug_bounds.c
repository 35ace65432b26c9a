/* SPDX-License-Identifier: Apache-2.0 */
/* bug_bounds.c - indices beyond arrays: shapes of the launches and their results. */
#include "kern_bounds.h"
#include "zoo.h"

enum { BLOCK = 256, GRID = 4, ALL = GRID * BLOCK, N = BOUNDS_N };

static const uint32_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19};

static uint32_t in_bin(size_t bin)
{
    uint32_t count = 0;

    for (size_t i = 0; i < N; i++)
        count += x(i) % 16 == bin;
    return count;
}

static uint32_t mirrored(size_t i)
{
    return x(i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK);
}

static uint32_t in_vector(size_t i)
{
    return 4 * i + 3 < N - 2 ? zoo_sum(4 * i, 4) : 0;
}

/* Sum of the elements of vector i, of which the last one of all is left out. */
static uint32_t group(size_t i, size_t width)
{
    return width * i + width < ALL ? zoo_sum(width * i, width) : 0;
}

RUN(bounds_end, bounds_end, 1, x(i), GRID, BLOCK, 0, 0, N)
RUN(bounds_start, bounds_start, 1, i ? x(i - 1) : 0, GRID, BLOCK, 0, 0, N)
RUN(bounds_block, bounds_block, 1, x(i), GRID, BLOCK, 0, 0, N)
RUN(bounds_row, bounds_row, 1, i < 40 ? 0 : x(i - 40), GRID, BLOCK, 0, 0, N)
RUN(bounds_far, bounds_far, 1, x(i), GRID, BLOCK, 0, 0, N)
RUN(bounds_bin, bounds_bin, 1, in_bin(i), GRID, BLOCK, 0, 0, 16)
RUN(bounds_tile, bounds_tile, 1, x(i % BLOCK == BLOCK - 1 ? i : i + 1), GRID, BLOCK, 0, 0, ALL)
RUN(bounds_dynamic, bounds_dynamic, 1, mirrored(i), GRID, BLOCK, zoo_bug ? BLOCK : 4 * BLOCK, 0,
    ALL)
RUN(bounds_local, bounds_local, 1, x(i) * (x(i) % 4 + 1), GRID, BLOCK, 0, 0, ALL)
RUN(bounds_table, bounds_table, 1, primes[x(i) % 8], GRID, BLOCK, 0, 0, ALL)
RUN(misaligned_vector, misaligned_vector, 1, group(i, 4), GRID, BLOCK, 0, 0, ALL)
RUN(misaligned_wide, misaligned_wide, 1, group(i, 2), GRID, BLOCK, 0, 0, ALL)
RUN(misaligned_shared, misaligned_shared, 1, mirrored(i) + x(i), GRID, BLOCK, 12 * BLOCK + 16, 0,
    ALL)

RUN(bounds_below, bounds_below, 1, x(i % BLOCK == 0 ? i : i - 1), GRID, BLOCK, 0, 0, ALL)
RUN(constant_write, constant_write, 1, i < BOUNDS_COEFFICIENTS ? x(i) : 0, 1, BLOCK, 0, 0, BLOCK)

/* The input ends in the middle of a vector. */
void run_bounds_vector(void)
{
    const zoo_shape shape = {1, BLOCK, 0, 0, BLOCK};
    zoo_data data = zoo_begin(shape);
    uint32_t *in = zoo_input(N - 2);

    MUST(hd_launch(bounds_vector, data.config, zoo_bug, (const uint32_t *)in, data.out));
    zoo_end(&data, in_vector);
    zoo_drop(in);
}

static uint32_t coefficient(size_t i)
{
    return primes[x(i) % BOUNDS_COEFFICIENTS];
}

void run_bounds_constant(void)
{
    const zoo_shape shape = {GRID, BLOCK, 0, 0, ALL};
    zoo_data data = zoo_begin(shape);

    MUST(hd_symbol_write(hd_symbol_of(bounds_coefficients), 0, primes, sizeof primes, zoo_stream));
    MUST(hd_launch(bounds_constant, data.config, zoo_bug, data.in, data.out));
    zoo_end(&data, coefficient);
}

RUN(bounds_half, bounds_half, 1, i % BLOCK < 127 ? x(i / BLOCK * BLOCK + 126 - i % BLOCK) : 0, GRID,
    BLOCK, 0, 0, ALL)

static uint32_t in_pair(size_t i)
{
    return 2 * i + 1 < N - 1 ? zoo_sum(2 * i, 2) : 0;
}

void run_bounds_pair(void)
{
    const zoo_shape shape = {2, BLOCK, 0, 0, 2 * BLOCK};
    zoo_data data = zoo_begin(shape);
    uint32_t *in = zoo_input(N - 1);

    MUST(hd_launch(bounds_pair, data.config, zoo_bug, (const uint32_t *)in, data.out));
    zoo_end(&data, in_pair);
    zoo_drop(in);
}

/* As in programs that end at the first error, nothing is freed then. */
void run_bounds_wild(void)
{
    const zoo_shape shape = {1, BLOCK, 0, 0, 1};
    zoo_data data = zoo_begin(shape);

    MUST(hd_launch(bounds_wild, data.config, zoo_bug, data.in, data.out));
    if (MUST(hd_stream_synchronize(zoo_stream)))
        zoo_end(&data, x);
}

RUN(misaligned_atomic, misaligned_atomic, 1, i ? 0 : ALL, GRID, BLOCK, 0, 0, 2)
