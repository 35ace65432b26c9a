/* SPDX-License-Identifier: Apache-2.0 */
/* sum.h - the kernel of the example, for host files and for its kernel file. */
#ifndef REDUCTION_SUM_H
#define REDUCTION_SUM_H

#include <heddle/kernel_decl.h>

enum { SUM_BLOCK = 256 }; /* threads of a block: whole warps of 32 and of 64 */

/* *total = x[0] + ... + x[n - 1]. partial: one element per block; ticket: zeroed once, before the
   first launch; total: one element. All in device memory. */
HD_DECLARE(sum_u32, size_t, const uint32_t *, uint64_t *, unsigned *, uint64_t *)

#endif
