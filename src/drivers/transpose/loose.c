/* SPDX-License-Identifier: Apache-2.0 */
/* loose.c - which matrices the loose kernels transpose, and how they split them into tiles. */
#include "loose.h"

enum {
    TILE_BYTES = 16384, /* bytes per tile */
    LEAST_TILE = 4096,  /* minimum, for elements of 1 or 2 bytes and matrices with few tiles */
    TILES_PER_UNIT = 4,
    SHARED_BYTES = 40960,
    ROW_BYTES = 2048, /* limit for a tile's row: each of its vectors has a thread */
    SHORT_BYTES = 128 /* limit for rows of `out` that are written as one contiguous range */
};

/* Most tiles are full; for larger elements it is enough if rows fill most lanes. */
static int has_tiles(size_t extent, size_t edge, size_t size)
{
    return size <= 2 ? extent % edge == 0 || extent >= 4 * edge : extent > edge / 2;
}

/* Whether there are enough tiles of `bytes` bytes to keep the device busy. */
static int has_many(const hd__transpose_task *task, size_t size, size_t bytes, unsigned units)
{
    return task->rows * task->columns * size / bytes >= (size_t)TILES_PER_UNIT * units;
}

int hd__transpose_is_loose(const hd__transpose_task *task, size_t size, unsigned units)
{
    const size_t edge = hd__transpose_edge(size);
    if (!has_tiles(task->rows, edge, size) || !has_tiles(task->columns, edge, size))
        return 1;
    return !task->wide && (size <= 2 || has_many(task, size, TILE_BYTES, units));
}

static uint32_t power_of_two(size_t least)
{
    uint32_t p = 1;
    while (p < least)
        p *= 2;
    return p;
}

static uint32_t log_of(uint32_t power)
{
    uint32_t log = 0;
    while (1u << log < power)
        log++;
    return log;
}

/* Chooses the shape of a tile; narrow or low matrices get narrower or lower tiles. */
static void shape(hd__transpose_loose *t, const hd__transpose_task *task, size_t size,
                  unsigned units, size_t tile_bytes)
{
    static const uint32_t columns[] = {128, 128, 64, 64, 32};
    /* Minimum number of rows: a tile writes whole lines of `out`. */
    const uint32_t least = (uint32_t)(HD__TRANSPOSE_LINE / size);
    size_t bytes = tile_bytes ? tile_bytes : TILE_BYTES;
    while (!tile_bytes && size <= 2 && bytes > LEAST_TILE && !has_many(task, size, bytes, units))
        bytes /= 2;
    t->columns = columns[log_of((uint32_t)size)];
    t->rows = (uint32_t)(bytes / size) / t->columns;
    while (t->columns > 1 && t->columns / 2 >= task->columns) {
        t->columns /= 2;
        t->rows *= 2;
    }
    if (t->columns < task->columns && 2 * t->columns >= task->columns && t->rows > least) {
        t->columns *= 2;
        t->rows /= 2;
    }
    if (t->rows < task->rows && 2 * t->rows >= task->rows && t->columns > 1) {
        t->columns /= 2;
        t->rows *= 2;
    }
    while (t->rows > least && t->rows / 2 >= task->rows && 2 * t->columns * size <= ROW_BYTES) {
        t->columns *= 2;
        t->rows /= 2;
    }
}

static size_t shared_bytes(const hd__transpose_task *task, size_t size)
{
    const hd__transpose_loose *t = &task->loose;
    const size_t rows = t->rows + HD__TRANSPOSE_LINE / size;
    return (rows < task->rows ? rows : task->rows) * t->pitch + 32;
}

void hd__transpose_loosen(hd__transpose_task *task, size_t size, unsigned units, size_t tile_bytes)
{
    hd__transpose_loose *t = &task->loose;
    const size_t in_pitch = task->in_stride * size, out_pitch = task->out_stride * size;
    const int aligned = (((uintptr_t)task->in | in_pitch) & 15) == 0;
    shape(t, task, size, units, tile_bytes);
    t->dense = task->in_stride == task->columns;
    t->flat_out = task->out_stride == task->rows && out_pitch <= SHORT_BYTES &&
                  (((uintptr_t)task->out | out_pitch) & (HD__TRANSPOSE_LINE - 1)) != 0;
    if (t->flat_out) {
        t->rows = power_of_two(task->rows);
        while (2 * t->columns * size <= ROW_BYTES && 2 * t->rows * t->columns * size <= TILE_BYTES)
            t->columns *= 2;
    }
    t->columns_log = log_of(t->columns);
    t->vectors = (uint32_t)(t->columns * size + 15) / 16 + !aligned;
    /* Reads the tile as one contiguous range if reading vectors row by row would read at least 1.5
       times as much. */
    t->flat_in = t->dense && t->columns >= task->columns && 32 * t->vectors > 3 * in_pitch;
    t->pitch = t->flat_in ? (uint32_t)in_pitch : 16 * t->vectors + (uint32_t)(in_pitch & 15);
    while (shared_bytes(task, size) > SHARED_BYTES && t->rows * size > HD__TRANSPOSE_LINE)
        t->rows /= 2;
    t->near_log = log_of((uint32_t)(t->rows * size / 16));
    if (t->near_log > 3)
        t->near_log = 3;
    t->bytes = (uint32_t)shared_bytes(task, size);
}
