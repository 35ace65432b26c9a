/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.h - recurrences by a scan over maps, for host files and for the kernel file. */
#ifndef SCAN_AND_RECURRENCE_KERNEL_H
#define SCAN_AND_RECURRENCE_KERNEL_H

#include <heddle/kernel_decl.h>

enum { BLOCK = 256 }; /* threads of a block, and the maximum number of blocks */

/* The map x -> s x + u, with arithmetic modulo 2^32. With s = 1, a recurrence is a running sum. */
typedef struct map {
    uint32_t s, u;
} map;

/* inside[i] = the maps of the elements of i's block up to i, one after the other, as one map;
   totals[b] = all maps of block b. Launch: hd_launch_1d of n elements in blocks of BLOCK. */
HD_DECLARE(scan_blocks, size_t, const map *, map *, map *)

/* before[b] = the maps of blocks 0 to b - 1 as one map; that of block 0 is x -> x. Launch: one
   block of BLOCK threads; at most BLOCK totals. */
HD_DECLARE(scan_totals, size_t, const map *, map *)

/* v[i] = the value after the maps of elements 0 to i, beginning with v0. Launch: as scan_blocks. */
HD_DECLARE(apply_maps, size_t, uint32_t, const map *, const map *, uint32_t *)

#endif
