/* SPDX-License-Identifier: Apache-2.0 */
/* blockops.h - declares the kernels of kern_blockops.c. */
#ifndef HEDDLE_TESTS_BLOCKOPS_H
#define HEDDLE_TESTS_BLOCKOPS_H

#include <heddle/kernel_decl.h>

#include "typed.h"

enum { OP_SUM, OP_MIN, OP_MAX, OP_SCAN_SUM, OP_SCAN_MIN, OP_SCAN_MAX, OP_SCAN_EXCLUSIVE, OPS };

/* out: one row per operation and width (0: the plain form), thread by thread. */
#define BLOCKOPS_DECLARE(suffix, type)                                                             \
    HD_DECLARE(warp_ops_##suffix, const type *, type *)                                            \
    HD_DECLARE(width_ops_##suffix, const type *, type *, unsigned)                                 \
    HD_DECLARE(leaving_ops_##suffix, const type *, type *, unsigned)                               \
    HD_DECLARE(block_ops_##suffix, const type *, type *)
TYPED_LIST(BLOCKOPS_DECLARE)

#endif
