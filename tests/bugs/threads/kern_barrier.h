/* SPDX-License-Identifier: Apache-2.0 */
/* kern_barrier.h - declares the kernels of kern_barrier.c. */
#ifndef HEDDLE_TESTS_BUGS_BARRIER_H
#define HEDDLE_TESTS_BUGS_BARRIER_H

#include "zoo_kernel.h"

ZOO_KERNEL(barrier_some)
ZOO_KERNEL(barrier_first)
ZOO_KERNEL(barrier_last)
ZOO_KERNEL(barrier_loop)
ZOO_KERNEL(barrier_branch)
ZOO_KERNEL(barrier_result)
ZOO_KERNEL(barrier_buffers)
ZOO_KERNEL(barrier_total)
ZOO_KERNEL(barrier_transpose)
ZOO_KERNEL(barrier_halo)
ZOO_KERNEL(barrier_scan)
ZOO_KERNEL(shared_overlap)
ZOO_KERNEL(shared_two_writers)
ZOO_KERNEL(shared_histogram)
ZOO_KERNEL(shared_leaders)

#endif
