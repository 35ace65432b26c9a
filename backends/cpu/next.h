/* SPDX-License-Identifier: Apache-2.0 */
/* next.h - who runs next in a block, and the suspension of a thread. Inlined into every collective:
   this is the path that each shuffle of each lane takes. */
#ifndef HEDDLE_CPU_NEXT_H
#define HEDDLE_CPU_NEXT_H

#include "engine.h"

enum { HD_CPU_START = -1, HD_CPU_NOBODY = -2 };

static inline hd_cpu_turn hd_cpu_go_on(void)
{
    return (hd_cpu_turn){NULL, NULL};
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

/* Threads of the present warp first, so that it comes together in its collectives; then other warps
   that can go on, then threads not started, then threads whose wait is over. */
static inline int hd_cpu_next(hd_cpu_resident *block)
{
    unsigned start = block->next_start;

    if (block->warp[block->warp_now].ready)
        return hd_cpu_next_lane(block, block->warp_now);
    if (start < block->threads && start >> block->shift == block->warp_now)
        return HD_CPU_START;
    do {
        while (block->ready_warps) {
            unsigned warp = (unsigned)__builtin_ctz(block->ready_warps);

            block->ready_warps &= block->ready_warps - 1;
            if (block->warp[warp].ready) {
                block->warp_now = warp;
                return hd_cpu_next_lane(block, warp);
            }
        }
        if (start < block->threads) {
            block->warp_now = start >> block->shift;
            return HD_CPU_START;
        }
    } while (block->waiting && hd_cpu_waits_poll(block));
    return HD_CPU_NOBODY;
}

/* Where to go for `next`. The worker decides what becomes of a block of which no thread can go on. */
static inline void *hd_cpu_next_target(hd_cpu_resident *block, int next)
{
    hd_cpu_worker *worker = block->worker;

    if (next >= 0) {
        block->running = next;
        return HD_CPU_LOAD(block, next);
    }
    block->running = -1;
    if (next == HD_CPU_START) {
        block->passing = hd_cpu_fiber_take(worker);
        return HD_CPU_TARGET(block->passing);
    }
    block->state = !block->alive ? HD_CPU_DONE : block->waiting ? HD_CPU_PARKED : HD_CPU_STUCK;
    return HD_CPU_TARGET(&worker->main);
}

/* Suspends the running thread; the kernel makes the switch. */
static inline hd_cpu_turn hd_cpu_suspend(hd_cpu_resident *block, unsigned linear)
{
    int next = hd_cpu_next(block);

    if (next == (int)linear)
        return hd_cpu_go_on();
    return (hd_cpu_turn){HD_CPU_SAVE(block, linear), hd_cpu_next_target(block, next)};
}

#endif
