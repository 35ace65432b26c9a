/* SPDX-License-Identifier: Apache-2.0 */
/* mask.h - sets of lanes of a warp. Host and kernels, C11 and C++17.

   A struct, so that 64 lanes are never silently cut down to an int. Bit i stands for lane i.
   hd_mask_rank and hd_mask_warp depend on the calling lane and stand in kernel.h. */
#ifndef HEDDLE_DEVICE_MASK_H
#define HEDDLE_DEVICE_MASK_H

#include <heddle/device/bits.h>

typedef struct hd_mask {
    uint64_t bits;
} hd_mask;

HD_BOTH hd_mask hd_mask_of(uint64_t bits)
{
    hd_mask m;

    m.bits = bits;
    return m;
}

HD_BOTH uint64_t hd_mask_bits(hd_mask m)
{
    return m.bits;
}

HD_BOTH hd_mask hd_mask_none(void)
{
    return hd_mask_of(0);
}

HD_BOTH int hd_mask_is_empty(hd_mask m)
{
    return m.bits == 0;
}

/* 1 if the lane (0 to 63) is in m. */
HD_BOTH int hd_mask_test(hd_mask m, unsigned lane)
{
    return (int)(m.bits >> lane & 1u);
}

HD_BOTH hd_mask hd_mask_and(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits & b.bits);
}

HD_BOTH hd_mask hd_mask_or(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits | b.bits);
}

HD_BOTH hd_mask hd_mask_xor(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits ^ b.bits);
}

/* The lanes of a that are not in b. */
HD_BOTH hd_mask hd_mask_andnot(hd_mask a, hd_mask b)
{
    return hd_mask_of(a.bits & ~b.bits);
}

HD_BOTH int hd_mask_equal(hd_mask a, hd_mask b)
{
    return a.bits == b.bits;
}

HD_BOTH unsigned hd_mask_count(hd_mask m)
{
    return hd_popcount_u64(m.bits);
}

/* The lowest lane; 64 for the empty mask. */
HD_BOTH unsigned hd_mask_first(hd_mask m)
{
    return hd_ctz_u64(m.bits);
}

/* The highest lane; m must not be empty. */
HD_BOTH unsigned hd_mask_last(hd_mask m)
{
    return 63u - hd_clz_u64(m.bits);
}

/* All lanes under `lane`, which is 0 to 64. */
HD_BOTH hd_mask hd_mask_below(unsigned lane)
{
    return hd_mask_of(lane < 64 ? ((uint64_t)1 << lane) - 1 : ~(uint64_t)0);
}

#endif
