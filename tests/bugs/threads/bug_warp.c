/* SPDX-License-Identifier: Apache-2.0 */
/* bug_warp.c - lanes without a warp barrier: shapes of the launches and their results. */
#include "kern_warp.h"
#include "zoo.h"

enum { N = 128, GRID = 2, ALL = GRID * N };

static uint32_t mirrored(size_t i)
{
    return x(i - i % zoo_warp + zoo_warp - 1 - i % zoo_warp);
}

RUN(warp_nothing, warp_exchange, ORDER_NOTHING, mirrored(i), GRID, N, 0, 0, ALL)
RUN(warp_shuffle, warp_exchange, ORDER_SHUFFLE, mirrored(i), GRID, N, 0, 0, ALL)
RUN(warp_vote, warp_exchange, ORDER_VOTE, mirrored(i), GRID, N, 0, 0, ALL)
RUN(warp_halves, warp_exchange, ORDER_HALVES, mirrored(i), GRID, N, 0, 0, ALL)
RUN(warp_again, warp_again, 1, 2 * x(i ^ 1) + 1, GRID, N, 0, 0, ALL)
RUN(warp_tail, warp_tail, 1, zoo_sum(N *i, N), GRID, N, 0, 0, GRID)
RUN_SCRATCH(warp_global, warp_global, 1, x(i ^ 1), GRID, N, 0, 0, ALL)
RUN(warp_leader, warp_leader, 1, x(0), GRID, N, 0, 0, ALL)
RUN(warp_writers, warp_writers, 1, 31 + x(0), GRID, N, 0, 0, ALL)
