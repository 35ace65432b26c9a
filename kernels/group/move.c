/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - moves data between ranks without a reduction: broadcast, all-gather, all-to-all, send
   and receive. Without data it is a barrier. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "rounds.inc"

/* Each thread moves unit u of every message, in a slot that carries its own flag. Bytes: twice
   those of the messages. */
HD_KERNEL HD_MAX_THREADS(HD__GROUP_WORD_THREADS) void hd__group_move_words(
    HD_GRID_CONST hd__group_move_task t)
{
    const hd__group_place *g = &t.place;
    const size_t step = (size_t)hd_grid_dim_x() * hd_block_threads() * HD__GROUP_UNIT;
    const size_t first = hd_global_x() * HD__GROUP_UNIT;
    const group_turn turn = group_begin(g);
    const size_t area = group_words_at(g, &turn) + turn.thread * (size_t)16;

    for (size_t at = first, slot = area; at < t.most; at += step, slot += turn.threads * 16u)
        for (unsigned k = 0; k < g->ranks; k++) {
            const unsigned p = group_after(g, k);
            if (at >= t.send[p].bytes)
                continue;
            const size_t left = t.send[p].bytes - at;
            const hd_u32x2 mine = group_load8(t.send[p].data + at, left);
            if (p != g->me)
                hd_send_words_system((hd_u32x4 *)(void *)(g->to[p] + slot), mine.x, mine.y,
                                     turn.tag);
            else if (t.receive[p].data != t.send[p].data)
                group_store8(t.receive[p].data + at, mine, left);
        }
    for (size_t at = first, slot = area; at < t.most; at += step, slot += turn.threads * 16u)
        for (unsigned p = 0; p < g->ranks; p++) {
            const hd_u32x4 *from = (const hd_u32x4 *)(const void *)(g->from[p] + slot);
            if (p == g->me || at >= t.receive[p].bytes)
                continue;
            group_store8(t.receive[p].data + at,
                         group_words(g, &turn, from, hd_peek_words_system(from)),
                         t.receive[p].bytes - at);
        }
    group_end(g, &turn);
}
HD_DEFINE(hd__group_move_words)

HD_DEVICE void push(const hd__group_move_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);

    for (size_t i = turn->thread; i < g->layout.chunk / 16; i += turn->threads) {
        HD_UNROLL_N(4)
        for (unsigned k = 0; k < g->ranks; k++) {
            const unsigned p = group_after(g, k);
            const size_t at = offset + 16 * i;
            if (at >= t->send[p].bytes)
                continue;
            const size_t left = t->send[p].bytes - at;
            const hd_u32x4 mine = group_load16(t->send[p].data + at, left);
            if (p != g->me)
                group_chunk_to(g, turn, p, 0, step)[i] = mine;
            else if (t->receive[p].data != t->send[p].data)
                group_store16(t->receive[p].data + at, mine, left);
        }
    }
}

HD_DEVICE void pull(const hd__group_move_task *t, const group_turn *turn, size_t step)
{
    const hd__group_place *g = &t->place;
    const size_t offset = group_offset(g, turn, step);

    for (size_t i = turn->thread; i < g->layout.chunk / 16; i += turn->threads) {
        HD_UNROLL_N(4)
        for (unsigned k = 1; k < g->ranks; k++) {
            const unsigned p = group_after(g, k);
            const size_t at = offset + 16 * i;
            if (at < t->receive[p].bytes)
                group_store16(t->receive[p].data + at, group_chunk_from(g, turn, p, 0, step)[i],
                              t->receive[p].bytes - at);
        }
    }
}

/* Pairs with a message publish every step to each other, also those after its end. */
HD_DEVICE group_rounds rounds_of(const hd__group_move_task *t)
{
    const hd__group_place *g = &t->place;
    group_rounds rounds = {{0, 0}, {0, 0}, group_steps(g, t->most)};

    for (unsigned p = 0; p < g->ranks; p++) {
        rounds.writes[0] |= (uint32_t)(p != g->me && t->send[p].bytes > 0) << p;
        rounds.reads[0] |= (uint32_t)(p != g->me && t->receive[p].bytes > 0) << p;
    }
    return rounds;
}

/* In round k a block sends chunk k of every message, and receives chunk k - 1 of the messages to
   this rank. Bytes: those of the messages. */
HD_KERNEL
HD_MAX_THREADS(HD__GROUP_THREADS) void hd__group_move_chunks(HD_GRID_CONST hd__group_move_task t)
{
    const hd__group_place *g = &t.place;
    const group_turn turn = group_begin(g);
    const group_rounds rounds = rounds_of(&t);

    for (size_t k = 0; k <= rounds.steps && group_await(g, &turn, &rounds, k); k++) {
        if (k < rounds.steps)
            push(&t, &turn, k);
        if (k >= 1)
            pull(&t, &turn, k - 1);
        group_announce(g, &turn, &rounds, k);
    }
    group_end(g, &turn);
}
HD_DEFINE(hd__group_move_chunks)
