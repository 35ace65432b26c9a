/* SPDX-License-Identifier: Apache-2.0 */
/* kern_barrier.c - blocks of 256 threads that lack a barrier, or share memory by mistake. */
#include <heddle/kernel.h>

#include "kern_barrier.h"

enum { N = 256 };

/* Reverses a block's elements; read before all of them are there. */
HD_KERNEL void barrier_first(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, tile, N);
    unsigned t = hd_thread_x();

    tile[t] = in[hd_global_x()]; /* BUG barrier_first */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = tile[N - 1 - t]; /* BUG barrier_first */
}
HD_DEFINE(barrier_first)

/* Two rounds; the second one writes while others still read the first. */
HD_KERNEL void barrier_last(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, tile, N);
    unsigned t = hd_thread_x();
    uint32_t sum = 0;

    for (unsigned round = 0; round < 2; round++) {
        tile[t] = in[hd_global_x()] + round; /* BUG barrier_last */
        hd_sync_block();
        sum += tile[N - 1 - t]; /* BUG barrier_last */
        if (!bug)
            hd_sync_block();
    }
    out[hd_global_x()] = sum;
}
HD_DEFINE(barrier_last)

/* A tree without a barrier after each of its steps. */
HD_KERNEL void barrier_loop(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, s, N);
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    hd_sync_block();
    for (unsigned stride = N / 2; stride > 0; stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride]; /* BUG barrier_loop */
        if (!bug)
            hd_sync_block();
    }
    if (t == 0)
        out[hd_block_x()] = s[0];
}
HD_DEFINE(barrier_loop)

/* Blocks of odd numbers take a branch that forgot the barrier. */
HD_KERNEL void barrier_branch(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, tile, N);
    unsigned t = hd_thread_x();
    uint32_t v;

    if (hd_block_x() % 2 == 0) {
        tile[t] = in[hd_global_x()];
        hd_sync_block();
        v = tile[N - 1 - t];
    } else {
        tile[t] = in[hd_global_x()] * 2; /* BUG barrier_branch */
        if (!bug)
            hd_sync_block();
        v = tile[N - 1 - t]; /* BUG barrier_branch */
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(barrier_branch)

/* All threads use the sum of a tree; the barrier behind its last step is missing. */
HD_KERNEL void barrier_result(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, s, N);
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    for (unsigned stride = N / 2; stride > 0; stride /= 2) {
        hd_sync_block();
        if (t < stride)
            s[t] += s[t + stride]; /* BUG barrier_result */
    }
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = s[0]; /* BUG barrier_result */
}
HD_DEFINE(barrier_result)

/* One barrier per round is enough with two buffers, not with one. */
HD_KERNEL void barrier_buffers(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED2(uint32_t, buffer, 2, N);
    unsigned t = hd_thread_x();
    uint32_t v = in[hd_global_x()];

    for (unsigned round = 0; round < 4; round++) {
        unsigned which = bug ? 0 : round % 2;

        buffer[which][t] = v; /* BUG barrier_buffers */
        hd_sync_block();
        v += buffer[which][N - 1 - t]; /* BUG barrier_buffers */
    }
    out[hd_global_x()] = v;
}
HD_DEFINE(barrier_buffers)

/* One thread finds a value for all. */
HD_KERNEL void barrier_total(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, total, 1);

    if (hd_thread_x() == 0)
        total[0] = in[hd_global_x()]; /* BUG barrier_total */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = total[0]; /* BUG barrier_total */
}
HD_DEFINE(barrier_total)

/* A tile of 16 x 16, transposed. */
HD_KERNEL void barrier_transpose(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED2(uint32_t, tile, 16, 17);
    unsigned column = hd_thread_x() % 16, row = hd_thread_x() / 16;

    tile[row][column] = in[hd_global_x()]; /* BUG barrier_transpose */
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = tile[column][row]; /* BUG barrier_transpose */
}
HD_DEFINE(barrier_transpose)

/* Sum of three neighbours, of a row of one block with a halo of zeroes. */
HD_KERNEL void barrier_halo(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, row, N + 2);
    unsigned t = hd_thread_x();

    row[t + 1] = in[hd_global_x()]; /* BUG barrier_halo */
    if (t == 0)
        row[0] = 0;
    if (t == N - 1)
        row[N + 1] = 0;
    if (!bug)
        hd_sync_block();
    out[hd_global_x()] = row[t] + row[t + 1] + row[t + 2]; /* BUG barrier_halo */
}
HD_DEFINE(barrier_halo)

/* Scan in place: each step has to read before any thread writes. */
HD_KERNEL void barrier_scan(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, s, N);
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    hd_sync_block();
    for (unsigned stride = 1; stride < N; stride *= 2) {
        uint32_t left = t >= stride ? s[t - stride] : 0; /* BUG barrier_scan */

        if (!bug)
            hd_sync_block();
        s[t] += left; /* BUG barrier_scan */
        hd_sync_block();
    }
    out[hd_global_x()] = s[t];
}
HD_DEFINE(barrier_scan)

/* Two arrays in dynamic shared memory; the second starts before the first one ends. */
HD_KERNEL void shared_overlap(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED_AT(uint32_t, left, 0);
    HD_SHARED_AT(uint32_t, right, sizeof(uint32_t) * (bug ? N - 64 : N));
    unsigned t = hd_thread_x();

    left[t] = in[hd_global_x()];      /* BUG shared_overlap */
    right[t] = in[hd_global_x()] * 2; /* BUG shared_overlap */
    hd_sync_block();
    out[hd_global_x()] = left[N - 1 - t] + right[t];
}
HD_DEFINE(shared_overlap)

/* The first thread of every 64 writes the block's answer. */
HD_KERNEL void shared_two_writers(int bug, const uint32_t *HD_RESTRICT in,
                                  uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, answer, 1);
    unsigned t = hd_thread_x();

    if (bug ? t % 64 == 0 : t == 0)
        answer[0] = in[hd_global_x()]; /* BUG shared_two_writers */
    hd_sync_block();
    out[hd_global_x()] = answer[0];
}
HD_DEFINE(shared_two_writers)

/* 16 bins per block, counted without atomics. */
HD_KERNEL void shared_histogram(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, bins, 16);
    unsigned t = hd_thread_x();
    uint32_t bin = in[hd_global_x()] % 16;

    if (t < 16)
        bins[t] = 0;
    hd_sync_block();
    if (bug)
        bins[bin]++; /* BUG shared_histogram */
    else
        (void)hd_atomic_add(&bins[bin], 1u);
    hd_sync_block();
    if (t < 16)
        out[hd_block_x() * 16 + t] = bins[t];
}
HD_DEFINE(shared_histogram)

/* The first 32 threads of both halves read a value, then one of them sets it, for which its warp
   has waited and the other has not. */
HD_KERNEL void shared_leaders(int bug, const uint32_t *HD_RESTRICT in, uint32_t *HD_RESTRICT out)
{
    HD_SHARED(uint32_t, value, 1);
    unsigned t = hd_thread_x();
    uint32_t seen = 0;

    if (t == 0)
        value[0] = in[hd_global_x()];
    hd_sync_block();
    if (t % (N / 2) < 32)
        seen = value[0]; /* BUG shared_leaders */
    if (bug)
        hd_sync_warp();
    else
        hd_sync_block();
    if (t == N / 2)
        value[0] = seen + 1; /* BUG shared_leaders */
    hd_sync_block();
    if (t == 0)
        out[hd_block_x()] = seen + value[0];
}
HD_DEFINE(shared_leaders)

/* One lane, not the first or the last of its warp, reads what another warp has written since the
   barrier; warps have met meanwhile. */
HD_KERNEL void barrier_some(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, N);
    unsigned t = hd_thread_x();
    unsigned far = t == N / 2 + 7 ? N / 2 : 0;

    hd_sync_block();
    tile[t] = in[hd_global_x()]; /* BUG barrier_some */
    if (bug)
        hd_sync_warp();
    else
        hd_sync_block();
    if (t != 7)
        out[hd_global_x()] = tile[t - far]; /* BUG barrier_some */
}
HD_DEFINE(barrier_some)
