/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - an element-wise kernel. */
#include <heddle/kernel.h>

#include "kernel.h"

HD_KERNEL void mix_u32(size_t n, uint32_t *x)
{
    HD_FOR(i, n) {
        uint32_t v = x[i];

        for (int turn = 0; turn < 8; turn++)
            v = (v ^ v >> 15) * 2654435761u + 1u;
        x[i] = v;
    }
}
HD_DEFINE(mix_u32)
