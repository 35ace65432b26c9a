/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - many Philox blocks at once, for one thread that does the work of many
   (HD_SERIAL_THREADS is 1). */
#ifndef HEDDLE_KERNELS_RANDOM_WORDS_H
#define HEDDLE_KERNELS_RANDOM_WORDS_H

#include <heddle/kernel.h>

#include <heddle/backend/lanes.h>

enum { RND_MANY = 64 };

/* RND_MANY blocks of any generator: word k of block j is w[k][j]. */
typedef struct rnd_words {
    uint32_t w[4][RND_MANY];
} rnd_words;

HD_DEVICE hd_u32x4 rnd_words_at(const rnd_words *words, unsigned j)
{
    return hd_u32x4_make(words->w[0][j], words->w[1][j], words->w[2][j], words->w[3][j]);
}

#if HD_HAS_WIDE_ONLY
/* A 64-bit lane has a word in its lower half; the products ignore the upper half. */
typedef struct rnd_counter {
    hd_lanes_u64 x, y, z, w;
} rnd_counter;

/* Eight blocks, four in each of `c`. */
HD_WIDE_ONLY void rnd_philox_eight(const hd_philox_keys *keys, rnd_counter *c)
{
    const hd_lanes_u64 none = {0}, m = none + 0xd2511f53u, n = none + 0xcd9e8d57u;

    HD_UNROLL
    for (unsigned round = 0; round < 10; round++) {
        HD_UNROLL
        for (unsigned i = 0; i < 2; i++) {
            hd_lanes_u64 p, q;
            hd_lanes_products_u64(&p, &c[i].x, &m);
            hd_lanes_products_u64(&q, &c[i].z, &n);
            c[i].x = (q >> 32) ^ c[i].y ^ (uint64_t)keys->k[2 * round];
            c[i].y = q;
            c[i].z = (p >> 32) ^ c[i].w ^ (uint64_t)keys->k[2 * round + 1];
            c[i].w = p;
        }
    }
}

/* The lower halves of two vectors' lanes. */
HD_WIDE_ONLY void rnd_lower_halves(const hd_lanes_u64 *a, const hd_lanes_u64 *b, uint32_t *to)
{
    const hd_lanes_u32 v = __builtin_shufflevector((hd_lanes_u32)*a, (hd_lanes_u32)*b, 0, 2, 4, 6,
                                                   8, 10, 12, 14);
    hd_lanes_store_u32(to, &v);
}

HD_WIDE_ONLY void rnd_philox_wide(const hd_philox_keys *keys, uint64_t subsequence, uint64_t block,
                                  uint64_t further, rnd_words *words)
{
    const hd_lanes_u64 none = {0}, next = {0, 1, 2, 3};

    for (unsigned j = 0; j < RND_MANY; j += 8) {
        rnd_counter c[2];
        HD_UNROLL
        for (unsigned i = 0; i < 2; i++) {
            const hd_lanes_u64 at = next + (uint64_t)(j + 4 * i);
            c[i].x = block + (at & ~(none + further));
            c[i].y = c[i].x >> 32;
            c[i].z = subsequence + (at & (none + further));
            c[i].w = c[i].z >> 32;
        }
        rnd_philox_eight(keys, c);
        rnd_lower_halves(&c[0].x, &c[1].x, &words->w[0][j]);
        rnd_lower_halves(&c[0].y, &c[1].y, &words->w[1][j]);
        rnd_lower_halves(&c[0].z, &c[1].z, &words->w[2][j]);
        rnd_lower_halves(&c[0].w, &c[1].w, &words->w[3][j]);
    }
}
#endif

/* RND_MANY blocks from `block` on if `further` is 0; the same block of RND_MANY subsequences if it
   is all ones. */
HD_DEVICE void rnd_philox_make(const hd_philox_keys *keys, uint64_t subsequence, uint64_t block,
                               uint64_t further, rnd_words *words)
{
#if HD_HAS_WIDE_ONLY
    if (hd_is_wide()) {
        rnd_philox_wide(keys, subsequence, block, further, words);
        return;
    }
#endif
    for (unsigned j = 0; j < RND_MANY; j++) {
        const hd_u32x4 w = hd_philox_block(keys, subsequence + (j & further),
                                           block + (j & ~further));
        words->w[0][j] = w.x;
        words->w[1][j] = w.y;
        words->w[2][j] = w.z;
        words->w[3][j] = w.w;
    }
}

/* Words of blocks `block` to block + 63. */
HD_DEVICE void rnd_words_of_blocks(const hd_philox_keys *keys, uint64_t subsequence, uint64_t block,
                                   rnd_words *words)
{
    rnd_philox_make(keys, subsequence, block, 0, words);
}

/* Words of one block of subsequences `subsequence` to subsequence + 63. */
HD_DEVICE void rnd_words_of_streams(const hd_philox_keys *keys, uint64_t subsequence,
                                    uint64_t block, rnd_words *words)
{
    rnd_philox_make(keys, subsequence, block, ~(uint64_t)0, words);
}

#endif
