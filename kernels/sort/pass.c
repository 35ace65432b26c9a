/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c - one pass of the radix sort: moves every key once, by one digit; stable. */
#include "block.h"

#define SO_NAME_(a, b) a##_##b
#define SO_NAME(a, b) SO_NAME_(a, b)
#define SO_NAME3_(a, b, c) a##_##b##_##c
#define SO_NAME3(a, b, c) SO_NAME3_(a, b, c)
#define KEYED(name) SO_NAME(name, SO_KEY_BYTES)
#define SIZED(name) SO_NAME3(name, SO_KEY_BYTES, SO_VALUE_BYTES)

HD_DEVICE void so_publish(const hd__sort_pass_task *task, unsigned tile, unsigned digit,
                          uint32_t word)
{
    hd_store_relaxed(&task->words[(size_t)tile * HD__SORT_BINS + digit], task->ready << 31 | word);
}

/* Waits for a word that an earlier tile publishes. Most waits are short, so the word is polled a
   few times before hd_wait_ge_grid, which ends with a fence. */
HD_DEVICE uint32_t so_await(const hd__sort_pass_task *task, const uint32_t *word, uint32_t seen)
{
    unsigned turn = 0;
    while (seen >> 31 != task->ready && turn++ < 64)
        seen = hd_load_relaxed(word);
    if (seen >> 31 == task->ready)
        return seen;
    return task->ready ? hd_wait_ge_grid(word, 0x80000000u)
                       : (uint32_t)hd_wait_ge_grid((const int32_t *)word, 0);
}

/* Number of keys with that digit in all earlier tiles: adds the counts of tiles, nearest first, up
   to one that has published its inclusive sum. Four loads are in flight. */
HD_DEVICE uint32_t so_look_back(const hd__sort_pass_task *task, unsigned tile, unsigned digit)
{
    enum { AHEAD = 4 };
    uint32_t sum = 0;
    for (unsigned at = tile; at > 0; at = at > AHEAD ? at - AHEAD : 0) {
        const unsigned batch = at < AHEAD ? at : AHEAD;
        const uint32_t *word = task->words + (size_t)(at - 1) * HD__SORT_BINS + digit;
        uint32_t seen[AHEAD];
        HD_UNROLL
        for (unsigned k = 0; k < AHEAD; k++)
            seen[k] = k < batch ? hd_load_relaxed(word - k * HD__SORT_BINS) : 0;
        HD_UNROLL
        for (unsigned k = 0; k < AHEAD; k++) {
            if (k >= batch)
                break;
            seen[k] = so_await(task, word - k * HD__SORT_BINS, seen[k]);
            sum += seen[k] & HD__SORT_VALUE;
            if (seen[k] & HD__SORT_PREFIX)
                return sum;
        }
    }
    return sum;
}

/* Publishes the number of keys with that digit in the tiles up to this one. */
HD_DEVICE void so_publish_prefix(const hd__sort_pass_task *task, unsigned tile, unsigned tiles,
                                 unsigned digit, uint32_t sum)
{
    so_publish(task, tile, digit, HD__SORT_PREFIX | sum);
    if (tile == tiles - 1 && task->next_begins)
        task->next_begins[digit] = task->begins[digit] + sum;
}

/* Looks back for the number of keys with that digit in earlier tiles, publishes the inclusive sum
   and returns the number. */
HD_DEVICE uint32_t so_before(const hd__sort_pass_task *task, unsigned tile, unsigned tiles,
                             unsigned digit, uint32_t own)
{
    const uint32_t before = tile ? so_look_back(task, tile, digit) : 0;
    so_publish_prefix(task, tile, tiles, digit, before + own);
    return before;
}

/* Keys per thread, limited by 64 registers and 48 KB of shared memory. 22 keys of 4 bytes spill two
   or three registers, but are 15 % faster than 16, which spill none (H200). If a compute unit has
   only 64 KB, the tile is small enough for two blocks per unit. */
#if HD_SHARED_SMALL
#define SORT_ITEMS(large, small) small
#else
#define SORT_ITEMS(large, small) large
#endif
#define SORT_ITEMS_4_0 SORT_ITEMS(22, 14)
#define SORT_ITEMS_4_4 SORT_ITEMS(18, 14)
#define SORT_ITEMS_4_8 SORT_ITEMS(11, 7)
#define SORT_ITEMS_8_0 SORT_ITEMS(11, 7)
#define SORT_ITEMS_8_4 SORT_ITEMS(11, 7)
#define SORT_ITEMS_8_8 SORT_ITEMS(11, 7)

#define SORT_DEFINE_ITEMS(key, value)                                                              \
    HD_EXTERN const unsigned hd__sort_items_##key##_##value;                                       \
    const unsigned hd__sort_items_##key##_##value = SORT_ITEMS_##key##_##value;
HD__SORT_LIST(SORT_DEFINE_ITEMS)

#define SO_KEY_BYTES 4
#define SO_KEY uint32_t
#include "keys.inc"
#define SO_VALUE_BYTES 0
#define SO_ITEMS SORT_ITEMS_4_0
#include "pass.inc"
#define SO_VALUE_BYTES 4
#define SO_VALUE uint32_t
#define SO_ITEMS SORT_ITEMS_4_4
#include "pass.inc"
#define SO_VALUE_BYTES 8
#define SO_VALUE uint64_t
#define SO_ITEMS SORT_ITEMS_4_8
#include "pass.inc"
#undef SO_KEY
#undef SO_KEY_BYTES

#define SO_KEY_BYTES 8
#define SO_KEY uint64_t
#include "keys.inc"
#define SO_VALUE_BYTES 0
#define SO_ITEMS SORT_ITEMS_8_0
#include "pass.inc"
#define SO_VALUE_BYTES 4
#define SO_VALUE uint32_t
#define SO_ITEMS SORT_ITEMS_8_4
#include "pass.inc"
#define SO_VALUE_BYTES 8
#define SO_VALUE uint64_t
#define SO_ITEMS SORT_ITEMS_8_8
#include "pass.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__sort_pass_4_0)
HD_INSTANCE(hd__sort_pass_4_4)
HD_INSTANCE(hd__sort_pass_4_8)
HD_INSTANCE(hd__sort_pass_8_0)
HD_INSTANCE(hd__sort_pass_8_4)
HD_INSTANCE(hd__sort_pass_8_8)
