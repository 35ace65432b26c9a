/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - textbook variants of scans, to be read and compared; sum, min and max of i32 (sums: as
   u32), f32 and f64. Kernels and their arguments:
     step(n, stride, from, to)                one pass of Hillis and Steele
     block(n, from, to, totals)               scans each block of 256 elements
     add(n, offsets, s)                       combines the elements of a block with its prefix
     finish(n, inclusive, first, s, out)      the initial value, and the shift of exclusive scans */
#ifndef HEDDLE_KERNELS_VARIANTS_SCAN_H
#define HEDDLE_KERNELS_VARIANTS_SCAN_H

#include <heddle/kernel_decl.h>

enum { HD__SCAN_BLOCK = 256 };

/* X(op, type, C type) */
#define HD__SCAN_VARIANT_LIST(X)                                                                   \
    X(sum, u32, uint32_t)                                                                          \
    X(sum, f32, float)                                                                             \
    X(sum, f64, double)                                                                            \
    X(min, i32, int32_t)                                                                           \
    X(min, f32, float)                                                                             \
    X(min, f64, double)                                                                            \
    X(max, i32, int32_t) X(max, f32, float) X(max, f64, double)

#define HD__SCAN_VARIANT_DECLARE(op, type, T)                                                      \
    HD_DECLARE(hd__scan_step_##op##_##type, size_t, size_t, const T *, T *)                        \
    HD_DECLARE(hd__scan_block_##op##_##type, size_t, const T *, T *, T *)                          \
    HD_DECLARE(hd__scan_add_##op##_##type, size_t, const T *, T *)                                 \
    HD_DECLARE(hd__scan_finish_##op##_##type, size_t, uint32_t, T, const T *, T *)
HD__SCAN_VARIANT_LIST(HD__SCAN_VARIANT_DECLARE)
#undef HD__SCAN_VARIANT_DECLARE

#endif
