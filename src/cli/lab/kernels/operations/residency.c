/* SPDX-License-Identifier: Apache-2.0 */
/* residency.c - dependent loads of 16 bytes. Grid-stride; no shared memory. */
#include <heddle/kernel.h>

#include "residency.h"

HD_KERNEL void residency_read(size_t n, const hd_u32x4 *in, uint32_t zero, uint32_t *sums)
{
    size_t i = hd_global_x();
    uint32_t sum = 0;

    while (i < n) {
        hd_u32x4 v = in[i];

        sum += v.x + v.y + v.z + v.w;
        i += hd_global_size_x() + (v.x & zero);
    }
    sums[hd_global_x()] = sum;
}
HD_DEFINE(residency_read)
