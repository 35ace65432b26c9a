/* SPDX-License-Identifier: Apache-2.0 */
/* kern_counts.c - ordered increments and decrements, locks without waiting, grid barriers that the
   host initialises, clocks. */
#include <heddle/kernel.h>

#include "counts.h"

/* Counts the block; returns whether it is the last one. *counter starts at 0 for COUNT_INC and
   COUNT_ADD, at the number of blocks - 1 for COUNT_DEC, and starts there again afterwards (except
   for COUNT_ADD). */
HD_DEVICE int counted_last(unsigned *counter, unsigned way)
{
    const unsigned top = (unsigned)hd_grid_blocks() - 1u;

    if (way == COUNT_INC)
        return hd_atomic_inc_acq_rel(counter, top) == top;
    if (way == COUNT_DEC)
        return hd_atomic_dec_acq_rel(counter, top) == 0;
    if (way == COUNT_INC_SYSTEM)
        return hd_atomic_inc_acq_rel_system(counter, top) == top;
    if (way == COUNT_DEC_SYSTEM)
        return hd_atomic_dec_acq_rel_system(counter, top) == 0;
    return hd_atomic_add_acq_rel(counter, 1u) == top;
}

/* Every block stores its row; the last one adds all rows. seen: a counter that only inc with
   release and one that only inc with acquire change, by the way. */
HD_KERNEL void last_by_count(unsigned *counter, unsigned *seen, uint32_t *data, uint64_t *sum,
                             unsigned way)
{
    HD_SHARED_ONE(int, last);
    const size_t n = hd_block_threads(), t = hd_thread_linear();

    data[hd_block_linear() * n + t] = (uint32_t)(hd_block_linear() * 7 + t);
    hd_sync_block();
    if (t == 0) {
        *last = counted_last(counter, way);
        (void)hd_atomic_inc_release(&seen[0], 1000000u);
        (void)hd_atomic_inc_acquire(&seen[1], 2u);
        (void)hd_atomic_dec_release(&seen[2], 1000000u);
        (void)hd_atomic_dec_acquire_system(&seen[3], 2u);
    }
    hd_sync_block();
    if (*last) {
        uint64_t mine = 0;

        for (size_t b = 0; b < hd_grid_blocks(); b++)
            mine += data[b * n + t];
        (void)hd_atomic_add(sum, mine);
    }
}
HD_DEFINE(last_by_count)

/* All threads of one block increment and decrement with block scope. out: one value each. */
HD_KERNEL void wrap_in_block(unsigned *out, unsigned top)
{
    HD_SHARED(unsigned, count, 2);

    if (hd_thread_linear() < 2)
        count[hd_thread_linear()] = 0;
    hd_sync_block();
    (void)hd_atomic_inc_acq_rel_block(&count[0], top);
    (void)hd_atomic_dec_acq_rel_block(&count[1], top);
    hd_sync_block();
    if (hd_thread_linear() < 2)
        out[hd_thread_linear()] = count[hd_thread_linear()];
}
HD_DEFINE(wrap_in_block)

/* One lane per warp tries `rounds` times. */
HD_KERNEL void try_lock(counts_try *area, unsigned rounds)
{
    if (hd_lane() != 0)
        return;
    for (unsigned r = 0; r < rounds; r++) {
        if (!hd_lock_try_acquire(&area->lock)) {
            (void)hd_atomic_add(&area->missed, 1u);
            continue;
        }
        (void)hd_atomic_max(&area->worst, hd_atomic_add(&area->inside, 1u) + 1u);
        hd_store_relaxed(&area->taken, hd_load_relaxed(&area->taken) + 1u);
        (void)hd_atomic_sub(&area->inside, 1u);
        hd_lock_release(&area->lock);
    }
}
HD_DEFINE(try_lock)

/* Cooperative. Every round each block reads what its neighbour wrote in the round before. */
HD_KERNEL void rounds_of_grid(hd_grid_barrier *barrier, uint32_t *row, unsigned rounds)
{
    const size_t blocks = hd_grid_blocks(), b = hd_block_linear();

    for (unsigned r = 0; r < rounds; r++) {
        const uint32_t *from = row + r % 2 * blocks;
        uint32_t *to = row + (r + 1) % 2 * blocks;

        if (hd_thread_linear() == 0)
            to[b] = from[(b + 1) % blocks] * 3u + r;
        hd_sync_grid(barrier);
    }
}
HD_DEFINE(rounds_of_grid)

/* Pairs of readings with work in between. out: four values per thread. */
HD_KERNEL void clocks(uint64_t *out, unsigned turns, unsigned *sink)
{
    const size_t i = hd_block_linear() * hd_block_threads() + hd_thread_linear();
    const uint64_t wall = hd_wall_clock(), cycles = hd_clock();
    unsigned v = (unsigned)i;

    HD_NO_UNROLL
    for (unsigned r = 0; r < turns; r++)
        v = hd_atomic_add(&sink[v % 64u], v | 1u) + v * 1664525u;
    out[4 * i] = wall;
    out[4 * i + 1] = cycles;
    out[4 * i + 2] = v == 0xffffffffu ? 0 : hd_wall_clock();
    out[4 * i + 3] = hd_clock();
}
HD_DEFINE(clocks)
