/* SPDX-License-Identifier: Apache-2.0 */
/* contention.c - every atomic operation of every type and scope. */
#include <heddle/kernel.h>

#include "contention.h"

/* One operation at one scope: all turns, the returned values added up. */
#define CONTENTION_CASE(NAME, SCOPE, call)                                                         \
    case CONTENTION_##NAME * 3 + CONTENTION_##SCOPE:                                               \
        HD_NO_UNROLL                                                                               \
        for (turn = 0; turn < work.turns; turn++)                                                  \
            tally += (uint64_t)call(                                                               \
                word, CONTENTION_OF(contention_operand(CONTENTION_##NAME, thread, turn)));         \
        break;
#define CONTENTION_CASES(NAME, call)                                                               \
    CONTENTION_CASE(NAME, DEVICE, call)                                                            \
    CONTENTION_CASE(NAME, PER_BLOCK, call##_block)                                                 \
    CONTENTION_CASE(NAME, SYSTEM, call##_system)
/* Compare and swap. */
#define CONTENTION_TRIES(SCOPE, suffix)                                                            \
    case CONTENTION_CAS * 3 + CONTENTION_##SCOPE:                                                  \
        HD_NO_UNROLL                                                                               \
        for (turn = 0; turn < work.turns; turn++) {                                                \
            CONTENTION_T old = hd_atomic_cas##suffix(word, last, last + CONTENTION_OF(1));         \
            tally += old == last;                                                                  \
            last = old == last ? last + CONTENTION_OF(1) : old;                                    \
        }                                                                                          \
        break;
#define CONTENTION_BITWISE                                                                         \
    CONTENTION_CASES(AND, hd_atomic_and)                                                           \
    CONTENTION_CASES(OR, hd_atomic_or) CONTENTION_CASES(XOR, hd_atomic_xor)
#define CONTENTION_OF(v) ((CONTENTION_T)(v))

#define CONTENTION_NAME contention_u32
#define CONTENTION_T uint32_t
#define CONTENTION_BITS CONTENTION_BITWISE
#define CONTENTION_WRAPS CONTENTION_CASES(INC, hd_atomic_inc) CONTENTION_CASES(DEC, hd_atomic_dec)
#include "contention.inc"

#define CONTENTION_NAME contention_i32
#define CONTENTION_T int32_t
#define CONTENTION_BITS CONTENTION_BITWISE
#define CONTENTION_WRAPS
#include "contention.inc"

#define CONTENTION_NAME contention_u64
#define CONTENTION_T uint64_t
#define CONTENTION_BITS CONTENTION_BITWISE
#define CONTENTION_WRAPS
#include "contention.inc"

#define CONTENTION_NAME contention_i64
#define CONTENTION_T int64_t
#define CONTENTION_BITS CONTENTION_BITWISE
#define CONTENTION_WRAPS
#include "contention.inc"

#define CONTENTION_NAME contention_f32
#define CONTENTION_T float
#define CONTENTION_BITS
#define CONTENTION_WRAPS
#include "contention.inc"

#define CONTENTION_NAME contention_f64
#define CONTENTION_T double
#define CONTENTION_BITS
#define CONTENTION_WRAPS
#include "contention.inc"
