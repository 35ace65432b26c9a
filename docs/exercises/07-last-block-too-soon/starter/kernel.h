/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and kernel.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 128, BINS = 16 }; /* threads of a block, bins of the histogram */

/* total[k] = number of elements with x[i] % BINS == k, in one launch. Arguments: n, x; partial:
   BINS elements per block; ticket: one element, 0 before the launch and after it; total: BINS
   elements. Launch: any number of blocks of BLOCK threads. */
HD_DECLARE(histogram, size_t, const uint32_t *, uint32_t *, unsigned *, uint32_t *)

#endif
