/* SPDX-License-Identifier: Apache-2.0 */
/* kern_bounds.h - declares the kernels of kern_bounds.c. */
#ifndef HEDDLE_TESTS_BUGS_BOUNDS_H
#define HEDDLE_TESTS_BUGS_BOUNDS_H

#include "zoo_kernel.h"

enum { BOUNDS_N = 1000, BOUNDS_COEFFICIENTS = 8 };

ZOO_KERNEL(bounds_end)
ZOO_KERNEL(bounds_start)
ZOO_KERNEL(bounds_block)
ZOO_KERNEL(bounds_row)
ZOO_KERNEL(bounds_far)
ZOO_KERNEL(bounds_bin)
ZOO_KERNEL(bounds_tile)
ZOO_KERNEL(bounds_pair)
ZOO_KERNEL(bounds_half)
ZOO_KERNEL(bounds_wild)
ZOO_KERNEL(misaligned_atomic)
ZOO_KERNEL(bounds_dynamic)
ZOO_KERNEL(bounds_local)
ZOO_KERNEL(bounds_table)
ZOO_KERNEL(bounds_constant)
ZOO_KERNEL(misaligned_vector)
ZOO_KERNEL(misaligned_wide)
ZOO_KERNEL(misaligned_shared)
ZOO_KERNEL(bounds_below)
ZOO_KERNEL(constant_write)
ZOO_KERNEL(bounds_vector)
HD_DECLARE_SYMBOL(bounds_coefficients)

#endif
