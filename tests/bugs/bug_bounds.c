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
