/* SPDX-License-Identifier: Apache-2.0 */
/* indices.h - the kernels of `heddle lab indices`: index arithmetic in 32 and in 64 bits. */
#ifndef HEDDLE_CLI_LAB_KERNELS_TRAFFIC_INDICES_H
#define HEDDLE_CLI_LAB_KERNELS_TRAFFIC_INDICES_H

#include <heddle/kernel_decl.h>

/* What step s does with an index v; remainder and quotient are those of the split into row and
   column. */
enum {
    INDICES_ADD,      /* (v xor s) + c */
    INDICES_MULTIPLY, /* v c + s */
    INDICES_DIVIDE,   /* v / c + v mod c * INDICES_FACTOR */
    INDICES_OPS
};
enum { INDICES_BLOCK = 256, INDICES_UNROLLED = 8 };
#define INDICES_FACTOR 2654435761u

/* Thread t starts with v = t + 2^32 c, does `turns` steps, a multiple of INDICES_UNROLLED, and
   writes the lowest and, if there are, the highest 32 bits of v, combined by xor. */
typedef struct indices_work {
    uint32_t turns, c;
} indices_work;

/* X(name, type, bits, operation). */
#define INDICES_LIST(X)                                                                            \
    X(indices_add_32, uint32_t, 32, INDICES_ADD)                                                   \
    X(indices_add_64, uint64_t, 64, INDICES_ADD)                                                   \
    X(indices_multiply_32, uint32_t, 32, INDICES_MULTIPLY)                                         \
    X(indices_multiply_64, uint64_t, 64, INDICES_MULTIPLY)                                         \
    X(indices_divide_32, uint32_t, 32, INDICES_DIVIDE)                                             \
    X(indices_divide_64, uint64_t, 64, INDICES_DIVIDE)
#define INDICES_DECLARE_(name, type, bits, op) HD_DECLARE(name, indices_work, uint32_t *)
INDICES_LIST(INDICES_DECLARE_)
#undef INDICES_DECLARE_

#endif
