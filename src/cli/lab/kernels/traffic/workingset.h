/* SPDX-License-Identifier: Apache-2.0 */
/* workingset.h - the kernel of `heddle lab workingset`: all blocks read the same memory. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_WORKINGSET_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_WORKINGSET_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { WORKINGSET_BLOCK = 256, WORKINGSET_VECTOR = 16 };

/* Each block reads `steps` of the parts, which are WORKINGSET_BLOCK vectors long, in an order of
   its own. parts: a power of two. sums[t] of thread t becomes the sum of its vectors' words. */
HD_DECLARE(workingset_read, uint32_t, uint32_t, const hd_u32x4 *, uint32_t *)

#endif
