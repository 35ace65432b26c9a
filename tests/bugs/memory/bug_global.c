/* SPDX-License-Identifier: Apache-2.0 */
/* bug_global.c - races in global memory: shapes of the launches and their results. */
#include "kern_global.h"
#include "zoo.h"

enum { N = 256, GRID = 3, ALL = GRID * N };

static uint32_t mirrored(size_t i)
{
    return x(i / N * N + N - 1 - i % N);
}

static uint32_t neighbours(size_t i)
{
    return (i == 0 ? 0 : x(i - 1)) + x(i) + (i + 1 == ALL ? 0 : x(i + 1));
}

static uint32_t odd_in_bin(size_t bin)
{
    return x(bin) % 2 + x(bin + N) % 2 + x(bin + 2 * N) % 2;
}

/* Sum of the first elements of the blocks. */
static uint32_t firsts(void)
{
    return x(0) + x(N) + x(2 * N);
}

RUN_SCRATCH(global_scratch, global_scratch, 1, mirrored(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(global_reuse, global_reuse, 1, 2 * mirrored(i) + 1, GRID, N, 0, 0, ALL)
RUN(global_two_writers, global_two_writers, 1, x(N *i), GRID, N, 0, 0, GRID)
RUN_SCRATCH(global_wide, global_wide, 1, x(i), GRID, N, 0, 0, ALL)
RUN(blocks_sum, blocks_sum, 1, firsts(), GRID, N, 0, 0, 1)
RUN(blocks_stencil, blocks_stencil, 1, neighbours(i), GRID, N, 0, 0, ALL)
RUN(blocks_overlap, blocks_overlap, 1, x(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(blocks_phases, blocks_phases, 1, x((i + N) % ALL), GRID, N, 0, HD_LAUNCH_COOPERATIVE,
            ALL)
RUN(blocks_histogram, blocks_histogram, 1, odd_in_bin(i), GRID, N, 0, 0, N)
RUN_SCRATCH(atomic_read, atomic_read, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
RUN_SCRATCH(atomic_last, atomic_last, 1, zoo_sum(N *i, N - 1), GRID, N, 0, 0, GRID)
RUN(atomic_reset, atomic_reset, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
RUN(atomic_start, atomic_start, 1, firsts(), GRID, N, 0, 0, 1)
RUN(scope_count, scope_count, 1, zoo_sum(0, ALL), GRID, N, 0, 0, 1)
RUN(scope_last, scope_last, 1, zoo_sum(0, ALL), GRID, N, 0, 0, 1)
RUN(blocks_last, blocks_last, 1, x(i), GRID, N, 0, 0, ALL)

static uint32_t cleared(size_t i)
{
    size_t t = i % N;

    if (t < N / 2)
        return t == 7 ? 0 : x(i) + 1;
    return t == N / 2 + 7 ? x(i) : 0;
}

RUN(atomic_some, atomic_some, 1, cleared(i), GRID, N, 0, 0, ALL)
