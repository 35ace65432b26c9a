/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The types of locks and grid barriers, for host code that allocates and initialises them; the
 *  operations are in order.h, for kernels. C11 and C++17. Included by kernel_decl.h.
 *
 *      hd_lock *locks = NULL;
 *      HD_TRY(hd_alloc(&locks, buckets, 0));
 *      HD_TRY(hd_fill_zero(locks, buckets, stream)); // no lock is taken
 */
#ifndef HEDDLE_DEVICE_LOCKS_H
#define HEDDLE_DEVICE_LOCKS_H

/** @addtogroup order
 *  @{
 */

/** A ticket lock in device memory: granted in the order of arrival. Zeroed memory, or
 *  #HD_LOCK_INIT, is a lock that is free.
 *
 *  One lane per warp may hold or wait for it, because the lanes of a warp may not advance
 *  independently. What the holder wrote is seen by the next holder. Source: J. Mellor-Crummey, M.
 *  Scott, ACM TOCS 9, 1991.
 */
typedef struct hd_lock {
    unsigned next;    /**< The next ticket. */
    unsigned serving; /**< The ticket that holds the lock, or may take it. */
} hd_lock;

/** Initialiser of a free hd_lock. */
#define HD_LOCK_INIT                                                                               \
    {                                                                                              \
        0, 0                                                                                       \
    }

/** A grid barrier in device memory. Zeroed memory, or #HD_GRID_BARRIER_INIT, is a barrier at which
 *  no block has arrived. May be reused, also by later launches, of any number of blocks.
 */
typedef struct hd_grid_barrier {
    unsigned arrived; /**< Blocks that have arrived; the highest bit flips with each round. */
} hd_grid_barrier;

/** Initialiser of an hd_grid_barrier. */
#define HD_GRID_BARRIER_INIT                                                                       \
    {                                                                                              \
        0                                                                                          \
    }

/** @} */

#endif
