/* SPDX-License-Identifier: Apache-2.0 */
/* shuffle.h - declares the kernels of kern_shuffle.c. */
#ifndef HEDDLE_TESTS_SHUFFLE_H
#define HEDDLE_TESTS_SHUFFLE_H

#include <heddle/kernel_decl.h>

#include "typed.h"

enum { SHUFFLE_INDEX, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_XOR, SHUFFLE_KINDS, SHUFFLE_LANE };

/* Of shuffle_constant: widths 2, 4, 8 ..., operands 0, 1, 2 ... and all kinds, a row for each;
   the index is the operand itself (SHUFFLE_LANE). */
enum { SHUFFLE_WIDTHS = 6, SHUFFLE_CONSTANTS = 18 };

/* in: one value per thread; out: `count` rows of one value per thread; kind; width; row r uses the
   lane, delta or xor operand first + r (SHUFFLE_INDEX: 7 * lane + first + r). */
#define SHUFFLE_DECLARE(suffix, type)                                                              \
    HD_DECLARE(shuffle_##suffix, const type *, type *, unsigned, unsigned, unsigned, unsigned)     \
    HD_DECLARE(shuffle_in_##suffix, const type *, type *, const uint64_t *, unsigned, unsigned,    \
               unsigned, unsigned)                                                                 \
    HD_DECLARE(broadcast_##suffix, const type *, type *, unsigned)                                 \
    HD_DECLARE(shuffle_constant_##suffix, const type *, type *)
TYPED_LIST(SHUFFLE_DECLARE)

#endif
