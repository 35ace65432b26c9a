/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Ordered forms of hd_atomic_inc and hd_atomic_dec (order.h explains acquire, release and the
 *  scopes). Included by kernel.h.
 */
#ifndef HEDDLE_DEVICE_COUNTS_H
#define HEDDLE_DEVICE_COUNTS_H

#include <heddle/device/order.h>

/** @addtogroup order
 *  @{
 */

/* A backend with its own forms defines HD_HAS_ORDERED_ATOMICS_. */
#ifndef HD_HAS_ORDERED_ATOMICS_

/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; acquire, device scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_acquire(p, top) hd_then_fence_device_(hd_atomic_inc(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; release, device scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_release(p, top) (hd_fence_device(), hd_atomic_inc(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; acquire and release, device
 *  scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_acq_rel(p, top) (hd_fence_device(), hd_atomic_inc_acquire(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; acquire, block scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_acquire_block(p, top) hd_then_fence_block_(hd_atomic_inc_block(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; release, block scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_release_block(p, top) (hd_fence_block(), hd_atomic_inc_block(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; acquire and release, block scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_acq_rel_block(p, top) (hd_fence_block(), hd_atomic_inc_acquire_block(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; acquire, system scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_acquire_system(p, top) hd_then_fence_system_(hd_atomic_inc_system(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; release, system scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_release_system(p, top) (hd_fence_system(), hd_atomic_inc_system(p, top))
/** Adds 1 to *p atomically, or sets *p to 0 if it is top or more; acquire and release, system
 *  scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_inc_acq_rel_system(p, top)                                                       \
    (hd_fence_system(), hd_atomic_inc_acquire_system(p, top))

/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; acquire, device
 *  scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_acquire(p, top) hd_then_fence_device_(hd_atomic_dec(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; release, device
 *  scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_release(p, top) (hd_fence_device(), hd_atomic_dec(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; acquire and release,
 *  device scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_acq_rel(p, top) (hd_fence_device(), hd_atomic_dec_acquire(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; acquire, block scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_acquire_block(p, top) hd_then_fence_block_(hd_atomic_dec_block(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; release, block scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_release_block(p, top) (hd_fence_block(), hd_atomic_dec_block(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; acquire and release,
 *  block scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_acq_rel_block(p, top) (hd_fence_block(), hd_atomic_dec_acquire_block(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; acquire, system
 *  scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_acquire_system(p, top) hd_then_fence_system_(hd_atomic_dec_system(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; release, system
 *  scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_release_system(p, top) (hd_fence_system(), hd_atomic_dec_system(p, top))
/** Subtracts 1 from *p atomically, or sets *p to top if it is 0 or above top; acquire and release,
 *  system scope.
 *
 *  @param p    Address of an unsigned.
 *  @param top  Greatest value.
 *  @return The value of *p before.
 */
#define hd_atomic_dec_acq_rel_system(p, top)                                                       \
    (hd_fence_system(), hd_atomic_dec_acquire_system(p, top))

#endif

/** @} */

#endif
