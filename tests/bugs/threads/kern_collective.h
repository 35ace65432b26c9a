/* SPDX-License-Identifier: Apache-2.0 */
/* kern_collective.h - declares the kernels of kern_collective.c. */
#ifndef HEDDLE_TESTS_BUGS_COLLECTIVE_H
#define HEDDLE_TESTS_BUGS_COLLECTIVE_H

#include "zoo_kernel.h"

ZOO_KERNEL(diverged_branch)
ZOO_KERNEL(diverged_sides)
ZOO_KERNEL(diverged_calls)
ZOO_KERNEL(diverged_kinds)
ZOO_KERNEL(diverged_loop)
ZOO_KERNEL_SCRATCH(diverged_take)
ZOO_KERNEL(inactive_ended)
ZOO_KERNEL(inactive_returned)
ZOO_KERNEL(inactive_partial)
ZOO_KERNEL(inactive_mask)
ZOO_KERNEL(inactive_last)
ZOO_KERNEL(inactive_full)
ZOO_KERNEL(mask_literal)
ZOO_KERNEL(mask_partial)
ZOO_KERNEL(mask_returned)
ZOO_KERNEL(mask_branch)
ZOO_KERNEL(mask_self)
ZOO_KERNEL(mask_active)
ZOO_KERNEL(width_odd)
ZOO_KERNEL(width_wave)
ZOO_KERNEL(distance_negative)
ZOO_KERNEL(broadcast_own)

#endif
