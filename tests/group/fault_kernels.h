/* SPDX-License-Identifier: Apache-2.0 */
/* fault_kernels.h - a kernel that fails. */
#ifndef HEDDLE_TESTS_GROUP_FAULT_KERNELS_H
#define HEDDLE_TESTS_GROUP_FAULT_KERNELS_H

#include <heddle/kernel_decl.h>

HD_DECLARE(group_fault, unsigned)

#endif
