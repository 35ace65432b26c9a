/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  Sets of lanes of a warp. Host and kernels, C11 and C++17.
 *
 *  A struct, so that 64 lanes are never silently truncated to an int. Bit i stands for lane i.
 *  hd_mask_rank() and hd_mask_warp() depend on the calling lane and are in kernel.h.
 */
#ifndef HEDDLE_DEVICE_MASK_H
#define HEDDLE_DEVICE_MASK_H

#include <heddle/device/bits.h>

/** @defgroup mask Lane masks
 *  @brief Sets of lanes of a warp; host and kernels.
 *  @{
 */

/** A set of lanes. */
typedef struct hd_mask {
    uint64_t bits; /**< Bit i is set if lane i is in the set. */
} hd_mask;

/** Makes a mask.
 *
 *  @param bits  Bit i stands for lane i.
 *  @return The mask.
 */
HD_BOTH hd_mask hd_mask_of(uint64_t bits)
{
    hd_mask m;

    m.bits = bits;
    return m;
}

/** Returns the bits of a mask.
 *
 *  @param m  The mask.
 *  @return Bit i is set if lane i is in m.
 */
HD_BOTH uint64_t hd_mask_bits(hd_mask m)
{
    return m.bits;
}

/** Returns the empty mask.
 *
 *  @return The mask without lanes.
 */
HD_BOTH hd_mask hd_mask_none(void)
{
    return hd_mask_of(0);
}

/** Returns whether a mask is empty.
 *
 *  @param m  The mask.
 *  @return 1 or 0.
 */
HD_BOTH int hd_mask_is_empty(hd_mask m)
{
    return m.bits == 0;
}

/** Returns whether a lane is in a mask.
 *
 *  @param m     The mask.
 *  @param lane  0 to 63.
 *  @return 1 or 0.
 */
HD_BOTH int hd_mask_test(hd_mask m, unsigned lane)
{
    return (int)(m.bits >> lane & 1u);
}

/** Returns the lanes that are in both masks.
 *
 *  @param a  A mask.
 *  @param b  The other mask.
 *  @return The intersection.
 */
HD_BOTH hd_mask hd_mask_and(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits & b.bits);
}

/** Returns the lanes that are in either mask.
 *
 *  @param a  A mask.
 *  @param b  The other mask.
 *  @return The union.
 */
HD_BOTH hd_mask hd_mask_or(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits | b.bits);
}

/** Returns the lanes that are in exactly one of the masks.
 *
 *  @param a  A mask.
 *  @param b  The other mask.
 *  @return The symmetric difference.
 */
HD_BOTH hd_mask hd_mask_xor(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits ^ b.bits);
}

/** Returns the lanes of a that are not in b.
 *
 *  @param a  A mask.
 *  @param b  The other mask.
 *  @return The difference.
 */
HD_BOTH hd_mask hd_mask_andnot(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits & ~b.bits);
}

/** Returns whether two masks are equal.
 *
 *  @param a  A mask.
 *  @param b  The other mask.
 *  @return 1 or 0.
 */
HD_BOTH int hd_mask_equal(hd_mask a, hd_mask b)
{
    return a.bits == b.bits;
}

/** Counts the lanes of a mask.
 *
 *  @param m  The mask.
 *  @return 0 to 64.
 */
HD_BOTH unsigned hd_mask_count(hd_mask m)
{
    return hd_popcount_u64(m.bits);
}

/** Returns the lowest lane of a mask.
 *
 *  @param m  The mask.
 *  @return The lane; 64 for the empty mask.
 */
HD_BOTH unsigned hd_mask_first(hd_mask m)
{
    return hd_ctz_u64(m.bits);
}

/** Returns the highest lane of a mask.
 *
 *  @param m  The mask, not empty.
 *  @return The lane.
 */
HD_BOTH unsigned hd_mask_last(hd_mask m)
{
    return 63u - hd_clz_u64(m.bits);
}

/** Returns all lanes below a lane.
 *
 *  @param lane  0 to 64.
 *  @return Lanes 0 to lane - 1.
 */
HD_BOTH hd_mask hd_mask_below(unsigned lane)
{
    return hd_mask_of(lane < 64 ? ((uint64_t)1 << lane) - 1 : ~(uint64_t)0);
}

/** @} */

#endif
