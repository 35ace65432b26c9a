/* SPDX-License-Identifier: Apache-2.0 */
/* order_kernels.h - declares the kernels of kern_order.c. */
#ifndef HEDDLE_TESTS_ORDER_KERNELS_H
#define HEDDLE_TESTS_ORDER_KERNELS_H

#include <heddle/kernel_decl.h>

/* How a block announces its data, and how the next one waits. */
enum {
    PUBLISH_STORE,
    PUBLISH_STORE_SYSTEM,
    PUBLISH_ADD,
    PUBLISH_EXCH,
    PUBLISH_CAS,
    PUBLISH_FENCE,
    PUBLISH_FENCE_SYSTEM,
    PUBLISH_WAYS
};
enum {
    WAIT_GE,
    WAIT_EQ,
    WAIT_NE,
    WAIT_GE_GRID,
    WAIT_EQ_GRID,
    WAIT_NE_GRID,
    WAIT_GE_SYSTEM,
    WAIT_EQ_SYSTEM,
    WAIT_NE_SYSTEM,
    WAIT_WAYS
};

typedef struct order_lock_area {
    unsigned next, serving; /* hd_lock */
    unsigned inside, worst;
    uint64_t count;
} order_lock_area;

HD_DECLARE(relay, unsigned *, unsigned *, uint32_t *, unsigned, unsigned)
HD_DECLARE(ping_i32, int32_t *, int32_t)
HD_DECLARE(ping_u32, uint32_t *, uint32_t)
HD_DECLARE(ping_i64, int64_t *, int64_t)
HD_DECLARE(ping_u64, uint64_t *, uint64_t)
HD_DECLARE(block_ring_i32, uint32_t *, int32_t)
HD_DECLARE(block_ring_u32, uint32_t *, uint32_t)
HD_DECLARE(block_ring_i64, uint32_t *, int64_t)
HD_DECLARE(block_ring_u64, uint32_t *, uint64_t)
HD_DECLARE(locked_count, order_lock_area *, unsigned)
HD_DECLARE(take_u32, size_t, const int32_t *, uint32_t *, uint32_t *)
HD_DECLARE(take_u64, size_t, const int32_t *, uint64_t *, uint64_t *)
HD_DECLARE(ordered_ids, unsigned *, unsigned *)
HD_DECLARE(grid_rounds, unsigned *, uint32_t *, uint32_t *, int)
HD_DECLARE(last_block, unsigned *, uint32_t *, uint64_t *)
HD_DECLARE(within_block, uint32_t *, uint32_t *, unsigned)

#endif
