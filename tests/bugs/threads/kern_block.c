/* SPDX-License-Identifier: Apache-2.0 */
/* kern_block.c - barriers that not all threads reach, and waits without an end. Blocks of 128. */
#include <heddle/kernel.h>

#include "kern_block.h"

enum { N = 128, FLAGS = 64 };

/* Both sides of a branch have their own barrier. */
HD_KERNEL void apart_sides(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, N);
    unsigned t = hd_thread_x();

    if (bug) {
        if (t < N / 2) {
            tile[t] = in[hd_global_x()];
            hd_sync_block(); /* BUG apart_sides */
        } else {
            tile[t] = in[hd_global_x()] * 2;
            hd_sync_block(); /* BUG apart_sides */
        }
    } else {
        tile[t] = in[hd_global_x()] * (t < N / 2 ? 1 : 2);
        hd_sync_block();
    }
    out[hd_global_x()] = tile[N - 1 - t];
}
HD_DEFINE(apart_sides)

/* The upper threads take more turns than the lower ones. */
HD_KERNEL void apart_turns(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned turns = bug ? 2 + hd_thread_x() / 64 : 3;
    uint32_t odd = in[hd_global_x()] % 2, sum = 0;

    for (unsigned turn = 0; turn < turns; turn++)
        sum += hd_sync_block_count(odd != 0); /* BUG apart_turns */
    hd_sync_block();                          /* BUG apart_turns */
    out[hd_global_x()] = sum;
}
HD_DEFINE(apart_turns)

/* Part of the block adds, the rest is at the barrier behind it. */
HD_KERNEL void apart_sum(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t sum = 0;

    if (!bug || hd_thread_x() < N / 2)
        sum = hd_block_sum(in[hd_global_x()]); /* BUG apart_sum */
    hd_sync_block();                           /* BUG apart_sum */
    out[hd_global_x()] = sum;
}
HD_DEFINE(apart_sum)

/* One lane is at the barrier already, the others shuffle first. */
HD_KERNEL void apart_shuffle(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (!bug || hd_lane() > 0)
        v = hd_shfl_xor(v, 1, 2); /* BUG apart_shuffle */
    hd_sync_block();              /* BUG apart_shuffle */
    out[hd_global_x()] = v;
}
HD_DEFINE(apart_shuffle)

/* Warps without an element return before the barrier. */
HD_KERNEL void returned_barrier(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, N);
    size_t i = hd_global_x(), n = hd_global_size_x() - N / 2;
    unsigned t = hd_thread_x();

    if (bug && i >= n)
        return;
    tile[t] = i < n ? in[i] : 0;
    hd_sync_block(); /* BUG returned_barrier */
    if (i < n)
        out[i] = tile[t ^ 1];
}
HD_DEFINE(returned_barrier)

/* Threads without an element return before the barrier, in the middle of a warp. */
HD_KERNEL void returned_lanes(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, N);
    size_t i = hd_global_x(), n = hd_global_size_x() - 28;
    unsigned t = hd_thread_x();

    if (bug && i >= n)
        return;
    tile[t] = i < n ? in[i] : 0;
    hd_sync_block(); /* BUG returned_lanes */
    if (i < n)
        out[i] = tile[t ^ 1];
}
HD_DEFINE(returned_lanes)

/* Half of each warp leaves a barrier out and goes on to the end. */
HD_KERNEL void apart_lanes(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (!bug || hd_thread_x() % 2 == 0)
        hd_sync_block(); /* BUG apart_lanes */
    out[hd_global_x()] = v + 1;
}
HD_DEFINE(apart_lanes)

/* The upper lanes of the last warp take one turn less and end. */
HD_KERNEL void apart_early(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned turns = bug && hd_thread_x() >= N - 16 ? 2 : 3;
    uint32_t odd = in[hd_global_x()] % 2, sum = 0;

    for (unsigned turn = 0; turn < turns; turn++)
        sum += hd_sync_block_count(odd != 0); /* BUG apart_early */
    out[hd_global_x()] = sum;
}
HD_DEFINE(apart_early)

/* A sum over the block, of which a warp has returned. */
HD_KERNEL void returned_sum(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t sum;

    if (bug && hd_thread_x() >= N / 2)
        return;
    sum = hd_block_sum(in[hd_global_x()]); /* BUG returned_sum */
    out[hd_global_x()] = sum;
}
HD_DEFINE(returned_sum)

/* Each block waits for the one after it; only so many can run at a time. */
HD_KERNEL void deadlock_later(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *flags = scratch + FLAGS;
    unsigned id = hd_ordered_block_id(scratch), last = hd_grid_dim_x() - 1;

    if (hd_thread_x() != 0)
        return;
    if (bug ? id < last : id > 0)
        (void)hd_wait_ne(&flags[bug ? id + 1 : id - 1], 0u); /* BUG deadlock_later */
    out[id] = in[id];
    hd_store_release(&flags[id], 1u);
}
HD_DEFINE(deadlock_later)

/* Every lane takes a ticket lock, and holds it until its warp is together. */
HD_KERNEL void deadlock_lanes(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    hd_lock *lock = (hd_lock *)(void *)scratch;
    uint32_t sum = bug ? in[hd_global_x()] : hd_warp_sum(in[hd_global_x()]);

    if (!bug && hd_lane() > 0)
        return;
    (void)hd_wait_eq(&lock->serving, hd_atomic_add(&lock->next, 1u)); /* BUG deadlock_lanes */
    out[0] += sum;
    hd_sync_warp(); /* BUG deadlock_lanes */
    hd_lock_release(lock);
}
HD_DEFINE(deadlock_lanes)

/* A flag that is never raised. */
HD_KERNEL void deadlock_nobody(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    if (hd_thread_x() == 0) {
        if (hd_block_x() == 0 && !bug)
            hd_store_release(&scratch[FLAGS], 1u);
        (void)hd_wait_eq(&scratch[FLAGS], 1u); /* BUG deadlock_nobody */
    }
    hd_sync_block();
    out[hd_global_x()] = in[hd_global_x()];
}
HD_DEFINE(deadlock_nobody)

/* Two blocks wait for each other before they raise their flags. */
HD_KERNEL void deadlock_pair(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *flags = scratch + FLAGS;
    unsigned me = hd_block_x(), other = me ^ 1;

    if (hd_thread_x() != 0)
        return;
    if (!bug)
        hd_store_release(&flags[me], 1u);
    (void)hd_wait_eq(&flags[other], 1u); /* BUG deadlock_pair */
    if (bug)
        hd_store_release(&flags[me], 1u);
    out[me] = in[me];
}
HD_DEFINE(deadlock_pair)

/* Divides by zero. */
HD_KERNEL void fault_divide(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t divisor = in[0] - (bug ? 1 : 0);

    out[hd_global_x()] = in[hd_global_x()] / divisor; /* BUG fault_divide */
}
HD_DEFINE(fault_divide)

/* The second half of the block leaves out the barrier of the grid, which lies in `scratch`. */
HD_KERNEL void apart_grid(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    if (!bug || hd_thread_x() < hd_block_dim_x() / 2)
        hd_sync_grid((hd_grid_barrier *)(void *)scratch); /* BUG apart_grid */
    else
        hd_sync_block(); /* BUG apart_grid */
    out[hd_global_x()] = in[hd_global_x()];
}
HD_DEFINE(apart_grid)

/* Blocks take numbers from a ticket that nobody set to zero. */
HD_KERNEL void ticket_unset(const uint32_t *in, uint32_t *out, uint32_t *ticket)
{
    unsigned id = hd_ordered_block_id(ticket); /* BUG ticket_unset */
    size_t i = (size_t)(id % hd_grid_dim_x()) * hd_block_dim_x() + hd_thread_x();

    out[i] = in[i];
}
HD_DEFINE(ticket_unset)

/* A lane of each 32 leaves. By a failed assertion, that is the error: others may have lost their
   partner, and are not blamed. */
HD_KERNEL void returned_assert(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()], other;
    unsigned lane = hd_thread_x() % 32;

    if (bug && lane == 31)
        return;
    hd_assert(lane != 31);
    hd_sync_block();                         /* BUG returned_assert */
    other = hd_shfl_xor(v, 1, 2);            /* BUG returned_assert */
    if (hd_any_in(hd_mask_warp(), lane < 30) /* BUG returned_assert */
        && lane < 30)
        out[hd_global_x()] = other;
}
HD_DEFINE(returned_assert)

/* One barrier in a function, which both sides of a branch call. */
HD_DEVICE uint32_t opposite(uint32_t *tile, uint32_t v)
{
    tile[hd_thread_x()] = v;
    hd_sync_block();
    return tile[N - 1 - hd_thread_x()];
}

HD_KERNEL void apart_calls(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, N);
    uint32_t v = in[hd_global_x()];

    if (!bug)
        v = opposite(tile, v);
    else if (hd_thread_x() % 2 == 0)
        v = opposite(tile, v) * 2; /* BUG apart_calls */
    else
        v = opposite(tile, v + 1); /* BUG apart_calls */
    out[hd_global_x()] = v;
}
HD_DEFINE(apart_calls)

/* Block 2 comes apart, and takes the launch with it. Block 0 is at a barrier that its thread 0
   reaches behind a store, and the wait of block 1 has just ended: neither is to blame. */
HD_KERNEL void apart_others(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *stored = scratch + FLAGS, *arrived = scratch + 2 * FLAGS, *flag = scratch + 3 * FLAGS;
    uint32_t v = in[hd_global_x()];

    if (hd_block_x() == 0) {
        if (hd_thread_x() == 0) {
            (void)hd_atomic_add(arrived, 1u);
            hd_store_release(stored, 1u);
        }
    } else if (hd_block_x() == 1) {
        if (hd_thread_x() == 0) {
            (void)hd_atomic_add(arrived, 1u);
            (void)hd_wait_ne(flag, 0u);
        }
    } else {
        if (hd_thread_x() == 0) {
            (void)hd_wait_eq(arrived, 2u);
            (void)hd_atomic_add(flag, 1u);
        }
        hd_sync_block();
        if (!bug || hd_lane() > 0)
            v = hd_shfl_xor(v, 1, 2); /* BUG apart_others */
    }
    hd_sync_block(); /* BUG apart_others */
    out[hd_global_x()] = v;
}
HD_DEFINE(apart_others)
