/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast.c - a long broadcast. The root scatters the data, one piece to each other rank; each of
   these forwards its piece to the remaining ranks while more of it arrives. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "rounds.inc"

/* Byte offset of the piece of rank p; p is not the root. */
HD_DEVICE uint64_t piece_at(const hd__group_broadcast_task *t, unsigned p)
{
    const unsigned after = p > t->root ? p - t->root : p + t->place.ranks - t->root;
    return (after - 1) * t->piece;
}

/* Bytes left in the piece that begins at `begin`, from offset `at` in it. */
HD_DEVICE size_t piece_left(const hd__group_broadcast_task *t, uint64_t begin, size_t at)
{
    const uint64_t end = begin + t->piece < t->total ? begin + t->piece : t->total;
    return begin + at < end ? (size_t)(end - begin - at) : 0;
}

/* On the root: sends one chunk of every piece. */
HD_DEVICE void hand_out(const hd__group_broadcast_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);

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
}

/* On other ranks: copies a chunk of this rank's piece to `data` and forwards it to all but the
   root. */
HD_DEVICE void pass_on(const hd__group_broadcast_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);
    const uint64_t begin = piece_at(t, g->me);

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
}

/* On other ranks: receives a chunk of the pieces that other ranks forward. */
HD_DEVICE void take_in(const hd__group_broadcast_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);

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
}

HD_DEVICE group_rounds rounds_of(const hd__group_broadcast_task *t)
{
    const hd__group_place *g = &t->place;
    const uint32_t root = (uint32_t)1 << t->root, others = group_others(g);
    const int roots = g->me == t->root;
    group_rounds rounds = {{0, 0}, {0, 0}, group_steps(g, t->piece)};

    rounds.writes[0] = roots ? others : 0;
    rounds.reads[0] = roots ? 0 : root;
    rounds.writes[1] = rounds.reads[1] = roots ? 0 : others & ~root;
    return rounds;
}

/* In round k the root sends chunk k of every piece; each other rank forwards chunk k - 1 of its own
   piece and receives chunk k - 2 of the other pieces. Each thread moves 16 bytes at a time. Bytes:
   total out of the root and into every other rank, total * (ranks - 2) / (ranks - 1) out of each of
   those. */
HD_KERNEL
HD_MAX_THREADS(HD__GROUP_THREADS) void hd__group_broadcast(HD_GRID_CONST hd__group_broadcast_task t)
{
    const hd__group_place *g = &t.place;
    const group_turn turn = group_begin(g);
    const group_rounds rounds = rounds_of(&t);

    for (size_t k = 0; k < rounds.steps + 2 && group_await(g, &turn, &rounds, k); k++) {
        if (k < rounds.steps && g->me == t.root)
            hand_out(&t, &turn, k);
        if (k >= 1 && k <= rounds.steps && g->me != t.root)
            pass_on(&t, &turn, k - 1);
        if (k >= 2 && g->me != t.root)
            take_in(&t, &turn, k - 2);
        group_announce(g, &turn, &rounds, k);
    }
    group_end(g, &turn);
}
HD_DEFINE(hd__group_broadcast)
