/* SPDX-License-Identifier: Apache-2.0 */
/* kern_masked.c - groups of lanes: sums, scans, shuffles by rank, and reductions of complete warps.
   One block each. */
#include <heddle/kernel.h>

#include "masked.h"

/* Reached by all lanes of the warp. */
HD_DEVICE hd_mask group_of(const uint32_t *labels, unsigned width)
{
    return width != 0 ? hd_mask_tile(width) : hd_match_any(labels[hd_thread_linear()]);
}

#define BODY "masked.inc"
#include "typed_all.inc"

HD_KERNEL void group_queries(const uint32_t *labels, const uint32_t *votes, unsigned width,
                             uint64_t *out)
{
    size_t t = hd_thread_linear(), threads = hd_block_threads();
    hd_mask group = group_of(labels, width);

    out[GROUP_MASK * threads + t] = hd_mask_bits(group);
    out[GROUP_RANK * threads + t] = hd_mask_rank(group);
    out[GROUP_SIZE * threads + t] = hd_mask_count(group);
    out[GROUP_BALLOT * threads + t] = hd_mask_pack(hd_ballot_in(group, votes[t] & 1u), group);
    out[GROUP_ALL_EQUAL * threads + t] = hd_mask_bits(hd_match_all_in(group, votes[t] & 1u));
}
HD_DEFINE(group_queries)
