/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.c - the work of `heddle overlap`. */
#include <heddle/kernel.h>

#include "overlap.h"

/* Grid: any, 1-D. out[i] results from in[i] by `weight` dependent iterations, so that the weight
   changes both the time and the result, which has a closed form on the host. 8 bytes per
   element. */
HD_KERNEL void overlap_work(size_t n, unsigned weight, const uint32_t *HD_RESTRICT in,
                            uint32_t *HD_RESTRICT out)
{
    HD_FOR(i, n) {
        uint32_t x = in[i];
        for (unsigned k = 0; k < weight; k++)
            x = x * OVERLAP_FACTOR + OVERLAP_TERM;
        out[i] = x;
    }
}
HD_DEFINE(overlap_work)
