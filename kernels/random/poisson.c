/* SPDX-License-Identifier: Apache-2.0 */
/* poisson.c - arrays of Poisson counts. */
#include "values.h"

#define RND_T uint32_t
#define RND_E 4
#define RND_STORE rnd_store_u32
#define RND_VALUES rnd_bits_u32
#define RND_PUT rnd_poisson_put
#if HD_SERIAL_THREADS
#define RND_CAT_(a, b) a##b
#define RND_CAT(a, b) RND_CAT_(a, b)
#define RND_NAME counts
#include "serial.inc"
#else
#include "block.inc"
#endif

enum {
    GUIDE_SHIFT = 20, /* a cell: the words with the same upper 12 bits */
    GUIDE = 1 << (32 - GUIDE_SHIFT),
    GUIDE_ENTRY = 511, /* in a cell: index of the first table entry at or above it, */
    GUIDE_MORE = 512,  /* and a flag: more than one entry in the cell */
    GUIDE_RUN = 16     /* consecutive cells that a thread computes */
};

/* In shared memory: the table's entries, a sentinel, and the cells. */
typedef struct rnd_guide {
    uint64_t below[HD_POISSON_CELLS + 1];
    uint16_t cell[GUIDE];
} rnd_guide;

HD_DEVICE void rnd_guide_make(const hd_poisson *p, rnd_guide *g)
{
    for (uint32_t k = hd_thread_x(); k <= p->cells; k += hd_block_threads())
        g->below[k] = k < p->cells ? p->below[k] : UINT64_MAX;
    hd_sync_block();
    for (uint32_t run = hd_thread_x(); run < GUIDE / GUIDE_RUN; run += hd_block_threads()) {
        uint32_t word = run * GUIDE_RUN << GUIDE_SHIFT;
        uint32_t at = word ? hd__poisson_search(g->below, 0, p->cells, word - 1) : 0;
        for (uint32_t c = run * GUIDE_RUN; c < (run + 1) * GUIDE_RUN; c++) {
            const uint32_t from = at, last = c << GUIDE_SHIFT | ((1u << GUIDE_SHIFT) - 1);
            while (at < p->cells && (uint32_t)(g->below[at] >> 32) <= last)
                at++;
            g->cell[c] = (uint16_t)(from | (at - from > 1 ? GUIDE_MORE : 0));
        }
    }
    hd_sync_block();
}

/* The count for a word. Sets *rare if the result is invalid and the table must be searched: the
   cell has several entries, or the word equals the upper half of an entry. */
HD_DEVICE uint32_t rnd_poisson_count(const rnd_guide *g, uint32_t word, uint32_t *rare)
{
    const uint32_t cell = g->cell[word >> GUIDE_SHIFT], at = cell & GUIDE_ENTRY;
    const uint32_t high = (uint32_t)(g->below[at] >> 32);

    *rare |= (cell & GUIDE_MORE) | (uint32_t)(high == word);
    return high <= word ? at + 1 : at;
}

/* The counts of block `block`. */
HD_DEVICE hd_u32x4 rnd_poisson_block(const hd__random_task *task, const hd_poisson *p,
                                     const rnd_guide *g, uint64_t block, hd_u32x4 w)
{
    hd_u32x4 count;
    uint32_t rare = 0;

    count.x = p->first + rnd_poisson_count(g, w.x, &rare);
    count.y = p->first + rnd_poisson_count(g, w.y, &rare);
    count.z = p->first + rnd_poisson_count(g, w.z, &rare);
    count.w = p->first + rnd_poisson_count(g, w.w, &rare);
    if (rare) {
        const uint64_t seed = task->seed, subsequence = task->subsequence, i = 4 * block;
        count.x = hd__poisson_count(seed, subsequence, i, p, g->below, w.x);
        count.y = hd__poisson_count(seed, subsequence, i + 1, p, g->below, w.y);
        count.z = hd__poisson_count(seed, subsequence, i + 2, p, g->below, w.z);
        count.w = hd__poisson_count(seed, subsequence, i + 3, p, g->below, w.w);
    }
    return count;
}

/* Small means, by inversion with a table. A thread generates blocks of four counts, each from a
   block of words; after a lookup by the upper 12 bits of a word, nearly always only one entry is
   left to compare. Any launch shape, 12 KB of shared memory; 4 bytes written per count. Where
   HD_SERIAL_THREADS is 1, a thread generates 64 blocks at a time. */
HD_KERNEL
HD_MAX_THREADS(HD__RANDOM_THREADS)
void hd__random_poisson_table(HD_GRID_CONST hd__random_task task, HD_GRID_CONST hd_poisson poisson)
{
    HD_SHARED(rnd_guide, guide, 1);

    rnd_guide_make(&poisson, guide);
#if HD_SERIAL_THREADS
    HD_FOR(q, (task.blocks + RND_MANY - 1) / RND_MANY) {
        const uint64_t block = task.block + q * RND_MANY;
        rnd_words words;

        rnd_words_of_blocks(&task.keys, task.subsequence, block, &words);
        for (unsigned j = 0; j < RND_MANY; j++) {
            const hd_u32x4 count = rnd_poisson_block(&task, &poisson, guide, block + j,
                                                     rnd_words_at(&words, j));
            words.w[0][j] = count.x;
            words.w[1][j] = count.y;
            words.w[2][j] = count.z;
            words.w[3][j] = count.w;
        }
        rnd_poisson_put(&task, q * RND_MANY, RND_MANY, &words);
    }
#else
    HD_FOR(j, task.blocks) {
        const uint64_t block = task.block + j;
        const hd_u32x4 w = hd_philox_block(&task.keys, task.subsequence, block);
        rnd_poisson_put(&task, j, rnd_poisson_block(&task, &poisson, guide, block, w));
    }
#endif
}
HD_DEFINE(hd__random_poisson_table)

/* Large means, by rejection: one count per iteration, on average 1 / 0.86 attempts with two
   logarithms each. Any launch shape; 4 bytes written per count. */
HD_KERNEL HD_MAX_THREADS(HD__RANDOM_THREADS) void hd__random_poisson(
    uint64_t seed, uint64_t subsequence, uint64_t first, size_t n, HD_GRID_CONST hd_poisson poisson,
    uint32_t *HD_RESTRICT out)
{
    HD_FOR(i, n)
        out[i] = hd__poisson_rejection(seed, subsequence, first + i, &poisson);
}
HD_DEFINE(hd__random_poisson)
