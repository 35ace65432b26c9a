/* SPDX-License-Identifier: Apache-2.0 */
/* masked.h - declares the kernels of kern_masked.c. */
#ifndef HEDDLE_TESTS_MASKED_H
#define HEDDLE_TESTS_MASKED_H

#include <heddle/kernel_decl.h>

#include "typed.h"

enum {
    MASKED_SUM,
    MASKED_MIN,
    MASKED_MAX,
    MASKED_SCAN_SUM,
    MASKED_SCAN_MIN,
    MASKED_SCAN_MAX,
    MASKED_SCAN_EXCLUSIVE,
    MASKED_SHFL_RANK, /* the value of the next rank, the first one's for the last */
    MASKED_RESULTS
};
enum { GROUP_MASK, GROUP_RANK, GROUP_SIZE, GROUP_BALLOT, GROUP_ALL_EQUAL, GROUP_RESULTS };

/* The group of a thread is its tile of `width` lanes, or if width is 0 the lanes with the same
   label. apart: groups of even and odd first lanes arrive at different places. out: one row per
   result. */
#define MASKED_DECLARE(suffix, type)                                                               \
    HD_DECLARE(masked_##suffix, const type *, const uint32_t *, unsigned, int, type *)             \
    HD_DECLARE(full_##suffix, const type *, type *, unsigned)
TYPED_LIST(MASKED_DECLARE)
HD_DECLARE(group_queries, const uint32_t *, const uint32_t *, unsigned, uint64_t *)

#endif
