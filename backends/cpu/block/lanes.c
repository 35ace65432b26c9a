/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.c - selects the next thread if no other lane of the same warp can continue. */
#include "block/lanes.h"
#include "observe.h"

int hd_cpu_pick_elsewhere(hd_cpu_resident *block)
{
    do {
        while (block->ready_warps) {
            unsigned warp = (unsigned)__builtin_ctz(block->ready_warps);

            block->ready_warps &= block->ready_warps - 1;
            if (block->warp[warp].ready)
                return hd_cpu_next_lane(block, warp);
        }
        if (block->next_start < block->threads)
            return HD_CPU_NEXT_START;
    } while (block->waiting && hd_cpu_waits_poll(block, 0));
    return HD_CPU_NEXT_NOBODY;
}

int hd_cpu_pick_any(hd_cpu_resident *block)
{
    unsigned can = 0, count, draw;

    for (unsigned i = 0; i < block->warps; i++)
        can |= (unsigned)(block->warp[i].ready != 0) << i;
    count = (unsigned)__builtin_popcount(can) + (block->next_start < block->threads);
    if (!count)
        return hd_cpu_pick_elsewhere(block);
    for (draw = HD_OBSERVE_OR(0, schedule.preempt(block, HD_PREEMPT_WARP)) % count; draw && can;
         draw--)
        can &= can - 1;
    return can ? hd_cpu_next_lane(block, (unsigned)__builtin_ctz(can)) : HD_CPU_NEXT_START;
}

/* Lets other blocks overtake this one: returns to the worker, which resumes this block later. */
static hd_cpu_fiber_switch defer(hd_cpu_resident *block, unsigned linear)
{
    block->ready_warps |= 1u << (linear >> block->shift);
    block->running = -1;
    block->passing = NULL;
    block->state = HD_CPU_PARKED;
    return (hd_cpu_fiber_switch){HD_CPU_SAVE(block, linear), HD_CPU_TARGET(&block->worker->main)};
}

hd_cpu_fiber_switch hd_cpu_suspend_long(hd_cpu_resident *block, unsigned linear)
{
    int next;

    block->defer_rounds = HD_OBSERVE_OR(0, schedule.preempt(block, HD_PREEMPT_BLOCK));
    if (block->defer_rounds)
        return defer(block, linear);
    next = hd_cpu_pick(block, linear >> block->shift);
    if (next == (int)linear)
        return hd_cpu_go_on();
    return (hd_cpu_fiber_switch){HD_CPU_SAVE(block, linear), hd_cpu_go_to(block, next)};
}

void hd_cpu_block_leave(hd_cpu_resident *block)
{
    hd_cpu_worker *worker = block->worker;

    hd_cpu_switch(&worker->gone.sp, HD_CPU_TARGET(&worker->main));
    __builtin_unreachable();
}
