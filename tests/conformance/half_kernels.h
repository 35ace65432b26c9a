/* SPDX-License-Identifier: Apache-2.0 */
/* half_kernels.h - declares the kernels of kern_half.c. */
#ifndef HEDDLE_TESTS_HALF_KERNELS_H
#define HEDDLE_TESTS_HALF_KERNELS_H

#include <heddle/kernel_decl.h>

enum {
    HALF_ADD,
    HALF_SUB,
    HALF_MUL,
    HALF_DIV,
    HALF_FMA,
    HALF_MIN,
    HALF_MAX,
    HALF_LT,
    HALF_EQ,
    HALF_OPS
};

/* Bits in, bits out. Binary operations: a[i], b[i], c[i]; out: HALF_OPS rows of n. */
HD_DECLARE(f16_narrow, size_t, const uint32_t *, uint16_t *)
HD_DECLARE(f16_widen, size_t, const uint16_t *, uint32_t *)
HD_DECLARE(f16_arithmetic, size_t, const uint16_t *, const uint16_t *, const uint16_t *, uint16_t *)
HD_DECLARE(f16_pairs, size_t, const uint16_t *, const uint16_t *, const uint16_t *, uint16_t *)
HD_DECLARE(bf16_narrow, size_t, const uint32_t *, uint16_t *)
HD_DECLARE(bf16_widen, size_t, const uint16_t *, uint32_t *)
HD_DECLARE(bf16_arithmetic, size_t, const uint16_t *, const uint16_t *, const uint16_t *,
           uint16_t *)
HD_DECLARE(bf16_pairs, size_t, const uint16_t *, const uint16_t *, const uint16_t *, uint16_t *)

#endif
