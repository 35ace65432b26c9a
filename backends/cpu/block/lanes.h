/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.h - the suspension of a thread, inlined into every collective: the path that every shuffle
   takes, once per lane. It saves no registers, since everything rare is called at its end. */
#ifndef HEDDLE_CPU_BLOCK_LANES_H
#define HEDDLE_CPU_BLOCK_LANES_H

#include "observe.h"

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

/* The same when nobody of the warp can go on at once (block.c). */
hd_cpu_turn hd_cpu_suspend_long(hd_cpu_resident *block, unsigned linear);

/* Suspends the running thread; the kernel makes the switch. Threads of the same warp come first, so
   that it comes together in its collectives. */
static inline hd_cpu_turn hd_cpu_suspend(hd_cpu_resident *block, unsigned linear)
{
    unsigned warp = linear >> block->shift;

    if (HD_CPU_CHECK || !block->warp[warp].ready)
        return hd_cpu_suspend_long(block, linear);
    block->running = hd_cpu_next_lane(block, warp);
    return (hd_cpu_turn){HD_CPU_SAVE(block, linear), HD_CPU_LOAD(block, block->running)};
}

#endif
