/* SPDX-License-Identifier: Apache-2.0 */
/* streams.h - a kernel of adjustable cost, with which commands show how streams overlap. */
#ifndef HEDDLE_CLI_LAB_KERNELS_STREAMS_H
#define HEDDLE_CLI_LAB_KERNELS_STREAMS_H

#include <heddle/kernel_decl.h>

/* out[i] = stream_turns(turns, a[i]) + b[i]; out may be a or b. */
HD_DECLARE(stream_work, size_t, unsigned, const float *, const float *, float *)

/* The work of a thread: converges to 1, but the compiler cannot skip it. */
HD_BOTH float stream_turns(unsigned turns, float v)
{
    unsigned t;

    for (t = 0; t < turns; t++)
        v = v * 0.75f + 0.25f;
    return v;
}

#endif
