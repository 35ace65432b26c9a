/* SPDX-License-Identifier: Apache-2.0 */
/* kern_poll.c - loops that poll memory instead of waiting. */
#include <heddle/kernel.h>

#include "kern_poll.h"

enum { N = 128 };

/* Block 1 raises a flag; block 0 polls it with loads that acquire. */
HD_KERNEL void poll_acquire(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 1) {
        out[0] = in[0];
        hd_store_release(&scratch[0], 1u);
    } else if (bug) {
        while (hd_load_acquire(&scratch[0]) == 0) /* BUG poll_acquire */
            ;
    } else {
        (void)hd_wait_ne(&scratch[0], 0u);
    }
}
HD_DEFINE(poll_acquire)

/* The same with a volatile pointer, which orders nothing either. */
HD_KERNEL void poll_volatile(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    volatile uint32_t *flag = scratch;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 1) {
        out[0] = in[0];
        hd_store_release(&scratch[0], 1u);
    } else if (bug) {
        while (*flag == 0) /* BUG poll_volatile */
            ;
    } else {
        (void)hd_wait_ne(&scratch[0], 0u);
    }
}
HD_DEFINE(poll_volatile)

/* A lock taken by compare and swap in a loop; its holder waits for another block meanwhile. */
HD_KERNEL void poll_lock(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *lock = scratch, *flag = scratch + 32;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 0) {
        hd_store_release(&lock[0], 1u);
        hd_store_release(&flag[0], 1u);
        (void)hd_wait_eq(&flag[0], 2u);
        hd_store_release(&lock[0], 0u);
    } else if (hd_block_x() == 1) {
        (void)hd_wait_ne(&flag[0], 0u);
        if (bug)
            while (hd_atomic_cas_acquire(&lock[0], 0u, 1u) != 0) /* BUG poll_lock */
                ;
        out[0] = in[0];
    } else {
        (void)hd_wait_ne(&flag[0], 0u);
        hd_store_release(&flag[0], 2u);
    }
}
HD_DEFINE(poll_lock)

/* One warp polls for another one, in shared memory. */
HD_KERNEL void poll_shared(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(uint32_t, flag, 1);

    (void)scratch;
    if (hd_thread_x() == 0)
        flag[0] = 0;
    hd_sync_block();
    if (hd_thread_x() == N - 1) {
        if (bug)
            while (hd_atomic_add_block(&flag[0], 0u) == 0) /* BUG poll_shared */
                ;
        else
            (void)hd_wait_ne_block(&flag[0], 0u);
        out[hd_block_x()] = in[hd_block_x()];
    } else if (hd_thread_x() == 0) {
        hd_store_release_block(&flag[0], 1u);
    }
}
HD_DEFINE(poll_shared)

/* The whole block loops: one thread polls, the others get the value at a barrier. */
HD_KERNEL void poll_together(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    if (hd_block_x() == 1) {
        if (hd_thread_x() == 0)
            hd_store_release(&scratch[0], 1u);
        return;
    }
    if (bug)
        while (!hd_sync_block_or(hd_thread_x() == 0 && /* BUG poll_together */
                                 hd_load_acquire(&scratch[0]) != 0))
            ;
    else if (hd_thread_x() == 0)
        (void)hd_wait_ne(&scratch[0], 0u);
    hd_sync_block();
    out[hd_thread_x()] = in[hd_thread_x()];
}
HD_DEFINE(poll_together)
