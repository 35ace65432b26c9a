/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - the two kernels, for host files and for their kernel file. */
#ifndef HELLO_KERNEL_H
#define HELLO_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block */

/* sum[i] = x[i] + y[i] for i < n. */
HD_DECLARE(add_f32, size_t, const float *, const float *, float *)

/* Of all threads, thread `thread` of block `block` prints one line and stores its index in the grid
   in *index; the others do nothing. */
HD_DECLARE(hello, unsigned, unsigned, uint32_t *)

#endif
