/* SPDX-License-Identifier: Apache-2.0 */
/* kern_fault.c - a kernel that fails. */
#include <heddle/kernel.h>

#include "fault_kernels.h"

HD_KERNEL void group_fault(unsigned threads)
{
    hd_assert(hd_block_threads() == threads);
}
HD_DEFINE(group_fault)
