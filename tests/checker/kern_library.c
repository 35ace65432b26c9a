/* SPDX-License-Identifier: Apache-2.0 */
/* kern_library.c - a slow kernel by a name as heddle's own kernels have, and by another one. */
#include <heddle/kernel.h>

#include "kern_library.h"

/* Scattered reads, a bank for eight lanes, a way for every eighth lane. All blocks write the first
   element where that is asked for. */
HD_DEVICE void slow(int wrong, const unsigned *in, unsigned *out)
{
    HD_SHARED(unsigned, tile, LIBRARY_BLOCK *LIBRARY_STRIDE);
    const unsigned t = hd_thread_x(), at = t * LIBRARY_STRIDE;
    const size_t i = hd_global_x();

    tile[at] = in[i * LIBRARY_STRIDE];
    hd_sync_block();
    if (t % 8 == 0)
        out[i] = tile[at] * 3;
    else if (t % 8 == 1)
        out[i] = tile[at] + 5;
    else if (t % 8 == 2)
        out[i] = tile[at] ^ 7;
    else
        out[i] = tile[at];
    if (wrong && t == 0)
        out[0] = hd_block_x();
}

HD_KERNEL void hd__library_slow(int wrong, const unsigned *in, unsigned *out)
{
    slow(wrong, in, out);
}
HD_DEFINE(hd__library_slow)

HD_KERNEL void library_slow(int wrong, const unsigned *in, unsigned *out)
{
    slow(wrong, in, out);
}
HD_DEFINE(library_slow)
