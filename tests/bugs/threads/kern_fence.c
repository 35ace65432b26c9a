/* SPDX-License-Identifier: Apache-2.0 */
/* kern_fence.c - blocks of 128 threads that pass data on behind flags, tickets and locks. Scratch
   memory: a ticket, a row of flags, a row of data. */
#include <heddle/kernel.h>

#include "kern_fence.h"

enum { N = 128, FLAGS = 64, DATA = 128 };

HD_DEVICE void raise_flag(int how, uint32_t *flag)
{
    switch (how) {
    case FENCE_RELAXED:
        hd_store_relaxed(flag, 1u);
        break;
    case FENCE_BLOCK:
        hd_fence_block();
        hd_store_relaxed(flag, 1u);
        break;
    case FENCE_AFTER:
        hd_store_relaxed(flag, 1u);
        hd_fence_device();
        break;
    case FENCE_PLAIN:
        *flag = 1u; /* BUG fence_plain */
        break;
    case FENCE_SCOPE:
        hd_store_release_block(flag, 1u); /* BUG fence_scope */
        break;
    default:
        hd_store_release(flag, 1u);
        break;
    }
}

/* Block after block adds its element to the sum of those before it. */
HD_KERNEL void fence_relay(int how, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *flags = scratch + FLAGS, *data = scratch + DATA;
    unsigned id = hd_ordered_block_id(scratch);
    uint32_t before = 0;

    if (hd_thread_x() != 0)
        return;
    if (id > 0) {
        if (how == FENCE_WAIT)
            (void)hd_wait_ne_block(&flags[id - 1], 0u); /* BUG fence_wait */
        else
            (void)hd_wait_ne(&flags[id - 1], 0u); /* BUG fence_plain fence_scope */
        before = data[id - 1];                    /* BUG fence_* */
    }
    data[id] = before + in[id]; /* BUG fence_* */
    out[id] = data[id];
    raise_flag(how, &flags[id]);
}
HD_DEFINE(fence_relay)

HD_DEVICE unsigned draw(int how, unsigned *ticket)
{
    switch (how) {
    case TICKET_RELAXED:
        return hd_atomic_add(ticket, 1u);
    case TICKET_RELEASE:
        return hd_atomic_add_release(ticket, 1u);
    case TICKET_ACQUIRE:
        return hd_atomic_add_acquire(ticket, 1u);
    default:
        return hd_atomic_add_acq_rel(ticket, 1u);
    }
}

/* The last block adds the rows of all. */
HD_KERNEL void fence_ticket(int how, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(unsigned, is_last, 1);
    unsigned t = hd_thread_x();
    uint32_t *rows = scratch + DATA, sum = 0;

    rows[hd_global_x()] = in[hd_global_x()]; /* BUG ticket_* */
    if (how != TICKET_EARLY)
        hd_sync_block();
    if (t == 0)
        is_last[0] = draw(how, scratch) == hd_grid_dim_x() - 1;
    hd_sync_block();
    if (!is_last[0])
        return;
    for (unsigned block = 0; block < hd_grid_dim_x(); block++)
        sum += rows[block * N + t]; /* BUG ticket_* */
    out[t] = sum;
}
HD_DEFINE(fence_ticket)

/* All threads fence what they have stored; a relaxed ticket behind a barrier is enough then, if all
   threads of the last block fence before they read. */
HD_KERNEL void fence_threads(int how, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(unsigned, is_last, 1);
    unsigned t = hd_thread_x();
    uint32_t *rows = scratch + DATA, sum = 0;

    rows[hd_global_x()] = in[hd_global_x()]; /* BUG fences_* */
    if (how != FENCES_WRITER || t == 0)
        hd_fence_device();
    hd_sync_block();
    if (t == 0)
        is_last[0] = hd_atomic_add(scratch, 1u) == hd_grid_dim_x() - 1;
    hd_sync_block();
    if (!is_last[0])
        return;
    if (how != FENCES_READER)
        hd_fence_device();
    for (unsigned block = 0; block < hd_grid_dim_x(); block++)
        sum += rows[block * N + t]; /* BUG fences_* */
    out[t] = sum;
}
HD_DEFINE(fence_threads)

/* Block after block adds its row to that of the block before it. */
HD_KERNEL void fence_row(int how, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *flags = scratch + FLAGS, *rows = scratch + DATA;
    unsigned id = hd_ordered_block_id(scratch), t = hd_thread_x();
    uint32_t before = 0;

    if (id > 0) {
        if (t == 0)
            (void)hd_wait_ne(&flags[id - 1], 0u);
        if (how != ROW_READER)
            hd_sync_block();
        before = rows[(id - 1) * N + t]; /* BUG row_* */
    }
    rows[id * N + t] = before + in[id * N + t]; /* BUG row_* */
    out[id * N + t] = rows[id * N + t];
    if (how != ROW_EARLY)
        hd_sync_block();
    if (t == 0)
        hd_store_release(&flags[id], 1u);
}
HD_DEFINE(fence_row)

/* One thread per block adds under a lock, which the bug gives back without a release. */
HD_KERNEL void fence_lock(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    hd_lock *lock = (hd_lock *)(void *)scratch;

    if (hd_thread_x() != 0)
        return;
    hd_lock_acquire(lock);
    out[0] += in[hd_global_x()]; /* BUG lock_relaxed */
    if (bug)
        hd_store_relaxed(&lock->serving, hd_load_relaxed(&lock->serving) + 1u);
    else
        hd_lock_release(lock);
}
HD_DEFINE(fence_lock)

/* A flag that a second block sets anew, for a third one: what the first released under it is not
   released again. */
HD_KERNEL void fence_replaced(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *flag = scratch + FLAGS, *data = scratch + DATA;

    if (hd_thread_x() != 0)
        return;
    if (hd_block_x() == 0) {
        data[0] = in[0]; /* BUG fence_replaced */
        hd_store_release(flag, 1u);
    } else if (hd_block_x() == 1) {
        (void)hd_wait_eq(flag, 1u);
        if (bug)
            hd_store_relaxed(flag, 2u);
        else
            hd_store_release(flag, 2u);
    } else {
        (void)hd_wait_eq(flag, 2u);
        out[0] = data[0]; /* BUG fence_replaced */
    }
}
HD_DEFINE(fence_replaced)

/* The first thread raises two flags for the whole block, before the others have met it. */
HD_KERNEL void fence_twice(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *flags = scratch + FLAGS, *data = scratch + DATA;
    unsigned t = N - 1 - hd_thread_x();

    if (hd_block_x() == 0) {
        data[t] = in[t]; /* BUG fence_twice */
        if (!bug)
            hd_sync_block();
        if (t == 0) {
            hd_store_release(&flags[0], 1u);
            hd_store_release(&flags[1], 1u);
        }
    } else {
        if (t == 0)
            (void)hd_wait_ne(&flags[1], 0u);
        hd_sync_block();
        out[t] = data[t]; /* BUG fence_twice */
    }
}
HD_DEFINE(fence_twice)
