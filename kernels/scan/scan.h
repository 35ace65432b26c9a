/* SPDX-License-Identifier: Apache-2.0 */
/* scan.h - the scan kernels as host code sees them. Sums of signed integers use the unsigned
   kernels. */
#ifndef HEDDLE_KERNELS_SCAN_H
#define HEDDLE_KERNELS_SCAN_H

#include <heddle/detail/scan_kernel.h>

/* X(op, type): the kernels hd__scan_<op>_<type> and, by head flags, hd__scan_segments_<op>_<type>.
   */
#define HD__SCAN_LIST(X)                                                                           \
    X(sum, u32)                                                                                    \
    X(sum, u64)                                                                                    \
    X(sum, f32)                                                                                    \
    X(sum, f64)                                                                                    \
    X(min, i32)                                                                                    \
    X(min, u32)                                                                                    \
    X(min, i64)                                                                                    \
    X(min, u64)                                                                                    \
    X(min, f32)                                                                                    \
    X(min, f64)                                                                                    \
    X(max, i32) X(max, u32) X(max, i64) X(max, u64) X(max, f32) X(max, f64)

#define HD__SCAN_DECLARE(op, type)                                                                 \
    HD_DECLARE(hd__scan_##op##_##type, hd_scan_task)                                               \
    HD_DECLARE(hd__scan_segments_##op##_##type, hd_scan_task)
HD__SCAN_LIST(HD__SCAN_DECLARE)
#undef HD__SCAN_DECLARE

#endif
