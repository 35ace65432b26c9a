/* SPDX-License-Identifier: Apache-2.0 */
/* residency.h - the kernel of `heddle lab residency`: one load in flight per thread. */
#ifndef HEDDLE_CLI_LAB_KERNELS_OPERATIONS_RESIDENCY_H
#define HEDDLE_CLI_LAB_KERNELS_OPERATIONS_RESIDENCY_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* All threads together read n elements in order, each thread its next one after the last has
   arrived; sums[t] of thread t becomes the sum of its elements' words. `zero` is 0, unknown to the
   compiler. */
HD_DECLARE(residency_read, size_t, const hd_u32x4 *, uint32_t, uint32_t *)

#endif
