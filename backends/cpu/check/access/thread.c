/* SPDX-License-Identifier: Apache-2.0 */
/* thread.c - sets the running thread of the block, to which the following accesses belong. Called
   by kernels. */
#include "check/check.h"

void hd_cpu_check_thread(const hd_cpu_block *view, unsigned linear)
{
    hd_cpu_resident *block = (hd_cpu_resident *)(uintptr_t)view;
    hd_check_now *now = &hd_check_me;
    const hd_cpu_fiber *fiber;

    now->block = block;
    now->linear = linear;
    now->warp = linear >> block->shift;
    now->lane = linear & block->lane_mask;
    fiber = block->running < 0 ? block->passing : block->of[linear];
    now->stack = (uintptr_t)fiber->base;
    now->stack_bytes = fiber->bytes;
    now->scope = HD_CHECK_DEVICE;
}

void __attribute__((noinline))
hd_cpu_check_entry(const hd_cpu_block *view,
                   void (*again)(const hd_cpu_block *view, unsigned linear))
{
    const hd_cpu_resident *block = (const hd_cpu_resident *)(uintptr_t)view;
    const uintptr_t *record = __builtin_frame_address(0);

    block->check->again = again;
    block->check->entry = hd_check_me.stack + hd_check_me.stack_bytes - record[0];
}

int hd_cpu_check_next(const hd_cpu_block *view, unsigned *linear)
{
    hd_cpu_resident *block = (hd_cpu_resident *)(uintptr_t)view;
    hd_check_now *now = &hd_check_me;

    if (block->touched || block->alive == 1)
        return 0;
    block->alive--;
    *linear = block->check->order[++block->next_start];
    now->linear = *linear;
    now->warp = *linear >> block->shift;
    now->lane = *linear & block->lane_mask;
    now->scope = HD_CHECK_DEVICE;
    return 1;
}

void hd_cpu_check_scope(unsigned scope)
{
    hd_check_me.scope = scope;
}

void hd_cpu_check_fence(unsigned scope)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    hd_check_fence(scope);
    hd_check_trace_clean();
}

void hd_cpu_check_acquired(const volatile void *address, unsigned how)
{
    if (hd_check_me.block)
        hd_check_acquire((uintptr_t)address, how & HD_CPU_WAIT_SYSTEM  ? HD_CHECK_SYSTEM
                                             : how & HD_CPU_WAIT_BLOCK ? HD_CHECK_BLOCK
                                                                       : HD_CHECK_DEVICE);
    hd_check_trace_clean();
}
