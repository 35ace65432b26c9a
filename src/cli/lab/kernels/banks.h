/* SPDX-License-Identifier: Apache-2.0 */
/* banks.h - the kernels of `heddle lab banks`: reads of shared memory in a chosen pattern. */
#ifndef HEDDLE_CLI_LAB_KERNELS_BANKS_H
#define HEDDLE_CLI_LAB_KERNELS_BANKS_H

#include <heddle/kernel_decl.h>

/* Every lane reads element ((factor * lane mod warp size) >> shift) * stride + (lane & swizzle) of
   BANKS_BYTES of shared memory, modulo its size, `turns` times. */
enum { BANKS_BYTES = 32768, BANKS_BLOCK = 256 };
typedef struct banks_reads {
    uint32_t stride, factor, shift, swizzle, turns;
} banks_reads;

/* *out is written only if `zero` is not 0. Elements of 4, 8 and 16 bytes. */
HD_DECLARE(banks_4, banks_reads, uint32_t, uint32_t *)
HD_DECLARE(banks_8, banks_reads, uint32_t, uint32_t *)
HD_DECLARE(banks_16, banks_reads, uint32_t, uint32_t *)

#endif
