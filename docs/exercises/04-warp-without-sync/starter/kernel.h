/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and kernel.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block */

/* sums[b] = x[b * BLOCK] + ... + x[b * BLOCK + BLOCK - 1]: one sum per block, elements from n on
   count as 0. Launch: blocks of BLOCK threads, one thread per element. */
HD_DECLARE(block_sums, size_t, const uint32_t *, uint32_t *)

#endif
