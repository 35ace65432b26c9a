/* SPDX-License-Identifier: Apache-2.0 */
/* kern_block.h - declares the kernels of kern_block.c. */
#ifndef HEDDLE_TESTS_BUGS_BLOCK_H
#define HEDDLE_TESTS_BUGS_BLOCK_H

#include "zoo_kernel.h"

ZOO_KERNEL(apart_sides)
ZOO_KERNEL(apart_turns)
ZOO_KERNEL(apart_sum)
ZOO_KERNEL(apart_shuffle)
ZOO_KERNEL(returned_barrier)
ZOO_KERNEL(returned_lanes)
ZOO_KERNEL(apart_lanes)
ZOO_KERNEL(apart_early)
ZOO_KERNEL(returned_sum)
ZOO_KERNEL(returned_assert)
ZOO_KERNEL(apart_calls)
ZOO_KERNEL_SCRATCH(deadlock_later)
ZOO_KERNEL_SCRATCH(deadlock_lanes)
ZOO_KERNEL_SCRATCH(deadlock_nobody)
ZOO_KERNEL_SCRATCH(deadlock_pair)
ZOO_KERNEL(fault_divide)
ZOO_KERNEL_SCRATCH(apart_grid)
ZOO_KERNEL_SCRATCH(apart_others)
HD_DECLARE(ticket_unset, const uint32_t *, uint32_t *, uint32_t *)

#endif
