/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - runs the threads of one resident block.

   The kernel's own loop passes over the threads on one stack. The first thread that blocks keeps
   that stack; the threads after it start on another one. A thread that blocks picks its successor
   itself and the kernel jumps straight there; the worker's stack is used only when no thread of the
   block can go on. */
#include "engine.h"

#include <string.h>

static const hd_cpu_turn go_on = {NULL, NULL};

void hd_cpu_block_begin(hd_cpu_resident *block, size_t index)
{
    hd_cpu_launch *launch = block->launch;
    hd_cpu_dims *dims = &block->view.dims;

    dims->block.x = (unsigned)(index % launch->grid.x);
    dims->block.y = (unsigned)(index / launch->grid.x % launch->grid.y);
    dims->block.z = (unsigned)(index / launch->grid.x / launch->grid.y);
    dims->origin_x = (size_t)dims->block.x * launch->block.x;
    dims->serial = ++block->worker->serial;
    block->state = HD_CPU_FRESH;
    block->next_start = 0;
    block->alive = block->threads;
    block->waiting = 0;
    block->ready_warps = 0;
    block->warp_now = 0;
    block->touched = 0;
    block->barrier_arrived = 0;
    block->static_bytes = 0;
    if (launch->shared_bytes)
        memset(block->view.dynamic, 0xa5, launch->shared_bytes);
}

static void warps_set_up(hd_cpu_resident *block)
{
    unsigned size = block->view.dims.warp_size;

    block->touched = 1;
    for (unsigned i = 0; i < block->warps; i++) {
        unsigned lanes = block->threads - (i << block->shift);
        hd_cpu_warp *warp = &block->warp[i];

        warp->exist = lanes >= size ? ~(uint64_t)0 >> (64 - size) : ((uint64_t)1 << lanes) - 1;
        warp->ready = 0;
        warp->waiting = 0;
        warp->open = 0;
    }
}

void hd_cpu_block_exited(hd_cpu_resident *block, unsigned from, unsigned to)
{
    block->alive -= to - from;
    if (!block->touched || from == to)
        return;
    for (unsigned t = from; t < to; t++)
        block->warp[t >> block->shift].exist &= ~((uint64_t)1 << (t & block->lane_mask));
    hd_cpu_collectives_recheck(block, from >> block->shift, (to - 1) >> block->shift);
}

void hd_cpu_block_claim(hd_cpu_resident *block, unsigned linear)
{
    unsigned from = block->next_start; /* where the fiber's loop began */

    if (!block->touched)
        warps_set_up(block);
    block->current->lane = (int)linear;
    block->next_start = linear + 1;
    block->warp_now = linear >> block->shift;
    hd_cpu_block_exited(block, from, linear);
}

static hd_cpu_fiber *ready_lane(hd_cpu_resident *block, unsigned warp)
{
    hd_cpu_warp *w = &block->warp[warp];
    unsigned lane = (unsigned)__builtin_ctzll(w->ready);

    w->ready &= w->ready - 1;
    return block->of[(warp << block->shift) + lane];
}

/* Threads of the present warp first, so that it comes together in its collectives; then other warps
   that can go on, then threads not started, then threads whose wait is over. */
static inline hd_cpu_fiber *pick(hd_cpu_resident *block)
{
    unsigned start = block->next_start;

    if (block->warp[block->warp_now].ready)
        return ready_lane(block, block->warp_now);
    if (start < block->threads && start >> block->shift == block->warp_now)
        return hd_cpu_fiber_take(block->worker);
    do {
        while (block->ready_warps) {
            unsigned warp = (unsigned)__builtin_ctz(block->ready_warps);

            block->ready_warps &= block->ready_warps - 1;
            if (block->warp[warp].ready) {
                block->warp_now = warp;
                return ready_lane(block, warp);
            }
        }
        if (start < block->threads) {
            block->warp_now = start >> block->shift;
            return hd_cpu_fiber_take(block->worker);
        }
    } while (block->waiting && hd_cpu_waits_poll(block));
    return NULL;
}

hd_cpu_fiber *hd_cpu_block_pick(hd_cpu_resident *block)
{
    if (!block->touched) /* no thread has blocked: the next one starts */
        return hd_cpu_fiber_take(block->worker);
    return pick(block);
}

/* The worker decides what happens with a block of which no thread can go on. */
static hd_cpu_fiber *to_worker(hd_cpu_resident *block)
{
    block->state = block->waiting ? HD_CPU_PARKED : HD_CPU_STUCK;
    return &block->worker->main;
}

hd_cpu_turn hd_cpu_block_suspend(hd_cpu_resident *block, unsigned linear)
{
    hd_cpu_fiber *me = block->current, *to;

    block->of[linear] = me;
    to = pick(block);
    if (to == me)
        return go_on;
    if (to)
        block->current = to;
    else
        to = to_worker(block);
    return (hd_cpu_turn){&me->sp, HD_CPU_TARGET(to)};
}

void hd_cpu_block_leave(hd_cpu_resident *block)
{
    hd_cpu_fiber *me = block->current;

    hd_cpu_switch(&me->sp, HD_CPU_TARGET(&block->worker->main));
    __builtin_unreachable();
}

void hd_cpu_block_abandon(hd_cpu_resident *block)
{
    hd_cpu_worker *worker = block->worker;
    hd_cpu_fiber *current = block->current;

    if (block->state == HD_CPU_BROKEN && current->lane < 0) {
        hd_cpu_fiber_prepare(current, hd_cpu_fiber_main);
        hd_cpu_fiber_release(worker, current);
    }
    for (unsigned t = 0; block->touched && t < block->next_start; t++) {
        uint64_t bit = (uint64_t)1 << (t & block->lane_mask);

        if (!(block->warp[t >> block->shift].exist & bit))
            continue;
        hd_cpu_fiber *fiber = (int)t == current->lane ? current : block->of[t];
        hd_cpu_fiber_prepare(fiber, hd_cpu_fiber_main);
        hd_cpu_fiber_release(worker, fiber);
    }
}

/* The kernel has returned to the fiber: who comes next? May be the fiber itself. */
static hd_cpu_fiber *after_return(hd_cpu_resident *block, hd_cpu_fiber *me, unsigned from)
{
    hd_cpu_fiber *to;

    if (me->lane < 0) {
        hd_cpu_block_exited(block, from, block->threads);
        block->next_start = block->threads;
    } else {
        hd_cpu_block_exited(block, (unsigned)me->lane, (unsigned)me->lane + 1);
    }
    if (!block->alive && hd_cpu_visit_next(block))
        return me;
    me->lane = -1;
    hd_cpu_fiber_release(block->worker, me);
    if (!block->alive) {
        block->state = HD_CPU_DONE;
        return &block->worker->main;
    }
    to = pick(block);
    if (to) {
        block->current = to;
        return to;
    }
    return to_worker(block);
}

void hd_cpu_fiber_main(void)
{
    hd_cpu_worker *worker = hd_cpu_self;

    hd_cpu_fiber_entered(&worker->main);
    for (;;) {
        hd_cpu_resident *block = worker->running;
        hd_cpu_fiber *me = block->current, *to;
        unsigned from = block->next_start;

        me->lane = -1;
        block->launch->entry(&block->view, block->launch->args, from, block->threads);
        to = after_return(worker->running, me, from);
        if (to != me)
            hd_cpu_switch(&me->sp, HD_CPU_TARGET(to)); /* comes back as a fresh fiber */
    }
}
