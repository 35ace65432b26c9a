/* SPDX-License-Identifier: Apache-2.0 */
/* look_back_ticket.h - the type-independent part of look_back.h for kernels: tickets, positions in
   the state, and clearing what the previous launch wrote. Include kernel.h first.

       state   header: ticket counter | line 0, half 0 | line 0, half 1 | line 1, half 0 | ...
       line    32 words of 64 bits: mark | 32 bits of a value */
#ifndef HEDDLE_DETAIL_LOOK_BACK_TICKET_H
#define HEDDLE_DETAIL_LOOK_BACK_TICKET_H

#include <heddle/device/look_back.h>

/* Set in a word above its 32 bits of value once the value is written. */
#define HD_LOOK_BACK_MARK_ ((uint64_t)1 << 32)

/* The current word on devices that poll; on other backends waits until the word is written. */
HD_DEVICE uint64_t hd_look_back_seen(uint64_t *word)
{
#if HD_HAS_POLLING
    return hd_load_relaxed(word);
#else
    return hd_wait_ge_grid(word, HD_LOOK_BACK_MARK_);
#endif
}

/* Pauses between two polls. */
HD_DEVICE void hd_look_back_pause(void)
{
#if HD_HAS_POLLING
    hd_pause(100);
#endif
}

/* A block's ticket. Layout of the counter: bits 0-31 number of tickets taken, bit 32 the half of
   the state that this launch uses, bits 33 and up the number of lines that the previous launch
   wrote in the other half. */
typedef struct hd_look_back_ticket {
    uint32_t tile; /* 0, 1, 2 ... in the order in which blocks start */
    uint32_t half;
    uint32_t stale;
} hd_look_back_ticket;

/* Called by one thread of each block: takes a ticket. The last ticket prepares the next launch. */
HD_DEVICE uint64_t hd_look_back_take_ticket(const hd_look_back *look)
{
    const uint64_t taken = hd_atomic_add(look->state, (uint64_t)1);
    if ((uint32_t)taken == look->draws - 1)
        hd_store_relaxed(look->state, (uint64_t)look->lines << 33 | (~taken & HD_LOOK_BACK_MARK_));
    return taken;
}

HD_DEVICE hd_look_back_ticket hd_look_back_ticket_of(uint64_t taken)
{
    hd_look_back_ticket ticket;
    ticket.tile = (uint32_t)taken;
    ticket.half = (uint32_t)(taken >> 32) & 1;
    ticket.stale = (uint32_t)(taken >> 33);
    return ticket;
}

/* The ticket of a launch that has one tile and no state. */
HD_DEVICE hd_look_back_ticket hd_look_back_only(void)
{
    hd_look_back_ticket ticket;
    ticket.tile = ticket.half = ticket.stale = 0;
    return ticket;
}

/* Takes a ticket for the block; called by all threads. *place is shared memory. */
HD_DEVICE hd_look_back_ticket hd_look_back_begin(const hd_look_back *look, uint64_t *place)
{
    if (hd_thread_linear() == 0)
        *place = hd_look_back_take_ticket(look);
    hd_sync_block();
    return hd_look_back_ticket_of(*place);
}

/* Position of a value: one of 32 places in a row, which has a line for each 32-bit piece of the
   value. */
typedef struct hd_look_back_place {
    uint32_t row, place, half;
} hd_look_back_place;

/* Distance between consecutive lines of one half: the halves alternate line by line. */
#define HD_LOOK_BACK_LINE_WORDS_ ((size_t)2 * HD_LOOK_BACK_WIDTH)

/* Index of a value's first word; its other pieces are in the next lines. */
HD_DEVICE size_t hd_look_back_index(hd_look_back_place at, unsigned pieces)
{
    return HD_LOOK_BACK_HEADER_BYTES / 8 + (size_t)at.row * pieces * HD_LOOK_BACK_LINE_WORDS_ +
           at.half * HD_LOOK_BACK_WIDTH + at.place;
}

HD_DEVICE uint64_t *hd_look_back_word(const hd_look_back *look, hd_look_back_place at,
                                      unsigned pieces, unsigned piece)
{
    return look->state + (hd_look_back_index(at, pieces) + piece * HD_LOOK_BACK_LINE_WORDS_);
}

HD_DEVICE hd_look_back_place hd_look_back_beside(hd_look_back_place at, uint32_t place)
{
    at.place = place;
    return at;
}

/* Positions that a tile writes: its value, its group's total, and the prefix of the next bunch;
   `bunch` is the prefix of its own bunch. Positions that it reads: `far` is the end of the groups
   that are not recent, in this bunch or, if the recent groups span two bunches, in the previous
   one; `before` is the prefix of the bunch of `far`. */
typedef struct hd_look_back_places {
    hd_look_back_place tile, group, bunch, far, before, next;
    uint32_t recent;
    int first_bunch, spans, has_before, ends_group, ends_bunch;
} hd_look_back_places;

HD_DEVICE hd_look_back_places hd_look_back_places_of(const hd_look_back *look,
                                                     hd_look_back_ticket ticket, uint32_t recent)
{
    const uint32_t width = HD_LOOK_BACK_WIDTH;
    const uint32_t groups = (look->tiles - 1) / width + 1, bunches = (groups - 1) / width + 1;
    const uint32_t group = ticket.tile / width, bunch = group / width;
    hd_look_back_places p;
    uint32_t from = bunch;
    p.recent = recent;
    p.tile.row = group;
    p.tile.place = ticket.tile % width;
    p.group.row = groups + bunch;
    p.group.place = group % width;
    p.bunch.row = groups + bunches + bunch / width;
    p.bunch.place = bunch % width;
    p.next.row = groups + bunches + (bunch + 1) / width;
    p.next.place = (bunch + 1) % width;
    p.first_bunch = bunch == 0;
    p.spans = bunch > 0 && p.group.place < recent;
    p.far = p.group;
    p.far.place = p.group.place > recent ? p.group.place - recent : 0;
    if (p.spans) {
        p.far.row--;
        p.far.place = p.group.place + width - recent;
        from--;
    }
    p.before.row = groups + bunches + from / width;
    p.before.place = from % width;
    p.has_before = from > 0;
    p.tile.half = p.group.half = p.bunch.half = p.far.half = p.before.half = p.next.half =
        ticket.half;
    p.ends_group = p.tile.place == width - 1;
    p.ends_bunch = p.ends_group && p.group.place == width - 1;
    return p;
}

/* Clears this block's share of the previous launch's words; called by thread `thread` of `threads`
   at any time during the launch. */
HD_DEVICE void hd_look_back_clear(const hd_look_back *look, hd_look_back_ticket ticket,
                                  uint32_t thread, uint32_t threads)
{
    hd_look_back_place at;
    at.half = ticket.half ^ 1;
    for (at.row = ticket.tile; at.row < ticket.stale; at.row += look->tiles)
        for (at.place = thread; at.place < HD_LOOK_BACK_WIDTH; at.place += threads)
            hd_store_relaxed(hd_look_back_word(look, at, 1, 0), (uint64_t)0);
}

#endif
