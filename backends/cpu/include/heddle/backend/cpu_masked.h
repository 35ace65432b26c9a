/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_masked.h - sums, minima, maxima and scans over the lanes of a mask, and reductions that need
   a complete warp, on the CPU. Included by dialect.h. */
#ifndef HEDDLE_BACKEND_CPU_MASKED_H
#define HEDDLE_BACKEND_CPU_MASKED_H

#define HD_CPU_FOLD_IN_(m, v, operation, name)                                                     \
    HD_CPU_OF_(hd_cpu_fold_in, v)(m, v, operation, HD_CPU_HERE_(name))

#define hd_sum_in(m, v) HD_CPU_FOLD_IN_(m, v, HD_CPU_SUM, "hd_sum_in")
#define hd_min_in(m, v) HD_CPU_FOLD_IN_(m, v, HD_CPU_MIN, "hd_min_in")
#define hd_max_in(m, v) HD_CPU_FOLD_IN_(m, v, HD_CPU_MAX, "hd_max_in")
#define hd_scan_sum_in(m, v) HD_CPU_FOLD_IN_(m, v, HD_CPU_SCAN_SUM, "hd_scan_sum_in")
#define hd_scan_min_in(m, v) HD_CPU_FOLD_IN_(m, v, HD_CPU_SCAN_MIN, "hd_scan_min_in")
#define hd_scan_max_in(m, v) HD_CPU_FOLD_IN_(m, v, HD_CPU_SCAN_MAX, "hd_scan_max_in")
#define hd_scan_exclusive_sum_in(m, v)                                                             \
    HD_CPU_FOLD_IN_(m, v, HD_CPU_SCAN_BEFORE, "hd_scan_exclusive_sum_in")

#define hd_warp_sum_full(v, width)                                                                 \
    HD_CPU_GROUP_FOLD_(v, (unsigned)HD_CPU_SUM | (unsigned)HD_CPU_WHOLE, width, "hd_warp_sum_full")
#define hd_warp_min_full(v, width)                                                                 \
    HD_CPU_GROUP_FOLD_(v, (unsigned)HD_CPU_MIN | (unsigned)HD_CPU_WHOLE, width, "hd_warp_min_full")
#define hd_warp_max_full(v, width)                                                                 \
    HD_CPU_GROUP_FOLD_(v, (unsigned)HD_CPU_MAX | (unsigned)HD_CPU_WHOLE, width, "hd_warp_max_full")

#endif
