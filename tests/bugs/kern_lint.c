/* SPDX-License-Identifier: Apache-2.0 */
/* kern_lint.c - right results, but not everywhere, or slowly. Blocks of 256, unless the launch says
   something else. */
#include <heddle/kernel.h>

#include "kern_lint.h"

enum { N = 256 };

/* Turns a block's elements around in dynamic shared memory. */
HD_KERNEL void lint_reverse(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED_DYN(uint32_t, tile);
    unsigned t = hd_thread_x(), n = hd_block_dim_x();

    (void)bug;
    tile[t] = in[hd_global_x()];
    hd_sync_block();
    out[hd_global_x()] = tile[n - 1 - t];
}
HD_DEFINE(lint_reverse)

/* One element per block of a grid in x, or in y. */
HD_KERNEL void lint_rows(int bug, const uint32_t *in, uint32_t *out)
{
    (void)bug;
    if (hd_thread_x() == 0 && hd_block_linear() == 0)
        out[0] = in[0];
}
HD_DEFINE(lint_rows)

/* Copies; neighbouring lanes read elements that lie 32 bytes apart. */
HD_KERNEL void uncoalesced_stride(int bug, const uint32_t *in, uint32_t *out)
{
    size_t first = (size_t)hd_block_x() * N;
    unsigned t = hd_thread_x(), from = bug ? t % 32 * 8 + t / 32 : t;

    out[first + t] = in[first + from] % 256; /* BUG uncoalesced_stride */
}
HD_DEFINE(uncoalesced_stride)

/* Copies a field of 32 rows; neighbouring lanes stand below each other. */
HD_KERNEL void uncoalesced_columns(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x(), n = hd_global_size_x();
    size_t at = bug ? i % 32 * (n / 32) + i / 32 : i;

    out[at] = in[at]; /* BUG uncoalesced_columns */
}
HD_DEFINE(uncoalesced_columns)

/* Every second word of shared memory. */
HD_KERNEL void banks_pairs(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, place, 2 * N);
    unsigned t = hd_thread_x(), at = bug ? 2 * t : t;

    place[at] = in[hd_global_x()]; /* BUG banks_pairs */
    hd_sync_block();
    out[hd_global_x()] = place[at] + 1; /* BUG banks_pairs */
}
HD_DEFINE(banks_pairs)

/* Columns of a tile whose rows all start at the same bank. */
HD_KERNEL void banks_columns(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, 33 * 32);
    unsigned t = hd_thread_x(), pitch = bug ? 32 : 33, at = t % 32 * pitch + t / 32;

    tile[at] = in[hd_global_x()]; /* BUG banks_columns */
    hd_sync_block();
    out[hd_global_x()] = tile[at] + 1; /* BUG banks_columns */
}
HD_DEFINE(banks_columns)

/* Neighbouring lanes do different things; in the twin, neighbouring groups of 64. */
HD_KERNEL void divergent_switch(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();
    unsigned what = bug ? hd_thread_x() % 8 : hd_thread_x() / 64;

    if (what == 0)
        out[i] = in[i] * 3; /* BUG divergent_switch */
    else if (what == 1)
        out[i] = in[i] + 5; /* BUG divergent_switch */
    else if (what == 2)
        out[i] = in[i] ^ 7; /* BUG divergent_switch */
    else
        out[i] = in[i]; /* BUG divergent_switch */
}
HD_DEFINE(divergent_switch)

/* Neighbouring lanes take one of two ways; in the twin, neighbouring groups of 64. */
HD_KERNEL void divergent_pair(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();

    if (bug ? i % 2 : i / 64 % 2)
        out[i] = in[i ^ 1] * 3 + in[i ^ 3]; /* BUG divergent_pair */
    else
        out[i] = in[i ^ 2] + in[i ^ 4] + in[i ^ 8]; /* BUG divergent_pair */
}
HD_DEFINE(divergent_pair)

/* The sum of each 32 elements: by one lane, or by all of them together. */
HD_KERNEL void divergent_leader(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();
    uint32_t sum = bug ? 0 : hd_warp_sum_width(in[i], 32);

    if (hd_thread_x() % 32 != 0)
        return;
    for (unsigned k = 0; bug && k < 32; k++)
        sum += in[i + k]; /* BUG divergent_leader */
    out[i / 32] = sum;
}
HD_DEFINE(divergent_leader)

/* Turns a block's elements around through static and dynamic shared memory. */
HD_KERNEL void lint_both(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, fixed, 32 * 256);
    HD_SHARED_DYN(uint32_t, tile);
    unsigned t = hd_thread_x();

    (void)bug;
    fixed[t] = in[hd_global_x()];
    tile[t] = fixed[t] ^ 1;
    hd_sync_block();
    out[hd_global_x()] = tile[N - 1 - t] ^ 1;
}
HD_DEFINE(lint_both)

HD_KERNEL HD_MAX_THREADS(128) void lint_bounded(int bug, const uint32_t *in, uint32_t *out)
{
    (void)bug;
    out[hd_global_x()] = in[hd_global_x()];
}
HD_DEFINE(lint_bounded)

/* Neighbours change places; the mask is what 32 bits hold of that of the warp. */
HD_KERNEL void mask_half(int bug, const uint32_t *in, uint32_t *out)
{
    hd_mask m = hd_mask_warp();

    if (bug)
        m = hd_mask_of((uint32_t)hd_mask_bits(m));
    out[hd_global_x()] = hd_shfl_xor_in(m, in[hd_global_x()], 1, 2); /* BUG mask_half */
}
HD_DEFINE(mask_half)
