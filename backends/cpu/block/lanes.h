/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - selects the next thread; inlined into every collective and into the end of every
   thread. Every shuffle suspends its thread here, once per lane. That path saves no registers,
   because all rare cases are tail calls. */
#ifndef HEDDLE_CPU_BLOCK_LANES_H
#define HEDDLE_CPU_BLOCK_LANES_H

#include "block/block.h"
#include "observe.h"

static inline hd_cpu_fiber_switch hd_cpu_go_on(void)
{
    return (hd_cpu_fiber_switch){NULL, NULL};
}

/* The lowest ready lane of the warp. The ready lane after it is prefetched: its stack has left the
   cache, because all other lanes ran in between. */
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

/* hd_cpu_suspend if no lane of the warp is ready. */
hd_cpu_fiber_switch hd_cpu_suspend_long(hd_cpu_resident *block, unsigned linear);

/* Suspends the running thread; the caller in the kernel performs the switch. Threads of the same
   warp run first, so that the warp reaches its collectives together. */
static inline hd_cpu_fiber_switch hd_cpu_suspend(hd_cpu_resident *block, unsigned linear)
{
    unsigned warp = linear >> block->shift;

    if (HD_OBSERVED || !block->warp[warp].ready)
        return hd_cpu_suspend_long(block, linear);
    block->running = hd_cpu_next_lane(block, warp);
    return (hd_cpu_fiber_switch){HD_CPU_SAVE(block, linear), HD_CPU_LOAD(block, block->running)};
}

/* ---- rare ------------------------------------------------------------------------------------ */

enum { HD_CPU_NEXT_START = -1, HD_CPU_NEXT_NOBODY = -2 }; /* instead of a thread's number */

/* Tries other warps with ready lanes, then unstarted threads, then threads whose wait is over. */
int hd_cpu_pick_elsewhere(hd_cpu_resident *block);
/* Any warp with ready lanes or an unstarted thread, chosen by the schedule. */
int hd_cpu_pick_any(hd_cpu_resident *block);

/* The successor of a thread of the warp: threads of the same warp first, also unstarted ones. */
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

/* The stack to switch to for `next`: the worker's if no thread of the block can continue. */
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
