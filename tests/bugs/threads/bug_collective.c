/* SPDX-License-Identifier: Apache-2.0 */
/* bug_collective.c - shuffles and votes gone wrong: shapes of the launches and their results. */
#include "kern_collective.h"
#include "zoo.h"

enum { N = 128, GRID = 2, ALL = GRID * N };

static size_t lane(size_t i)
{
    return i % zoo_warp;
}

static size_t lower(size_t a, size_t b)
{
    return a < b ? a : b;
}

static uint32_t odd_in(size_t first, size_t end)
{
    uint32_t count = 0;

    for (size_t i = first; i < end; i++)
        count += x(i) % 2;
    return count;
}

/* How many elements of the thread's warp are odd; of the lanes below it. */
static uint32_t odd_in_warp(size_t i)
{
    return odd_in(i - lane(i), i - lane(i) + zoo_warp);
}

static uint32_t odd_below(size_t i)
{
    return odd_in(i - lane(i), i);
}

static uint32_t warp_sum(size_t i)
{
    return zoo_sum(i - lane(i), zoo_warp);
}

static uint32_t from_upper_half(size_t i)
{
    return lane(i) < zoo_warp / 2 ? x(i + zoo_warp / 2) : 0;
}

/* In one block of n threads: the value three lanes on, around the lanes that there are. */
static uint32_t around(size_t i, size_t n)
{
    size_t first = i - lane(i), lanes = lower(n - first, zoo_warp);

    return x(first + (lane(i) + 3) % lanes);
}

/* In one block of n threads: the value of the last lane that there is. */
static uint32_t last_of(size_t i, size_t n)
{
    return x(lower(i - lane(i) + zoo_warp, n) - 1);
}

/* Some lane of [first, end) with a stride has more than 100. */
static uint32_t any_large(size_t first, size_t end, size_t stride)
{
    for (size_t i = first; i < end; i += stride) {
        if (x(i) > 100)
            return 1;
    }
    return 0;
}

static uint32_t low_half(size_t i)
{
    size_t first = i - lane(i), half = zoo_warp / 2;

    return lane(i) < half ? any_large(first, first + half, 1) : x(i);
}

static uint32_t even_lanes(size_t i)
{
    return i % 2 ? 0 : any_large(i - lane(i), i - lane(i) + zoo_warp, 2);
}

/* Without a lane above, the own value. */
static uint32_t from_above(size_t i)
{
    return x(lane(i) + 1 < zoo_warp ? i + 1 : i);
}

RUN(diverged_branch, diverged_branch, 1, lane(i) < 8 ? x(i ^ 1) : x(i), GRID, N, 0, 0, ALL)
RUN(diverged_calls, diverged_calls, 1, x(i ^ 2), GRID, N, 0, 0, ALL)
RUN(diverged_sides, diverged_sides, 1, x(i ^ 2) + i % 2, GRID, N, 0, 0, ALL)
RUN(diverged_kinds, diverged_kinds, 1, (odd_in_warp(i) > 0) + 2 * (odd_in_warp(i) == zoo_warp),
    GRID, N, 0, 0, ALL)
RUN(diverged_loop, diverged_loop, 1, warp_sum(i), GRID, N, 0, 0, ALL)
RUN_SCRATCH(diverged_take, diverged_take, 1, x(i) % 2 ? odd_below(i) : 0, GRID, N, 0, 0, ALL)
RUN(inactive_ended, inactive_ended, 1, lane(i) < zoo_warp / 2 ? x(i ^ 1) : x(i), GRID, N, 0, 0, ALL)
RUN(inactive_returned, inactive_returned, 1, from_upper_half(i), GRID, N, 0, 0, ALL)
RUN(inactive_partial, inactive_partial, 1, around(i, 100), 1, 100, 0, 0, 100)
RUN(inactive_mask, inactive_mask, 1, i % 2 ? x(i) : x(i ^ 2), GRID, N, 0, 0, ALL)
RUN(inactive_last, inactive_last, 1, last_of(i, 40), 1, 40, 0, 0, 40)
RUN(inactive_full, inactive_full, 1, zoo_sum(i / 4 * 4, 4), 1, 100, 0, 0, 100)
RUN(mask_literal, mask_literal, 1, x(i ^ 1), GRID, N, 0, 0, ALL)
RUN(mask_partial, mask_partial, 1, any_large(i - lane(i), lower(i - lane(i) + zoo_warp, 40), 1), 1,
    40, 0, 0, 40)
RUN(mask_returned, mask_returned, 1, even_lanes(i), GRID, N, 0, 0, ALL)
RUN(mask_branch, mask_branch, 1, low_half(i), GRID, N, 0, 0, ALL)
RUN(mask_self, mask_self, 1, lane(i) % 4 ? zoo_warp / 4 * 3 : x(i), GRID, N, 0, 0, ALL)
RUN(mask_active, mask_active, 1, lane(i) < 8 ? x(i ^ 1) : x(i), GRID, N, 0, 0, ALL)
RUN(width_odd, width_odd, 1, zoo_sum(i / 16 * 16, 16), GRID, N, 0, 0, ALL)
RUN(width_wave, width_wave, 1, x(i ^ zoo_warp / 2), GRID, N, 0, 0, ALL)
RUN(distance_negative, distance_negative, 1, from_above(i), GRID, N, 0, 0, ALL)
RUN(broadcast_own, broadcast_own, 1, x(i - lane(i) + zoo_warp - 1 - lane(i)), GRID, N, 0, 0, ALL)
