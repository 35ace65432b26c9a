/* SPDX-License-Identifier: Apache-2.0 */
/* kern_lint.h - declares the kernels of kern_lint.c. */
#ifndef HEDDLE_TESTS_BUGS_LINT_H
#define HEDDLE_TESTS_BUGS_LINT_H

#include "zoo_kernel.h"

ZOO_KERNEL(lint_reverse)
ZOO_KERNEL(lint_rows)
ZOO_KERNEL(uncoalesced_stride)
ZOO_KERNEL(uncoalesced_columns)
ZOO_KERNEL(banks_pairs)
ZOO_KERNEL(banks_columns)
ZOO_KERNEL(divergent_switch)
ZOO_KERNEL(divergent_leader)
ZOO_KERNEL(divergent_pair)
ZOO_KERNEL(lint_both)
ZOO_KERNEL(lint_bounded)
ZOO_KERNEL(mask_half)

#endif
