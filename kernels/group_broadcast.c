/* SPDX-License-Identifier: Apache-2.0 */
/* group_broadcast.c - a long broadcast: the root sends each of the other ranks a piece, which that
   rank passes on to the rest while more of it comes. */
#include <heddle/kernel.h>
#include <heddle/words.h>

#include "group.h"
#include "group_link.inc"

/* Bytes before the piece of rank p, which is not the root. */
HD_DEVICE uint64_t piece_at(const hd__group_broadcast_task *t, unsigned p)
{
    const unsigned after = p > t->root ? p - t->root : p + t->place.ranks - t->root;
    return (after - 1) * t->piece;
}

/* Bytes of the piece that begins at `begin` which lie at `at` of it and beyond. */
HD_DEVICE size_t piece_left(const hd__group_broadcast_task *t, uint64_t begin, size_t at)
{
    const uint64_t end = begin + t->piece < t->total ? begin + t->piece : t->total;
    return begin + at < end ? (size_t)(end - begin - at) : 0;
}

/* The root's part of a step: a chunk of every piece. */
HD_DEVICE int hand_out(const hd__group_broadcast_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);
    int well = 1;

    for (unsigned p = turn->thread; well && p < g->ranks; p += turn->threads)
        if (p != g->me)
            well = group_room(g, turn, p, 0, step);
    if (!group_all(well))
        return 0;
    for (size_t i = turn->thread; i < g->layout.chunk / 16; i += turn->threads) {
        HD_UNROLL_N(3)
        for (unsigned k = 1; k < g->ranks; k++) {
            const unsigned p = group_after(g, k);
            const uint64_t begin = piece_at(t, p);
            const size_t at = offset + 16 * i, left = piece_left(t, begin, at);
            if (left)
                group_chunk_to(g, turn, p, 0, step)[i] = group_load16(t->data + begin + at, left);
        }
    }
    hd_sync_block();
    for (unsigned p = turn->thread; p < g->ranks; p += turn->threads)
        if (p != g->me)
            group_fill(g, turn, p, 0, step);
    return 1;
}

/* Another rank's: its own piece's chunk, for itself and for all but the root. */
HD_DEVICE int pass_on(const hd__group_broadcast_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);
    const uint64_t begin = piece_at(t, g->me);
    int well = 1;

    for (unsigned p = turn->thread; well && p < g->ranks; p += turn->threads)
        if (p != g->me)
            well = p == t->root ? group_filled(g, turn, p, 0, step)
                                : group_room(g, turn, p, 1, step);
    if (!group_all(well))
        return 0;
    for (size_t i = turn->thread; i < g->layout.chunk / 16; i += turn->threads) {
        const size_t at = offset + 16 * i, left = piece_left(t, begin, at);
        if (left == 0)
            break;
        const hd_u32x4 data = group_chunk_from(g, turn, t->root, 0, step)[i];
        for (unsigned k = 1; k < g->ranks; k++) {
            const unsigned p = group_after(g, k);
            if (p != t->root)
                group_chunk_to(g, turn, p, 1, step)[i] = data;
        }
        group_store16(t->data + begin + at, data, left);
    }
    hd_sync_block();
    for (unsigned p = turn->thread; p < g->ranks; p += turn->threads)
        if (p != g->me)
            group_tell(g, turn, p, p == t->root, p == t->root ? 0 : 1, step);
    return 1;
}

/* The pieces of the others. */
HD_DEVICE int take_in(const hd__group_broadcast_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);
    int well = 1;

    for (unsigned p = turn->thread; well && p < g->ranks; p += turn->threads)
        if (p != g->me && p != t->root)
            well = group_filled(g, turn, p, 1, step);
    if (!group_all(well))
        return 0;
    for (size_t i = turn->thread; i < g->layout.chunk / 16; i += turn->threads) {
        HD_UNROLL_N(2)
        for (unsigned k = 1; k < g->ranks; k++) {
            const unsigned p = group_after(g, k);
            if (p == t->root)
                continue;
            const uint64_t begin = piece_at(t, p);
            const size_t at = offset + 16 * i, left = piece_left(t, begin, at);
            if (left)
                group_store16(t->data + begin + at, group_chunk_from(g, turn, p, 1, step)[i], left);
        }
    }
    hd_sync_block();
    for (unsigned p = turn->thread; p < g->ranks; p += turn->threads)
        if (p != g->me && p != t->root)
            group_free(g, turn, p, 1, step);
    return 1;
}

/* A block has one chunk of every piece in a step; a thread has 16 bytes at a time. What others pass
   on is taken a step later than this rank's own. Bytes: total out of the root and into every other
   rank, total * (ranks - 2) / (ranks - 1) out of those. */
HD_KERNEL
HD_MAX_THREADS(HD__GROUP_THREADS) void hd__group_broadcast(HD_GRID_CONST hd__group_broadcast_task t)
{
    const hd__group_place *g = &t.place;
    const group_turn turn = group_begin(g);
    const size_t steps = group_steps(g, t.piece);

    for (size_t k = 0; k <= steps; k++) {
        if (k < steps && !(g->me == t.root ? hand_out(&t, &turn, k) : pass_on(&t, &turn, k)))
            break;
        if (k >= 1 && g->me != t.root && !take_in(&t, &turn, k - 1))
            break;
    }
    group_end(g, &turn);
}
HD_DEFINE(hd__group_broadcast)
