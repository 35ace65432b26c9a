/* SPDX-License-Identifier: Apache-2.0 */
/* divergence.h - the kernel of `heddle lab divergence`: threads that take one of two paths. */
#ifndef HEDDLE_CLI_LAB_KERNELS_DIVERGENCE_H
#define HEDDLE_CLI_LAB_KERNELS_DIVERGENCE_H

#include <heddle/kernel_decl.h>

/* `taken` of `of` threads take path A, the others path B: the first lanes of each warp, or, if
   by_warp, all lanes of the first warps of each `of` warps. Both paths make `turns` steps, and each
   step reads one word of the path's own table of DIVERGENCE_TABLE words. */
enum { DIVERGENCE_BLOCK = 256, DIVERGENCE_TABLE = 64 };
typedef struct divergence_split {
    uint32_t taken, of, by_warp, turns;
} divergence_split;

/* in: 2 * DIVERGENCE_TABLE words, path A's first. *out is written only if the result is 1. */
HD_DECLARE(divergence_work, divergence_split, const uint32_t *, uint32_t *)

#endif
