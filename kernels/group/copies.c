/* SPDX-License-Identifier: Apache-2.0 */
/* copies.c - reductions over ranks whose data are moved by copies: synchronisation of the ranks
   between copies, and the kernels that reduce what was copied. */
#include <heddle/kernel.h>

#include "group.h"
#include "link.inc"
#include "pieces.inc"

HD_DEVICE uint64_t *turn_to(const hd__group_place *g, unsigned rank)
{
    return (uint64_t *)(void *)(g->to[rank] + g->layout.turn_at);
}

HD_DEVICE const uint64_t *turn_from(const hd__group_place *g, unsigned rank)
{
    return (const uint64_t *)(const void *)(g->from[rank] + g->layout.turn_at);
}

/* A barrier of the ranks, in stream order. One block, a thread for each rank: publishes that the
   copies and kernels before it in this rank's stream are done, and waits for the other ranks to
   publish the same. No other kernel of an operation by copies waits, so waiting blocks never keep
   the blocks that they wait for off a device. */
HD_KERNEL
HD_MAX_THREADS(HD__GROUP_TURN_THREADS) void hd__group_turn(HD_GRID_CONST hd__group_place place)
{
    const hd__group_place *g = &place;
    uint64_t *turns = &g->epochs[g->layout.channels];
    group_turn turn;
    int well = 1;

    turn.channel = 0;
    turn.thread = hd_thread_linear();
    turn.threads = hd_block_threads();
    const uint64_t number = hd_load_relaxed(turns) + 1;
    turn.epoch = number | (uint64_t)1
                              << 47; /* marks a heartbeat; no epoch of the channel has this bit */
    for (unsigned p = turn.thread; p < g->ranks; p += turn.threads)
        if (p != g->me)
            hd_store_release_system(turn_to(g, p), number);
    for (unsigned p = turn.thread; well && p < g->ranks; p += turn.threads)
        if (p != g->me)
            well = group_wait(g, &turn, turn_from(g, p), number);
    hd_sync_block();
    if (turn.thread == 0)
        hd_store_relaxed(turns, number);
}
HD_DEFINE(hd__group_turn)

#define GROUP_BODY "kernels/group/copies.inc"
#include "types.inc"

/* ---- the kernels ----------------------------------------------------------------------------- */

HD_INSTANCE(hd__group_step_u8)
HD_INSTANCE(hd__group_step_u16)
HD_INSTANCE(hd__group_step_u32)
HD_INSTANCE(hd__group_step_u64)
HD_INSTANCE(hd__group_step_f16)
HD_INSTANCE(hd__group_step_bf16)
HD_INSTANCE(hd__group_step_f32)
HD_INSTANCE(hd__group_step_f64)
