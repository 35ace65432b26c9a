/* SPDX-License-Identifier: Apache-2.0 */
/* zoo_kernel.h - the two common shapes of kernels with planted bugs. `how` is 0 for the corrected
   twin. A line that takes part in a bug ends in a comment with BUG and the bug's name: a finding
   has to point at one of them. */
#ifndef HEDDLE_TESTS_ZOO_KERNEL_H
#define HEDDLE_TESTS_ZOO_KERNEL_H

#include <heddle/kernel_decl.h>

#define ZOO_KERNEL(name) HD_DECLARE(name, int, const uint32_t *, uint32_t *)
#define ZOO_KERNEL_SCRATCH(name) HD_DECLARE(name, int, const uint32_t *, uint32_t *, uint32_t *)

#endif
