/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - an element-wise kernel, for host files and for its kernel file. */
#ifndef OVERLAP_KERNEL_H
#define OVERLAP_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 };

/* Replaces each of n elements by a number that takes a while to compute. Launch: hd_launch_loop. */
HD_DECLARE(mix_u32, size_t, uint32_t *)

#endif
