/* SPDX-License-Identifier: Apache-2.0 */
/* vote.h - declares the kernels of kern_vote.c. */
#ifndef HEDDLE_TESTS_VOTE_H
#define HEDDLE_TESTS_VOTE_H

#include <heddle/kernel_decl.h>

#include "typed.h"

enum { VOTE_ANY, VOTE_ALL, VOTE_BALLOT, VOTE_RESULTS };
enum { MATCH_ANY, MATCH_ALL, MATCH_RESULTS };
enum { MASK_WARP, MASK_RANK, MASK_BELOW, MASK_ACTIVE, MASK_ACTIVE_ODD, MASK_RESULTS };

/* p: one int per thread; out: VOTE_RESULTS rows; exit_every: threads whose linear id is a multiple
   of it return first (0: none). */
HD_DECLARE(vote, const int *, uint64_t *, unsigned)
/* masks: two sets per warp. */
HD_DECLARE(vote_in, const int *, const uint64_t *, uint64_t *)
/* m: one set per thread; out: MASK_RESULTS rows. */
HD_DECLARE(mask_queries, const uint64_t *, uint64_t *)
/* out: MATCH_BITS_RESULTS rows, by the lowest 1, 8 and 32 bits. */
enum { MATCH_BITS_1, MATCH_BITS_8, MATCH_BITS_32, MATCH_BITS_RESULTS };
HD_DECLARE(match_bits, const unsigned *, uint64_t *)
#define MATCH_DECLARE(suffix, type)                                                                \
    HD_DECLARE(match_##suffix, const type *, uint64_t *)                                           \
    HD_DECLARE(match_in_##suffix, const type *, const uint64_t *, uint64_t *)
TYPED_LIST(MATCH_DECLARE)

#endif
