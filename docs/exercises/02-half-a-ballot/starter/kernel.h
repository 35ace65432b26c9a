/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the kernel of the exercise, for main.c and kernel.c. */
#ifndef KERNEL_H
#define KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block */

/* Each block copies the odd ones of its BLOCK elements to the beginning of its part of `odd`, in
   their order: odd[b * BLOCK], odd[b * BLOCK + 1] and so on. counts[b] is their number; the rest
   of the part is left alone. Elements from n on do not count. Launch: blocks of BLOCK threads,
   one per element. */
HD_DECLARE(keep_odd, size_t, const uint32_t *, uint32_t *, uint32_t *)

#endif
