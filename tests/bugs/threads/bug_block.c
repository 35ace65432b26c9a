/* SPDX-License-Identifier: Apache-2.0 */
/* bug_block.c - barriers and waits gone wrong: shapes of the launches and their results. */
#include "kern_block.h"
#include "zoo.h"

enum { N = 128, GRID = 2, ALL = GRID * N, MANY = 96 };

static uint32_t sides(size_t i)
{
    size_t t = N - 1 - i % N;

    return x(i / N * N + t) * (t < N / 2 ? 1 : 2);
}

static uint32_t odd(size_t block)
{
    uint32_t count = 0;

    for (size_t i = block * N; i < block * N + N; i++)
        count += x(i) % 2;
    return count;
}

RUN(apart_sides, apart_sides, 1, sides(i), GRID, N, 0, 0, ALL)
RUN(apart_turns, apart_turns, 1, 3 * odd(i / N), GRID, N, 0, 0, ALL)
RUN(apart_sum, apart_sum, 1, zoo_sum(i / N * N, N), GRID, N, 0, 0, ALL)
RUN(apart_shuffle, apart_shuffle, 1, x(i ^ 1), GRID, N, 0, 0, ALL)
RUN(returned_barrier, returned_barrier, 1, x(i ^ 1), GRID, N, 0, 0, ALL - N / 2)
RUN(returned_lanes, returned_lanes, 1, x(i ^ 1), GRID, N, 0, 0, ALL - 28)
RUN(apart_lanes, apart_lanes, 1, x(i) + 1, GRID, N, 0, 0, ALL)
RUN(apart_early, apart_early, 1, 3 * odd(i / N), GRID, N, 0, 0, ALL)
RUN(returned_sum, returned_sum, 1, zoo_sum(i / N * N, N), GRID, N, 0, 0, ALL)
RUN(apart_calls, apart_calls, 1, x(i / N * N + N - 1 - i % N), GRID, N, 0, 0, ALL)
RUN_SCRATCH(deadlock_later, deadlock_later, 1, x(i), MANY, N, 0, 0, MANY)
RUN_SCRATCH(deadlock_lanes, deadlock_lanes, 1, zoo_sum(0, ALL), GRID, N, 0, 0, 1)
RUN_SCRATCH(deadlock_nobody, deadlock_nobody, 1, x(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(deadlock_pair, deadlock_pair, 1, x(i), GRID, N, 0, 0, GRID)
RUN_SCRATCH(apart_others, apart_others, 1, x(i / N == 2 ? i ^ 1 : i), 3, N, 0, 0, 3 * N)
RUN(fault_divide, fault_divide, 1, x(i), GRID, N, 0, 0, ALL)

static uint32_t same(size_t i)
{
    return x(i);
}

/* As in programs that end at the first error, nothing is freed then. */
void run_apart_grid(void)
{
    const zoo_shape shape = {2, 128, 0, HD_LAUNCH_COOPERATIVE, 256};
    zoo_data data = zoo_begin(shape);

    MUST(hd_launch(apart_grid, data.config, zoo_bug, data.in, data.out, data.scratch));
    if (MUST(hd_stream_synchronize(zoo_stream)))
        zoo_end(&data, same);
}

void run_ticket_unset(void)
{
    const zoo_shape shape = {2, 128, 0, 0, 256};
    zoo_data data = zoo_begin(shape);
    uint32_t *ticket = zoo_bug ? zoo_raw(1) : zoo_zeroed(1);

    MUST(hd_launch(ticket_unset, data.config, data.in, data.out, ticket));
    zoo_end(&data, same);
    zoo_drop(ticket);
}

static uint32_t asserted(size_t i)
{
    return i % 32 < 30 ? x(i ^ 1) : 0;
}

/* The twin's assertions fail. As in programs that end then, nothing is freed. */
void run_returned_assert(void)
{
    const zoo_shape shape = {GRID, N, 0, 0, ALL};
    zoo_data data = zoo_begin(shape);

    MUST(hd_launch(returned_assert, data.config, zoo_bug, data.in, data.out));
    zoo_expect_value("status", (uint32_t)hd_stream_synchronize(zoo_stream),
                     (uint32_t)HD_ERR_ASSERT);
    if (zoo_bug)
        zoo_end(&data, asserted);
    else
        zoo_expect(data.out, data.outs, asserted);
}
