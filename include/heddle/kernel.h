/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  The kernel dialect (docs/dialect.md): the common subset of C11 and C++17, on every backend.
 *  Kernel files include this header, and of heddle's files otherwise only the templates
 *  device/scan.inc and device/look_back.inc.
 */
#ifndef HEDDLE_KERNEL_H
#define HEDDLE_KERNEL_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>
/* Everything that a backend decides: chosen by the include path. */
#include <heddle/backend/dialect.h>

/** Returns the mask of all lanes of a warp, whether or not they are active.
 *
 *  @return hd_warp_size() lanes.
 */
HD_DEVICE hd_mask hd_mask_warp(void)
{
    return hd_mask_below(hd_warp_size());
}

/** Returns how many lanes of a mask lie below the calling lane.
 *
 *  @param m  The mask.
 *  @return 0 to hd_warp_size() - 1.
 */
HD_DEVICE unsigned hd_mask_rank(hd_mask m)
{
    return hd_mask_count(hd_mask_and(m, hd_mask_below(hd_lane())));
}

/** Asserts a condition in diagnostic builds (-DHEDDLE_SELF_CHECK=ON, which defines
 *  HEDDLE_SELF_CHECK as 1 for kernel files); otherwise the condition is compiled, but not
 *  evaluated.
 *
 *  @param condition  What must hold.
 */
#if defined(HEDDLE_SELF_CHECK) && HEDDLE_SELF_CHECK
#define HD_SELF_CHECK(condition) hd_assert(condition)
#else
#define HD_SELF_CHECK(condition) ((void)sizeof((condition) ? 1 : 0))
#endif

#include <heddle/device/look_back.h>
#include <heddle/device/order.h>
#include <heddle/device/pure_math.h>
#include <heddle/device/random_generators.h>
#include <heddle/device/random_kernel.h>
#include <heddle/device/random_poisson.h>
#include <heddle/device/words.h>
#if HD_CXX
#include <heddle/detail/launch_cxx.h>
#endif

#endif
