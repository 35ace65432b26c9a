/* SPDX-License-Identifier: Apache-2.0 */
/* shuffle.h - declares the kernels of kern_shuffle.c and kern_shuffle_types.c. */
#ifndef HEDDLE_TESTS_SHUFFLE_H
#define HEDDLE_TESTS_SHUFFLE_H

#include <heddle/kernel_decl.h>

#include <heddle/types.h>
#include <stdbool.h>

#include "typed.h"

/* Structs whose sizes are a multiple of 4, of 2, and odd. */
typedef struct five_words {
    uint32_t word[5];
} five_words;
typedef struct weighted_key {
    double weight;
    float value;
    uint16_t key;
    int8_t flags[2];
} weighted_key;
typedef struct seven_bytes {
    uint8_t byte[7];
} seven_bytes;

/* X(suffix, type): types that only shuffles move. */
#define SHUFFLE_LIST(X)                                                                            \
    X(letter, char)                                                                                \
    X(i8, int8_t)                                                                                  \
    X(u8, uint8_t)                                                                                 \
    X(i16, int16_t)                                                                                \
    X(u16, uint16_t)                                                                               \
    X(flag, bool)                                                                                  \
    X(f16, hd_f16)                                                                                 \
    X(bf16, hd_bf16)                                                                               \
    X(u8x3, hd_u8x3)                                                                               \
    X(f32x3, hd_f32x3)                                                                             \
    X(i16x3, hd_i16x3)                                                                             \
    X(five, five_words)                                                                            \
    X(record, weighted_key)                                                                        \
    X(bytes, seven_bytes)

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
    HD_DECLARE(broadcast_##suffix, const type *, type *, unsigned)
#define SHUFFLE_DECLARE_CONSTANT(suffix, type)                                                     \
    HD_DECLARE(shuffle_constant_##suffix, const type *, type *)
TYPED_LIST(SHUFFLE_DECLARE)
TYPED_LIST(SHUFFLE_DECLARE_CONSTANT)
SHUFFLE_LIST(SHUFFLE_DECLARE)

#endif
