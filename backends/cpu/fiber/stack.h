/* SPDX-License-Identifier: Apache-2.0 */
/* stack.h - the stacks of one worker, for threads that block. */
#ifndef HEDDLE_CPU_FIBER_STACK_H
#define HEDDLE_CPU_FIBER_STACK_H

#include "fiber/switch.h"

typedef struct hd_cpu_fibers {
    hd_cpu_fiber *free;
    hd_cpu_fiber *free_unguarded; /* used if no others are free */
    struct hd_cpu_stacks *stacks;
    void (*entry)(void); /* entry point of every fiber */
} hd_cpu_fibers;

/* NULL: no address space for another stack. */
hd_cpu_fiber *hd_cpu_fiber_make(hd_cpu_fibers *fibers);
/* Whether the address is in a guard page, i.e. a stack overflowed. */
int hd_cpu_stack_guards(const hd_cpu_fibers *fibers, const void *address);

static inline hd_cpu_fiber *hd_cpu_fiber_take(hd_cpu_fibers *fibers)
{
    hd_cpu_fiber *fiber = fibers->free;

    if (!fiber)
        return hd_cpu_fiber_make(fibers);
    fibers->free = fiber->next;
    return fiber;
}

static inline void hd_cpu_fiber_release(hd_cpu_fibers *fibers, hd_cpu_fiber *fiber)
{
    hd_cpu_fiber **list = fiber->guarded ? &fibers->free : &fibers->free_unguarded;

    fiber->next = *list;
    *list = fiber;
}

/* Likewise for a fiber whose thread was abandoned: it restarts at the entry point. */
static inline void hd_cpu_fiber_reclaim(hd_cpu_fibers *fibers, hd_cpu_fiber *fiber)
{
    hd_cpu_fiber_prepare(fiber, fibers->entry);
    hd_cpu_fiber_release(fibers, fiber);
}

#endif
