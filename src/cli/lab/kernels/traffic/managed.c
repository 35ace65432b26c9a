/* SPDX-License-Identifier: Apache-2.0 */
/* managed.c - grid-stride; 8 bytes per word; no shared memory. */
#include <heddle/kernel.h>

#include "managed.h"

HD_KERNEL void managed_add(size_t n, uint32_t *words)
{
    HD_FOR(i, n) {
        words[i]++;
    }
}
HD_DEFINE(managed_add)
