/* SPDX-License-Identifier: Apache-2.0 */
/* block.c - runs the threads of one resident block.

   The kernel's loop over the threads runs on one stack until a thread blocks. The first thread that
   blocks keeps that stack; the threads after it start on another one. A thread that blocks picks
   its successor itself and switches to it directly; the worker's stack is used only when no thread
   of the block can continue.

       worker        fiber A           fiber B        fiber C
       resume ---->  t0, t1, t2
                     t2 blocks ----->  t3
                                       t3 blocks -->  t4 ... t31
                     t2 continues  <----------------  t31 returned
       next block <- t2: nothing can continue */
#include "block/lanes.h"
#include "launch/work_share.h"
#include "observe.h"

#include <string.h>

typedef uint32_t four_words __attribute__((vector_size(16), may_alias));
typedef uint64_t two_words __attribute__((vector_size(16), may_alias));

/* State that changes from block to block is stored in units of 16 bytes. Kernels load it in the
   same units soon after; a load that spans several smaller stores would stall. */
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

    index = HD_OBSERVE_OR(index, schedule.block_at(block->launch, index));
    start_over(block, (uint32_t)(index % grid->x), (uint32_t)(index / grid->x % grid->y),
               (uint32_t)(index / grid->x / grid->y));
    HD_OBSERVE(block.begins(block, index));
}

/* Continues with the next block if this worker has claimed that one too. */
static int follow(hd_cpu_resident *block)
{
    const hd_dim3 *grid = &block->launch->grid;
    hd_dim3 at = block->view.dims.block;

    if (!hd_cpu_work_share_next(block->worker, block->launch))
        return 0;
    if (++at.x == grid->x) {
        at.x = 0;
        if (++at.y == grid->y) {
            at.y = 0;
            at.z++;
        }
    }
    start_over(block, at.x, at.y, at.z);
    return 1;
}

void *hd_cpu_block_resume(hd_cpu_resident *block)
{
    return hd_cpu_go_to(block, block->touched ? hd_cpu_pick_elsewhere(block) : HD_CPU_NEXT_START);
}

/* ---- end of threads ---------------------------------------------------------------------- */

void hd_cpu_block_abandon(hd_cpu_resident *block)
{
    if (block->state == HD_CPU_BROKEN && block->running < 0 && block->passing)
        hd_cpu_fiber_reclaim(&block->worker->fibers, block->passing);
    for (unsigned at = 0; block->touched && at < block->next_start; at++) {
        unsigned t = HD_OBSERVE_OR(at, schedule.thread_at(block, at));

        if (block->warp[t >> block->shift].exist >> (t & block->lane_mask) & 1)
            hd_cpu_fiber_reclaim(&block->worker->fibers, block->of[t]);
    }
}

void hd_cpu_block_end_thread(hd_cpu_resident *block, unsigned linear)
{
    int next;

    if (block->running < 0)
        hd_cpu_block_claim(block, linear);
    hd_cpu_block_exited(block, linear, linear + 1);
    hd_cpu_fiber_reclaim(&block->worker->fibers, block->of[linear]);
    next = block->alive ? hd_cpu_pick(block, linear >> block->shift) : HD_CPU_NEXT_NOBODY;
    hd_cpu_switch(&block->worker->gone.sp, hd_cpu_go_to(block, next));
    __builtin_unreachable();
}

int hd_cpu_block_follows(const hd_cpu_block *view)
{
    hd_cpu_resident *block = hd_cpu_resident_of(view);

    return !HD_OBSERVED && !block->touched && follow(block);
}

/* The kernel has returned to the fiber. The stack to switch to; NULL: stay on this fiber for the
   next block or thread. */
static void *after_return(hd_cpu_resident *block, hd_cpu_fiber *me)
{
    unsigned first = (unsigned)block->running, last = first;
    int next;

    if (block->running < 0) {
        first = HD_OBSERVE_OR(block->next_start, schedule.thread_at(block, block->next_start));
        last = HD_OBSERVED ? first : block->threads - 1;
        block->next_start += last - first + 1;
    }
    hd_cpu_block_exited(block, first, last + 1);
    if (HD_OBSERVED && !block->touched && block->alive)
        return NULL;
    block->running = -1;
    block->passing = me;
    if (!HD_OBSERVED && !block->alive && follow(block))
        return NULL;
    next = block->alive ? hd_cpu_pick(block, last >> block->shift) : HD_CPU_NEXT_NOBODY;
    if (next == HD_CPU_NEXT_START)
        return NULL;
    hd_cpu_fiber_release(&block->worker->fibers, me);
    return hd_cpu_go_to(block, next);
}

void hd_cpu_fiber_main(void)
{
    hd_cpu_worker *worker = hd_cpu_self;

    hd_cpu_fiber_entered(&worker->main);
    for (;;) {
        hd_cpu_resident *block = worker->running;
        hd_cpu_fiber *me = block->passing;
        void *to;

        block->launch->entry(
            &block->view, block->launch->args,
            HD_OBSERVE_OR(block->next_start, schedule.thread_at(block, block->next_start)),
            block->threads);
        to = after_return(block, me);
        if (to)
            hd_cpu_switch(&me->sp, to); /* when it is resumed, it is a fresh fiber */
    }
}
