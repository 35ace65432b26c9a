/* SPDX-License-Identifier: Apache-2.0 */
/* kern_ends.c - kernels with a race each. */
#include <heddle/kernel.h>

#include "ends.h"

/* A device function: findings name its own line. */
HD_DEVICE unsigned neighbour(const unsigned *tile)
{
    return tile[hd_thread_x() ^ 128]; /* READS */
}

HD_KERNEL void ends_race(unsigned *out)
{
    HD_SHARED(unsigned, tile, 256);

    tile[hd_thread_x()] = hd_thread_x(); /* WRITES */
    out[hd_thread_x()] = neighbour(tile);
}
HD_DEFINE(ends_race)

HD_DEVICE_VAR(unsigned, ends_variable, 1)
HD_DEFINE_SYMBOL(ends_variable)

/* Several instructions in one line. */
#define READ(i) tile[256 * (i) + (hd_thread_x() ^ 128)]

HD_KERNEL void ends_unrolled(unsigned *out)
{
    HD_SHARED(unsigned, tile, 1024);
    unsigned sum = 0;

    for (unsigned i = 0; i < 4; i++)
        tile[hd_thread_x() + 256 * i] = i;
    sum += READ(0) + READ(1) + READ(2); /* UNROLLED */
    out[hd_thread_x()] = sum;
}
HD_DEFINE(ends_unrolled)
