/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - the blocks and threads that run: in which order they start, and what they have met
   for. */
#include "check/check.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- seeded order ---------------------------------------------------------------------------- */

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A rotation by a step that has no common factor with the number of blocks: every block once. */
size_t hd_check_block_at(const hd_cpu_launch *launch, size_t index)
{
    size_t n = launch->blocks, step, a, b;
    uint64_t draw;

    if (!hd_check_options.seed || n < 2)
        return index;
    draw = mixed(hd_check_options.seed ^ mixed(launch->op->check->number));
    step = 1 + (size_t)(draw >> 32) % (n < 1u << 20 ? n : 1u << 20);
    for (;; step++) {
        for (a = n, b = step; b;) {
            size_t rest = a % b;

            a = b;
            b = rest;
        }
        if (a == 1)
            break;
    }
    return (index % n * (step % n) + (size_t)(uint32_t)draw % n) % n;
}

/* Warps in any order, the lanes of each up or down. */
static void order_threads(hd_cpu_resident *block, hd_check_block *b)
{
    uint64_t draw = mixed(hd_check_options.seed ^ mixed(b->serial));
    unsigned size = block->view.dims.warp_size, at = 0;
    uint8_t warps[HD_CPU_MAX_WARPS];

    for (unsigned w = 0; w < block->warps; w++)
        warps[w] = (uint8_t)w;
    for (unsigned w = block->warps; hd_check_options.seed && w > 1; w--) {
        unsigned other = (unsigned)(mixed(draw + w) % w);
        uint8_t kept = warps[w - 1];

        warps[w - 1] = warps[other];
        warps[other] = kept;
    }
    for (unsigned w = 0; w < block->warps; w++) {
        unsigned base = warps[w] * size;
        unsigned lanes = block->threads - base < size ? block->threads - base : size;
        int down = hd_check_options.seed && (draw >> (w & 63)) & 1;

        for (unsigned lane = 0; lane < lanes; lane++)
            b->order[at++] = (uint16_t)(base + (down ? lanes - 1 - lane : lane));
    }
}

unsigned hd_check_thread_at(const hd_cpu_resident *block, unsigned at)
{
    return block->check->order[at];
}

/* With a seed, one suspension in four. */
unsigned hd_check_wanders(const hd_cpu_resident *block)
{
    static uint64_t turns;
    uint64_t draw;

    if (!hd_check_options.seed)
        return 0;
    draw = mixed(hd_check_options.seed ^ mixed(++turns) ^ block->check->serial);
    return draw & 3 ? 0 : (unsigned)(draw >> 32) | 1u;
}

/* With a seed: one suspension in 128 for a moment, and the n-th of the block with a chance of 1 in
   8 n for as long as others can go on, so that it is far behind at any point of its way. */
unsigned hd_check_rests(const hd_cpu_resident *block)
{
    static uint64_t turns;
    uint64_t draw;

    if (!hd_check_options.seed)
        return 0;
    draw = mixed(~hd_check_options.seed ^ mixed(++turns) ^ block->check->serial);
    if ((draw >> 32) % (8 * ++block->check->suspensions) == 0)
        return UINT_MAX;
    return draw & 127 ? 0 : 1 + (unsigned)(draw >> 7) % 8;
}

/* ---- the start ------------------------------------------------------------------------------- */

void hd_check_start(void)
{
    hd_check_report_start();
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
    order_threads(block, b);
    hd_check_profile_block_begins(block);
    if (block->launch->shared_bytes)
        hd_check_forget((uintptr_t)block->view.dynamic, block->launch->shared_bytes);
}

void hd_check_block_ends(hd_cpu_resident *block)
{
    hd_check_tell_unwritten(block);
    hd_check_trace_ends(block);
    hd_check_profile_block_ends(block);
    if (block->check->taught)
        hd_check_hand_over(block->check);
}

/* Of the worker, while it runs a block. */
static hd_check_now *runs;

void hd_check_divert(void)
{
    hd_check_now *now = __atomic_load_n(&runs, __ATOMIC_ACQUIRE);

    if (now)
        __atomic_store_n(&now->when, 0, __ATOMIC_RELAXED);
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
    /* The tick makes a number of it. */
    now->when = !now->sampled && !hd_check_replaying && !hd_check_traces;
    __atomic_store_n(&runs, now, __ATOMIC_RELEASE);
    (void)hd_check_tick(block->check);
}

void hd_check_leaves(void)
{
    __atomic_store_n(&runs, NULL, __ATOMIC_RELEASE);
    hd_check_me.block = NULL;
    hd_check_me.when = 0;
    hd_check_me.stack_bytes = 0;
    hd_check_me.sampled = 0;
    (void)pthread_mutex_unlock(&hd_check_lock);
}

void hd_cpu_check_thread(const hd_cpu_block *view, unsigned linear)
{
    hd_cpu_resident *block = (hd_cpu_resident *)(uintptr_t)view;
    hd_check_now *now = &hd_check_me;
    const hd_cpu_fiber *fiber;

    now->block = block;
    now->linear = linear;
    now->warp = linear >> block->shift;
    now->lane = linear & block->lane_mask;
    fiber = block->running < 0 ? block->passing : block->of[linear];
    now->stack = (uintptr_t)fiber->base;
    now->stack_bytes = fiber->bytes;
    now->scope = HD_CHECK_DEVICE;
}

void __attribute__((noinline))
hd_cpu_check_entry(const hd_cpu_block *view,
                   void (*again)(const hd_cpu_block *view, unsigned linear))
{
    const hd_cpu_resident *block = (const hd_cpu_resident *)(uintptr_t)view;
    const uintptr_t *record = __builtin_frame_address(0);

    block->check->again = again;
    block->check->entry = hd_check_me.stack + hd_check_me.stack_bytes - record[0];
}

int hd_cpu_check_next(const hd_cpu_block *view, unsigned *linear)
{
    hd_cpu_resident *block = (hd_cpu_resident *)(uintptr_t)view;
    hd_check_now *now = &hd_check_me;

    if (block->touched || block->alive == 1)
        return 0;
    block->alive--;
    *linear = block->check->order[++block->next_start];
    now->linear = *linear;
    now->warp = *linear >> block->shift;
    now->lane = *linear & block->lane_mask;
    now->scope = HD_CHECK_DEVICE;
    return 1;
}

void hd_cpu_check_scope(unsigned scope)
{
    hd_check_me.scope = scope;
}

void hd_cpu_check_fence(unsigned scope)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    hd_check_fence(scope);
    hd_check_trace_clean();
}

void hd_cpu_check_acquired(const volatile void *address, unsigned how)
{
    if (hd_check_me.block)
        hd_check_acquire((uintptr_t)address, how & HD_CPU_WAIT_SYSTEM  ? HD_CHECK_SYSTEM
                                             : how & HD_CPU_WAIT_BLOCK ? HD_CHECK_BLOCK
                                                                       : HD_CHECK_DEVICE);
    hd_check_trace_clean();
}

/* ---- shared memory --------------------------------------------------------------------------- */

const hd_check_range *hd_check_shared_usable(const hd_cpu_resident *block, uintptr_t address,
                                             size_t bytes)
{
    uintptr_t from = (uintptr_t)block->view.dynamic;
    size_t room = block->launch->shared_bytes;

    if (address - from >= HD_CPU_SHARED_MAX) {
        const hd_cpu_array *array = hd_cpu_array_at(block, address);

        if (!array || block->array_serial[array->number] != block->view.dims.serial)
            return NULL;
        from = (uintptr_t)block->arena + array->offset;
        room = array->bytes;
    }
    if (address - from >= room || bytes > room - (address - from))
        return NULL;
    return hd_check_range_add((hd_check_range){from, room, 0, 0});
}

void hd_check_shared_begins(void *data, size_t bytes)
{
    hd_check_forget((uintptr_t)data, bytes);
}

/* ---- meetings -------------------------------------------------------------------------------- */

static int exists(const hd_cpu_resident *block, unsigned linear)
{
    return block->warp[linear >> block->shift].exist >> (linear & block->lane_mask) & 1;
}

/* Fences are sequentially consistent: when every thread has made one since the barrier before, all
   that was done before them is out behind this barrier, whichever thread then raises a flag. */
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

/* Each lane knows what any of them did or knew until now. */
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
    b->taught = 1; /* the next block forgets the pairs */
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
