/* SPDX-License-Identifier: Apache-2.0 */
/* kern_unit.c - small kernels for the tests of the host runtime. */
#include <heddle/kernel.h>

#include "unit_kernels.h"

/* x[i] = value */
HD_KERNEL void unit_set(size_t n, int *x, int value)
{
    HD_FOR(i, n)
        x[i] = value;
}
HD_DEFINE(unit_set)

/* y[i] = x[i] + value; x may be y */
HD_KERNEL void unit_add(size_t n, const int *x, int *y, int value)
{
    HD_FOR(i, n)
        y[i] = x[i] + value;
}
HD_DEFINE(unit_add)

/* One thread counts for a while: work that is not done at once. */
HD_KERNEL void unit_spin(int *x, long turns)
{
    long i;

    for (i = 0; i < turns; i++)
        hd_store_relaxed(x, hd_load_relaxed(x) + 1);
}
HD_DEFINE(unit_spin)

/* Writes where it is told. */
HD_KERNEL void unit_poke(int *x)
{
    x[hd_global_x()] = 1;
}
HD_DEFINE(unit_poke)

HD_KERNEL void unit_wait_for(const unsigned *flag, unsigned value)
{
    (void)hd_wait_eq_system(flag, value);
}
HD_DEFINE(unit_wait_for)

HD_KERNEL void unit_raise(unsigned *flag, unsigned value)
{
    hd_store_release_system(flag, value);
}
HD_DEFINE(unit_raise)

/* Has static shared memory and a barrier. */
HD_KERNEL void unit_shared(int *x)
{
    HD_SHARED(int, row, 1024);

    row[hd_thread_linear()] = x[hd_thread_linear()];
    hd_sync_block();
    x[hd_thread_linear()] = row[hd_block_threads() - 1 - hd_thread_linear()];
}
HD_DEFINE(unit_shared)

/* Blocks of no more than 64 threads. */
HD_KERNEL HD_MAX_THREADS(64) void unit_narrow(int *x)
{
    x[hd_thread_linear()] = 64;
}
HD_DEFINE(unit_narrow)

/* One thread: cells[self] becomes a hash of salt and of the cells in the list, in its order. */
HD_KERNEL void unit_mix(unsigned *cells, const unsigned *list, unsigned count, unsigned self,
                        unsigned salt)
{
    unsigned h = salt * 2654435761u, i;

    for (i = 0; i < count; i++)
        h = (h ^ cells[list[i]]) * 16777619u + 1u;
    cells[self] = h;
}
HD_DEFINE(unit_mix)

HD_KERNEL void unit_nothing(void)
{
}
HD_DEFINE(unit_nothing)

/* Each block counts itself after a while; the first ones say that the launch has begun. */
HD_KERNEL void unit_crowd(unsigned *count, unsigned *begun, unsigned turns)
{
    unsigned i, h = hd_global_x() & 7;

    if (hd_thread_linear() == 0 && hd_load_relaxed(count) == 0)
        hd_store_release_system(begun, 1u);
    for (i = 0; i < turns; i++) /* which no compiler does several of at once */
        h = (h ^ h >> 7) * 1664525u + 1013904223u;
    if (hd_thread_linear() == 0)
        (void)hd_atomic_add(count, h == 1 ? 2u : 1u);
}
HD_DEFINE(unit_crowd)

/* What the count was when this ran. */
HD_KERNEL void unit_look(const unsigned *count, unsigned *seen)
{
    *seen = hd_load_relaxed(count);
}
HD_DEFINE(unit_look)

/* Fails unless *x is the value. */
HD_KERNEL void unit_insist(const int *x, int value)
{
    hd_assert(*x == value);
}
HD_DEFINE(unit_insist)

/* Cooperative: every block adds one, all meet, and each block notes how many there are. */
HD_KERNEL void unit_meet(unsigned *barrier, unsigned *count, unsigned *seen)
{
    if (hd_thread_linear() == 0)
        (void)hd_atomic_add(count, 1u);
    hd_sync_grid((hd_grid_barrier *)barrier);
    if (hd_thread_linear() == 0)
        seen[hd_block_linear()] = hd_load_relaxed(count);
}
HD_DEFINE(unit_meet)
