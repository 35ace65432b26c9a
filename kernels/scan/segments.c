/* SPDX-License-Identifier: Apache-2.0 */
/* segments.c - scans that start afresh at head flags: as scan.c, over pairs of a value and
   whether a head is among what it stands for. Memory: each element is read and written once, its
   flag read once, by exclusive scans twice. */
#include <heddle/kernel.h>

#include "scan.h"

#include <heddle/detail/scan_memory.inc>

/* Whether element `at` begins a segment. */
HD_DEVICE int hd__scan_is_head(const hd_scan_task *task, size_t at)
{
    if (at == 0)
        return 1;
    return task->flag_bytes == 1 ? ((const uint8_t *)task->in2)[at] != 0
                                 : ((const uint32_t *)task->in2)[at] != 0;
}

#define SC_BODY "kernels/scan/segmented.inc"
#include "types.inc"
