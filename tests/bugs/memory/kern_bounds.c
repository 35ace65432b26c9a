/* SPDX-License-Identifier: Apache-2.0 */
/* kern_bounds.c - indices beyond arrays, addresses that fit no type. 1000 elements in blocks of
   256, unless it says something else. */
#include <heddle/kernel.h>

#include "kern_bounds.h"

enum { BLOCK = 256 };

/* One element too many. */
HD_KERNEL void bounds_end(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();

    if (bug ? i <= BOUNDS_N : i < BOUNDS_N)
        out[i] = in[i]; /* BUG bounds_end */
}
HD_DEFINE(bounds_end)

/* The left neighbour of the first element. */
HD_KERNEL void bounds_start(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();

    if (i < BOUNDS_N)
        out[i] = i > 0 || bug ? in[i - 1] : 0; /* BUG bounds_start */
}
HD_DEFINE(bounds_start)

/* The last block is not asked whether its threads have an element. */
HD_KERNEL void bounds_block(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();

    if (bug || i < BOUNDS_N)
        out[i] = in[i]; /* BUG bounds_block */
}
HD_DEFINE(bounds_block)

/* A field of 25 rows of 40; the last row has no row below it. */
HD_KERNEL void bounds_row(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x(), row = i / 40, column = i % 40, rows = bug ? 25 : 24;

    if (row < rows)
        out[(row + 1) * 40 + column] = in[i]; /* BUG bounds_row */
}
HD_DEFINE(bounds_row)

/* An index that wraps around in 32 bits. */
HD_KERNEL void bounds_far(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t i = (uint32_t)hd_global_x();
    int64_t at = bug ? (int)(i * 40000000u) : (int64_t)i;

    if (i < BOUNDS_N)
        out[i] = in[at]; /* BUG bounds_far */
}
HD_DEFINE(bounds_far)

/* 16 bins, of which elements make 17. */
HD_KERNEL void bounds_bin(int bug, const uint32_t *in, uint32_t *out)
{
    size_t i = hd_global_x();

    if (i < BOUNDS_N)
        (void)hd_atomic_add(&out[in[i] % (bug ? 17 : 16)], 1u); /* BUG bounds_bin */
}
HD_DEFINE(bounds_bin)

/* The right neighbour of the last element of a tile. */
HD_KERNEL void bounds_tile(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, BLOCK);
    unsigned t = hd_thread_x();

    tile[t] = in[hd_global_x()];
    hd_sync_block();
    out[hd_global_x()] = tile[bug || t + 1 < BLOCK ? t + 1 : t]; /* BUG bounds_tile */
}
HD_DEFINE(bounds_tile)

/* The launch gives the dynamic array a byte per element. */
HD_KERNEL void bounds_dynamic(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED_DYN(uint32_t, tile);
    unsigned t = hd_thread_x();

    (void)bug;
    tile[t] = in[hd_global_x()]; /* BUG bounds_dynamic */
    hd_sync_block();
    out[hd_global_x()] = tile[BLOCK - 1 - t]; /* BUG bounds_dynamic */
}
HD_DEFINE(bounds_dynamic)

/* Four parts in a local array, of which the bug reads a fifth. */
HD_KERNEL void bounds_local(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t part[4], v = in[hd_global_x()];

    for (unsigned i = 0; i < 4; i++)
        part[i] = v * (i + 1);
    out[hd_global_x()] = part[v % (bug ? 5 : 4)]; /* BUG bounds_local */
}
HD_DEFINE(bounds_local)

HD_TABLE(uint32_t, primes, 8) = {2, 3, 5, 7, 11, 13, 17, 19};

/* Eight primes, of which the bug reads a ninth. */
HD_KERNEL void bounds_table(int bug, const uint32_t *in, uint32_t *out)
{
    out[hd_global_x()] = primes[in[hd_global_x()] % (bug ? 9 : 8)]; /* BUG bounds_table */
}
HD_DEFINE(bounds_table)

HD_CONSTANT(uint32_t, bounds_coefficients, BOUNDS_COEFFICIENTS);
HD_DEFINE_SYMBOL(bounds_coefficients)

/* Eight coefficients in constant memory, of which the bug reads a ninth. */
HD_KERNEL void bounds_constant(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t which = in[hd_global_x()] % (bug ? BOUNDS_COEFFICIENTS + 1 : BOUNDS_COEFFICIENTS);

    out[hd_global_x()] = hd_symbol(bounds_coefficients)[which]; /* BUG bounds_constant */
}
HD_DEFINE(bounds_constant)

/* Four elements at once, from the second one on. */
HD_KERNEL void misaligned_vector(int bug, const uint32_t *in, uint32_t *out)
{
    const hd_u32x4 *from = (const hd_u32x4 *)(const void *)(in + (bug ? 1 : 0));
    size_t i = hd_global_x();

    if (4 * i + 4 >= hd_global_size_x())
        return;
    out[i] = from[i].x + from[i].y + from[i].z + from[i].w; /* BUG misaligned_vector */
}
HD_DEFINE(misaligned_vector)

/* 32-bit words as 64-bit ones, from the second one on. */
HD_KERNEL void misaligned_wide(int bug, const uint32_t *in, uint32_t *out)
{
    const uint64_t *from = (const uint64_t *)(const void *)(in + (bug ? 1 : 0));
    size_t i = hd_global_x();
    uint64_t v;

    if (2 * i + 2 >= hd_global_size_x())
        return;
    v = from[i]; /* BUG misaligned_wide */
    out[i] = (uint32_t)v + (uint32_t)(v >> 32);
}
HD_DEFINE(misaligned_wide)

/* Two arrays in dynamic shared memory, the second of 64-bit words behind an odd number of 32-bit
   ones. */
HD_KERNEL void misaligned_shared(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED_AT(uint32_t, words, 0);
    HD_SHARED_AT(uint64_t, wide, 4 * (size_t)(bug ? BLOCK + 1 : BLOCK));
    unsigned t = hd_thread_x();

    words[t] = in[hd_global_x()];
    wide[t] = in[hd_global_x()]; /* BUG misaligned_shared */
    hd_sync_block();
    out[hd_global_x()] = words[BLOCK - 1 - t] + (uint32_t)wide[t]; /* BUG misaligned_shared */
}
HD_DEFINE(misaligned_shared)

/* The left neighbour of the first element of a tile, which is the first shared array of all. */
HD_KERNEL void bounds_below(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, BLOCK);
    int t = (int)hd_thread_x();

    tile[t] = in[hd_global_x()];
    hd_sync_block();
    out[hd_global_x()] = tile[bug || t > 0 ? t - 1 : t]; /* BUG bounds_below */
}
HD_DEFINE(bounds_below)

/* Constant memory, taken for scratch memory by a cast; the twin has a device variable. */
HD_DEVICE_VAR(uint32_t, bounds_scratch, 256)
HD_KERNEL void constant_write(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t *constant = (uint32_t *)(uintptr_t)hd_symbol(bounds_coefficients);
    uint32_t *scratch = bug ? constant : hd_symbol(bounds_scratch);
    size_t i = hd_global_x();

    if (i < BOUNDS_COEFFICIENTS)
        scratch[i] = in[i]; /* BUG constant_write */
    out[i] = i < BOUNDS_COEFFICIENTS ? scratch[i] : 0;
}
HD_DEFINE(constant_write)

/* The last four elements of an array whose length is no multiple of four. */
HD_KERNEL void bounds_vector(int bug, const uint32_t *in, uint32_t *out)
{
    const hd_u32x4 *from = (const hd_u32x4 *)(const void *)in;
    size_t i = hd_global_x(), n = BOUNDS_N - 2;

    if (4 * i + (bug ? 0 : 3) >= n)
        return;
    out[i] = from[i].x + from[i].y + from[i].z + from[i].w; /* BUG bounds_vector */
}
HD_DEFINE(bounds_vector)

/* Pairs, of which the last has one element. */
HD_KERNEL void bounds_pair(int bug, const uint32_t *in, uint32_t *out)
{
    const uint64_t *pair = (const uint64_t *)(const void *)in;
    size_t i = hd_global_x(), n = BOUNDS_N - 1;

    if (2 * i + (bug ? 0 : 1) < n)
        out[i] = (uint32_t)pair[i] + (uint32_t)(pair[i] >> 32); /* BUG bounds_pair */
}
HD_DEFINE(bounds_pair)

/* The same in shared memory. */
HD_KERNEL void bounds_half(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, tile, 255);
    uint64_t *pair = (uint64_t *)(void *)tile;
    unsigned t = hd_thread_x();

    if (t < 127 + (bug ? 1u : 0u))
        pair[t] = in[hd_global_x()]; /* BUG bounds_half */
    hd_sync_block();
    out[hd_global_x()] = t < 127 ? (uint32_t)pair[126 - t] : 0;
}
HD_DEFINE(bounds_half)

/* An address made of a number. */
HD_KERNEL void bounds_wild(int bug, const uint32_t *in, uint32_t *out)
{
    const uint32_t *from = bug ? (const uint32_t *)(uintptr_t)(64 + 4 * (size_t)in[0]) : in;

    if (hd_global_x() == 0)
        out[0] = from[0]; /* BUG bounds_wild */
}
HD_DEFINE(bounds_wild)

/* A counter that does not begin at a multiple of its size. */
HD_KERNEL void misaligned_atomic(int bug, const uint32_t *in, uint32_t *out)
{
    uint32_t *count = (uint32_t *)(void *)((uint8_t *)out + (bug ? 2 : 0));

    if (in[hd_global_x()] > 0)
        (void)hd_atomic_add(count, 1u); /* BUG misaligned_atomic */
}
HD_DEFINE(misaligned_atomic)
