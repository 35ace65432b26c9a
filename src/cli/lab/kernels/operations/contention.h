/* SPDX-License-Identifier: Apache-2.0 */
/* contention.h - the kernels of `heddle lab contention`: one atomic operation, repeated by many
   threads, of every type and scope, in shared and in global memory. */
#ifndef HEDDLE_CLI_LAB_KERNELS_OPERATIONS_CONTENTION_H
#define HEDDLE_CLI_LAB_KERNELS_OPERATIONS_CONTENTION_H

#include <heddle/kernel_decl.h>

/* X(name): operations; those after CONTENTION_CAS for integers only, those after CONTENTION_XOR for
   u32 only. */
#define CONTENTION_OP_LIST(X)                                                                      \
    X(ADD) X(SUB) X(MIN) X(MAX) X(EXCH) X(CAS) X(AND) X(OR) X(XOR) X(INC) X(DEC)
typedef enum contention_op {
#define CONTENTION_ENUM_(name) CONTENTION_##name,
    CONTENTION_OP_LIST(CONTENTION_ENUM_)
#undef CONTENTION_ENUM_
        CONTENTION_OPS
} contention_op;

enum { CONTENTION_DEVICE, CONTENTION_PER_BLOCK, CONTENTION_SYSTEM, CONTENTION_SCOPES };
enum { CONTENTION_BLOCK = 192 }; /* an odd number of wavefronts */
enum { CONTENTION_TOP = 1000 };  /* inc and dec wrap after it */

typedef struct contention_work {
    uint32_t op, scope;
    uint32_t one;    /* all threads that can share a word use one; 0: a word per thread */
    uint32_t shared; /* the words lie in shared memory and are stored at the end */
    uint32_t turns;
} contention_work;

/* In turn `turn`, thread `thread` of the grid applies the operation to its word with operand
   contention_operand(); cas tries once to replace the value that it read last by that value plus 1.
   In global memory, word 0 is shared by the grid, or at block scope word b by block b. In shared
   memory, block b owns the words from b * CONTENTION_BLOCK. The tally of a thread is the sum of the
   values that its operations returned; of cas, the number that succeeded. */
HD_DECLARE(contention_u32, contention_work, uint32_t *, uint64_t *)
HD_DECLARE(contention_i32, contention_work, int32_t *, uint64_t *)
HD_DECLARE(contention_u64, contention_work, uint64_t *, uint64_t *)
HD_DECLARE(contention_i64, contention_work, int64_t *, uint64_t *)
HD_DECLARE(contention_f32, contention_work, float *, uint64_t *)
HD_DECLARE(contention_f64, contention_work, double *, uint64_t *)

/* 1 for add and sub, whose returned values then have a known sum; bits for and, or, xor. */
HD_BOTH uint32_t contention_operand(uint32_t op, uint32_t thread, uint32_t turn)
{
    const uint32_t x = (thread * 64u + turn) * 2654435761u;

    switch (op) {
    case CONTENTION_ADD:
    case CONTENTION_SUB:
        return 1;
    case CONTENTION_AND:
        return ~((uint32_t)1 << (x >> 27));
    case CONTENTION_OR:
    case CONTENTION_XOR:
        return (uint32_t)1 << (x >> 27);
    case CONTENTION_INC:
    case CONTENTION_DEC:
        return CONTENTION_TOP;
    default:
        return x >> 12;
    }
}

#endif
