/* SPDX-License-Identifier: Apache-2.0 */
/* kern_wave.c - warps taken for 32 lanes. Blocks of 128, unless it says something else. */
#include <heddle/kernel.h>

#include "kern_wave.h"

/* A block's sum whose shuffles start at a stride of 16. */
HD_KERNEL void wave_half(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    for (unsigned stride = bug ? 16 : hd_warp_size() / 2; stride > 0; stride /= 2)
        v += hd_shfl_xor(v, stride, hd_warp_size());
    if (hd_lane() == 0)
        (void)hd_atomic_add(&out[hd_block_x()], v); /* BUG wave_half */
}
HD_DEFINE(wave_half)

/* A block's sum that takes lane 31 for the last one. */
HD_KERNEL void wave_last(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = hd_warp_scan_sum(in[hd_global_x()]);

    if (hd_lane() == (bug ? 31 : hd_warp_size() - 1))
        (void)hd_atomic_add(&out[hd_block_x()], v); /* BUG wave_last */
}
HD_DEFINE(wave_last)

/* A block's sum in which every 32nd thread speaks for its warp. */
HD_KERNEL void wave_leader(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = hd_warp_sum(in[hd_global_x()]);
    unsigned in_warp = bug ? hd_thread_x() & 31 : hd_lane();

    if (in_warp == 0)
        (void)hd_atomic_add(&out[hd_block_x()], v); /* BUG wave_leader */
}
HD_DEFINE(wave_leader)

/* A block's sum of reciprocals, as bits; strides that descend pair other elements at 64 lanes. */
HD_KERNEL void wave_order(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(float, part, HD_MAX_WARPS_PER_BLOCK);
    float v = 1.0f / (float)in[hd_global_x()];

    if (bug) {
        for (unsigned stride = hd_warp_size() / 2; stride > 0; stride /= 2)
            v += hd_shfl_down(v, stride, hd_warp_size());
        if (hd_lane() == 0)
            part[hd_warp()] = v;
        hd_sync_block();
        v = 0;
        for (unsigned warp = 0; warp < hd_warps_per_block(); warp++)
            v += part[warp];
    } else {
        v = hd_block_sum(v);
    }
    if (hd_thread_x() == 0)
        out[hd_block_x()] = hd_f32_bits(v); /* BUG wave_order */
}
HD_DEFINE(wave_order)

/* A block's sum with a slot per warp, found by a shift. */
HD_KERNEL void wave_slots(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, part, HD_MAX_WARPS_PER_BLOCK);
    unsigned t = hd_thread_x(), slot = bug ? t >> 5 : hd_warp();
    unsigned slots = bug ? hd_block_dim_x() >> 5 : hd_warps_per_block();
    uint32_t v = hd_warp_sum(in[hd_global_x()]);

    if (hd_lane() == 0)
        part[slot] = v;
    hd_sync_block();
    v = t < slots ? part[t] : 0; /* BUG wave_slots */
    v = hd_block_sum(v);
    if (t == 0)
        out[hd_block_x()] = v;
}
HD_DEFINE(wave_slots)

/* How many elements of a block are odd; the ballot goes through 32 bits. */
HD_KERNEL void wave_votes(int bug, const uint32_t *in, uint32_t *out)
{
    hd_mask votes = hd_ballot(in[hd_global_x()] % 2 != 0);
    uint32_t low = (uint32_t)hd_mask_bits(votes);
    unsigned count = bug ? hd_popcount(low) : hd_mask_count(votes);

    if (hd_lane() == 0)
        (void)hd_atomic_add(&out[hd_block_x()], count); /* BUG wave_votes */
}
HD_DEFINE(wave_votes)

/* Packs the odd elements of each 32 threads together; the rank of an element comes from a shift of
   32 bits by its lane. */
HD_KERNEL void wave_rank(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];
    unsigned group = hd_lane() / 32 * 32;
    hd_mask votes = hd_ballot(v % 2 != 0), before = hd_mask_below(hd_lane());
    uint32_t low = (uint32_t)hd_mask_bits(votes);
    unsigned rank = hd_mask_count(hd_mask_andnot(hd_mask_and(votes, before), hd_mask_below(group)));

    if (bug)
        rank = hd_popcount(low & ((1u << hd_lane()) - 1)); /* BUG wave_rank */
    if (v % 2 != 0)
        out[hd_global_x() / 32 * 32 + rank % 32] = v; /* BUG wave_rank */
}
HD_DEFINE(wave_rank)

/* Blocks of 64: the first warp turns its elements around. */
HD_DEVICE void turn_around(uint32_t *place, const uint32_t *in, uint32_t *out)
{
    if (hd_warp() > 0)
        return;
    place[hd_lane()] = in[hd_lane()]; /* BUG wave_array */
    hd_sync_warp();
    if (hd_lane() < 32)
        out[hd_lane()] = place[31 - hd_lane()];
}

/* An array for 32 lanes. */
HD_KERNEL void wave_array(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, place, 32);

    (void)bug;
    turn_around(place, in, out);
}
HD_DEFINE(wave_array)

HD_KERNEL void wave_array_fixed(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, place, HD_WARP_MAX);

    (void)bug;
    turn_around(place, in, out);
}
HD_DEFINE(wave_array_fixed)
