/* SPDX-License-Identifier: Apache-2.0 */
/* kern_memory.c - shared memory in every form, constants, device variables, tables, cache hints. */
#include <heddle/kernel.h>

#include "memory.h"
#include "typed.h"

/* Blocks of TILE_COLUMNS x TILE_ROWS threads transpose one tile each. */
HD_KERNEL void shared_tile(const float *HD_RESTRICT in, float *HD_RESTRICT out)
{
    HD_SHARED2(float, tile, TILE_ROWS, TILE_COLUMNS);
    size_t first = hd_block_linear() * TILE_ROWS * TILE_COLUMNS;
    unsigned t = hd_thread_linear();

    tile[hd_thread_y()][hd_thread_x()] = in[first + t];
    hd_sync_block();
    out[first + t] = tile[t % TILE_ROWS][t / TILE_ROWS];
}
HD_DEFINE(shared_tile)

HD_DEVICE uint32_t shared_in_a_function(unsigned t)
{
    HD_SHARED(uint32_t, mine, 64);

    mine[t % 64] = t + 1000u;
    hd_sync_block();
    return mine[(t + 1) % 64];
}

/* 64 threads; several static arrays and a dynamic one at once, none over another. */
HD_KERNEL void shared_many(uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, words, 64);
    HD_SHARED(uint8_t, bytes, 67);
    HD_SHARED(double, doubles, 64);
    HD_SHARED_DYN(uint32_t, dynamic);
    unsigned t = hd_thread_linear();
    uint32_t other;

    words[t] = t;
    bytes[t] = (uint8_t)(t + 1);
    doubles[t] = t + 2.0;
    dynamic[t] = t + 3;
    other = shared_in_a_function(t);
    hd_sync_block();
    t = 63 - t;
    out[hd_block_linear() * 64 + 63 - t] = words[t] + bytes[t] * 100u +
                                           (uint32_t)doubles[t] * 10000u + dynamic[t] * 1000000u +
                                           other;
}
HD_DEFINE(shared_many)

/* The dynamic size says how many elements each block reverses. */
HD_KERNEL void shared_reverse(const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED_DYN(uint32_t, row);
    size_t n = hd_block_threads(), first = hd_block_linear() * n, t = hd_thread_linear();

    row[t] = in[first + t];
    hd_sync_block();
    out[first + t] = row[n - 1 - t];
}
HD_DEFINE(shared_reverse)

/* n elements in each of three carved arrays; out: one sum per element. */
HD_KERNEL void shared_carved(uint32_t *HD_RESTRICT out, size_t n)
{
    carved_layout layout = carved_layout_of(n);
    HD_SHARED_AT(uint8_t, bytes, layout.bytes_at);
    HD_SHARED_AT(double, doubles, layout.doubles_at);
    HD_SHARED_AT(uint32_t, words, layout.words_at);
    size_t i;

    for (i = hd_thread_linear(); i < n; i += hd_block_threads()) {
        bytes[i] = (uint8_t)i;
        doubles[i] = (double)i * 0.5;
        words[i] = (uint32_t)(i * i);
    }
    hd_sync_block();
    for (i = hd_thread_linear(); i < n; i += hd_block_threads()) {
        size_t j = n - 1 - i;
        out[hd_block_linear() * n + i] = bytes[j] + (uint32_t)(doubles[j] * 2.0) * 3u +
                                         words[j] * 5u;
    }
}
HD_DEFINE(shared_carved)

HD_CONSTANT(float, weights, WEIGHTS);
HD_DEFINE_SYMBOL(weights)
HD_DEVICE_VAR(int, counters, COUNTERS);
HD_DEFINE_SYMBOL(counters)
HD_TABLE(int, primes, PRIMES) = {2, 3, 5, 7, 11, 13, 17, 19};

HD_KERNEL void read_weights(float *HD_RESTRICT out)
{
    size_t i = hd_global_x();

    if (i < WEIGHTS)
        out[i] = hd_symbol(weights)[i] * 2.0f;
}
HD_DEFINE(read_weights)

HD_KERNEL void count_up(int by)
{
    (void)hd_atomic_add(&hd_symbol(counters)[hd_thread_x() % COUNTERS], by);
}
HD_DEFINE(count_up)

HD_KERNEL void read_table(int *HD_RESTRICT out)
{
    out[hd_thread_x()] = primes[PRIMES - 1 - hd_thread_x() % PRIMES];
}
HD_DEFINE(read_table)

#define T int32_t
#define TS i32
#include "cache.inc"
#define T uint32_t
#define TS u32
#include "cache.inc"
#define T int64_t
#define TS i64
#include "cache.inc"
#define T uint64_t
#define TS u64
#include "cache.inc"
#define T float
#define TS f32
#include "cache.inc"
#define T double
#define TS f64
#include "cache.inc"
#define T hd_f32x2
#define TS f32x2
#include "cache.inc"
#define T hd_f32x4
#define TS f32x4
#include "cache.inc"
#define T hd_f64x2
#define TS f64x2
#include "cache.inc"
#define T hd_i32x2
#define TS i32x2
#include "cache.inc"
#define T hd_i32x4
#define TS i32x4
#include "cache.inc"
#define T hd_u32x2
#define TS u32x2
#include "cache.inc"
#define T hd_u32x4
#define TS u32x4
#include "cache.inc"
#define T hd_i64x2
#define TS i64x2
#include "cache.inc"
#define T hd_u64x2
#define TS u64x2
#include "cache.inc"
