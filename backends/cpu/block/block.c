/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - runs the threads of one resident block.

   The kernel's own loop passes over the threads on one stack. The first thread that blocks keeps
   that stack; the threads after it start on another one. A thread that blocks picks its successor
   itself and the kernel jumps straight there; the worker's stack is used only when no thread of the
   block can go on. */
#include "lanes.h"

#include <string.h>

typedef uint32_t four_words __attribute__((vector_size(16), may_alias));
typedef uint64_t two_words __attribute__((vector_size(16), may_alias));

/* What changes from block to block is stored in pieces of 16 bytes: kernels copy it in such pieces
   a moment later, and a load must not wait for several stores. */
static void start_over(hd_cpu_resident *block, uint32_t x, uint32_t y, uint32_t z)
{
    const hd_cpu_launch *launch = block->launch;
    hd_cpu_dims *dims = &block->view.dims;

    *(four_words *)&dims->block = (four_words){x, y, z, (uint32_t)launch->device};
    *(two_words *)&dims->origin_x = (two_words){(uint64_t)x * launch->block.x,
                                                ++block->worker->serial};
    block->next_start = 0;
    block->running = -1;
    block->alive = block->threads;
    block->waiting = 0;
    block->ready_warps = 0;
    block->touched = 0;
    block->barrier_arrived = 0;
    block->static_bytes = 0;
    if (launch->shared_bytes)
        memset(block->view.dynamic, 0xa5, launch->shared_bytes);
}

void hd_cpu_block_begin(hd_cpu_resident *block, size_t index)
{
    const hd_dim3 *grid = &block->launch->grid;

    index = hd_check_block_at(block->launch, index);
    start_over(block, (uint32_t)(index % grid->x), (uint32_t)(index / grid->x % grid->y),
               (uint32_t)(index / grid->x / grid->y));
    hd_check_block_begins(block, index);
}

void hd_cpu_block_follow(hd_cpu_resident *block)
{
    const hd_dim3 *grid = &block->launch->grid;
    hd_dim3 at = block->view.dims.block;

    if (++at.x == grid->x) {
        at.x = 0;
        if (++at.y == grid->y) {
            at.y = 0;
            at.z++;
        }
    }
    start_over(block, at.x, at.y, at.z);
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
        warp->arrived = 0;
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

/* The thread that starts as the at-th one: in a drawn order under the checker. */
static unsigned thread_at(const hd_cpu_resident *block, unsigned at)
{
    (void)block;
    return hd_check_thread_at(block, at);
}

/* Under the checker a fiber has one thread. Those that have started before have returned, if this
   is the first to block. */
static void claim_one(hd_cpu_resident *block)
{
    if (!block->touched) {
        warps_set_up(block);
        for (unsigned at = 0; at < block->next_start; at++) {
            unsigned t = thread_at(block, at);

            block->warp[t >> block->shift].exist &= ~((uint64_t)1 << (t & block->lane_mask));
        }
    }
    block->next_start++;
}

void hd_cpu_block_claim(hd_cpu_resident *block, unsigned linear)
{
    unsigned from = block->next_start; /* where the fiber's loop began */

    block->of[linear] = block->passing;
    block->running = (int)linear;
    if (HD_CPU_CHECK) {
        claim_one(block);
        return;
    }
    if (!block->touched)
        warps_set_up(block);
    block->next_start = linear + 1;
    hd_cpu_block_exited(block, from, linear);
}

/* ---- who is next ----------------------------------------------------------------------------- */

enum { START = -1, NOBODY = -2 };

/* Other warps that can go on, then threads not started, then threads whose wait is over. */
static int pick_elsewhere(hd_cpu_resident *block)
{
    do {
        while (block->ready_warps) {
            unsigned warp = (unsigned)__builtin_ctz(block->ready_warps);

            block->ready_warps &= block->ready_warps - 1;
            if (block->warp[warp].ready)
                return hd_cpu_next_lane(block, warp);
        }
        if (block->next_start < block->threads)
            return START;
    } while (block->waiting && hd_cpu_waits_poll(block, 0));
    return NOBODY;
}

/* Now and then in the checker: a warp that can go on, drawn by lot, or a thread not started. */
static int pick_any(hd_cpu_resident *block)
{
    unsigned can = 0, count, draw;

    for (unsigned i = 0; i < block->warps; i++)
        can |= (unsigned)(block->warp[i].ready != 0) << i;
    count = (unsigned)__builtin_popcount(can) + (block->next_start < block->threads);
    if (!count)
        return pick_elsewhere(block);
    for (draw = hd_check_wanders(block) % count; draw && can; draw--)
        can &= can - 1;
    return can ? hd_cpu_next_lane(block, (unsigned)__builtin_ctz(can)) : START;
}

/* Threads of this warp come first, those that have not started too. */
static int pick(hd_cpu_resident *block, unsigned warp)
{
    unsigned start = block->next_start;

    if (hd_check_wanders(block)) {
        block->ready_warps |= 1u << warp;
        return pick_any(block);
    }
    if (block->warp[warp].ready)
        return hd_cpu_next_lane(block, warp);
    if (start < block->threads && thread_at(block, start) >> block->shift == warp)
        return START;
    return pick_elsewhere(block);
}

/* Where to go for `next`. Of a block of which no thread can go on the worker has to dispose. */
static void *target(hd_cpu_resident *block, int next)
{
    hd_cpu_worker *worker = block->worker;
    hd_cpu_fiber *fresh = next == START ? hd_cpu_fiber_take(worker) : NULL;

    block->running = next;
    if (next >= 0)
        return HD_CPU_LOAD(block, next);
    block->running = -1;
    block->passing = fresh;
    if (fresh)
        return HD_CPU_TARGET(fresh);
    block->state = next == START    ? HD_CPU_BROKEN
                   : !block->alive  ? HD_CPU_DONE
                   : block->waiting ? HD_CPU_PARKED
                                    : HD_CPU_STUCK;
    return HD_CPU_TARGET(&worker->main);
}

void *hd_cpu_block_resume(hd_cpu_resident *block)
{
    return target(block, block->touched ? pick_elsewhere(block) : START);
}

/* Other blocks may overtake this one: back to the worker, which resumes it later. */
static hd_cpu_turn rest(hd_cpu_resident *block, unsigned linear)
{
    block->ready_warps |= 1u << (linear >> block->shift);
    block->running = -1;
    block->passing = NULL;
    block->state = HD_CPU_PARKED;
    return (hd_cpu_turn){HD_CPU_SAVE(block, linear), HD_CPU_TARGET(&block->worker->main)};
}

hd_cpu_turn hd_cpu_suspend_long(hd_cpu_resident *block, unsigned linear)
{
    int next;

    block->rests = hd_check_rests(block);
    if (block->rests)
        return rest(block, linear);
    next = pick(block, linear >> block->shift);
    if (next == (int)linear)
        return hd_cpu_go_on();
    return (hd_cpu_turn){HD_CPU_SAVE(block, linear), target(block, next)};
}

/* ---- the end of threads ---------------------------------------------------------------------- */

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
    if (block->state == HD_CPU_BROKEN && block->running < 0 && block->passing)
        stack_back(block->worker, block->passing);
    for (unsigned at = 0; block->touched && at < block->next_start; at++) {
        unsigned t = thread_at(block, at);

        if (block->warp[t >> block->shift].exist >> (t & block->lane_mask) & 1)
            stack_back(block->worker, block->of[t]);
    }
}

void hd_cpu_block_end_thread(hd_cpu_resident *block, unsigned linear)
{
    int next;

    if (block->running < 0)
        hd_cpu_block_claim(block, linear);
    hd_cpu_block_exited(block, linear, linear + 1);
    stack_back(block->worker, block->of[linear]);
    next = block->alive ? pick(block, linear >> block->shift) : NOBODY;
    hd_cpu_switch(&block->worker->gone.sp, target(block, next));
    __builtin_unreachable();
}

int hd_cpu_block_follows(const hd_cpu_block *view)
{
    hd_cpu_resident *block = (hd_cpu_resident *)(uintptr_t)view;

    return !HD_CPU_CHECK && !block->touched && hd_cpu_visit_next(block);
}

/* The kernel has returned to the fiber. Where to go; NULL: on with this fiber, for the next block
   or the next thread. */
static void *after_return(hd_cpu_resident *block, hd_cpu_fiber *me)
{
    unsigned first = (unsigned)block->running, last = first;
    int next;

    if (block->running < 0) {
        first = HD_CPU_CHECK ? thread_at(block, block->next_start) : block->next_start;
        last = HD_CPU_CHECK ? first : block->threads - 1;
        block->next_start += last - first + 1;
    }
    hd_cpu_block_exited(block, first, last + 1);
    if (HD_CPU_CHECK && !block->touched && block->alive)
        return NULL;
    block->running = -1;
    block->passing = me;
    if (!HD_CPU_CHECK && !block->alive && hd_cpu_visit_next(block))
        return NULL;
    next = block->alive ? pick(block, last >> block->shift) : NOBODY;
    if (next == START)
        return NULL;
    hd_cpu_fiber_release(block->worker, me);
    return target(block, next);
}

void hd_cpu_fiber_main(void)
{
    hd_cpu_worker *worker = hd_cpu_self;

    hd_cpu_fiber_entered(&worker->main);
    for (;;) {
        hd_cpu_resident *block = worker->running;
        hd_cpu_fiber *me = block->passing;
        void *to;

        block->launch->entry(&block->view, block->launch->args, thread_at(block, block->next_start),
                             block->threads);
        to = after_return(block, me);
        if (to)
            hd_cpu_switch(&me->sp, to); /* comes back as a fresh fiber */
    }
}
