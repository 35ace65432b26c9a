/* SPDX-License-Identifier: Apache-2.0 */
/* half_kernels.h - declares the kernels of kern_half.c. */
#ifndef HEDDLE_TESTS_HALF_KERNELS_H
#define HEDDLE_TESTS_HALF_KERNELS_H

#include <heddle/kernel_decl.h>

/* The comparisons are 1 or 0 and have no pairs. The operations from HALF_OP_ADD on are done by
   operators if the kernel file is compiled as C++, otherwise by functions. */
enum {
    HALF_ADD,
    HALF_SUB,
    HALF_MUL,
    HALF_DIV,
    HALF_FMA,
    HALF_MIN,
    HALF_MAX,
    HALF_NEG,
    HALF_ABS,
    HALF_OP_ADD,
    HALF_OP_SUB,
    HALF_OP_MUL,
    HALF_OP_DIV, /* a /= b */
    HALF_OP_NEG,
    HALF_LT,
    HALF_LE,
    HALF_EQ,
    HALF_OP_GT,
    HALF_OP_NE,
    HALF_OPS
};

/* Bits in, bits out. integers: n signed ones to the first n of out, then n unsigned ones.
   Binary operations: a[i], b[i], c[i]; out: HALF_OPS rows of n. */
HD_DECLARE(f16_integers, size_t, const uint32_t *, uint16_t *)
HD_DECLARE(f16_narrow, size_t, const uint32_t *, uint16_t *)
HD_DECLARE(f16_widen, size_t, const uint16_t *, uint32_t *)
HD_DECLARE(f16_arithmetic, size_t, const uint16_t *, const uint16_t *, const uint16_t *, uint16_t *)
HD_DECLARE(f16_pairs, size_t, const uint16_t *, const uint16_t *, const uint16_t *, uint16_t *)
HD_DECLARE(bf16_integers, size_t, const uint32_t *, uint16_t *)
HD_DECLARE(bf16_narrow, size_t, const uint32_t *, uint16_t *)
HD_DECLARE(bf16_widen, size_t, const uint16_t *, uint32_t *)
HD_DECLARE(bf16_arithmetic, size_t, const uint16_t *, const uint16_t *, const uint16_t *,
           uint16_t *)
HD_DECLARE(bf16_pairs, size_t, const uint16_t *, const uint16_t *, const uint16_t *, uint16_t *)

#endif
