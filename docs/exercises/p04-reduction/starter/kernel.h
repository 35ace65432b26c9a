/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - three kernels that add up an array, for host files and for their kernel file. */
#ifndef REDUCTION_KERNEL_H
#define REDUCTION_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block, a power of two: whole warps of 32 and of 64 */

/* partial[b] = sum of the elements of block b: those of its BLOCK threads, one each. */
HD_DECLARE(sum_by_tree, size_t, const int32_t *, int64_t *)
HD_DECLARE(sum_by_shuffles, size_t, const int32_t *, int64_t *)

/* *total += x[0] + ... + x[n - 1], with any number of blocks. */
HD_DECLARE(sum_all, size_t, const int32_t *, int64_t *)

#endif
