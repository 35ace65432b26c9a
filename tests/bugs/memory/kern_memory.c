/* SPDX-License-Identifier: Apache-2.0 */
/* kern_memory.c - kernels that are right; what the host gives them is not. The last two read shared
   memory that nobody wrote. */
#include <heddle/kernel.h>

#include "kern_memory.h"

HD_KERNEL void memory_copy(const uint32_t *from, uint32_t *to)
{
    to[hd_global_x()] = from[hd_global_x()]; /* BUG * */
}
HD_DEFINE(memory_copy)

HD_KERNEL void memory_copy_row(HD_GRID_CONST memory_row row, uint32_t *to)
{
    size_t i = hd_global_x();

    if (i < row.count)
        to[i] = row.from[i]; /* BUG * */
}
HD_DEFINE(memory_copy_row)

/* The last byte of each of four. */
HD_KERNEL void memory_bytes(const uint8_t *from, uint32_t *to)
{
    to[hd_global_x()] = from[4 * hd_global_x() + 3]; /* BUG * */
}
HD_DEFINE(memory_bytes)

/* All threads count. */
HD_KERNEL void memory_count(uint32_t *count)
{
    (void)hd_atomic_add(count, 1u); /* BUG * */
}
HD_DEFINE(memory_count)

/* The same, with kernels of other devices. */
HD_KERNEL void memory_count_system(uint32_t *count)
{
    (void)hd_atomic_add_system(count, 1u);
}
HD_DEFINE(memory_count_system)

/* Four words at once. */
HD_KERNEL void memory_wide(const uint32_t *from, uint32_t *to)
{
    hd_u32x4 v = ((const hd_u32x4 *)(const void *)from)[hd_global_x()]; /* BUG * */

    to[hd_global_x()] = v.x + v.y + v.z + v.w;
}
HD_DEFINE(memory_wide)

/* The same array before the host has raised the flag, and behind it. */
HD_KERNEL void memory_wait(uint32_t *flag, const uint32_t *from, uint32_t *to)
{
    for (unsigned round = 0; round < 2; round++) {
        to[hd_global_x()] = from[hd_global_x()]; /* BUG * */
        if (round == 0)
            hd_wait_ge_system(flag, 1u);
    }
}
HD_DEFINE(memory_wait)

HD_KERNEL void memory_set(uint32_t *to, uint32_t value)
{
    to[hd_global_x()] = value; /* BUG * */
}
HD_DEFINE(memory_set)

/* The block fills the row, then tells the host. */
HD_KERNEL void memory_tell(uint32_t *row, uint32_t *flag)
{
    row[hd_global_x()] = hd_thread_x(); /* BUG * */
    hd_sync_block();
    if (hd_thread_x() == 0)
        hd_store_release_system(flag, 1u); /* BUG * */
}
HD_DEFINE(memory_tell)

/* One thread says that what its stream did before is done; `relaxed`: without order. */
HD_KERNEL void memory_announce(uint32_t *flag, int relaxed)
{
    if (relaxed)
        hd_store_relaxed_system(flag, 1u);
    else
        hd_store_release_system(flag, 1u);
}
HD_DEFINE(memory_announce)

HD_KERNEL void memory_await(const uint32_t *flag)
{
    (void)hd_wait_ge_system(flag, 1u);
}
HD_DEFINE(memory_await)

/* Sums of 256 threads, which nobody sets to zero. */
HD_KERNEL void uninit_shared(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, sum, 256);
    unsigned t = hd_thread_x();

    if (!bug)
        sum[t] = 0;
    sum[t] += in[hd_global_x()]; /* BUG uninit_shared */
    out[hd_global_x()] = sum[t];
}
HD_DEFINE(uninit_shared)

/* A row with a halo, of which the right end is forgotten. */
HD_KERNEL void uninit_part(int bug, const uint32_t *in, uint32_t *out)
{
    HD_SHARED(uint32_t, row, 258);
    unsigned t = hd_thread_x();

    row[t + 1] = in[hd_global_x()];
    if (t == 0)
        row[0] = 0;
    if (!bug && t == 255)
        row[257] = 0;
    hd_sync_block();
    out[hd_global_x()] = row[t] + row[t + 2]; /* BUG uninit_part */
}
HD_DEFINE(uninit_part)

/* Looks at each element twice, atomically first. */
HD_KERNEL void memory_look(const uint32_t *from, uint32_t *to)
{
    size_t i = hd_global_x();
    uint32_t first = hd_load_relaxed(&from[i]);

    to[i] = from[i] + (first & 0); /* BUG uninit_again */
}
HD_DEFINE(memory_look)
