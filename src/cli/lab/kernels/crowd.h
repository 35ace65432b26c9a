/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.h - a large kernel and a small one enqueued after it, for `heddle streams priority`. */
#ifndef HEDDLE_CLI_LAB_KERNELS_CROWD_H
#define HEDDLE_CLI_LAB_KERNELS_CROWD_H

#include <heddle/kernel_decl.h>

/* Each block increments count[0] after the given number of iterations, and adds its first thread's
   result to count[1]. *begun, in mapped memory, becomes 1 when the first blocks start. */
HD_DECLARE(crowd_work, uint32_t *, uint32_t *, unsigned)
/* *seen = count[0] at the time this runs. One thread. */
HD_DECLARE(crowd_look, const uint32_t *, uint32_t *)

HD_BOTH uint32_t crowd_turns(unsigned turns, uint32_t v)
{
    unsigned t;

    for (t = 0; t < turns; t++)
        v = v * 1664525u + 1013904223u;
    return v;
}

#endif
