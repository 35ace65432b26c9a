/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.h - the kernels of recurrences and running averages as host code sees them. task.first
   is a pair. */
#ifndef HEDDLE_KERNELS_SCAN_RECURRENCE_H
#define HEDDLE_KERNELS_SCAN_RECURRENCE_H

#include <heddle/detail/scan_kernel.h>

HD_DECLARE(hd__recurrence_f32, hd_scan_task)
HD_DECLARE(hd__recurrence_f64, hd_scan_task)
HD_DECLARE(hd__average_f32, hd_scan_task)
HD_DECLARE(hd__average_f64, hd_scan_task)

#endif
