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

/* Counts how often it has looked. */
HD_KERNEL void poll_turns(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t turns = 0;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 1) {
        hd_store_release(&scratch[0], 1u);
        return;
    }
    if (bug)
        while (hd_load_acquire(&scratch[0]) == 0) /* BUG poll_turns */
            turns++;
    else
        (void)hd_wait_ne(&scratch[0], 0u);
    scratch[1] = turns;
    out[0] = in[0];
}
HD_DEFINE(poll_turns)

/* Looks so often at most. The twin computes for long, and looks whether it may end, which nobody
   asks for. */
HD_KERNEL void poll_limit(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint64_t state = in[0];
    uint32_t turns;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 1) {
        if (bug)
            hd_store_release(&scratch[0], 1u);
        return;
    }
    if (bug)
        /* BUG poll_limit */
        for (turns = 0; turns < 0xfffffffeu && !hd_load_acquire(scratch); turns++)
            ;
    else
        for (turns = 0; turns < 4000000u && !hd_load_relaxed(scratch); turns++)
            state = state * 6364136223846793005u + 1442695040888963407u;
    scratch[1] = turns + (uint32_t)(state >> 63);
    out[0] = in[0];
}
HD_DEFINE(poll_limit)

/* Counts down, and looks through a volatile pointer. The twin reads an element again and again. */
HD_KERNEL void poll_pointer(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    volatile uint32_t *flag = scratch;
    uint32_t sum = 0;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 1) {
        if (bug)
            hd_store_release(&scratch[0], 1u);
        return;
    }
    if (bug)
        for (uint64_t left = ~(uint64_t)0; *flag == 0 && left; left--) /* BUG poll_pointer */
            ;
    else
        for (uint32_t turn = 0; turn < 8000000; turn++)
            sum = sum * 3 + *flag;
    out[0] = in[0] + sum;
}
HD_DEFINE(poll_pointer)

/* Every lane of a block polls. In the twin they look for an element together, and end when one of
   them has found it. */
HD_KERNEL void poll_lanes(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t turns = 0;

    if (hd_block_x() == 1) {
        if (hd_thread_x() == 0)
            hd_store_release(&scratch[0], 1u);
        return;
    }
    if (bug)
        while (hd_load_acquire(&scratch[0]) == 0) /* BUG poll_lanes */
            turns++;
    else
        for (turns = hd_thread_x(); turns < 2 * N && !hd_load_relaxed(&scratch[64]); turns += N)
            if (in[turns] == 101)
                hd_store_relaxed(&scratch[64], 1u);
    scratch[128 + hd_thread_x()] = turns;
    out[hd_thread_x()] = in[hd_thread_x()];
}
HD_DEFINE(poll_lanes)

/* All blocks but one poll. In the twin they count by compare and swap, which succeeds at last. */
HD_KERNEL void poll_blocks(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t turns = 0, seen, sum;

    if (hd_thread_x() != 0)
        return;
    out[hd_block_x()] = in[hd_block_x()];
    if (bug && hd_block_x() == hd_grid_dim_x() - 1)
        hd_store_release(&scratch[0], 1u);
    if (bug)
        while (hd_load_acquire(&scratch[0]) == 0) /* BUG poll_blocks */
            turns++;
    seen = hd_load_relaxed(&scratch[64]);
    for (;;) {
        sum = seen + 1;
        if (hd_atomic_cas(&scratch[64], seen, sum) == seen)
            break;
        seen = hd_load_relaxed(&scratch[64]);
    }
    scratch[128 + hd_block_x()] = turns;
}
HD_DEFINE(poll_blocks)

/* Block 0 raises the flag, and comes first unless threads start in another order. The twin takes a
   lock by compare and swap, whose holder only gives it back. */
HD_KERNEL void poll_first(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    if (hd_thread_x() != 0)
        return;
    if (!bug) {
        while (hd_atomic_cas_acquire(&scratch[64], 0u, 1u) != 0)
            ;
        out[0] = in[0];
        hd_store_release(&scratch[64], 0u);
    } else if (hd_block_x() == 0) {
        out[0] = in[0];
        hd_store_release(&scratch[0], 1u);
    } else {
        while (hd_load_acquire(&scratch[0]) == 0) /* BUG poll_first */
            ;
        scratch[1] = out[0];
    }
}
HD_DEFINE(poll_first)

/* Blocks 1 and 2 each hold a lock and only give it back; block 0 takes one after the other by
   compare and swap. In the bug it looks at the first with loads. */
HD_KERNEL void poll_locks(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *lock = scratch + 64, *other = scratch + 128;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 1) {
        (void)hd_atomic_cas_acquire(lock, 0u, 1u);
        (void)hd_atomic_add(&scratch[0], 1u);
        hd_store_release(lock, 0u);
    } else if (hd_block_x() == 2) {
        (void)hd_atomic_cas_acquire(other, 0u, 1u);
        (void)hd_atomic_add(&scratch[0], 1u);
        (void)hd_atomic_exch(other, 0u);
    } else {
        (void)hd_wait_eq(&scratch[0], 2u);
        if (bug)
            while (hd_load_acquire(lock) != 0) /* BUG poll_locks */
                ;
        while (hd_atomic_cas_acquire(lock, 0u, 1u) != 0)
            ;
        while (hd_atomic_cas_acquire(other, 0u, 1u) != 0)
            ;
        out[0] = in[0];
    }
}
HD_DEFINE(poll_locks)
