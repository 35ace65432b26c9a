/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Order between blocks: ordered atomics, locks, slots, block ids, the grid barrier. Included by
 *  kernel.h; built from relaxed atomics, fences and hd_wait_*.
 */
#ifndef HEDDLE_DEVICE_ORDER_H
#define HEDDLE_DEVICE_ORDER_H

/** @defgroup order Order in kernels
 *  @brief Ordered atomics, locks, slots, block ids and the grid barrier; kernels only.
 *
 *  Ordered atomics. acquire: later accesses of this thread see what the writer of the value did
 *  before its release. release: earlier accesses of this thread are visible to a thread that
 *  acquires the value. acq_rel: both. The order comes from a fence of the same scope beside the
 *  relaxed operation, as the C11 memory model allows (ISO C11 7.17.4). Types: u32, i32, u64, i64.
 *  The scope is the device, unless the name ends in _block or _system. All return the value before
 *  the operation.
 *  @{
 */

/* Library functions that wait or synchronise threads: a backend may report them at the caller's
   line. */
#ifndef HD_SITED
#define HD_SITED HD_DEVICE
#define HD_SITE_PARAM
#endif

/* A backend with its own forms defines HD_HAS_ORDERED_ATOMICS_. */
#ifndef HD_HAS_ORDERED_ATOMICS_

/* X(suffix, type) for all types that can hold such a value. */
#define HD_ORDERED_TYPES_(X)                                                                       \
    X(int, int)                                                                                    \
    X(uint, unsigned)                                                                              \
    X(long, long)                                                                                  \
    X(ulong, unsigned long)                                                                        \
    X(llong, long long)                                                                            \
    X(ullong, unsigned long long)

/* hd_then_fence_<scope>_(value): the value, after a fence. The argument, an atomic operation, has
   been evaluated when the function begins. */
#ifdef __cplusplus
#define HD_THEN_FENCE_(suffix, type, scope)                                                        \
    HD_DEVICE type hd_then_fence_##scope##_(type value)                                            \
    {                                                                                              \
        hd_fence_##scope();                                                                        \
        return value;                                                                              \
    }
#else
#define HD_THEN_FENCE_(suffix, type, scope)                                                        \
    HD_DEVICE type hd_then_fence_##scope##_##suffix##_(type value)                                 \
    {                                                                                              \
        hd_fence_##scope();                                                                        \
        return value;                                                                              \
    }
#define HD_THEN_FENCE_CALL_(scope, value)                                                          \
    _Generic((value), int                                                                          \
             : hd_then_fence_##scope##_int_, unsigned                                              \
             : hd_then_fence_##scope##_uint_, long                                                 \
             : hd_then_fence_##scope##_long_, unsigned long                                        \
             : hd_then_fence_##scope##_ulong_, long long                                           \
             : hd_then_fence_##scope##_llong_, unsigned long long                                  \
             : hd_then_fence_##scope##_ullong_)(value)
#define hd_then_fence_block_(value) HD_THEN_FENCE_CALL_(block, value)
#define hd_then_fence_device_(value) HD_THEN_FENCE_CALL_(device, value)
#define hd_then_fence_system_(value) HD_THEN_FENCE_CALL_(system, value)
#endif
#define HD_THEN_FENCES_(suffix, type)                                                              \
    HD_THEN_FENCE_(suffix, type, block)                                                            \
    HD_THEN_FENCE_(suffix, type, device)                                                           \
    HD_THEN_FENCE_(suffix, type, system)
HD_ORDERED_TYPES_(HD_THEN_FENCES_)
#undef HD_THEN_FENCES_
#undef HD_THEN_FENCE_
#undef HD_ORDERED_TYPES_

/** Adds v to *p atomically; acquire, device scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_acquire(p, v) hd_then_fence_device_(hd_atomic_add(p, v))
/** Adds v to *p atomically; release, device scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_release(p, v) (hd_fence_device(), hd_atomic_add(p, v))
/** Adds v to *p atomically; acquire and release, device scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_acq_rel(p, v) (hd_fence_device(), hd_atomic_add_acquire(p, v))
/** Adds v to *p atomically; acquire, block scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_acquire_block(p, v) hd_then_fence_block_(hd_atomic_add_block(p, v))
/** Adds v to *p atomically; release, block scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_release_block(p, v) (hd_fence_block(), hd_atomic_add_block(p, v))
/** Adds v to *p atomically; acquire and release, block scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_acq_rel_block(p, v) (hd_fence_block(), hd_atomic_add_acquire_block(p, v))
/** Adds v to *p atomically; acquire, system scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_acquire_system(p, v) hd_then_fence_system_(hd_atomic_add_system(p, v))
/** Adds v to *p atomically; release, system scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_release_system(p, v) (hd_fence_system(), hd_atomic_add_system(p, v))
/** Adds v to *p atomically; acquire and release, system scope.
 *
 *  @param p  Address of the value.
 *  @param v  Operand.
 *  @return The value before.
 */
#define hd_atomic_add_acq_rel_system(p, v) (hd_fence_system(), hd_atomic_add_acquire_system(p, v))

/** Sets *p to v atomically; acquire, device scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_acquire(p, v) hd_then_fence_device_(hd_atomic_exch(p, v))
/** Sets *p to v atomically; release, device scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_release(p, v) (hd_fence_device(), hd_atomic_exch(p, v))
/** Sets *p to v atomically; acquire and release, device scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_acq_rel(p, v) (hd_fence_device(), hd_atomic_exch_acquire(p, v))
/** Sets *p to v atomically; acquire, block scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_acquire_block(p, v) hd_then_fence_block_(hd_atomic_exch_block(p, v))
/** Sets *p to v atomically; release, block scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_release_block(p, v) (hd_fence_block(), hd_atomic_exch_block(p, v))
/** Sets *p to v atomically; acquire and release, block scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_acq_rel_block(p, v) (hd_fence_block(), hd_atomic_exch_acquire_block(p, v))
/** Sets *p to v atomically; acquire, system scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_acquire_system(p, v) hd_then_fence_system_(hd_atomic_exch_system(p, v))
/** Sets *p to v atomically; release, system scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_release_system(p, v) (hd_fence_system(), hd_atomic_exch_system(p, v))
/** Sets *p to v atomically; acquire and release, system scope.
 *
 *  @param p  Address of the value.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_exch_acq_rel_system(p, v) (hd_fence_system(), hd_atomic_exch_acquire_system(p, v))

/** Sets *p to v if it equals e atomically; acquire, device scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_acquire(p, e, v) hd_then_fence_device_(hd_atomic_cas(p, e, v))
/** Sets *p to v if it equals e atomically; release, device scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_release(p, e, v) (hd_fence_device(), hd_atomic_cas(p, e, v))
/** Sets *p to v if it equals e atomically; acquire and release, device scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_acq_rel(p, e, v) (hd_fence_device(), hd_atomic_cas_acquire(p, e, v))
/** Sets *p to v if it equals e atomically; acquire, block scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_acquire_block(p, e, v) hd_then_fence_block_(hd_atomic_cas_block(p, e, v))
/** Sets *p to v if it equals e atomically; release, block scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_release_block(p, e, v) (hd_fence_block(), hd_atomic_cas_block(p, e, v))
/** Sets *p to v if it equals e atomically; acquire and release, block scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_acq_rel_block(p, e, v)                                                       \
    (hd_fence_block(), hd_atomic_cas_acquire_block(p, e, v))
/** Sets *p to v if it equals e atomically; acquire, system scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_acquire_system(p, e, v) hd_then_fence_system_(hd_atomic_cas_system(p, e, v))
/** Sets *p to v if it equals e atomically; release, system scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_release_system(p, e, v) (hd_fence_system(), hd_atomic_cas_system(p, e, v))
/** Sets *p to v if it equals e atomically; acquire and release, system scope.
 *
 *  @param p  Address of the value.
 *  @param e  Value that *p must have.
 *  @param v  New value.
 *  @return The value before.
 */
#define hd_atomic_cas_acq_rel_system(p, e, v)                                                      \
    (hd_fence_system(), hd_atomic_cas_acquire_system(p, e, v))

#endif

/** A ticket lock in device memory, zeroed once: granted in the order of arrival.
 *
 *  One lane per warp may hold or wait for it, because the lanes of a warp may not advance
 *  independently. What the holder wrote is seen by the next holder. Source: J. Mellor-Crummey, M.
 *  Scott, ACM TOCS 9, 1991.
 */
typedef struct hd_lock {
    unsigned next;    /**< The next ticket. */
    unsigned serving; /**< The ticket that holds the lock, or may take it. */
} hd_lock;

/** Waits until the lock is free and takes it. One lane per warp.
 *
 *  @param lock  The lock, in device memory.
 */
HD_SITED void hd_lock_acquire(hd_lock *lock HD_SITE_PARAM)
{
    unsigned ticket = hd_atomic_add(&lock->next, 1u);

    (void)hd_wait_eq(&lock->serving, ticket);
}

/** Releases the lock. By its holder.
 *
 *  @param lock  The lock.
 */
HD_SITED void hd_lock_release(hd_lock *lock)
{
    hd_store_release(&lock->serving, hd_load_relaxed(&lock->serving) + 1u);
}

#define HD_TAKE_T_ unsigned
#define HD_TAKE_ hd_take_uint_
#include <heddle/detail/take.inc>
#define HD_TAKE_T_ unsigned long
#define HD_TAKE_ hd_take_ulong_
#include <heddle/detail/take.inc>
#define HD_TAKE_T_ unsigned long long
#define HD_TAKE_ hd_take_ullong_
#include <heddle/detail/take.inc>

#ifdef HD_SITE
#define HD_TAKE_SITE_ HD_SITE("hd_take")
#else
#define HD_TAKE_SITE_
#endif

#ifdef __cplusplus
/** Takes consecutive slots of a counter for the lanes of a warp: one relaxed device-scope atomic
 *  per warp.
 *
 *  Reached by all lanes of the warp. Lanes whose p is not 0 get consecutive values of *counter, in
 *  the order of their lanes, and *counter grows by their number.
 *
 *  @param counter  The counter: unsigned or u64.
 *  @param p        Not 0: the lane takes a slot.
 *  @return The lane's slot; 0 if p is 0.
 */
HD_SITED unsigned hd_take(unsigned *counter, int p HD_SITE_PARAM)
{
    return hd_take_uint_(counter, p HD_TAKE_SITE_);
}
/** As hd_take() of an unsigned counter.
 *
 *  @param counter  The counter.
 *  @param p        Not 0: the lane takes a slot.
 *  @return The lane's slot; 0 if p is 0.
 */
HD_SITED unsigned long hd_take(unsigned long *counter, int p HD_SITE_PARAM)
{
    return hd_take_ulong_(counter, p HD_TAKE_SITE_);
}
/** As hd_take() of an unsigned counter.
 *
 *  @param counter  The counter.
 *  @param p        Not 0: the lane takes a slot.
 *  @return The lane's slot; 0 if p is 0.
 */
HD_SITED unsigned long long hd_take(unsigned long long *counter, int p HD_SITE_PARAM)
{
    return hd_take_ullong_(counter, p HD_TAKE_SITE_);
}
#else
/** Takes consecutive slots of a counter for the lanes of a warp: one relaxed device-scope atomic
 *  per warp.
 *
 *  Reached by all lanes of the warp. Lanes whose p is not 0 get consecutive values of *counter, in
 *  the order of their lanes, and *counter grows by their number.
 *
 *  @param counter  The counter: unsigned or u64.
 *  @param p        Not 0: the lane takes a slot.
 *  @return The lane's slot; 0 if p is 0.
 */
#define hd_take(counter, p)                                                                        \
    _Generic((counter), unsigned *: hd_take_uint_, unsigned long *: hd_take_ulong_,               \
        unsigned long long *: hd_take_ullong_)((counter), (p) ? 1 : 0 HD_SITE("hd_take"))
#endif

/** Returns a block id in the order of arrival: 0, 1, 2 ... in the order in which blocks call it.
 *
 *  Reached by all threads of the block; contains two block barriers. A block that waits for blocks
 *  of smaller ids waits only for blocks that run.
 *
 *  @param ticket  Device memory, zeroed once. The block that takes the last ticket resets it, so
 *                 each block of the grid calls this once per launch.
 *  @return The id, the same in all threads of the block.
 */
HD_SITED unsigned hd_ordered_block_id(unsigned *ticket HD_SITE_PARAM)
{
    HD_SHARED(unsigned, taken, 1);
    unsigned id;

    if (hd_thread_linear() == 0)
        taken[0] = hd_atomic_inc(ticket, (unsigned)(hd_grid_blocks() - 1));
    hd_sync_block();
    id = taken[0];
    hd_sync_block();
    return id;
}

/** A grid barrier in device memory, zeroed once; may be reused, also by later launches. */
typedef struct hd_grid_barrier {
    unsigned arrived;    /**< Blocks of this round that have arrived. */
    unsigned generation; /**< Rounds completed, modulo 2^32. */
} hd_grid_barrier;

/** Barrier of all threads of all blocks, in a cooperative launch (HD_LAUNCH_COOPERATIVE).
 *
 *  What any thread wrote before is seen by every thread afterwards. One thread per block announces
 *  the block and waits.
 *
 *  @param barrier  The barrier.
 */
HD_SITED void hd_sync_grid(hd_grid_barrier *barrier HD_SITE_PARAM)
{
    hd_sync_block();
    if (hd_thread_linear() == 0) {
        unsigned generation = hd_load_relaxed(&barrier->generation);

        if (hd_atomic_add_acq_rel(&barrier->arrived, 1u) == (unsigned)(hd_grid_blocks() - 1)) {
            hd_store_relaxed(&barrier->arrived, 0u);
            hd_store_release(&barrier->generation, generation + 1u);
        } else {
            (void)hd_wait_ne_grid(&barrier->generation, generation);
        }
    }
    hd_sync_block();
}

/* Errors about threads that do not meet or wait forever show the caller's line. */
#ifdef HD_SITE
#define hd_lock_acquire(lock) hd_lock_acquire((lock)HD_SITE("hd_lock_acquire"))
#define hd_ordered_block_id(ticket) hd_ordered_block_id((ticket)HD_SITE("hd_ordered_block_id"))
#define hd_sync_grid(barrier) hd_sync_grid((barrier)HD_SITE("hd_sync_grid"))
#ifdef __cplusplus
#define hd_take(counter, p) hd_take((counter), (p) ? 1 : 0 HD_SITE("hd_take"))
#endif
#endif

/** @} */

#endif
