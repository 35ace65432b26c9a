/* SPDX-License-Identifier: Apache-2.0 */
/* bug_idiom.c - idioms of programs for GPUs: shapes of the launches and results. */
#include "kern_idiom.h"
#include "zoo.h"

enum { N = 256, GRID = 3, ALL = GRID * N };

static uint32_t block_sum(size_t block)
{
    return zoo_sum(block * N, N);
}

static uint32_t odd_in(size_t first, size_t count)
{
    uint32_t odd = 0;

    for (size_t i = first; i < first + count; i++)
        odd += x(i) % 2;
    return odd;
}

static uint32_t product(size_t i)
{
    uint32_t sum = 0;

    for (size_t k = 0; k < 32; k++)
        sum += x(i / 16 * 32 + k) * x(512 + k * 16 + i % 16);
    return sum;
}

static uint32_t around(size_t i, size_t n)
{
    return (i >= 2 ? x(i - 2) : 0) + x(i) + (i + 2 < n ? x(i + 2) : 0);
}

static uint32_t in_bin(size_t bin)
{
    uint32_t count = 0;

    for (size_t i = 0; i < ALL; i++)
        count += x(i) % 16 == bin;
    return count;
}

RUN(idiom_unrolled, idiom_unrolled, 1, block_sum(i), GRID, N, 0, 0, GRID)
RUN(idiom_broadcast, idiom_broadcast, 1, zoo_sum(i / N * N, 4), GRID, N, 0, 0, ALL)
RUN(idiom_matmul, idiom_matmul, 1, product(i % N), 4, N, 0, 0, 4 * N)
RUN(idiom_halo, idiom_halo, 1, around(i, ALL), GRID, N, 0, 0, ALL)
RUN(idiom_flush, idiom_flush, 1, in_bin(i), GRID, N, 0, 0, 16)
RUN_SCRATCH(idiom_slots, idiom_slots, 1, x(i) % 2, GRID, N, 0, 0, ALL)
RUN_SCRATCH(idiom_reverse, idiom_reverse, 1, x(ALL - 1 - i), GRID, N, 0, HD_LAUNCH_COOPERATIVE, ALL)
RUN(idiom_chunks, idiom_chunks, 1, x(i), GRID, N, 0, 0, ALL)
RUN(idiom_bitonic, idiom_bitonic, 1, 1, GRID, N, 0, 0, ALL)
RUN_SCRATCH(idiom_in_place, idiom_in_place, 1, around(i, ALL), GRID, N, 0, HD_LAUNCH_COOPERATIVE,
            ALL)
RUN(idiom_digits, idiom_digits, 1, odd_in(N *i, N), GRID, N, 0, 0, GRID)
RUN_SCRATCH(idiom_compact, idiom_compact, 1, x(i) % 2, GRID, N, 0, 0, ALL)
RUN(idiom_rows, idiom_rows, 1, i + 1 < ALL ? x(i + 1) - x(i) : 0, GRID, N, 0, 0, ALL)
RUN(idiom_padding, idiom_padding, 1,
    x(i / N * N + N - 1 - i % N) - x(i / N * N + N - 1 - i % N) % 3, GRID, N, 0, 0, ALL)
RUN(idiom_fields, idiom_fields, 1, (x(i / N * N + N - 1 - i % N) & 3) + N - 1 - i % N, GRID, N, 0,
    0, ALL)
RUN(idiom_flags, idiom_flags, 1, x(i) % 2, GRID, N, 0, 0, ALL)
RUN_SCRATCH(idiom_words, idiom_words, 1, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN(idiom_prefetch, idiom_prefetch, 1, 4 * x(i / N * N + N - 1 - i % N) + 6, GRID, N, 0, 0, ALL)
RUN(idiom_vector, idiom_vector, 1, zoo_sum(i / 64 * N + (63 - i % 64) * 4, 4), GRID, N, 0, 0,
    GRID * 64)
RUN(idiom_max, idiom_max, 1, 101, GRID, N, 0, 0, 1)
RUN_SCRATCH(idiom_queue, idiom_queue, 1, x(i), GRID, N, 0, 0, ALL)
RUN(idiom_sums, idiom_sums, 1, block_sum(i), GRID, N, 0, 0, GRID)
