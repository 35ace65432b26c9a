/* SPDX-License-Identifier: Apache-2.0 */
/* select_before.h - what the tiles before a tile have selected: tile numbers in the order in which
   blocks start, and the look back over the words of the tiles before (D. Merrill, M. Garland,
   "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA, 2016). */
#ifndef HEDDLE_KERNELS_SELECT_BEFORE_H
#define HEDDLE_KERNELS_SELECT_BEFORE_H

#include <heddle/kernel.h>

#include "select.h"

enum { SELECT_ALONE = 1, SELECT_ALL = 2 };

/* The block's tile, and this launch's parity; in one thread. The block that draws the
   last number sets the ticket back and sees to words that no block of this launch clears. */
HD_DEVICE uint32_t select_draw(const hd__select_task *task, uint32_t *parity_out)
{
    hd__select_header *header = task->header;
    const uint64_t drawn = hd_atomic_add(&header->round_ticket, (uint64_t)1);
    const uint32_t tile = (uint32_t)drawn, parity = (uint32_t)(drawn >> 32) & 1u;
    uint64_t *other = task->words + (size_t)(1 - parity) * 2 * task->capacity;
    *parity_out = parity;
    other[tile] = 0;
    other[task->capacity + tile] = 0;
    if (tile == task->tiles - 1) {
        for (uint64_t i = task->tiles; i < header->dirty[1 - parity]; i++) {
            other[i] = 0;
            other[task->capacity + i] = 0;
        }
        header->dirty[1 - parity] = 0;
        header->dirty[parity] = task->tiles;
        hd_atomic_add(&header->round_ticket, ((uint64_t)1 << 32) - task->tiles);
    }
    return tile;
}

/* The value is the word's own, so it needs no order; where tiles write over what others read, the
   reads of a tile come before its word, and after the word the writes of those who saw it. */
HD_DEVICE void select_publish(const hd__select_task *task, uint64_t *word, uint64_t value,
                              unsigned state)
{
    if (task->in_place)
        hd_store_release(word, value << 2 | state);
    else
        hd_store_relaxed(word, value << 2 | state);
}

HD_DEVICE uint64_t select_look(const hd__select_task *task, const uint64_t *word)
{
    const uint64_t seen = task->in_place ? hd_load_acquire(word) : hd_load_relaxed(word);
    return seen != 0 ? seen : hd_wait_ne(word, (uint64_t)0);
}

HD_DEVICE uint64_t select_join(uint64_t a, uint64_t b, int highest)
{
    return highest ? hd_max(a, b) : a + b;
}

/* By one warp: the sum (or the highest) of the values of all tiles before `tile`. Lane l looks at
   the l-th tile before the window's end; lanes beyond the first tile see nothing before it. */
HD_DEVICE uint64_t select_before(const hd__select_task *task, const uint64_t *words, uint32_t tile,
                                 int highest)
{
    uint64_t before = 0;
    for (uint32_t end = tile;; end -= hd_warp_size()) {
        const uint32_t back = hd_lane() + 1;
        const uint64_t word = back <= end ? select_look(task, &words[end - back]) : SELECT_ALL;
        const hd_mask all = hd_ballot((word & 3) == SELECT_ALL);
        const unsigned last = hd_mask_is_empty(all) ? hd_warp_size() : hd_mask_first(all);
        const uint64_t value = hd_lane() <= last ? word >> 2 : 0;
        before = select_join(before, highest ? hd_warp_max(value) : hd_warp_sum(value), highest);
        if (last < hd_warp_size())
            return before;
    }
}

#if HD_SERIAL_THREADS
/* By one thread. */
HD_DEVICE uint64_t select_before_serial(const hd__select_task *task, const uint64_t *words,
                                        uint32_t tile, int highest)
{
    uint64_t before = 0;
    for (uint32_t back = tile; back > 0; back--) {
        const uint64_t word = select_look(task, &words[back - 1]);
        before = select_join(before, word >> 2, highest);
        if ((word & 3) == SELECT_ALL)
            break;
    }
    return before;
}
#endif

#endif
