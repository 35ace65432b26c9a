/* SPDX-License-Identifier: Apache-2.0 */
/* chains.h - the kernels of `heddle lab ilp` and `heddle lab energy`: independent chains of
   multiply-adds. */
#ifndef HEDDLE_CLI_LAB_KERNELS_CHAINS_H
#define HEDDLE_CLI_LAB_KERNELS_CHAINS_H

#include <heddle/kernel_decl.h>

/* Each thread has as many chains as the kernel's name says. A chain is `steps` multiply-adds
   x = x a + b, each of which needs the result of the one before. Chain c begins at c * zero. */
typedef struct chains_work {
    uint32_t steps; /* a multiple of CHAINS_UNROLLED */
    float a, b, zero;
} chains_work;

/* CHAINS_SHARED is a multiple of all numbers of chains. */
enum { CHAINS_UNROLLED = 8, CHAINS_SHARED = 24, CHAINS_BLOCK_MAX = 1024 };

/* One word per thread: the sum of its chains. With a = b = 1 and zero = 0 it is the number of the
   thread's multiply-adds, exact up to 2^24. */
HD_DECLARE(chains_1, chains_work, float *)
HD_DECLARE(chains_2, chains_work, float *)
HD_DECLARE(chains_3, chains_work, float *)
HD_DECLARE(chains_4, chains_work, float *)
HD_DECLARE(chains_6, chains_work, float *)
HD_DECLARE(chains_8, chains_work, float *)
HD_DECLARE(chains_8_f64, chains_work, double *)

#endif
