/* SPDX-License-Identifier: Apache-2.0 */
/* select_before.h - what the tiles before a tile have selected: tile numbers in the order in which
   blocks start, and the look back over the words of the tiles before (D. Merrill, M. Garland,
   "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA, 2016). */
#ifndef HEDDLE_KERNELS_SELECT_BEFORE_H
#define HEDDLE_KERNELS_SELECT_BEFORE_H

#include <heddle/kernel.h>

#include "select.h"

enum {
    SELECT_ALONE = 1,
    SELECT_ALL = 2,
    SELECT_SIGHT = 4, /* words that a lane looks at at once */
    SELECT_LOOKS = 8
};

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

/* The value is the word's own, so it needs no order. Where tiles write over what others have read,
   the reads of a tile come before its word, and its writes after the words that it has seen. */
HD_DEVICE void select_order(const hd__select_task *task)
{
    if (task->in_place)
        hd_fence_device();
}

HD_DEVICE void select_publish(const hd__select_task *task, uint64_t *word, uint64_t value,
                              unsigned state)
{
    select_order(task);
    hd_store_relaxed(word, value << 2 | state);
}

HD_DEVICE uint64_t select_join(uint64_t a, uint64_t b, int highest)
{
    return highest ? hd_max(a, b) : a + b;
}

/* SELECT_SIGHT words from the end of a window on, as many as there are; beyond the first tile there
   is nothing. All are asked for at once, again and again, because an answer queues up behind the
   loads of the compute unit; and, since they come soon as a rule, without the fence that ends a
   wait. */
HD_DEVICE void select_look(const uint64_t *words, uint32_t end, uint64_t *seen)
{
    const uint32_t from = hd_lane() * SELECT_SIGHT + 1;
    HD_UNROLL
    for (unsigned k = 0; k < SELECT_SIGHT; k++)
        seen[k] = from + k <= end ? 0 : SELECT_ALL;
    for (unsigned turn = 0, missing = 1; turn < SELECT_LOOKS && missing; turn++) {
        missing = 0;
        HD_UNROLL
        for (unsigned k = 0; k < SELECT_SIGHT; k++)
            if (seen[k] == 0)
                seen[k] = hd_load_relaxed(&words[end - from - k]);
        HD_UNROLL
        for (unsigned k = 0; k < SELECT_SIGHT; k++)
            missing |= seen[k] == 0;
    }
    HD_UNROLL
    for (unsigned k = 0; k < SELECT_SIGHT; k++)
        if (seen[k] == 0)
            seen[k] = hd_wait_ne(&words[end - from - k], (uint64_t)0);
}

/* What a lane sees of a window that ends before tile `end`, to the first word that knows of all
   tiles before it. */
HD_DEVICE uint64_t select_sight(const uint64_t *words, uint32_t end, int highest, int *knows)
{
    uint64_t seen[SELECT_SIGHT], value = 0;
    select_look(words, end, seen);
    *knows = 0;
    HD_UNROLL
    for (unsigned k = 0; k < SELECT_SIGHT; k++) {
        if (!*knows)
            value = select_join(value, seen[k] >> 2, highest);
        *knows |= (seen[k] & 3) == SELECT_ALL;
    }
    return value;
}

/* By one warp: the sum (or the highest) of the values of all tiles before `tile`, window after
   window. Integers add up alike in any order, so a tile takes what it finds: where a scan of floats
   has to wait for partial sums in a fixed order (heddle/look_back.h), this one needs no hop more
   than the words that it adds. */
HD_DEVICE uint64_t select_before(const hd__select_task *task, const uint64_t *words, uint32_t tile,
                                 int highest)
{
    uint64_t before = 0;
    for (uint32_t end = tile;; end -= SELECT_SIGHT * hd_warp_size()) {
        int knows;
        const uint64_t value = select_sight(words, end, highest, &knows);
        const hd_mask all = hd_ballot(knows);
        const unsigned last = hd_mask_is_empty(all) ? hd_warp_size() : hd_mask_first(all);
        const uint64_t counted = hd_lane() <= last ? value : 0;
        before = select_join(before, highest ? hd_warp_max(counted) : hd_warp_sum(counted),
                             highest);
        if (last < hd_warp_size())
            break;
    }
    select_order(task);
    return before;
}

#if HD_SERIAL_THREADS
/* By one thread. */
HD_DEVICE uint64_t select_before_serial(const hd__select_task *task, const uint64_t *words,
                                        uint32_t tile, int highest)
{
    uint64_t before = 0;
    for (uint32_t back = tile; back > 0; back--) {
        const uint64_t seen = hd_load_relaxed(&words[back - 1]);
        const uint64_t word = seen != 0 ? seen : hd_wait_ne(&words[back - 1], (uint64_t)0);
        before = select_join(before, word >> 2, highest);
        if ((word & 3) == SELECT_ALL)
            break;
    }
    select_order(task);
    return before;
}
#endif

#endif
