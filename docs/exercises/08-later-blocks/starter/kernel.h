/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and kernel.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 64 }; /* threads of a block */

/* y[i] = x[0] + ... + x[i], in one launch. Arguments: n, x, y; flag and prefix: one element per
   block, the flags 0 before each launch; counter: one element for use of the kernel, set to 0
   once, before the first of many launches. Launch: blocks of BLOCK threads, one thread per
   element. */
HD_DECLARE(running_sum, size_t, const uint32_t *, uint32_t *, unsigned *, uint32_t *, unsigned *)

#endif
