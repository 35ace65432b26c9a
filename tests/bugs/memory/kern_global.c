/* SPDX-License-Identifier: Apache-2.0 */
/* kern_global.c - blocks of 256 threads that race in global memory, with themselves and with each
   other. */
#include <heddle/kernel.h>

#include "kern_global.h"

enum { N = 256 };

/* Threads of a block pass values on in global memory. */
HD_KERNEL void global_scratch(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t first = (size_t)hd_block_x() * N;
    unsigned t = hd_thread_x();

    scratch[first + t] = in[first + t]; /* BUG global_scratch */
    if (!bug)
        hd_sync_block();
    out[first + t] = scratch[first + N - 1 - t]; /* BUG global_scratch */
}
HD_DEFINE(global_scratch)

/* The second round overwrites what others still read. */
HD_KERNEL void global_reuse(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t first = (size_t)hd_block_x() * N;
    unsigned t = hd_thread_x();
    uint32_t sum = 0;

    for (unsigned round = 0; round < 2; round++) {
        scratch[first + t] = in[first + t] + round; /* BUG global_reuse */
        hd_sync_block();
        sum += scratch[first + N - 1 - t]; /* BUG global_reuse */
        if (!bug)
            hd_sync_block();
    }
    out[first + t] = sum;
}
HD_DEFINE(global_reuse)

/* The first thread of every 64 writes the block's answer. */
HD_KERNEL void global_two_writers(int bug, const uint32_t *in, uint32_t *out)
{
    unsigned t = hd_thread_x();

    if (bug ? t % 64 == 0 : t == 0)
        out[hd_block_x()] = in[hd_global_x()]; /* BUG global_two_writers */
}
HD_DEFINE(global_two_writers)

/* Four words at once, of which a neighbour writes the last. */
HD_KERNEL void global_wide(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    unsigned i = (unsigned)hd_global_x();
    hd_u32x4 v = ((const hd_u32x4 *)(const void *)scratch)[i]; /* BUG global_wide */

    scratch[4 * (bug ? i ^ 1 : i) + 3] = 1; /* BUG global_wide */
    out[i] = in[i] + v.x + v.y + v.z + v.w;
}
HD_DEFINE(global_wide)

/* One thread per block adds to one sum. */
HD_KERNEL void blocks_sum(int bug, const uint32_t *in, uint32_t *out)
{
    if (hd_thread_x() != 0)
        return;
    if (bug)
        out[0] += in[hd_global_x()]; /* BUG blocks_sum */
    else
        (void)hd_atomic_add(&out[0], in[hd_global_x()]);
}
HD_DEFINE(blocks_sum)

/* Sum of three neighbours, each block's elements in shared memory; in place, a block reads the halo
   that its neighbour may have overwritten. */
HD_KERNEL void blocks_stencil(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, row, N + 2);
    size_t i = hd_global_x(), n = hd_global_size_x();
    const uint32_t *from = bug ? out : in;
    unsigned t = hd_thread_x();

    row[t + 1] = from[i];
    if (t == 0)
        row[0] = i > 0 ? from[i - 1] : 0; /* BUG blocks_stencil */
    if (t == N - 1)
        row[N + 1] = i + 1 < n ? from[i + 1] : 0; /* BUG blocks_stencil */
    hd_sync_block();
    out[i] = row[t] + row[t + 1] + row[t + 2]; /* BUG blocks_stencil */
}
HD_DEFINE(blocks_stencil)

/* Each block starts one element too early. */
HD_KERNEL void blocks_overlap(int bug, const uint32_t *in, uint32_t *out)
{
    size_t first = (size_t)hd_block_x() * (bug ? N - 1 : N);

    out[first + hd_thread_x()] = in[hd_global_x()]; /* BUG blocks_overlap */
}
HD_DEFINE(blocks_overlap)

/* Two phases, of which the second reads what other blocks have written in the first. Needs a
   cooperative launch; the barrier lies at the start of `scratch`. */
HD_KERNEL void blocks_phases(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x(), n = hd_global_size_x();
    uint32_t *values = scratch + 64;

    values[i] = in[i]; /* BUG blocks_phases */
    if (!bug)
        hd_sync_grid((hd_grid_barrier *)(void *)scratch);
    out[i] = values[(i + N) % n]; /* BUG blocks_phases */
}
HD_DEFINE(blocks_phases)

/* Every block counts one in every bin. */
HD_KERNEL void blocks_histogram(int bug, const uint32_t *in, uint32_t *out)
{
    size_t bin = hd_thread_x();
    uint32_t count = in[hd_global_x()] % 2;

    if (bug)
        out[bin] += count; /* BUG blocks_histogram */
    else
        (void)hd_atomic_add(&out[bin], count);
}
HD_DEFINE(blocks_histogram)

/* All threads count; one reads the count before everybody has been there. */
HD_KERNEL void atomic_read(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    unsigned block = hd_block_x();

    (void)hd_atomic_add(&scratch[block], in[hd_global_x()]); /* BUG atomic_read */
    if (!bug)
        hd_sync_block();
    if (hd_thread_x() == N / 2)
        out[block] = scratch[block]; /* BUG atomic_read */
}
HD_DEFINE(atomic_read)

/* The same, but the last thread does not count: it only reads. */
HD_KERNEL void atomic_last(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    unsigned block = hd_block_x();

    if (hd_thread_x() < N - 1)
        (void)hd_atomic_add(&scratch[block], in[hd_global_x()]); /* BUG atomic_last */
    if (!bug)
        hd_sync_block();
    if (hd_thread_x() == N - 1)
        out[block] = scratch[block]; /* BUG atomic_last */
}
HD_DEFINE(atomic_last)

/* One thread clears the counter on which others count already. */
HD_KERNEL void atomic_reset(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, count, 1);

    if (hd_thread_x() == N / 2)
        count[0] = 0; /* BUG atomic_reset */
    if (!bug)
        hd_sync_block();
    (void)hd_atomic_add(&count[0], in[hd_global_x()]); /* BUG atomic_reset */
    hd_sync_block();
    if (hd_thread_x() == 0)
        out[hd_block_x()] = count[0];
}
HD_DEFINE(atomic_reset)

/* The first block clears a counter of the whole grid, which the host has done. */
HD_KERNEL void atomic_start(int bug, const uint32_t *in, uint32_t *out)
{
    if (hd_thread_x() != 0)
        return;
    if (bug && hd_block_x() == 0)
        out[0] = 0; /* BUG atomic_start */
    else
        (void)hd_atomic_add(&out[0], in[hd_global_x()]); /* BUG atomic_start */
}
HD_DEFINE(atomic_start)

/* Blocks count together, with atomics of block scope. */
HD_KERNEL void scope_count(int bug, const uint32_t *in, uint32_t *out)
{
    if (bug)
        (void)hd_atomic_add_block(&out[0], in[hd_global_x()]); /* BUG scope_count */
    else
        (void)hd_atomic_add(&out[0], in[hd_global_x()]);
}
HD_DEFINE(scope_count)

/* The last block counts with atomics of block scope, all others with those of the device. */
HD_KERNEL void scope_last(int bug, const uint32_t *in, uint32_t *out)
{
    if (bug && hd_block_x() == hd_grid_dim_x() - 1)
        (void)hd_atomic_add_block(&out[0], in[hd_global_x()]); /* BUG scope_last */
    else
        (void)hd_atomic_add(&out[0], in[hd_global_x()]); /* BUG scope_last */
}
HD_DEFINE(scope_last)

/* The last thread of a block writes an element of the block before, as none of the others do. */
HD_KERNEL void blocks_last(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x(), at = i;

    if (bug && hd_thread_x() == N - 1 && hd_block_x() > 0)
        at = i - N;
    out[at] = in[i]; /* BUG blocks_last */
}
HD_DEFINE(blocks_last)

/* The first half of the block counts; one of the others clears a counter of theirs. */
HD_KERNEL void atomic_some(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, count, N);
    unsigned t = hd_thread_x();

    count[t] = in[hd_global_x()];
    hd_sync_block();
    if (t < N / 2)
        (void)hd_atomic_add(&count[t], 1u); /* BUG atomic_some */
    if (!bug)
        hd_sync_block();
    if (t >= N / 2)
        count[t == N / 2 + 7 ? 7 : t] = 0; /* BUG atomic_some */
    hd_sync_block();
    out[hd_global_x()] = count[t];
}
HD_DEFINE(atomic_some)
