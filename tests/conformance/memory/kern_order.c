/* SPDX-License-Identifier: Apache-2.0 */
/* kern_order.c - blocks that pass data to each other: publishing, waiting, locks, slots, ordered
   ids, grid barriers. */
#include <heddle/kernel.h>

#include "order_kernels.h"
#include "typed.h"

HD_DEVICE void publish(unsigned *flag, unsigned how)
{
    switch (how) {
    case PUBLISH_STORE:
        hd_store_release(flag, 1u);
        break;
    case PUBLISH_STORE_SYSTEM:
        hd_store_release_system(flag, 1u);
        break;
    case PUBLISH_ADD:
        (void)hd_atomic_add_release(flag, 1u);
        break;
    case PUBLISH_EXCH:
        (void)hd_atomic_exch_acq_rel(flag, 1u);
        break;
    case PUBLISH_CAS:
        (void)hd_atomic_cas_release_system(flag, 0u, 1u);
        break;
    case PUBLISH_FENCE:
        hd_fence_device();
        hd_store_relaxed(flag, 1u);
        break;
    default:
        hd_fence_system();
        hd_store_relaxed_system(flag, 1u);
        break;
    }
}

HD_DEVICE unsigned await(const unsigned *flag, unsigned how)
{
    switch (how) {
    case WAIT_GE:
        return hd_wait_ge(flag, 1u);
    case WAIT_EQ:
        return hd_wait_eq(flag, 1u);
    case WAIT_NE:
        return hd_wait_ne(flag, 0u);
    case WAIT_GE_SYSTEM:
        return hd_wait_ge_system(flag, 1u);
    case WAIT_EQ_SYSTEM:
        return hd_wait_eq_system(flag, 1u);
    case WAIT_GE_GRID:
        return hd_wait_ge_grid(flag, 1u);
    case WAIT_EQ_GRID:
        return hd_wait_eq_grid(flag, 1u);
    case WAIT_NE_GRID:
        return hd_wait_ne_grid(flag, 0u);
    default:
        return hd_wait_ne_system(flag, 0u);
    }
}

/* Block id takes the row of block id - 1 and leaves its own: data[id][t] =
   data[id - 1][(t + 1) % n] * 3 + id. All threads write, one publishes after a block barrier. */
HD_KERNEL void relay(unsigned *ticket, unsigned *flags, uint32_t *data, unsigned publish_how,
                     unsigned wait_how)
{
    HD_SHARED(uint32_t, row, HD_MAX_BLOCK_THREADS);
    unsigned id = hd_ordered_block_id(ticket), t = hd_thread_linear(), n = hd_block_threads();

    row[t] = id; /* must survive while the block waits and others run */
    if (id > 0) {
        if (t == 0)
            hd_assert(await(&flags[id - 1], wait_how) == 1u);
        hd_sync_block();
        row[t] = row[t] + data[(size_t)(id - 1) * n + (t + 1) % n] * 3u;
    }
    data[(size_t)id * n + t] = row[t];
    hd_sync_block();
    if (t == 0)
        publish(&flags[id], publish_how);
}
HD_DEFINE(relay)

#define T int32_t
#define TS i32
#include "ping.inc"
#define T uint32_t
#define TS u32
#include "ping.inc"
#define T int64_t
#define TS i64
#include "ping.inc"
#define T uint64_t
#define TS u64
#include "ping.inc"

#define T int32_t
#define TS i32
#include "ring.inc"
#define T uint32_t
#define TS u32
#include "ring.inc"
#define T int64_t
#define TS i64
#include "ring.inc"
#define T uint64_t
#define TS u64
#include "ring.inc"

/* One lane per warp enters `rounds` times; what is inside is not atomic. */
HD_KERNEL void locked_count(order_lock_area *area, unsigned rounds)
{
    if (hd_lane() != 0)
        return;
    for (unsigned r = 0; r < rounds; r++) {
        hd_lock_acquire((hd_lock *)area);
        area->inside++;
        if (area->inside > area->worst)
            area->worst = area->inside;
        area->count += hd_warp() + 1;
        area->inside--;
        hd_lock_release((hd_lock *)area);
    }
}
HD_DEFINE(locked_count)

/* slot[i] is where element i > 0 went, else the largest number. */
HD_KERNEL void take_u32(size_t n, const int32_t *HD_RESTRICT x, uint32_t *counter,
                        uint32_t *HD_RESTRICT slot)
{
    size_t i = hd_global_x();
    int wanted = i < n && x[i] > 0;
    uint32_t mine = hd_take(counter, wanted);

    if (i < n)
        slot[i] = wanted ? mine : (uint32_t)(0 - (uint32_t)(mine == 0));
}
HD_DEFINE(take_u32)

HD_KERNEL void take_u64(size_t n, const int32_t *HD_RESTRICT x, uint64_t *counter,
                        uint64_t *HD_RESTRICT slot)
{
    size_t i = hd_global_x();
    int wanted = i < n && x[i] > 0;
    uint64_t mine = hd_take(counter, wanted);

    if (i < n)
        slot[i] = wanted ? mine : 0 - (uint64_t)(mine == 0);
}
HD_DEFINE(take_u64)

/* Every thread reports the id; thread 0 writes it, another one checks that it has the same. */
HD_KERNEL void ordered_ids(unsigned *ticket, unsigned *ids)
{
    unsigned id = hd_ordered_block_id(ticket);

    hd_assert(hd_sync_block_count(id < hd_grid_blocks()) == hd_block_threads());
    if (hd_thread_linear() == hd_block_threads() - 1)
        ids[hd_block_linear()] = id;
}
HD_DEFINE(ordered_ids)

/* Cooperative. Round r: every block's row is made from the rows of its neighbours in round r - 1;
   a and b take turns. barrier: hd_grid_barrier. */
HD_KERNEL void grid_rounds(unsigned *barrier, uint32_t *a, uint32_t *b, int rounds)
{
    size_t n = hd_grid_blocks() * hd_block_threads();
    size_t i = hd_block_linear() * hd_block_threads() + hd_thread_linear();

    for (int r = 0; r < rounds; r++) {
        uint32_t *from = r % 2 ? b : a, *to = r % 2 ? a : b;

        to[i] = from[(i + 1) % n] * 3u + from[(i + n - hd_block_threads()) % n] + (uint32_t)r;
        hd_sync_grid((hd_grid_barrier *)barrier);
    }
}
HD_DEFINE(grid_rounds)

/* Every block stores its row, then one thread counts the block; the last block adds all rows. */
HD_KERNEL void last_block(unsigned *counter, uint32_t *data, uint64_t *sum)
{
    HD_SHARED(unsigned, is_last, 1);
    size_t n = hd_block_threads(), t = hd_thread_linear(), blocks = hd_grid_blocks();

    data[hd_block_linear() * n + t] = (uint32_t)(hd_block_linear() * 7 + t);
    hd_sync_block();
    if (t == 0)
        is_last[0] = hd_atomic_add_acq_rel(counter, 1u) == blocks - 1;
    hd_sync_block();
    if (is_last[0]) {
        uint64_t mine = 0;

        for (size_t b = 0; b < blocks; b++)
            mine += data[b * n + t];
        (void)hd_atomic_add(sum, mine);
    }
}
HD_DEFINE(last_block)

/* Warp w waits for warp w - 1 of its block, with block or device scope in global memory. One flag
   and one value per warp and block, zeroed. */
HD_KERNEL void within_block(uint32_t *flags, uint32_t *values, unsigned rounds)
{
    size_t at = hd_block_linear() * HD_MAX_WARPS_PER_BLOCK + hd_warp();

    for (unsigned r = 1; r <= rounds; r++) {
        if (hd_lane() == 0) {
            uint32_t before = r;

            if (hd_warp() > 0) {
                (void)(r % 2 ? hd_wait_ge_block(&flags[at - 1], r) : hd_wait_ge(&flags[at - 1], r));
                before = values[at - 1];
            }
            values[at] = before + hd_warp();
            hd_store_release_block(&flags[at], r);
        }
        hd_sync_block();
    }
}
HD_DEFINE(within_block)
