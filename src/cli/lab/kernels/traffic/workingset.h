/* SPDX-License-Identifier: Apache-2.0 */
/* workingset.h - the kernel of `heddle lab workingset`: all blocks read the same memory. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_WORKINGSET_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_WORKINGSET_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

enum { WORKINGSET_BLOCK = 256, WORKINGSET_VECTOR = 16 };

/* Block b reads `steps` times WORKINGSET_BLOCK vectors in order, from about b / blocks of the n
   vectors on and around; n is a multiple of WORKINGSET_BLOCK. sums[t] of thread t becomes the sum
   of its vectors' words. */
HD_DECLARE(workingset_read, uint32_t, uint32_t, const hd_u32x4 *, uint32_t *)

#endif
