/* SPDX-License-Identifier: Apache-2.0 */
/* kern_idiom.c - what programs for GPUs do all the time, in blocks of 256 threads, each with the
   mistake that belongs to it. */
#include <heddle/kernel.h>

#include "kern_idiom.h"

enum { N = 256, TILE = 16 };

typedef struct idiom_tagged {
    uint8_t tag;
    uint32_t value;
} idiom_tagged;

typedef struct idiom_packed {
    unsigned kind : 5, level : 11, id : 16;
} idiom_packed;

/* A tree whose last steps are left to one warp, as if its lanes ran in lockstep. */
HD_KERNEL void idiom_unrolled(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, s, N);
    volatile uint32_t *v = s;
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    hd_sync_block();
    for (unsigned stride = N / 2; stride > (bug ? 16u : 0u); stride /= 2) {
        if (t < stride)
            s[t] += s[t + stride];
        hd_sync_block();
    }
    if (bug && t < 16) {
        v[t] += v[t + 16]; /* BUG idiom_unrolled */
        v[t] += v[t + 8];  /* BUG idiom_unrolled */
        v[t] += v[t + 4];  /* BUG idiom_unrolled */
        v[t] += v[t + 2];  /* BUG idiom_unrolled */
        v[t] += v[t + 1];  /* BUG idiom_unrolled */
    }
    if (t == 0)
        out[hd_block_x()] = v[0];
}
HD_DEFINE(idiom_unrolled)

/* One thread hands a value to the block, again and again; the next one comes too early. */
HD_KERNEL void idiom_broadcast(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, value, 1);
    unsigned t = hd_thread_x();
    uint32_t sum = 0;

    for (unsigned k = 0; k < 4; k++) {
        if (t == 0)
            value[0] = in[hd_global_x() + k]; /* BUG idiom_broadcast */
        hd_sync_block();
        sum += value[0]; /* BUG idiom_broadcast */
        if (!bug)
            hd_sync_block();
    }
    out[hd_global_x()] = sum;
}
HD_DEFINE(idiom_broadcast)

/* A product of matrices, tile by tile; a tile is overwritten while others still use it. */
HD_KERNEL void idiom_matmul(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED2(uint32_t, a, TILE, TILE);
    HD_SHARED2(uint32_t, b, TILE, TILE);
    unsigned row = hd_thread_x() / TILE, column = hd_thread_x() % TILE;
    uint32_t sum = 0;

    for (unsigned first = 0; first < 2 * TILE; first += TILE) {
        a[row][column] = in[row * 2 * TILE + first + column];     /* BUG idiom_matmul */
        b[row][column] = in[512 + (first + row) * TILE + column]; /* BUG idiom_matmul */
        hd_sync_block();
        for (unsigned k = 0; k < TILE; k++)
            sum += a[row][k] * b[k][column]; /* BUG idiom_matmul */
        if (!bug)
            hd_sync_block();
    }
    out[hd_global_x()] = sum;
}
HD_DEFINE(idiom_matmul)

/* A row with a halo of two on both sides, of which one thread loads too few. */
HD_KERNEL void idiom_halo(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, row, N + 4);
    size_t i = hd_global_x(), n = hd_global_size_x();
    unsigned t = hd_thread_x(), width = bug ? 1 : 2;

    row[t + 2] = in[i];
    if (t < width)
        row[t] = i >= 2 ? in[i - 2] : 0;
    if (t >= N - 2)
        row[t + 4] = i + 2 < n ? in[i + 2] : 0;
    hd_sync_block();
    out[i] = row[t] + row[t + 2] + row[t + 4]; /* BUG idiom_halo */
}
HD_DEFINE(idiom_halo)

/* Bins of a block are added to those of the grid before all of it has counted. */
HD_KERNEL void idiom_flush(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, bins, 16);
    unsigned t = hd_thread_x();

    if (t < 16)
        bins[t] = 0;
    hd_sync_block();
    (void)hd_atomic_add_block(&bins[in[hd_global_x()] % 16], 1u); /* BUG idiom_flush */
    if (!bug)
        hd_sync_block();
    if (t < 16)
        (void)hd_atomic_add(&out[t], bins[t]); /* BUG idiom_flush */
}
HD_DEFINE(idiom_flush)

/* Threads take slots of their block, the block takes slots of the grid for all of them. */
HD_KERNEL void idiom_slots(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(uint32_t, count, 2);
    unsigned t = hd_thread_x(), odd = in[hd_global_x()] % 2, slot = 0;

    if (t == 0)
        count[0] = count[1] = 0;
    hd_sync_block();
    if (odd)
        slot = hd_atomic_add_block(&count[0], 1u); /* BUG idiom_slots */
    if (!bug)
        hd_sync_block();
    if (t == 0)
        count[1] = hd_atomic_add(&scratch[0], count[0]); /* BUG idiom_slots */
    hd_sync_block();
    if (odd)
        scratch[64 + count[1] + slot] = 1;
    out[hd_global_x()] = odd;
}
HD_DEFINE(idiom_slots)

/* Turns an array around in place: each pair is swapped by one thread, or by both. */
HD_KERNEL void idiom_reverse(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x(), n = hd_global_size_x();
    uint32_t low, high;

    scratch[i] = in[i];
    hd_sync_grid((hd_grid_barrier *)(void *)(scratch + 4096));
    if (i < (bug ? n : n / 2)) {
        low = scratch[i];          /* BUG idiom_reverse */
        high = scratch[n - 1 - i]; /* BUG idiom_reverse */
        scratch[i] = high;         /* BUG idiom_reverse */
        scratch[n - 1 - i] = low;  /* BUG idiom_reverse */
    }
    hd_sync_grid((hd_grid_barrier *)(void *)(scratch + 4096));
    out[i] = scratch[i];
}
HD_DEFINE(idiom_reverse)

/* Each thread has two elements, and takes one more. */
HD_KERNEL void idiom_chunks(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x(), n = hd_global_size_x();

    for (size_t k = 0; k < (bug ? 3u : 2u); k++)
        if (2 * i + k < n)
            out[2 * i + k] = in[2 * i + k]; /* BUG idiom_chunks */
}
HD_DEFINE(idiom_chunks)

/* A bitonic sort whose inner steps lack a barrier. */
HD_KERNEL void idiom_bitonic(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, s, N);
    unsigned t = hd_thread_x();

    s[t] = in[hd_global_x()];
    hd_sync_block();
    for (unsigned size = 2; size <= N; size *= 2) {
        for (unsigned stride = size / 2; stride > 0; stride /= 2) {
            unsigned other = t ^ stride;
            uint32_t low = s[t], high = s[other]; /* BUG idiom_bitonic */

            if (!bug)
                hd_sync_block();
            if (other > t && (low > high) == !(t & size)) {
                s[t] = high;    /* BUG idiom_bitonic */
                s[other] = low; /* BUG idiom_bitonic */
            }
            if (!bug)
                hd_sync_block();
        }
        hd_sync_block();
    }
    out[hd_global_x()] = t > 0 ? s[t] >= s[t - 1] : 1;
}
HD_DEFINE(idiom_bitonic)

/* A stencil that overwrites its input. */
HD_KERNEL void idiom_in_place(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    size_t i = hd_global_x(), n = hd_global_size_x();
    uint32_t *to = bug ? scratch : scratch + 4096;

    scratch[i] = in[i];
    hd_sync_grid((hd_grid_barrier *)(void *)(scratch + 4000));
    to[i] = (i >= 2 ? scratch[i - 2] : 0) + scratch[i] +
            (i + 2 < n ? scratch[i + 2] : 0); /* BUG idiom_in_place */
    out[i] = to[i];
}
HD_DEFINE(idiom_in_place)

/* Counters of a warp, which its lanes raise without atomics. */
HD_KERNEL void idiom_digits(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, digits, 2 * HD_MAX_WARPS_PER_BLOCK);
    uint32_t *mine = &digits[2 * hd_warp()];
    uint32_t v = in[hd_global_x()];

    if (hd_lane() < 2)
        mine[hd_lane()] = 0;
    hd_sync_warp();
    if (bug)
        mine[v % 2]++; /* BUG idiom_digits */
    else
        (void)hd_atomic_add_block(&mine[v % 2], 1u);
    hd_sync_block();
    if (hd_lane() == 0)
        (void)hd_atomic_add(&out[hd_block_x()], mine[1]);
}
HD_DEFINE(idiom_digits)

/* A warp packs its odd elements; the leader passes the start on in shared memory. */
HD_KERNEL void idiom_compact(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(uint32_t, start, HD_MAX_WARPS_PER_BLOCK);
    uint32_t v = in[hd_global_x()];
    hd_mask odd = hd_ballot(v % 2 != 0);

    if (hd_lane() == 0)
        start[hd_warp()] = hd_atomic_add(&scratch[0], hd_mask_count(odd)); /* BUG idiom_compact */
    if (!bug)
        hd_sync_warp();
    if (v % 2)
        scratch[64 + start[hd_warp()] + hd_mask_rank(odd)] = v; /* BUG idiom_compact */
    out[hd_global_x()] = v % 2;
}
HD_DEFINE(idiom_compact)

/* Lengths of rows, from starts of which there is one more than rows. */
HD_KERNEL void idiom_rows(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x(), n = hd_global_size_x();

    if (bug || i + 1 < n)
        out[i] = in[i + 1] - in[i]; /* BUG idiom_rows */
}
HD_DEFINE(idiom_rows)

/* Records with padding are written by members and copied as a whole. */
HD_KERNEL void idiom_padding(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(idiom_tagged, record, N);
    unsigned t = hd_thread_x();
    idiom_tagged mine;

    record[t].tag = (uint8_t)(in[hd_global_x()] % 3); /* BUG idiom_padding */
    record[t].value = in[hd_global_x()];              /* BUG idiom_padding */
    if (!bug)
        hd_sync_block();
    mine = record[N - 1 - t]; /* BUG idiom_padding */
    out[hd_global_x()] = mine.value - mine.tag;
}
HD_DEFINE(idiom_padding)

/* Bit-fields of shared records, set one after the other by every thread, or by every second. */
HD_KERNEL void idiom_fields(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(idiom_packed, record, N);
    unsigned t = hd_thread_x();

    if (!bug || t % 2) {
        record[t].kind = in[hd_global_x()] & 3;
        record[t].level = 5;
        record[t].id = t & 0xffff;
    }
    hd_sync_block();
    out[hd_global_x()] = record[N - 1 - t].kind + record[N - 1 - t].id; /* BUG idiom_fields */
}
HD_DEFINE(idiom_fields)

/* A flag per thread, one byte each; the neighbour's is cleared. */
HD_KERNEL void idiom_flags(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint8_t, seen, N);
    unsigned t = hd_thread_x();

    seen[t] = in[hd_global_x()] % 2 != 0; /* BUG idiom_flags */
    if (bug && t > 0)
        seen[t - 1] = 0; /* BUG idiom_flags */
    hd_sync_block();
    out[hd_global_x()] = seen[t];
}
HD_DEFINE(idiom_flags)

/* Values of 64 bits go from block to block as two words behind a flag. */
HD_KERNEL void idiom_words(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    uint32_t *low = scratch + 64, *high = scratch + 128, *flag = scratch + 192;
    unsigned id = hd_ordered_block_id(scratch);
    uint32_t before = 0;

    if (hd_thread_x() != 0)
        return;
    if (id > 0) {
        (void)hd_wait_ne(&flag[id - 1], 0u);
        before = low[id - 1] + high[id - 1]; /* BUG idiom_words */
    }
    low[id] = before + in[id]; /* BUG idiom_words */
    high[id] = 0;              /* BUG idiom_words */
    if (bug)
        hd_store_relaxed(&flag[id], 1u);
    else
        hd_store_release(&flag[id], 1u);
    out[id] = low[id];
}
HD_DEFINE(idiom_words)

/* Two buffers: one is filled while the other is read; all go to the same one. */
HD_KERNEL void idiom_prefetch(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED2(uint32_t, buffer, 2, N);
    unsigned t = hd_thread_x();
    uint32_t sum = 0;

    buffer[0][t] = in[hd_global_x()];
    hd_sync_block();
    for (unsigned k = 0; k < 4; k++) {
        unsigned next = bug ? k % 2 : (k + 1) % 2;

        buffer[next][t] = in[hd_global_x()] + k + 1; /* BUG idiom_prefetch */
        sum += buffer[k % 2][N - 1 - t];             /* BUG idiom_prefetch */
        hd_sync_block();
    }
    out[hd_global_x()] = sum;
}
HD_DEFINE(idiom_prefetch)

/* Words are written one by one and read four at once. */
HD_KERNEL void idiom_vector(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(hd_u32x4, wide, N / 4);
    uint32_t *word = (uint32_t *)(void *)wide;
    unsigned t = hd_thread_x();
    hd_u32x4 v;

    word[t] = in[hd_global_x()]; /* BUG idiom_vector */
    if (!bug)
        hd_sync_block();
    if (t < N / 4) {
        v = wide[N / 4 - 1 - t]; /* BUG idiom_vector */
        out[hd_block_x() * (N / 4) + t] = v.x + v.y + v.z + v.w;
    }
}
HD_DEFINE(idiom_vector)

/* A maximum is compared first, so that most threads need no atomic. */
HD_KERNEL void idiom_max(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t v = in[hd_global_x()];

    if (bug) {
        if (v > out[0]) /* BUG idiom_max */
            out[0] = v; /* BUG idiom_max */
    } else if (v > hd_load_relaxed(&out[0])) {
        (void)hd_atomic_max(&out[0], v);
    }
}
HD_DEFINE(idiom_max)

/* Blocks take work from a counter; thread 0 resets it for the next launch. */
HD_KERNEL void idiom_queue(int bug, const uint32_t *in, uint32_t *out, uint32_t *scratch)
{
    HD_SHARED(uint32_t, next, 1);
    unsigned t = hd_thread_x();

    for (;;) {
        if (t == 0)
            next[0] = hd_atomic_add(&scratch[0], 1u); /* BUG idiom_queue */
        hd_sync_block();
        if (next[0] >= hd_grid_dim_x())
            break;
        out[next[0] * N + t] = in[next[0] * N + t];
        hd_sync_block();
    }
    if (bug && hd_block_x() == 0 && t == 0)
        scratch[0] = 0; /* BUG idiom_queue */
}
HD_DEFINE(idiom_queue)

/* Partial sums of warps are added by the first one, also those of warps that do not exist. */
HD_KERNEL void idiom_sums(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, part, HD_MAX_WARPS_PER_BLOCK);
    unsigned t = hd_thread_x(), warps = bug ? HD_MAX_WARPS_PER_BLOCK : hd_warps_per_block();
    uint32_t v = hd_warp_sum(in[hd_global_x()]);

    if (hd_lane() == 0)
        part[hd_warp()] = v;
    hd_sync_block();
    v = 0;
    if (t < HD_MAX_WARPS_PER_BLOCK)
        v = t < warps ? part[t] : 0; /* BUG idiom_sums */
    v = hd_block_sum(v);
    if (t == 0)
        out[hd_block_x()] = v;
}
HD_DEFINE(idiom_sums)
