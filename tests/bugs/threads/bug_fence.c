/* SPDX-License-Identifier: Apache-2.0 */
/* bug_fence.c - data behind flags, tickets and locks: shapes of the launches and their results. */
#include "kern_fence.h"
#include "zoo.h"

enum { N = 128, GRID = 4, ALL = GRID * N };

/* Sum of the column's elements in the first `rows` rows. */
static uint32_t column(size_t i, size_t rows)
{
    uint32_t sum = 0;

    for (size_t row = 0; row < rows; row++)
        sum += x(row * N + i);
    return sum;
}

RUN_SCRATCH(fence_relaxed, fence_relay, FENCE_RELAXED, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN_SCRATCH(fence_block, fence_relay, FENCE_BLOCK, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN_SCRATCH(fence_after, fence_relay, FENCE_AFTER, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN_SCRATCH(fence_plain, fence_relay, FENCE_PLAIN, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN_SCRATCH(fence_scope, fence_relay, FENCE_SCOPE, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN_SCRATCH(ticket_relaxed, fence_ticket, TICKET_RELAXED, column(i, GRID), GRID, N, 0, 0, N)
RUN_SCRATCH(ticket_release, fence_ticket, TICKET_RELEASE, column(i, GRID), GRID, N, 0, 0, N)
RUN_SCRATCH(ticket_acquire, fence_ticket, TICKET_ACQUIRE, column(i, GRID), GRID, N, 0, 0, N)
RUN_SCRATCH(ticket_early, fence_ticket, TICKET_EARLY, column(i, GRID), GRID, N, 0, 0, N)
RUN_SCRATCH(fence_wait, fence_relay, FENCE_WAIT, zoo_sum(0, i + 1), GRID, N, 0, 0, GRID)
RUN_SCRATCH(fences_writer, fence_threads, FENCES_WRITER, column(i, GRID), GRID, N, 0, 0, N)
RUN_SCRATCH(fences_reader, fence_threads, FENCES_READER, column(i, GRID), GRID, N, 0, 0, N)
RUN_SCRATCH(row_early, fence_row, ROW_EARLY, column(i % N, i / N + 1), GRID, N, 0, 0, ALL)
RUN_SCRATCH(row_reader, fence_row, ROW_READER, column(i % N, i / N + 1), GRID, N, 0, 0, ALL)
RUN_SCRATCH(lock_relaxed, fence_lock, 1, column(0, GRID), GRID, N, 0, 0, 1)
RUN_SCRATCH(fence_replaced, fence_replaced, 1, x(0), 3, N, 0, 0, 1)
RUN_SCRATCH(fence_twice, fence_twice, 1, x(i), 2, N, 0, 0, N)
