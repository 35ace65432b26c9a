/* SPDX-License-Identifier: Apache-2.0 */
/* kern_warp.h - declares the kernels of kern_warp.c. */
#ifndef HEDDLE_TESTS_BUGS_WARP_H
#define HEDDLE_TESTS_BUGS_WARP_H

#include "zoo_kernel.h"

/* What stands between a write and its read; 0 is right. */
enum { ORDER_NOTHING = 1, ORDER_SHUFFLE, ORDER_VOTE, ORDER_HALVES };

ZOO_KERNEL(warp_exchange)
ZOO_KERNEL(warp_again)
ZOO_KERNEL(warp_tail)
ZOO_KERNEL_SCRATCH(warp_global)
ZOO_KERNEL(warp_leader)
ZOO_KERNEL(warp_writers)

#endif
