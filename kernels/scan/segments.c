/* SPDX-License-Identifier: Apache-2.0 */
/* segments.c - segmented scans: as scan.c, on pairs (value, flag). The flag is set if a segment
   begins among the elements that the pair stands for; then the value covers only the elements from
   the last head on:

       join((a, f), (b, g)) = (g ? b : a + b, f | g)

   Launch: as scan.c. Memory: each element is read and written once, its flag is read once, by
   exclusive scans twice. */
#include <heddle/kernel.h>

#include "scan.h"
#include "segment_types.h"

#include <heddle/detail/scan_memory.inc>

/* Whether element `at` begins a segment. */
HD_DEVICE int hd__scan_is_head(const hd_scan_task *task, size_t at)
{
    if (at == 0)
        return 1;
    return task->flag_bytes == 1 ? ((const uint8_t *)task->in2)[at] != 0
                                 : ((const uint32_t *)task->in2)[at] != 0;
}

#define SCAN_KERNEL hd__scan_segments_min_i32
#define SEG_OP min
#define SEG_TYPE i32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_max_i32
#define SEG_OP max
#define SEG_TYPE i32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_min_i64
#define SEG_OP min
#define SEG_TYPE i64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_max_i64
#define SEG_OP max
#define SEG_TYPE i64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_sum_u32
#define SEG_OP sum
#define SEG_TYPE u32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_min_u32
#define SEG_OP min
#define SEG_TYPE u32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_max_u32
#define SEG_OP max
#define SEG_TYPE u32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_sum_u64
#define SEG_OP sum
#define SEG_TYPE u64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_min_u64
#define SEG_OP min
#define SEG_TYPE u64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_max_u64
#define SEG_OP max
#define SEG_TYPE u64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_sum_f32
#define SEG_OP sum
#define SEG_TYPE f32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_min_f32
#define SEG_OP min
#define SEG_TYPE f32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_max_f32
#define SEG_OP max
#define SEG_TYPE f32
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_sum_f64
#define SEG_OP sum
#define SEG_TYPE f64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_min_f64
#define SEG_OP min
#define SEG_TYPE f64
#include "segment.inc"

#define SCAN_KERNEL hd__scan_segments_max_f64
#define SEG_OP max
#define SEG_TYPE f64
#include "segment.inc"
