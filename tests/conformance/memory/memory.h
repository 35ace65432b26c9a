/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - declares the kernels of kern_memory.c and the layout of their shared memory. */
#ifndef HEDDLE_TESTS_MEMORY_H
#define HEDDLE_TESTS_MEMORY_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* Three arrays of n elements in one dynamic block. */
typedef struct carved_layout {
    size_t bytes_at, doubles_at, words_at, total;
} carved_layout;

HD_BOTH carved_layout carved_layout_of(size_t n)
{
    carved_layout layout;
    size_t at = 0;

    layout.bytes_at = hd_carve(&at, n);
    layout.doubles_at = hd_carve(&at, n * sizeof(double));
    layout.words_at = hd_carve(&at, n * sizeof(uint32_t));
    layout.total = at;
    return layout;
}

enum { TILE_ROWS = 8, TILE_COLUMNS = 17, WEIGHTS = 100, COUNTERS = 5, PRIMES = 8 };

HD_DECLARE(shared_tile, const float *, float *)
HD_DECLARE(shared_many, uint32_t *)
HD_DECLARE(shared_reverse, const uint32_t *, uint32_t *)
HD_DECLARE(shared_carved, uint32_t *, size_t)
HD_DECLARE(read_weights, float *)
HD_DECLARE(count_up, int)
HD_DECLARE(read_table, int *)
HD_DECLARE_SYMBOL(weights)
HD_DECLARE_SYMBOL(counters)

/* X(suffix, type): everything that loads and stores with a cache hint may carry. */
#define CACHE_LIST(X)                                                                              \
    X(i32, int32_t)                                                                                \
    X(u32, uint32_t)                                                                               \
    X(i64, int64_t)                                                                                \
    X(u64, uint64_t)                                                                               \
    X(f32, float)                                                                                  \
    X(f64, double)                                                                                 \
    X(f32x2, hd_f32x2)                                                                             \
    X(f32x4, hd_f32x4)                                                                             \
    X(f64x2, hd_f64x2)                                                                             \
    X(i32x2, hd_i32x2)                                                                             \
    X(i32x4, hd_i32x4)                                                                             \
    X(u32x2, hd_u32x2)                                                                             \
    X(u32x4, hd_u32x4)                                                                             \
    X(i64x2, hd_i64x2)                                                                             \
    X(u64x2, hd_u64x2)
enum { CACHE_WAYS = 5 };
/* Copies n elements; out has CACHE_WAYS rows of n, one per pair of a load and a store. */
#define CACHE_DECLARE(suffix, type) HD_DECLARE(cache_##suffix, size_t, const type *, type *)
CACHE_LIST(CACHE_DECLARE)

#endif
