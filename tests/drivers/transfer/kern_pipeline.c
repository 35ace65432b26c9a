/* SPDX-License-Identifier: Apache-2.0 */
/* kern_pipeline.c - kernels for the tests of the pipeline driver. */
#include <heddle/kernel.h>

#include "pipeline_kernels.h"

/* A unit has 1 element of a, 3 of b, 1 of x and 2 of y. x depends on where the unit stands in the
   whole: first + i. */
HD_KERNEL void pipeline_mix(size_t n, size_t first, const uint32_t *HD_RESTRICT a,
                            const uint8_t *HD_RESTRICT b, uint64_t *HD_RESTRICT x,
                            uint16_t *HD_RESTRICT y)
{
    HD_FOR(i, n) {
        const uint32_t sum = (uint32_t)b[3 * i] + b[3 * i + 1] + b[3 * i + 2];
        x[i] = (uint64_t)a[i] * 3 + (first + i) * 7 + sum;
        y[2 * i] = (uint16_t)(a[i] >> 16);
        y[2 * i + 1] = (uint16_t)(b[3 * i] * 5 + b[3 * i + 2]);
    }
}
HD_DEFINE(pipeline_mix)

HD_KERNEL void pipeline_add(size_t n, const uint32_t *in, uint32_t *out, uint32_t more)
{
    HD_FOR(i, n) {
        out[i] = in[i] + more;
    }
}
HD_DEFINE(pipeline_add)

/* The same, but unit `bad` of the whole is an assertion that fails. */
HD_KERNEL void pipeline_refuse(size_t n, size_t first, const uint32_t *in, uint32_t *out,
                               uint32_t bad)
{
    size_t i = hd_global_x();
    if (i < n) {
        hd_assert(first + i != bad);
        out[i] = in[i] + 1;
    }
}
HD_DEFINE(pipeline_refuse)
