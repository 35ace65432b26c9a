/* SPDX-License-Identifier: Apache-2.0 */
/* kern_collective.c - shuffles and votes that not all lanes reach, that read lanes which are not
   there, or whose masks, widths or lanes are wrong. */
#include <heddle/kernel.h>

#include "kern_collective.h"

/* Only the first lanes shuffle; the others are at the next barrier already. */
HD_KERNEL void diverged_branch(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (bug) {
        if (hd_lane() < 8)
            v = hd_shfl_xor(v, 1, 8); /* BUG diverged_branch */
    } else {
        uint32_t other = hd_shfl_xor(v, 1, 8);

        v = hd_lane() < 8 ? other : v;
    }
    hd_sync_block(); /* BUG diverged_branch */
    out[hd_global_x()] = v;
}
HD_DEFINE(diverged_branch)

/* Odd and even lanes each have their own shuffle. */
HD_KERNEL void diverged_sides(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (bug) {
        if (hd_lane() % 2)
            v = hd_shfl_xor(v, 2, 4) + 1; /* BUG diverged_sides */
        else
            v = hd_shfl_xor(v, 2, 4); /* BUG diverged_sides */
    } else {
        v = hd_shfl_xor(v, 2, 4) + hd_lane() % 2;
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(diverged_sides)

/* Lanes of one warp vote in different ways. */
HD_KERNEL void diverged_kinds(int bug, const uint32_t *in, uint32_t *out)
{
    int odd = in[hd_global_x()] % 2 != 0, any, all;

    if (bug) {
        any = all = 0;
        if (hd_lane() % 2)
            any = hd_any(odd); /* BUG diverged_kinds */
        else
            all = hd_all(odd); /* BUG diverged_kinds */
    } else {
        any = hd_any(odd);
        all = hd_all(odd);
    }
    out[hd_global_x()] = (uint32_t)(any != 0) + 2 * (uint32_t)(all != 0);
}
HD_DEFINE(diverged_kinds)

/* Each lane shuffles as often as its number says, then all of them add. */
HD_KERNEL void diverged_loop(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()], turns = bug ? hd_lane() % 4 : 3;

    for (uint32_t turn = 0; turn < turns; turn++)
        v = hd_shfl_xor(v, 1, 2);        /* BUG diverged_loop */
    out[hd_global_x()] = hd_warp_sum(v); /* BUG diverged_loop */
}
HD_DEFINE(diverged_loop)

/* Lanes with odd values take slots. The others end, and are not waited for; or they are at the
   barrier. */
HD_KERNEL void diverged_take(int bug, const uint32_t *in, uint32_t *out, uint32_t *counts)
{
    size_t warp = hd_block_linear() * hd_warps_per_block() + hd_warp();
    uint32_t v = in[hd_global_x()], slot = 0;

    if (v % 2)
        slot = hd_take(&counts[warp], 1); /* BUG diverged_take */
    if (bug)
        hd_sync_block(); /* BUG diverged_take */
    out[hd_global_x()] = slot;
}
HD_DEFINE(diverged_take)

/* The upper half of the warp skips the branch and ends. The lower half shuffles among itself, or
   reads the upper half. */
HD_KERNEL void inactive_ended(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned half = hd_warp_size() / 2;
    uint32_t v = in[hd_global_x()];

    if (hd_lane() < half)
        v = hd_shfl_xor(v, bug ? half : 1u, hd_warp_size()); /* BUG inactive_ended */
    out[hd_global_x()] = v;
}
HD_DEFINE(inactive_ended)

/* The upper half of the warp has returned; the lower half reads it. */
HD_KERNEL void inactive_returned(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned half = hd_warp_size() / 2;
    uint32_t other;

    if (bug && hd_lane() >= half)
        return;
    other = hd_shfl_down(in[hd_global_x()], half, hd_warp_size()); /* BUG inactive_returned */
    if (hd_lane() < half)
        out[hd_global_x()] = other;
}
HD_DEFINE(inactive_returned)

/* The last warp of 100 threads is not full. */
HD_KERNEL void inactive_partial(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned first = hd_thread_x() - hd_lane(), left = hd_block_threads() - first;
    unsigned lanes = left < hd_warp_size() ? left : hd_warp_size();
    unsigned from = (hd_lane() + 3) % (bug ? hd_warp_size() : lanes);

    /* BUG inactive_partial */
    out[hd_global_x()] = hd_shfl(in[hd_global_x()], from, hd_warp_size());
}
HD_DEFINE(inactive_partial)

/* Even lanes shuffle among themselves; one reads its odd neighbour. */
HD_KERNEL void inactive_mask(int bug, const uint32_t *in, uint32_t *out)
{
    hd_mask even = hd_ballot(hd_lane() % 2 == 0);
    unsigned from = hd_lane() ^ (bug ? 1u : 2u);
    uint32_t v = in[hd_global_x()];

    if (hd_lane() % 2 == 0)
        v = hd_shfl_in(even, v, from, hd_warp_size()); /* BUG inactive_mask */
    out[hd_global_x()] = v;
}
HD_DEFINE(inactive_mask)

/* The last lane of a warp is taken for the last one of the block. */
HD_KERNEL void inactive_last(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned last = bug ? hd_warp_size() - 1 : hd_mask_last(hd_ballot(1));

    out[hd_global_x()] = hd_broadcast(in[hd_global_x()], last); /* BUG inactive_last */
}
HD_DEFINE(inactive_last)

/* The last warp of 100 threads is not complete. */
HD_KERNEL void inactive_full(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (bug)
        v = hd_warp_sum_full(v, 4); /* BUG inactive_full */
    else
        v = hd_warp_sum_width(v, 4);
    out[hd_global_x()] = v;
}
HD_DEFINE(inactive_full)

/* A mask of 32 lanes, whatever the warp is. */
HD_KERNEL void mask_literal(int bug, const uint32_t *in, uint32_t *out)
{
    hd_mask everybody = bug ? hd_mask_of(0xffffffffu) : hd_mask_warp();

    out[hd_global_x()] = hd_shfl_xor_in(everybody, in[hd_global_x()], 1, 2); /* BUG mask_literal */
}
HD_DEFINE(mask_literal)

/* The mask of a whole warp in one that is not full. */
HD_KERNEL void mask_partial(int bug, const uint32_t *in, uint32_t *out)
{
    hd_mask everybody = bug ? hd_mask_warp() : hd_ballot(1);

    out[hd_global_x()] = hd_any_in(everybody, in[hd_global_x()] > 100) != 0; /* BUG mask_partial */
}
HD_DEFINE(mask_partial)

/* The mask is older than the return of every second lane. */
HD_KERNEL void mask_returned(int bug, const uint32_t *in, uint32_t *out)
{
    hd_mask before = hd_ballot(1), even = hd_ballot(hd_lane() % 2 == 0);

    if (hd_lane() % 2)
        return;
    /* BUG mask_returned */
    out[hd_global_x()] = hd_any_in(bug ? before : even, in[hd_global_x()] > 100) != 0;
}
HD_DEFINE(mask_returned)

/* Half of the warp calls with the mask of all of it. */
HD_KERNEL void mask_branch(int bug, const uint32_t *in, uint32_t *out)
{
    int low = hd_lane() < hd_warp_size() / 2;
    hd_mask mask = bug ? hd_ballot(1) : hd_ballot(low);
    uint32_t v = in[hd_global_x()];

    if (low)
        v = hd_any_in(mask, v > 100) != 0; /* BUG mask_branch */
    hd_sync_block();                       /* BUG mask_branch */
    out[hd_global_x()] = v;
}
HD_DEFINE(mask_branch)

/* Lanes that the mask does not name call, too. */
HD_KERNEL void mask_self(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];
    hd_mask small = hd_ballot(hd_lane() % 4 != 0);

    if (bug || hd_lane() % 4 != 0)
        v = hd_mask_count(hd_ballot_in(small, 1)); /* BUG mask_self */
    out[hd_global_x()] = v;
}
HD_DEFINE(mask_self)

/* Takes the lanes that happen to run together for all lanes of the branch. */
HD_KERNEL void mask_active(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];
    hd_mask low = hd_ballot(hd_lane() < 8);

    if (hd_lane() < 8)
        v = hd_shfl_xor_in(bug ? hd_active_mask() : low, v, 1, 8); /* BUG mask_active */
    out[hd_global_x()] = v;
}
HD_DEFINE(mask_active)

/* Sums of rows of twelve, as if groups could have any width. */
HD_KERNEL void width_odd(int bug, const uint32_t *in, uint32_t *out)
{
    out[hd_global_x()] = hd_warp_sum_width(in[hd_global_x()], bug ? 12 : 16); /* BUG width_odd */
}
HD_DEFINE(width_odd)

/* The width of a wavefront, where the warp has half as many lanes. */
HD_KERNEL void width_wave(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned width = bug ? 64 : hd_warp_size();

    out[hd_global_x()] = hd_shfl_xor(in[hd_global_x()], width / 2, width); /* BUG width_wave */
}
HD_DEFINE(width_wave)

/* A step to the lane above, which is no step of -1 to the one below. */
HD_KERNEL void distance_negative(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];
    int step = bug ? -1 : 1;

    if (bug)
        v = hd_shfl_up(v, step, hd_warp_size()); /* BUG distance_negative */
    else
        v = hd_shfl_down(v, step, hd_warp_size());
    out[hd_global_x()] = v;
}
HD_DEFINE(distance_negative)

/* Turns the warp around by broadcasts, one for each lane. */
HD_KERNEL void broadcast_own(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned from = hd_warp_size() - 1 - hd_lane();
    uint32_t v = in[hd_global_x()];

    if (bug)
        v = hd_broadcast(v, from); /* BUG broadcast_own */
    else
        v = hd_shfl(v, from, hd_warp_size());
    out[hd_global_x()] = v;
}
HD_DEFINE(broadcast_own)

/* One shuffle in a function, which odd and even lanes call from two places. */
HD_DEVICE uint32_t partner(uint32_t v, uint32_t factor)
{
    return hd_shfl_xor(v, 2, 4) * factor;
}

HD_KERNEL void diverged_calls(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (!bug)
        v = partner(v, 1);
    else if (hd_lane() % 2)
        v = partner(v, 3) + 1; /* BUG diverged_calls */
    else
        v = partner(v, 2); /* BUG diverged_calls */
    out[hd_global_x()] = v;
}
HD_DEFINE(diverged_calls)
