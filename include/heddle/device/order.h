/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - what blocks use to order themselves: ordered atomics, locks, slots, block ids, the grid
   barrier. Included by kernel.h; built from relaxed atomics, fences and hd_wait_*. */
#ifndef HEDDLE_DEVICE_ORDER_H
#define HEDDLE_DEVICE_ORDER_H

/* ---- ordered atomics -------------------------------------------------------------------------

   acquire: what follows in this thread sees what the writer of the value released before it.
   release: what this thread did before is seen by whoever acquires the value. acq_rel: both.
   The order comes from a fence of the same scope beside the relaxed operation, as the C11 memory
   model allows (ISO C11 7.17.4). u32 i32 u64 i64. */

/* Functions of the library that wait, or let threads meet: a backend may name them by the line that
   calls them. */
#ifndef HD_SITED
#define HD_SITED HD_DEVICE
#define HD_SITE_PARAM
#endif

/* A backend with forms of its own defines HD_HAS_ORDERED_ATOMICS_. */
#ifndef HD_HAS_ORDERED_ATOMICS_

/* X(suffix, type) of everything that may carry a value of these. */
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

#define hd_atomic_add_acquire(p, v) hd_then_fence_device_(hd_atomic_add(p, v))
#define hd_atomic_add_release(p, v) (hd_fence_device(), hd_atomic_add(p, v))
#define hd_atomic_add_acq_rel(p, v) (hd_fence_device(), hd_atomic_add_acquire(p, v))
#define hd_atomic_add_acquire_block(p, v) hd_then_fence_block_(hd_atomic_add_block(p, v))
#define hd_atomic_add_release_block(p, v) (hd_fence_block(), hd_atomic_add_block(p, v))
#define hd_atomic_add_acq_rel_block(p, v) (hd_fence_block(), hd_atomic_add_acquire_block(p, v))
#define hd_atomic_add_acquire_system(p, v) hd_then_fence_system_(hd_atomic_add_system(p, v))
#define hd_atomic_add_release_system(p, v) (hd_fence_system(), hd_atomic_add_system(p, v))
#define hd_atomic_add_acq_rel_system(p, v) (hd_fence_system(), hd_atomic_add_acquire_system(p, v))

#define hd_atomic_exch_acquire(p, v) hd_then_fence_device_(hd_atomic_exch(p, v))
#define hd_atomic_exch_release(p, v) (hd_fence_device(), hd_atomic_exch(p, v))
#define hd_atomic_exch_acq_rel(p, v) (hd_fence_device(), hd_atomic_exch_acquire(p, v))
#define hd_atomic_exch_acquire_block(p, v) hd_then_fence_block_(hd_atomic_exch_block(p, v))
#define hd_atomic_exch_release_block(p, v) (hd_fence_block(), hd_atomic_exch_block(p, v))
#define hd_atomic_exch_acq_rel_block(p, v) (hd_fence_block(), hd_atomic_exch_acquire_block(p, v))
#define hd_atomic_exch_acquire_system(p, v) hd_then_fence_system_(hd_atomic_exch_system(p, v))
#define hd_atomic_exch_release_system(p, v) (hd_fence_system(), hd_atomic_exch_system(p, v))
#define hd_atomic_exch_acq_rel_system(p, v) (hd_fence_system(), hd_atomic_exch_acquire_system(p, v))

#define hd_atomic_cas_acquire(p, e, v) hd_then_fence_device_(hd_atomic_cas(p, e, v))
#define hd_atomic_cas_release(p, e, v) (hd_fence_device(), hd_atomic_cas(p, e, v))
#define hd_atomic_cas_acq_rel(p, e, v) (hd_fence_device(), hd_atomic_cas_acquire(p, e, v))
#define hd_atomic_cas_acquire_block(p, e, v) hd_then_fence_block_(hd_atomic_cas_block(p, e, v))
#define hd_atomic_cas_release_block(p, e, v) (hd_fence_block(), hd_atomic_cas_block(p, e, v))
#define hd_atomic_cas_acq_rel_block(p, e, v)                                                       \
    (hd_fence_block(), hd_atomic_cas_acquire_block(p, e, v))
#define hd_atomic_cas_acquire_system(p, e, v) hd_then_fence_system_(hd_atomic_cas_system(p, e, v))
#define hd_atomic_cas_release_system(p, e, v) (hd_fence_system(), hd_atomic_cas_system(p, e, v))
#define hd_atomic_cas_acq_rel_system(p, e, v)                                                      \
    (hd_fence_system(), hd_atomic_cas_acquire_system(p, e, v))

#endif

/* ---- locks ----------------------------------------------------------------------------------- */

/* A ticket lock in device memory, zeroed once: served in the order of arrival. One lane per warp
   may hold or wait for it, because the lanes of a warp may not advance independently. What the
   holder wrote is seen by the next holder. (J. Mellor-Crummey, M. Scott, ACM TOCS 9, 1991.) */
typedef struct hd_lock {
    unsigned next;    /* the ticket of whoever comes next */
    unsigned serving; /* the ticket that holds the lock, or may take it */
} hd_lock;

HD_SITED void hd_lock_acquire(hd_lock *lock HD_SITE_PARAM)
{
    unsigned ticket = hd_atomic_add(&lock->next, 1u);

    (void)hd_wait_eq(&lock->serving, ticket);
}

HD_SITED void hd_lock_release(hd_lock *lock)
{
    hd_store_release(&lock->serving, hd_load_relaxed(&lock->serving) + 1u);
}

/* ---- slots ------------------------------------------------------------------------------------

   hd_take(counter, p): reached by all lanes of the warp; lanes whose p is not 0 get consecutive
   values of *counter, in the order of their lanes, and *counter grows by their number: one relaxed
   device-scope atomic per warp. The others get 0. counter: unsigned or u64. */

#define HD_TAKE_T_ unsigned
#define HD_TAKE_ hd_take_uint_
#include <heddle/detail/take.inc>
#define HD_TAKE_T_ unsigned long
#define HD_TAKE_ hd_take_ulong_
#include <heddle/detail/take.inc>
#define HD_TAKE_T_ unsigned long long
#define HD_TAKE_ hd_take_ullong_
#include <heddle/detail/take.inc>

#ifdef __cplusplus
HD_DEVICE unsigned hd_take(unsigned *counter, int p)
{
    return hd_take_uint_(counter, p);
}
HD_DEVICE unsigned long hd_take(unsigned long *counter, int p)
{
    return hd_take_ulong_(counter, p);
}
HD_DEVICE unsigned long long hd_take(unsigned long long *counter, int p)
{
    return hd_take_ullong_(counter, p);
}
#else
#define hd_take(counter, p)                                                                        \
    _Generic((counter), unsigned *: hd_take_uint_, unsigned long *: hd_take_ulong_,               \
        unsigned long long *: hd_take_ullong_)((counter), (p) ? 1 : 0 HD_SITE("hd_take"))
#endif

/* ---- block ids in the order of arrival ------------------------------------------------------- */

/* Block-wide: 0, 1, 2 ... in the order in which the blocks call it, the same in all threads. A
   block that waits for blocks of smaller ids therefore waits for blocks that run. `ticket` is
   device memory, zeroed once; the block that draws the last number sets it back, so each block
   of the grid calls this once per launch. Contains two block barriers. */
HD_SITED unsigned hd_ordered_block_id(unsigned *ticket HD_SITE_PARAM)
{
    HD_SHARED(unsigned, drawn, 1);
    unsigned id;

    if (hd_thread_linear() == 0)
        drawn[0] = hd_atomic_inc(ticket, (unsigned)(hd_grid_blocks() - 1));
    hd_sync_block();
    id = drawn[0];
    hd_sync_block();
    return id;
}

/* ---- grid barrier ---------------------------------------------------------------------------- */

/* In device memory, zeroed once; used again and again, also by later launches. */
typedef struct hd_grid_barrier {
    unsigned arrived;    /* blocks of this round that are here */
    unsigned generation; /* rounds done, modulo 2^32 */
} hd_grid_barrier;

/* All threads of all blocks, in a cooperative launch. What any thread wrote before is seen by every
   thread afterwards. One thread per block announces the block and waits. */
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

/* The line that calls is the one to name when threads do not meet, or wait forever. */
#ifdef HD_SITE
#define hd_lock_acquire(lock) hd_lock_acquire((lock)HD_SITE("hd_lock_acquire"))
#define hd_ordered_block_id(ticket) hd_ordered_block_id((ticket)HD_SITE("hd_ordered_block_id"))
#define hd_sync_grid(barrier) hd_sync_grid((barrier)HD_SITE("hd_sync_grid"))
#endif

#endif
