/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - running blocks: the order that their barriers establish. */
#include "check/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the start ------------------------------------------------------------------------------- */

void hd_check_start(void)
{
    hd_check_report_start();
    hd_check_hold_start();
    hd_check_trace_start();
    hd_check_at_exit(hd_check_leaks);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int hd_check_block_make(hd_cpu_resident *block)
{
    block->check = calloc(1, sizeof *block->check);
    return block->check != NULL;
}

static void forget_knowledge(hd_check_block *b)
{
    hd_check_unlearn(&b->knows);
    hd_check_unlearn(&b->seen);
    for (unsigned w = 0; w < HD_CPU_MAX_WARPS; w++) {
        hd_check_unlearn(&b->warp[w].knows);
        free(b->warp[w].pairs);
        b->warp[w].pairs = NULL;
    }
    for (unsigned t = 0; t < HD_CPU_MAX_THREADS; t++) {
        hd_check_unlearn(&b->lane[t].knows);
        hd_check_unlearn(&b->lane[t].seen);
        b->lane[t].fence = 0;
    }
    b->taught = 0;
    b->glimpses = 0;
}

void hd_check_block_begins(hd_cpu_resident *block, size_t index)
{
    hd_check_block *b = block->check;

    b->op = block->launch->op->check;
    b->serial = b->op->serial + (uint32_t)index;
    b->tick = 1;
    b->synced = 1;
    b->suspensions = 0;
    b->failures = 0;
    for (unsigned w = 0; w < block->warps; w++)
        b->warp[w].synced = 1;
    if (b->taught || b->glimpses)
        forget_knowledge(b);
    hd_check_order_threads(block, b);
    hd_check_profile_block_begins(block);
    if (block->launch->shared_bytes)
        hd_check_forget((uintptr_t)block->view.dynamic, block->launch->shared_bytes);
}

void hd_check_block_ends(hd_cpu_resident *block)
{
    hd_check_report_unwritten(block);
    hd_check_trace_ends(block);
    hd_check_profile_block_ends(block);
    if (block->check->taught)
        hd_check_hand_over(block->check);
}

void hd_check_enters(hd_cpu_resident *block)
{
    hd_check_now *now = &hd_check_me;

    (void)pthread_mutex_lock(&hd_check_lock);
    now->check = block->check;
    hd_check_epoch_floor(block->check->op);
    now->floor = block->check->op->floor;
    hd_check_over(block->check->op->epoch_floor);
    now->view = (uintptr_t)block;
    now->view_bytes = sizeof *block;
    now->shared = (uintptr_t)block->arena - HD_CHECK_BELOW;
    now->shared_bytes = (uintptr_t)block->view.dynamic + HD_CPU_SHARED_MAX - now->shared;
    now->cells = (uintptr_t)hd_check_cells - 4 * hd_check_base;
    now->byte_cells = (uintptr_t)hd_check_byte_cells - 16 * hd_check_base;
    memset(now->range, 0, sizeof now->range);
    now->sampled = block->check->sampled;
    /* Until now 0 or 1: if 1, hd_check_tick sets the number. */
    now->when = !now->sampled && !hd_check_replaying && !hd_check_traced();
    __atomic_store_n(&hd_check_running, now, __ATOMIC_RELEASE);
    (void)hd_check_tick(block->check);
}

void hd_check_leaves(void)
{
    __atomic_store_n(&hd_check_running, NULL, __ATOMIC_RELEASE);
    hd_check_me.block = NULL;
    hd_check_me.when = 0;
    hd_check_me.stack_bytes = 0;
    hd_check_me.sampled = 0;
    (void)pthread_mutex_unlock(&hd_check_lock);
}

/* ---- barriers -------------------------------------------------------------------------------- */

static int exists(const hd_cpu_resident *block, unsigned linear)
{
    return block->warp[linear >> block->shift].exist >> (linear & block->lane_mask) & 1;
}

/* Fences are sequentially consistent. If every thread has executed a fence since the previous
   barrier, everything before those fences is published by a flag that any thread raises after this
   barrier. */
static void join_fences(hd_cpu_resident *block, uint32_t before)
{
    hd_check_block *b = block->check;

    for (unsigned t = 0; t < block->threads; t++)
        if (exists(block, t) &&
            (b->lane[t].fence <= before || b->lane[t].fence_scope == HD_CHECK_BLOCK))
            return;
    for (unsigned t = 0; t < block->threads; t++)
        b->lane[t].fence_synced = b->lane[t].fence_warp = b->synced;
}

void hd_check_block_meets(hd_cpu_resident *block)
{
    hd_check_block *b = block->check;
    const uint32_t before = b->synced;

    b->synced = hd_check_tick(b);
    hd_check_profile_meets(block, ~0u);
    hd_check_left_out(block);
    if (!b->taught)
        return;
    join_fences(block, before);
    for (unsigned t = 0; t < block->threads; t++)
        hd_check_merge(&b->seen, &b->lane[t].seen);
    for (unsigned t = 0; t < block->threads; t++) {
        hd_check_merge(&b->knows, &b->lane[t].knows);
        hd_check_unlearn(&b->lane[t].knows);
    }
    for (unsigned w = 0; w < block->warps; w++) {
        hd_check_merge(&b->knows, &b->warp[w].knows);
        hd_check_unlearn(&b->warp[w].knows);
    }
}

static void whole_warp_meets(hd_cpu_resident *block, unsigned warp)
{
    hd_check_block *b = block->check;
    unsigned first = warp << block->shift;

    b->warp[warp].synced = hd_check_tick(b);
    for (unsigned t = first; b->taught && t <= (first | block->lane_mask); t++) {
        hd_check_merge(&b->warp[warp].knows, &b->lane[t].knows);
        hd_check_unlearn(&b->lane[t].knows);
    }
}

/* Each of the lanes now knows what any of them did or knew. */
static void lanes_meet(hd_cpu_resident *block, unsigned warp, uint64_t lanes)
{
    hd_check_block *b = block->check;
    hd_check_knowledge all = {NULL, 0, 0, 0};
    uint32_t reach[HD_CHECK_LANES] = {0}, *pairs = b->warp[warp].pairs;

    if (!pairs)
        pairs = calloc(HD_CHECK_LANES * HD_CHECK_LANES, sizeof *pairs);
    if (!pairs)
        return;
    b->warp[warp].pairs = pairs;
    b->taught = 1; /* makes the next block forget the pairs */
    (void)hd_check_tick(b);
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);

        for (unsigned i = 0; i < HD_CHECK_LANES; i++)
            if (reach[i] < pairs[lane * HD_CHECK_LANES + i])
                reach[i] = pairs[lane * HD_CHECK_LANES + i];
        hd_check_merge(&all, &b->lane[(warp << block->shift) + lane].knows);
    }
    for (uint64_t left = lanes; left; left &= left - 1)
        reach[__builtin_ctzll(left)] = b->tick;
    for (uint64_t left = lanes; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(left);

        memcpy(pairs + lane * HD_CHECK_LANES, reach, sizeof reach);
        hd_check_merge(&b->lane[(warp << block->shift) + lane].knows, &all);
    }
    free(all.refs);
}

void hd_check_warp_meets(hd_cpu_resident *block, unsigned warp, uint64_t lanes, int whole)
{
    if (whole)
        hd_check_profile_meets(block, warp);
    if (whole)
        whole_warp_meets(block, warp);
    else
        lanes_meet(block, warp, lanes);
}
