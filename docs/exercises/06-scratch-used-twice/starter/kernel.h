/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and kernel.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block */

/* sums[b]: the sum of block b's elements; squares[b]: the sum of their squares. Elements from n
   on count as 0. Arguments: n, x, sums, squares. Launch: blocks of BLOCK threads, one thread per
   element. */
HD_DECLARE(moments, size_t, const uint32_t *, uint32_t *, uint32_t *)

#endif
