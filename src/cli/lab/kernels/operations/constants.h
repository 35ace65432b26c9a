/* SPDX-License-Identifier: Apache-2.0 */
/* constants.h - the kernels of `heddle lab constants`: reads of a small table from constant memory,
   a struct parameter, and global memory. */
#ifndef HEDDLE_CLI_LAB_KERNELS_OPERATIONS_CONSTANTS_H
#define HEDDLE_CLI_LAB_KERNELS_OPERATIONS_CONSTANTS_H

#include <heddle/kernel_decl.h>

/* Every lane reads word (lane mod `distinct`) of CONSTANTS_WORDS, `turns` times. `distinct` is a
   power of two up to CONSTANTS_WORDS. The words are 0, unknown to the compiler. */
enum { CONSTANTS_WORDS = 64, CONSTANTS_BLOCK = 256 };
typedef struct constants_words {
    uint32_t word[CONSTANTS_WORDS];
} constants_words;

/* *out is written only if a word is not 0. */
HD_DECLARE(constants_memory, uint32_t, uint32_t, uint32_t *)
HD_DECLARE(constants_parameter, constants_words, uint32_t, uint32_t, uint32_t *)
HD_DECLARE(constants_readonly, const uint32_t *, uint32_t, uint32_t, uint32_t *)
HD_DECLARE_SYMBOL(constants_table)

/* *out = HD_HAS_CONSTANT_CACHE. One thread. */
HD_DECLARE(constants_cache, uint32_t *)

#endif
