/* SPDX-License-Identifier: Apache-2.0 */
/* random.h - the kernels that fill arrays with random numbers, as host code sees them. Every
   generator produces blocks of four words; a block becomes 16 bytes of elements. */
#ifndef HEDDLE_KERNELS_RANDOM_H
#define HEDDLE_KERNELS_RANDOM_H

#include <heddle/kernel_decl.h>
#include <heddle/device/random_generators.h>
#include <heddle/device/random_poisson.h>

enum {
    HD__RANDOM_THREADS = 256,
    HD__RANDOM_LANES = 65536, /* block g of a stream comes from lane g % 65536 (MRG32k3a, XORWOW) */
    HD__RANDOM_LANE_BITS = 16,
    HD__MT_LANES = 1024,                /* Mersenne Twister: runs of one state each go round */
    HD__MT_RUN = HD_MT_WORDS / 4,       /* 1024 states: run g / 156 % 1024 has block g */
    HD__SOBOL_BITS = 32,                /* direction numbers of a dimension, */
    HD__SOBOL_ROW = HD__SOBOL_BITS + 1, /* then its shift */
    HD__SOBOL_MAKERS = 64,              /* threads that compute a row */
    HD__SOBOL_TILE = 1024,              /* points that a block computes at a time, */
    HD__SOBOL_PLACES = 256              /* in runs of this length */
};

/* One launch: n elements from `blocks` blocks, beginning with number `block`. The first `head`
   elements of the first block are not part of the call. block and block + blocks - 1 have the same
   upper 32 bits. */
typedef struct hd__random_task {
    void *out;
    uint64_t n, block, blocks;
    uint64_t seed, subsequence;
    uint32_t head;
    uint32_t wide; /* full blocks are aligned to 16 bytes in `out` */
    double mean, deviation;
    float mean32, deviation32;
    hd_philox_keys keys;
} hd__random_task;

/* MRG32k3a: state of lane 0 at the start of the call, and the jumps by 1, 2, 4, ... lanes. */
typedef struct hd__random_mrg {
    hd_mrg32k3a first;
    hd_mrg32k3a_jump lanes[HD__RANDOM_LANE_BITS];
} hd__random_mrg;

#define HD__RANDOM_DISTRIBUTIONS(X)                                                                \
    X(bits_u32)                                                                                    \
    X(bits_u64)                                                                                    \
    X(uniform_f32)                                                                                 \
    X(uniform_f64)                                                                                 \
    X(normal_f32)                                                                                  \
    X(normal_f64)                                                                                  \
    X(lognormal_f32)                                                                               \
    X(lognormal_f64)

#define HD__RANDOM_DECLARE(what)                                                                   \
    HD_DECLARE(hd__random_philox_##what, hd__random_task)                                          \
    HD_DECLARE(hd__random_mrg32k3a_##what, hd__random_task, hd__random_mrg)                        \
    HD_DECLARE(hd__random_xorwow_##what, hd__random_task)                                          \
    HD_DECLARE(hd__random_mt19937_##what, hd__random_task)
HD__RANDOM_DISTRIBUTIONS(HD__RANDOM_DECLARE)
#undef HD__RANDOM_DECLARE

HD_DECLARE(hd__random_poisson_table, hd__random_task, hd_poisson)
/* Arguments: seed, subsequence, first element, elements, distribution, output. */
HD_DECLARE(hd__random_poisson, uint64_t, uint64_t, uint64_t, size_t, hd_poisson, uint32_t *)

/* Arguments: dimensions, scrambled, seed, subsequence, rows of HD__SOBOL_ROW words. */
HD_DECLARE(hd__sobol_directions, uint32_t, uint32_t, uint64_t, uint64_t, uint32_t *)
/* Arguments: first point, points, log2 of blocks per dimension, rows, output. */
HD_DECLARE(hd__sobol_f32, uint32_t, size_t, uint32_t, const uint32_t *, float *)
HD_DECLARE(hd__sobol_f64, uint32_t, size_t, uint32_t, const uint32_t *, double *)

/* Point `index` of a dimension, in Gray-code order. */
HD_BOTH uint32_t hd__sobol_word(const uint32_t *row, uint32_t index)
{
    uint32_t gray = index ^ index >> 1, word = row[HD__SOBOL_BITS];
    unsigned bit;

    for (bit = 0; bit < HD__SOBOL_BITS; bit++)
        word ^= row[bit] & (0u - (gray >> bit & 1u));
    return word;
}

/* places[t]: exclusive or of the words of points t and 0 of a dimension, t below 256. Each doubling
   of the filled part adds two direction numbers. */
HD_BOTH void hd__sobol_places(const uint32_t *row, uint32_t *places)
{
    unsigned bit, t;

    places[0] = 0;
    for (bit = 0; 1u << bit < HD__SOBOL_PLACES; bit++)
        for (t = 0; t < 1u << bit; t++)
            places[t + (1u << bit)] = places[t] ^ row[bit] ^ (bit > 0 ? row[bit - 1] : 0u);
}

/* Number of tiles that points first to first + n - 1 touch, n > 0. */
HD_BOTH uint64_t hd__sobol_tiles(uint32_t first, uint64_t n)
{
    return (first + n - 1) / HD__SOBOL_TILE - first / HD__SOBOL_TILE + 1;
}

#endif
