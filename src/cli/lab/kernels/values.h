/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - the kernels of `heddle lab registers`: values that a thread keeps. */
#ifndef HEDDLE_CLI_LAB_KERNELS_VALUES_H
#define HEDDLE_CLI_LAB_KERNELS_VALUES_H

#include <heddle/kernel_decl.h>

/* A thread keeps as many values as the kernel's name says and does a multiply-add x = x a + b with
   each, `steps` times. registers: all indices are known to the compiler. local: the index is only
   known when the kernel runs, which needs an array in memory, or registers that can be indexed.
   spill: as registers, but so many blocks have to be resident that the registers do not suffice. */
enum { VALUES_BLOCK = 256, VALUES_SPILL_BLOCKS = 8 };
typedef struct values_work {
    uint32_t steps, shift; /* shift: 0 */
    float a, b, zero;      /* zero: 0 */
} values_work;

/* X(name, values). */
#define VALUES_LIST(X)                                                                             \
    X(values_registers_8, 8)                                                                       \
    X(values_registers_16, 16)                                                                     \
    X(values_registers_32, 32)                                                                     \
    X(values_registers_64, 64)                                                                     \
    X(values_registers_128, 128)                                                                   \
    X(values_spill_32, 32)                                                                         \
    X(values_spill_64, 64)                                                                         \
    X(values_spill_128, 128)                                                                       \
    X(values_local_16, 16)                                                                         \
    X(values_local_64, 64)

/* One word per thread: the sum of its values; the number of multiply-adds if a = b = 1. */
#define VALUES_DECLARE_(name, values) HD_DECLARE(name, values_work, float *)
VALUES_LIST(VALUES_DECLARE_)
#undef VALUES_DECLARE_

#endif
