/* SPDX-License-Identifier: Apache-2.0 */
/* bug_barrier.c - missing barriers: shapes of the launches and their results. */
#include "kern_barrier.h"
#include "zoo.h"

enum { N = 256, GRID = 3, ALL = GRID * N };

/* The element that the thread's mirror image in its block has. */
static uint32_t mirrored(size_t i)
{
    return x(i / N * N + N - 1 - i % N);
}

/* Four rounds of v[t] += v[N - 1 - t]. */
static uint32_t rounds(size_t i)
{
    uint32_t mine = x(i), other = mirrored(i);

    for (unsigned round = 0; round < 4; round++) {
        uint32_t sum = mine + other;

        mine = sum;
        other = sum;
    }
    return mine;
}

static uint32_t neighbours(size_t i)
{
    return (i % N == 0 ? 0 : x(i - 1)) + x(i) + (i % N == N - 1 ? 0 : x(i + 1));
}

static uint32_t transposed(size_t i)
{
    return x(i / N * N + i % 16 * 16 + i % N / 16);
}

/* How many elements of the block fall into the bin. */
static uint32_t in_bin(size_t block, size_t bin)
{
    uint32_t count = 0;

    for (size_t i = 0; i < N; i++)
        count += x(block * N + i) % 16 == bin;
    return count;
}

RUN(barrier_first, barrier_first, 1, mirrored(i), GRID, N, 0, 0, ALL)
RUN(barrier_last, barrier_last, 1, 2 * mirrored(i) + 1, GRID, N, 0, 0, ALL)
RUN(barrier_loop, barrier_loop, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
RUN(barrier_branch, barrier_branch, 1, mirrored(i) * (1 + i / N % 2), GRID, N, 0, 0, ALL)
RUN(barrier_result, barrier_result, 1, zoo_sum(i / N * N, N), GRID, N, 0, 0, ALL)
RUN(barrier_buffers, barrier_buffers, 1, rounds(i), GRID, N, 0, 0, ALL)
RUN(barrier_total, barrier_total, 1, x(i / N * N), GRID, N, 0, 0, ALL)
RUN(barrier_transpose, barrier_transpose, 1, transposed(i), GRID, N, 0, 0, ALL)
RUN(barrier_halo, barrier_halo, 1, neighbours(i), GRID, N, 0, 0, ALL)
RUN(barrier_scan, barrier_scan, 1, zoo_sum(i / N * N, i % N + 1), GRID, N, 0, 0, ALL)
RUN(shared_overlap, shared_overlap, 1, mirrored(i) + 2 * x(i), GRID, N, 8 * N, 0, ALL)
RUN(shared_two_writers, shared_two_writers, 1, x(i / N * N), GRID, N, 0, 0, ALL)
RUN(shared_histogram, shared_histogram, 1, in_bin(i / 16, i % 16), GRID, N, 0, 0, GRID * 16)
RUN(shared_leaders, shared_leaders, 1, 2 * x(N * i) + 1, GRID, N, 0, 0, GRID)

static uint32_t few_far(size_t i)
{
    size_t t = i % N;

    return t == 7 ? 0 : x(t == N / 2 + 7 ? i - N / 2 : i);
}

RUN(barrier_some, barrier_some, 1, few_far(i), GRID, N, 0, 0, ALL)
