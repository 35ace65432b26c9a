/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - which thread runs next, inlined into every collective and into the end of every thread.
   Every shuffle suspends its thread here, once per lane: that path saves no registers, since
   everything rare is called at its end. */
#ifndef HEDDLE_CPU_BLOCK_LANES_H
#define HEDDLE_CPU_BLOCK_LANES_H

#include "block/block.h"
#include "observe.h"

static inline hd_cpu_fiber_switch hd_cpu_go_on(void)
{
    return (hd_cpu_fiber_switch){NULL, NULL};
}

/* The lowest lane of the warp that can go on. The one after it is fetched into the cache: its stack
   has not been used since all the others ran. */
static inline int hd_cpu_next_lane(hd_cpu_resident *block, unsigned warp)
{
    hd_cpu_warp *w = &block->warp[warp];
    unsigned base = warp << block->shift, lane = (unsigned)__builtin_ctzll(w->ready);

    w->ready &= w->ready - 1;
#if !HD_CPU_SWITCH_WRAPPED
    if (w->ready) {
        const char *stack = block->sp[base + (unsigned)__builtin_ctzll(w->ready)];

        __builtin_prefetch(stack);
        __builtin_prefetch(stack + 64);
        __builtin_prefetch(stack + 128);
    }
#endif
    return (int)(base + lane);
}

/* The same when nobody of the warp can go on at once. */
hd_cpu_fiber_switch hd_cpu_suspend_long(hd_cpu_resident *block, unsigned linear);

/* Suspends the running thread; the kernel makes the switch. Threads of the same warp come first, so
   that it comes together in its collectives. */
static inline hd_cpu_fiber_switch hd_cpu_suspend(hd_cpu_resident *block, unsigned linear)
{
    unsigned warp = linear >> block->shift;

    if (HD_OBSERVED || !block->warp[warp].ready)
        return hd_cpu_suspend_long(block, linear);
    block->running = hd_cpu_next_lane(block, warp);
    return (hd_cpu_fiber_switch){HD_CPU_SAVE(block, linear), HD_CPU_LOAD(block, block->running)};
}

/* ---- rare ------------------------------------------------------------------------------------ */

enum { HD_CPU_NEXT_START = -1, HD_CPU_NEXT_NOBODY = -2 }; /* instead of a thread that goes on */

/* Other warps that can go on, then threads not started, then threads whose wait is over. */
int hd_cpu_pick_elsewhere(hd_cpu_resident *block);
/* Any warp that can go on, or a thread not started: drawn by the schedule. */
int hd_cpu_pick_any(hd_cpu_resident *block);

/* Who goes on after a thread of the warp: threads of it come first, those not started too. */
static inline int hd_cpu_pick(hd_cpu_resident *block, unsigned warp)
{
    unsigned start = block->next_start;

    if (HD_OBSERVE_OR(0, schedule.preempt(block, HD_PREEMPT_WARP))) {
        block->ready_warps |= 1u << warp;
        return hd_cpu_pick_any(block);
    }
    if (block->warp[warp].ready)
        return hd_cpu_next_lane(block, warp);
    if (start < block->threads &&
        HD_OBSERVE_OR(start, schedule.thread_at(block, start)) >> block->shift == warp)
        return HD_CPU_NEXT_START;
    return hd_cpu_pick_elsewhere(block);
}

/* Where to go for `next`. Of a block of which no thread can go on the worker has to dispose. */
static inline void *hd_cpu_go_to(hd_cpu_resident *block, int next)
{
    hd_cpu_worker *worker = block->worker;
    hd_cpu_fiber *fresh = next == HD_CPU_NEXT_START ? hd_cpu_fiber_take(&worker->fibers) : NULL;

    block->running = next;
    if (next >= 0)
        return HD_CPU_LOAD(block, next);
    block->running = -1;
    block->passing = fresh;
    if (fresh)
        return HD_CPU_TARGET(fresh);
    block->state = next == HD_CPU_NEXT_START ? HD_CPU_BROKEN
                   : !block->alive           ? HD_CPU_DONE
                   : block->waiting          ? HD_CPU_PARKED
                                             : HD_CPU_STUCK;
    return HD_CPU_TARGET(&worker->main);
}

#endif
