/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and kernel.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block */

/* y[i] = x[i] in percent of the greatest element of its block, rounded down. Arguments: n, x (n
   elements, at least 1 each), y (n elements). Launch: blocks of BLOCK threads, one thread per
   element. */
HD_DECLARE(percent, size_t, const uint32_t *, uint32_t *)

#endif
