/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi_lanes.h - indices, a lane's four columns and units of work in the Jacobi kernels, for
   every type. */
#ifndef HEDDLE_KERNELS_STENCIL_JACOBI_LANES_H
#define HEDDLE_KERNELS_STENCIL_JACOBI_LANES_H

#include <heddle/kernel.h>

#include "jacobi.h"
#if HD_SERIAL_THREADS
#include <heddle/backend/lanes.h>
#endif

/* The index that is read for index i of an axis of n cells; i may lie a little beyond it. Values
   beyond a side that is not periodic are not used. */
HD_DEVICE uint32_t jacobi_index(int32_t i, uint32_t n, uint32_t low_side)
{
    if (i >= 0 && (uint32_t)i < n)
        return (uint32_t)i;
    if (low_side == HD__JACOBI_PERIODIC) {
        const int32_t rest = i % (int32_t)n;
        return (uint32_t)(rest < 0 ? rest + (int32_t)n : rest);
    }
    return i < 0 ? 0 : n - 1;
}

/* The same with halos in memory: `before` cells below 0, `after` cells from n on. */
HD_DEVICE int32_t jacobi_reach(int32_t i, uint32_t n, uint32_t low_side, int32_t before,
                               int32_t after)
{
    const int32_t end = (int32_t)n + after;
    if (low_side == HD__JACOBI_PERIODIC)
        return (int32_t)jacobi_index(i, n, low_side);
    return i < -before ? -before : i < end ? i : end - 1;
}

/* The four columns of a lane, from x on, and flags, packed into bits to save registers. */
typedef struct jacobi_lane {
    int32_t x;
    int32_t column; /* index at which column x is read; the next three follow, wrapped around */
    uint32_t bits;
} jacobi_lane;

enum {
    JACOBI_INSIDE = 0, /* four bits: columns of the field */
    JACOBI_FIXED = 4,  /* four bits: columns that a side fixes */
    JACOBI_BEYOND =
        8, /* bits e, 0 to 4: column x + e is the first beyond a high side that mirrors */
    JACOBI_WEST = 13,  /* x is the first column, and its side mirrors */
    JACOBI_WHOLE = 14, /* one aligned load reads all four */
    JACOBI_OWN = 15    /* the lane's results are stored */
};

HD_DEVICE uint32_t jacobi_bit(const jacobi_lane *lane, unsigned bit)
{
    return lane->bits >> bit & 1;
}

/* The index at which column x + e is read. */
HD_DEVICE int32_t jacobi_column(int32_t column, unsigned e, uint32_t nx, uint32_t low,
                                int32_t before, int32_t after)
{
    return jacobi_reach(column + (int32_t)e, nx, low, before, after);
}

/* own: x is not in the strip's margins. before, after: columns in memory beyond the sides. */
HD_DEVICE jacobi_lane jacobi_lane_at(int32_t x, uint32_t nx, uint32_t low, uint32_t high,
                                     int32_t before, int32_t after, uint32_t aligned, uint32_t own)
{
    jacobi_lane lane;
    const int32_t end = (int32_t)nx;
    uint32_t bits = 0;
    HD_UNROLL
    for (int32_t e = 0; e < 4; e++) {
        if (x + e >= 0 && x + e < end)
            bits |= 1u << (JACOBI_INSIDE + e);
        if ((x + e == 0 && low == HD__JACOBI_FIXED) ||
            (x + e == end - 1 && high == HD__JACOBI_FIXED))
            bits |= 1u << (JACOBI_FIXED + e);
    }
    if (high == HD__JACOBI_MIRROR && end >= x && end - x <= 4)
        bits |= 1u << (JACOBI_BEYOND + (end - x));
    if (x == 0 && low == HD__JACOBI_MIRROR)
        bits |= 1u << JACOBI_WEST;
    lane.x = x;
    /* A quad beyond a side that is not periodic may read any column. */
    lane.column = low == HD__JACOBI_PERIODIC             ? (int32_t)jacobi_index(x, nx, low)
                  : x + 4 <= -before || x >= end + after ? 0
                                                         : x;
    if (aligned && (lane.column & 3) == 0 && lane.column >= -before &&
        lane.column + 4 <= end + after)
        bits |= 1u << JACOBI_WHOLE;
    if (own && (bits & 15))
        bits |= 1u << JACOBI_OWN;
    lane.bits = bits;
    return lane;
}

#if HD_SERIAL_THREADS
/* The first cell from 1 to `width` at which stores of `width` cells to `to` are aligned. */
HD_DEVICE size_t jacobi_aligned(const void *to, size_t size, size_t width)
{
    return width - (uintptr_t)to / size % width;
}
#endif

/* Begin of part `part` if n items are cut into `parts` parts. */
HD_DEVICE uint32_t jacobi_part(uint32_t n, uint32_t part, uint32_t parts)
{
    const uint32_t each = n / parts, more = n % parts;
    return each * part + (part < more ? part : more);
}

/* A unit of work: a strip in bands first to end - 1; none: no such unit. */
typedef struct jacobi_unit {
    uint32_t strip, first, end, plain;
} jacobi_unit;

/* Maps 0, 1, 2, 3, ... to 0, n - 1, 1, 2, ...: both ends come first. */
HD_DEVICE uint32_t jacobi_ends_first(uint32_t index, uint32_t n)
{
    return index == 0 ? 0 : index == 1 ? n - 1 : index - 1;
}

/* Share `index` of `count` of bands first to end - 1; a partial band at the end belongs to the last
   share. */
HD_DEVICE void jacobi_share(const hd__jacobi2d_task *task, uint32_t first, uint32_t end,
                            uint32_t index, uint32_t count, jacobi_unit *unit)
{
    unit->first = first + jacobi_part(end - first, index, count);
    unit->end = first + jacobi_part(end - first, index + 1, count);
    if (unit->end == task->whole_bands)
        unit->end = task->bands;
}

/* Unit number `index` of a pass. ends_first, a constant: shares that touch the high side are early,
   too. */
HD_DEVICE jacobi_unit jacobi_unit_at(const hd__jacobi2d_task *task, uint32_t index, int ends_first)
{
    const uint32_t others = task->strips - task->plain_strips;
    const uint32_t caps = (task->plain_first > 0 ? 1u : 0u) +
                          (task->plain_end < task->bands ? 1u : 0u);
    jacobi_unit unit = {0, 0, 0, 0};
    if (index < others * task->edge_chunks) {
        unit.strip = index % others;
        if (unit.strip > 0)
            unit.strip += task->plain_strips;
        jacobi_share(task, 0, task->whole_bands, index / others, task->edge_chunks, &unit);
        return unit;
    }
    index -= others * task->edge_chunks;
    if (index < caps * task->plain_strips) {
        const uint32_t low = task->plain_first > 0 && index % caps == 0;
        unit.strip = 1 + index / caps;
        unit.first = low ? 0 : task->plain_end;
        unit.end = low ? task->plain_first : task->bands;
        return unit;
    }
    index -= caps * task->plain_strips;
    if (index < task->plain_strips * task->plain_chunks) {
        uint32_t share = index / task->plain_strips;
        if (ends_first)
            share = jacobi_ends_first(share, task->plain_chunks);
        unit.plain = 1;
        unit.strip = 1 + index % task->plain_strips;
        jacobi_share(task, task->plain_first, task->plain_end, share, task->plain_chunks, &unit);
    }
    return unit;
}

#endif
