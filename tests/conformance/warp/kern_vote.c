/* SPDX-License-Identifier: Apache-2.0 */
/* kern_vote.c - votes, matches and questions to lane masks. One block each. */
#include <heddle/kernel.h>

#include "vote.h"

HD_KERNEL void vote(const int *HD_RESTRICT p, uint64_t *HD_RESTRICT out, unsigned exit_every)
{
    size_t t = hd_thread_linear(), threads = hd_block_threads();
    int mine = p[t];

    if (exit_every != 0 && t % exit_every == 0)
        return;
    out[VOTE_ANY * threads + t] = (uint64_t)hd_any(mine);
    out[VOTE_ALL * threads + t] = (uint64_t)hd_all(mine);
    out[VOTE_BALLOT * threads + t] = hd_mask_bits(hd_ballot(mine));
}
HD_DEFINE(vote)

HD_DEVICE void vote_among(hd_mask m, int mine, uint64_t *out, size_t t, size_t threads)
{
    out[VOTE_ANY * threads + t] = (uint64_t)hd_any_in(m, mine);
    out[VOTE_ALL * threads + t] = (uint64_t)hd_all_in(m, mine);
    out[VOTE_BALLOT * threads + t] = hd_mask_bits(hd_ballot_in(m, mine));
}

HD_KERNEL void vote_in(const int *HD_RESTRICT p, const uint64_t *HD_RESTRICT masks,
                       uint64_t *HD_RESTRICT out)
{
    size_t t = hd_thread_linear(), threads = hd_block_threads();
    hd_mask a = hd_mask_of(masks[2 * hd_warp()]), b = hd_mask_of(masks[2 * hd_warp() + 1]);

    if (hd_mask_test(a, hd_lane()))
        vote_among(a, p[t], out, t, threads);
    else
        vote_among(b, p[t], out, t, threads);
}
HD_DEFINE(vote_in)

HD_KERNEL void mask_queries(const uint64_t *HD_RESTRICT m, uint64_t *HD_RESTRICT out)
{
    size_t t = hd_thread_linear(), threads = hd_block_threads();

    out[MASK_WARP * threads + t] = hd_mask_bits(hd_mask_warp());
    out[MASK_RANK * threads + t] = hd_mask_rank(hd_mask_of(m[t]));
    out[MASK_BELOW * threads + t] = hd_mask_bits(hd_mask_below(hd_lane()));
    out[MASK_ACTIVE * threads + t] = hd_mask_bits(hd_active_mask());
    if (hd_lane() % 2 == 1)
        out[MASK_ACTIVE_ODD * threads + t] = hd_mask_bits(hd_active_mask());
}
HD_DEFINE(mask_queries)

HD_KERNEL void match_bits(const unsigned *HD_RESTRICT in, uint64_t *HD_RESTRICT out)
{
    size_t t = hd_thread_linear(), threads = hd_block_threads();

    out[MATCH_BITS_1 * threads + t] = hd_mask_bits(hd_match_bits(in[t], 1));
    out[MATCH_BITS_8 * threads + t] = hd_mask_bits(hd_match_bits(in[t], 8));
    out[MATCH_BITS_32 * threads + t] = hd_mask_bits(hd_match_bits(in[t], 32));
}
HD_DEFINE(match_bits)

#define BODY "match.inc"
#include "typed_all.inc"
