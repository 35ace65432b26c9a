/* SPDX-License-Identifier: Apache-2.0 */
/* lists.c - work and memory whose amount is only known on the device, and messages to the host. */
#include <heddle/kernel.h>

#include "replacements.h"

/* Writes the indices of the cells whose error is above the limit, in no particular order. Every
   lane reaches hd_take, so the kernel has no early return. One thread per cell. */
HD_KERNEL void list_cells(size_t n, const float *HD_RESTRICT error, float limit, uint32_t *list,
                          unsigned *count)
{
    size_t i = hd_global_x();
    int wanted = i < n && error[i] > limit;
    unsigned slot = hd_take(count, wanted);

    if (wanted)
        list[slot] = (uint32_t)i;
}
HD_DEFINE(list_cells)

/* A block refines every grid-th cell of the list. The kernel reads the length of the list itself:
   the host need not wait for it. Launch: any grid, blocks of FINE. */
HD_KERNEL void refine_cells(const uint32_t *HD_RESTRICT list, const unsigned *HD_RESTRICT count,
                            const float *HD_RESTRICT coarse, float *HD_RESTRICT fine)
{
    for (size_t c = hd_block_x(); c < *count; c += hd_grid_dim_x()) {
        size_t cell = list[c];

        fine[cell * FINE + hd_thread_x()] = coarse[cell] * ((float)hd_thread_x() + 0.5f) /
                                            (float)FINE;
    }
}
HD_DEFINE(refine_cells)

/* First pass: how many divisors x[i] has. One thread per number. */
HD_KERNEL void count_divisors(size_t n, const uint32_t *HD_RESTRICT x, uint32_t *HD_RESTRICT counts)
{
    size_t i = hd_global_x();
    uint32_t count = 0;

    if (i >= n)
        return;
    for (uint32_t d = 1; d <= x[i]; d++)
        count += x[i] % d == 0;
    counts[i] = count;
}
HD_DEFINE(count_divisors)

/* Second pass: the list of number i begins at starts[i]. One thread per number. */
HD_KERNEL void list_divisors(size_t n, const uint32_t *HD_RESTRICT x,
                             const uint32_t *HD_RESTRICT starts, uint32_t *HD_RESTRICT lists)
{
    size_t i = hd_global_x();

    if (i >= n)
        return;
    uint32_t *list = lists + starts[i];
    for (uint32_t d = 1; d <= x[i]; d++)
        if (x[i] % d == 0)
            *list++ = d;
}
HD_DEFINE(list_divisors)

/* Stores a record for each negative element, as far as there is room, and counts all of them. One
   thread per element; every lane reaches hd_take. */
HD_KERNEL void report_negative(size_t n, const float *HD_RESTRICT x, record *records,
                               unsigned capacity, unsigned *count)
{
    size_t i = hd_global_x();
    int bad = i < n && x[i] < 0.0f;
    unsigned slot = hd_take(count, bad);

    if (bad && slot < capacity) {
        records[slot].index = (uint32_t)i;
        records[slot].value = x[i];
    }
}
HD_DEFINE(report_negative)
