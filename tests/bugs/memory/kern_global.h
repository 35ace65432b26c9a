/* SPDX-License-Identifier: Apache-2.0 */
/* kern_global.h - declares the kernels of kern_global.c. */
#ifndef HEDDLE_TESTS_BUGS_GLOBAL_H
#define HEDDLE_TESTS_BUGS_GLOBAL_H

#include "zoo_kernel.h"

ZOO_KERNEL_SCRATCH(global_scratch)
ZOO_KERNEL_SCRATCH(global_reuse)
ZOO_KERNEL(global_two_writers)
ZOO_KERNEL_SCRATCH(global_wide)
ZOO_KERNEL(blocks_sum)
ZOO_KERNEL(blocks_stencil)
ZOO_KERNEL(blocks_overlap)
ZOO_KERNEL(blocks_last)
ZOO_KERNEL(atomic_some)
ZOO_KERNEL_SCRATCH(blocks_phases)
ZOO_KERNEL(blocks_histogram)
ZOO_KERNEL_SCRATCH(atomic_read)
ZOO_KERNEL_SCRATCH(atomic_last)
ZOO_KERNEL(atomic_reset)
ZOO_KERNEL(atomic_start)
ZOO_KERNEL(scope_count)
ZOO_KERNEL(scope_last)

#endif
