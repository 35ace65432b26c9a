/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - the kernel of `heddle lab layout`: members of structs in one of two layouts. */
#ifndef HEDDLE_CLI_LAB_KERNELS_LAYOUT_H
#define HEDDLE_CLI_LAB_KERNELS_LAYOUT_H

#include <heddle/kernel_decl.h>

/* Thread i of n / LAYOUT_ITEMS reads the first `used` of `members` members, of 4 bytes each, of the
   structs i, i + n / LAYOUT_ITEMS, ... of n. Member m of struct i is word i * members + m of an
   array of structs, word m * n + i of a struct of arrays (split). */
enum { LAYOUT_BLOCK = 128, LAYOUT_ITEMS = 4 };
typedef struct layout_reads {
    size_t n; /* a multiple of LAYOUT_BLOCK * LAYOUT_ITEMS */
    uint32_t members, used, split;
} layout_reads;

/* The combined words go to *out only if they are not 0. */
HD_DECLARE(layout_read, layout_reads, const uint32_t *, uint32_t *)

#endif
