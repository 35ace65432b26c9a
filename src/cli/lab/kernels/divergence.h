/* SPDX-License-Identifier: Apache-2.0 */
/* divergence.h - the kernels of `heddle lab divergence` and `heddle lab branches`: threads that
   take one of two paths. */
#ifndef HEDDLE_CLI_LAB_KERNELS_DIVERGENCE_H
#define HEDDLE_CLI_LAB_KERNELS_DIVERGENCE_H

#include <heddle/kernel_decl.h>

/* `taken` of `of` threads take path A, the others path B: the first lanes of each warp, or, if
   by_warp, all lanes of the first warps of each `of` warps. Both paths make `turns` steps, and each
   step reads one word of a table of DIVERGENCE_TABLE words. */
enum { DIVERGENCE_BLOCK = 256, DIVERGENCE_TABLE = 64 };
typedef struct divergence_split {
    uint32_t taken, of, by_warp, turns;
} divergence_split;

/* in: the table. *out is written only if the result is 1. */
HD_DECLARE(divergence_work, divergence_split, const uint32_t *, uint32_t *)

/* What decides on the path of thread i, of `count`: whether element i is below a value, or whether
   cell i of a field is inside. The last two are one kernel for each: all threads take path A
   (inside), or path B (boundary). */
typedef enum branches_which {
    BRANCHES_ELEMENTS,
    BRANCHES_FIELD,
    BRANCHES_INSIDE,
    BRANCHES_BOUNDARY
} branches_which;
typedef struct branches_work {
    uint32_t which, count, turns;
    uint32_t below; /* elements */
    uint32_t width; /* field: cells per row, a divisor of count */
} branches_work;

/* in as above; elements: `count` words, read only if they decide. */
HD_DECLARE(branches_run, branches_work, const uint32_t *, const uint32_t *, uint32_t *)

/* Whether cell i of a field of this many columns and rows is not at its boundary. */
HD_BOTH int branches_inside(uint32_t i, uint32_t width, uint32_t rows)
{
    uint32_t x = i % width, y = i / width;

    return x > 0 && x + 1 < width && y > 0 && y + 1 < rows;
}

#endif
