/* SPDX-License-Identifier: Apache-2.0 */
/* streams.h - the kernel with which commands show how streams overlap: as heavy as they like. */
#ifndef HEDDLE_CLI_LAB_KERNELS_STREAMS_H
#define HEDDLE_CLI_LAB_KERNELS_STREAMS_H

#include <heddle/kernel_decl.h>

/* out[i] = stream_turns(turns, a[i]) + b[i]; out may be a or b. */
HD_DECLARE(stream_work, size_t, unsigned, const float *, const float *, float *)

/* What a thread computes: converges to 1, but never gets there for nothing. */
HD_BOTH float stream_turns(unsigned turns, float v)
{
    unsigned t;

    for (t = 0; t < turns; t++)
        v = v * 0.75f + 0.25f;
    return v;
}

#endif
