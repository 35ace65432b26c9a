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
