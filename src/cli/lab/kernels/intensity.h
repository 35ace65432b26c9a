/* SPDX-License-Identifier: Apache-2.0 */
/* intensity.h - the kernel of `heddle lab intensity`: arithmetic per byte that is read. */
#ifndef HEDDLE_CLI_LAB_KERNELS_INTENSITY_H
#define HEDDLE_CLI_LAB_KERNELS_INTENSITY_H

#include <heddle/kernel_decl.h>
#include <heddle/types.h>

/* Every thread reads INTENSITY_LOADS vectors of 16 bytes, coalesced, and does `flops` operations
   with each: 1 is an addition, 2 and 4 are one and two multiply-adds, a multiple of 8 that many
   eighths of steps of four independent ones, x = x a + b from the words of the vector on. */
enum { INTENSITY_LOADS = 4, INTENSITY_BLOCK = 256, INTENSITY_VECTOR = 16 };
typedef struct intensity_work {
    uint32_t flops;
    float a, b;
} intensity_work;

/* each: NULL, or one word per thread: the sum of its results. If all words of `in` are the number 1
   and a = b = 1, it is the number of operations with fewer than 8, and otherwise that of multiply-
   adds and 4 more per vector. Without `each`, *out is written only if the sum is below -1, which
   keeps the work from being removed by the compiler. */
HD_DECLARE(intensity_run, intensity_work, const hd_u32x4 *, float *, float *)

#endif
