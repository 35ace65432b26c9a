/* SPDX-License-Identifier: Apache-2.0 */
/* kern_wait.c - what a rank does in the stand-in for the library: it waits for the others. */
#include <heddle/kernel.h>

#include "wait_kernels.h"

HD_KERNEL void group_wait(const uint32_t *busy)
{
    (void)hd_wait_eq_system(busy, 0u);
}
HD_DEFINE(group_wait)
