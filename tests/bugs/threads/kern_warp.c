/* SPDX-License-Identifier: Apache-2.0 */
/* kern_warp.c - lanes that pass values on through memory without a warp barrier. Blocks of 128. */
#include <heddle/kernel.h>

#include "kern_warp.h"

enum { N = 128 };

/* The lanes of the calling lane's half of the warp. */
HD_DEVICE hd_mask half_of_warp(void)
{
    hd_mask low = hd_mask_below(hd_warp_size() / 2);

    return hd_mask_test(low, hd_lane()) ? low : hd_mask_andnot(hd_mask_warp(), low);
}

/* Each lane takes the value of the mirrored lane of its warp. */
HD_KERNEL void warp_exchange(int how, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, place, N);
    unsigned t = hd_thread_x(), mirror = t - hd_lane() + hd_warp_size() - 1 - hd_lane();

    place[t] = in[hd_global_x()]; /* BUG warp_* */
    switch (how) {
    case ORDER_NOTHING:
        break;
    case ORDER_SHUFFLE:
        (void)hd_shfl(t, 0, hd_warp_size());
        break;
    case ORDER_VOTE:
        (void)hd_any(1);
        break;
    case ORDER_HALVES:
        hd_sync_warp_in(half_of_warp());
        break;
    default:
        hd_sync_warp();
        break;
    }
    out[hd_global_x()] = place[mirror]; /* BUG warp_* */
}
HD_DEFINE(warp_exchange)

/* Two rounds; lanes write for the second one while others read the first. */
HD_KERNEL void warp_again(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, place, N);
    unsigned t = hd_thread_x();
    uint32_t sum = 0;

    for (unsigned round = 0; round < 2; round++) {
        place[t] = in[hd_global_x()] + round; /* BUG warp_again */
        hd_sync_warp();
        sum += place[t ^ 1]; /* BUG warp_again */
        if (!bug)
            hd_sync_warp();
    }
    out[hd_global_x()] = sum;
}
HD_DEFINE(warp_again)

/* A block's sum whose last steps trust in lockstep. */
HD_KERNEL void warp_tail(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, s, N);
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    hd_sync_block();
    for (unsigned stride = N / 2; stride >= 32; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride];
        hd_sync_block();
    }
    if (hd_warp() > 0)
        return;
    for (unsigned stride = 16; stride > 0; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride]; /* BUG warp_tail */
        if (!bug)
            hd_sync_warp();
    }
    if (t == 0)
        out[hd_block_x()] = s[0];
}
HD_DEFINE(warp_tail)

/* Neighbouring lanes change places in global memory. */
HD_KERNEL void warp_global(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x();

    scratch[i] = in[i]; /* BUG warp_global */
    if (!bug)
        hd_sync_warp();
    out[i] = scratch[i ^ 1]; /* BUG warp_global */
}
HD_DEFINE(warp_global)

/* The first lane of each warp finds a value for the others. */
HD_KERNEL void warp_leader(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, found, HD_MAX_WARPS_PER_BLOCK);

    if (hd_lane() == 0)
        found[hd_warp()] = in[0]; /* BUG warp_leader */
    if (!bug)
        hd_sync_warp();
    out[hd_global_x()] = found[hd_warp()]; /* BUG warp_leader */
}
HD_DEFINE(warp_leader)

/* The last write of a warp is hoped to be that of its last lane. */
HD_KERNEL void warp_writers(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, last, HD_MAX_WARPS_PER_BLOCK);

    if (bug || hd_lane() == hd_warp_size() - 1)
        last[hd_warp()] = hd_lane() % 32 + in[0]; /* BUG warp_writers */
    hd_sync_warp();
    out[hd_global_x()] = last[hd_warp()];
}
HD_DEFINE(warp_writers)
