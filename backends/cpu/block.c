/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - runs the threads of one resident block.

   The kernel's own loop passes over the threads on one stack. The first thread that blocks keeps
   that stack; the threads after it start on another one. A thread that blocks picks its successor
   itself and the kernel jumps straight there; the worker's stack is used only when no thread of the
   block can go on. */
#include "next.h"

#include <string.h>

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
    block->running = -1;
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
    block->of[linear] = block->passing;
    block->running = (int)linear;
    block->next_start = linear + 1;
    block->warp_now = linear >> block->shift;
    hd_cpu_block_exited(block, from, linear);
}

void *hd_cpu_block_resume(hd_cpu_resident *block)
{
    return hd_cpu_next_target(block, block->touched ? hd_cpu_next(block) : HD_CPU_START);
}

/* ---- the end of threads -------------------------------------------------------------------------- */

void hd_cpu_block_leave(hd_cpu_resident *block)
{
    hd_cpu_worker *worker = block->worker;

    hd_cpu_switch(&worker->gone.sp, HD_CPU_TARGET(&worker->main));
    __builtin_unreachable();
}

static void stack_back(hd_cpu_worker *worker, hd_cpu_fiber *fiber)
{
    hd_cpu_fiber_prepare(fiber, hd_cpu_fiber_main);
    hd_cpu_fiber_release(worker, fiber);
}

void hd_cpu_block_abandon(hd_cpu_resident *block)
{
    if (block->state == HD_CPU_BROKEN && block->running < 0)
        stack_back(block->worker, block->passing);
    for (unsigned t = 0; block->touched && t < block->next_start; t++)
        if (block->warp[t >> block->shift].exist >> (t & block->lane_mask) & 1)
            stack_back(block->worker, block->of[t]);
}

void hd_cpu_block_end_thread(hd_cpu_resident *block, unsigned linear)
{
    if (block->running < 0)
        hd_cpu_block_claim(block, linear);
    hd_cpu_block_exited(block, linear, linear + 1);
    stack_back(block->worker, block->of[linear]);
    hd_cpu_switch(&block->worker->gone.sp,
                  hd_cpu_next_target(block, block->alive ? hd_cpu_next(block) : HD_CPU_NOBODY));
    __builtin_unreachable();
}

/* The kernel has returned to the fiber. Where to go; NULL: on with this fiber, for the next block or
   the next thread. */
static void *after_return(hd_cpu_resident *block, hd_cpu_fiber *me, unsigned from)
{
    int next;

    if (block->running < 0) {
        hd_cpu_block_exited(block, from, block->threads);
        block->next_start = block->threads;
    } else {
        hd_cpu_block_exited(block, (unsigned)block->running, (unsigned)block->running + 1);
    }
    block->running = -1;
    block->passing = me;
    if (!block->alive && hd_cpu_visit_next(block))
        return NULL;
    next = block->alive ? hd_cpu_next(block) : HD_CPU_NOBODY;
    if (next == HD_CPU_START)
        return NULL;
    hd_cpu_fiber_release(block->worker, me);
    return hd_cpu_next_target(block, next);
}

void hd_cpu_fiber_main(void)
{
    hd_cpu_worker *worker = hd_cpu_self;

    hd_cpu_fiber_entered(&worker->main);
    for (;;) {
        hd_cpu_resident *block = worker->running;
        hd_cpu_fiber *me = block->passing;
        unsigned from = block->next_start;
        void *to;

        block->launch->entry(&block->view, block->launch->args, from, block->threads);
        to = after_return(worker->running, me, from);
        if (to)
            hd_cpu_switch(&me->sp, to); /* comes back as a fresh fiber */
    }
}
