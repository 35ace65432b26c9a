/* SPDX-License-Identifier: Apache-2.0 */
/* kern_borrow.c - kernels without waits for what is outside their launch: the CPU engine runs them
   on the thread that launches them. */
#include <heddle/kernel.h>

#include "borrow_kernels.h"

/* out[block] after so many steps of a generator. */
HD_KERNEL void borrow_work(unsigned steps, unsigned *out)
{
    unsigned i, x = (unsigned)hd_block_linear() + 1;

    for (i = 0; i < steps; i++)
        x = x * 1664525u + 1013904223u;
    if (hd_thread_linear() == 0)
        out[hd_block_linear()] = x;
}
HD_DEFINE(borrow_work)

/* out[block]: the sum of its n numbers; by shared memory, with barriers. BORROW_THREADS threads. */
HD_KERNEL void borrow_sum(const unsigned *x, unsigned n, unsigned *out)
{
    HD_SHARED(unsigned, part, BORROW_THREADS);
    const unsigned *mine = x + hd_block_linear() * n;
    unsigned i, sum = 0, t = hd_thread_linear();

    for (i = t; i < n; i += BORROW_THREADS)
        sum += mine[i];
    part[t] = sum;
    for (i = BORROW_THREADS / 2; i > 0; i /= 2) {
        hd_sync_block();
        if (t < i)
            part[t] += part[t + i];
    }
    if (t == 0)
        out[hd_block_linear()] = part[0];
}
HD_DEFINE(borrow_sum)

/* Keeps `mine` in shared memory while it works; bad: whether it changed. One thread. */
HD_KERNEL void borrow_hold(unsigned mine, unsigned steps, unsigned *bad)
{
    HD_SHARED(unsigned, word, 1);
    volatile unsigned *kept = word;
    unsigned i, x = mine;

    *kept = mine;
    for (i = 0; i < steps; i++)
        x = x * 1664525u + 1013904223u + (*kept != mine);
    *bad = *kept != mine || x == 0;
}
HD_DEFINE(borrow_hold)

/* out[0] = x[0] + x[1] + ... from left to right */
HD_KERNEL void borrow_float_sum(const float *x, unsigned n, float *out)
{
    float sum = 0;
    unsigned i;

    for (i = 0; i < n; i++)
        sum += x[i];
    out[0] = sum;
}
HD_DEFINE(borrow_float_sum)

HD_KERNEL void borrow_store(unsigned *to, unsigned value)
{
    *to = value;
}
HD_DEFINE(borrow_store)

HD_KERNEL void borrow_divide(int *x, int by)
{
    *x /= by;
}
HD_DEFINE(borrow_divide)

#if HD_SERIAL_THREADS
/* Touches frames of 1 KB, one below the other. */
HD_DEVICE unsigned deeper(unsigned levels, unsigned x)
{
    volatile unsigned room[256];
    unsigned i;

    for (i = 0; i < 256; i++)
        room[i] = x + i;
    if (levels > 0)
        room[x & 255] += deeper(levels - 1, room[(x + 1) & 255]);
    return room[x & 255];
}

#endif

HD_KERNEL void borrow_deep(unsigned *out, unsigned levels)
{
#if HD_SERIAL_THREADS
    *out = deeper(levels, 1);
#else
    *out = levels;
#endif
}
HD_DEFINE(borrow_deep)

/* Blocks that meet `rounds` times, by two words of `barrier`, zeroed once; bad: how often one of
   them came too early or late. */
HD_KERNEL void borrow_rounds(unsigned *barrier, unsigned *count, unsigned rounds, unsigned *bad)
{
    unsigned i, blocks = (unsigned)hd_grid_blocks();

    for (i = 1; i <= rounds; i++) {
        if (hd_thread_linear() == 0)
            (void)hd_atomic_add(count, 1u);
        hd_sync_grid((hd_grid_barrier *)barrier);
        if (hd_thread_linear() == 0 && hd_load_relaxed(count) != i * blocks)
            (void)hd_atomic_add(bad, 1u);
        hd_sync_grid((hd_grid_barrier *)barrier);
    }
}
HD_DEFINE(borrow_rounds)

/* For what some block of the grid would have to store. */
HD_KERNEL void borrow_wait(const unsigned *flag, unsigned value)
{
    (void)hd_wait_ge_grid(flag, value);
}
HD_DEFINE(borrow_wait)
