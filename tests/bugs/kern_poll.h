/* SPDX-License-Identifier: Apache-2.0 */
/* kern_poll.h - declares the kernels of kern_poll.c. */
#ifndef HEDDLE_TESTS_BUGS_POLL_H
#define HEDDLE_TESTS_BUGS_POLL_H

#include "zoo_kernel.h"

ZOO_KERNEL_SCRATCH(poll_acquire)
ZOO_KERNEL_SCRATCH(poll_volatile)
ZOO_KERNEL_SCRATCH(poll_lock)
ZOO_KERNEL_SCRATCH(poll_shared)
ZOO_KERNEL_SCRATCH(poll_together)
ZOO_KERNEL_SCRATCH(poll_turns)
ZOO_KERNEL_SCRATCH(poll_limit)
ZOO_KERNEL_SCRATCH(poll_pointer)
ZOO_KERNEL_SCRATCH(poll_lanes)
ZOO_KERNEL_SCRATCH(poll_blocks)
ZOO_KERNEL_SCRATCH(poll_first)
ZOO_KERNEL_SCRATCH(poll_locks)

#endif
