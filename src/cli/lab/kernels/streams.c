/* SPDX-License-Identifier: Apache-2.0 */
/* streams.c - a kernel of adjustable cost. Grid-stride; 12 bytes and `turns` multiply-adds per
   element; no shared memory. */
#include <heddle/kernel.h>

#include "streams.h"

HD_KERNEL void stream_work(size_t n, unsigned turns, const float *a, const float *b, float *out)
{
    HD_FOR(i, n)
        out[i] = stream_turns(turns, a[i]) + b[i];
}
HD_DEFINE(stream_work)
