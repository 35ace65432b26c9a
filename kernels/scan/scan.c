/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - scans of every type, in one pass (heddle/detail/scan_tile.inc). A block of 256 threads
   scans a tile of 16 KB: each thread its contiguous items, then the block its threads. It publishes
   the tile's total, looks back for what precedes the tile (heddle/device/look_back.h) and
   combines that with its results.

       tile        0           1           2           3
       total       t0          t1          t2          t3        published by each block
                   |           |           |           |
       look-back   first  -->  first+t0 -> ..+t1 ----> ..+t2     prefix of the tile
       results     prefix of the tile + scan within the tile

   Tiles are numbered by ticket, in the order in which blocks start, so that a block waits only for
   running blocks; look_back.h has the order in which totals are combined.
   Memory: each element is read once and written once. */
#include <heddle/kernel.h>

#include "scan.h"

/* The canonical NaN for every NaN; the identities of max and min. */
#define FINISH_f32(v) ((v) != (v) ? hd_f32_from_bits(HD_F32_NAN_BITS) : (v))
#define FINISH_f64(v) ((v) != (v) ? hd_f64_from_bits(HD_F64_NAN_BITS) : (v))
#define LEAST_f32 hd_f32_from_bits(0xff800000u)
#define LEAST_f64 hd_f64_from_bits(0xfff0000000000000u)
#define MAX_f32 hd_f32_from_bits(0x7f800000u)
#define MAX_f64 hd_f64_from_bits(0x7ff0000000000000u)

#define HD_SCAN_NAME hd__scan_min_i32
#define HD_SCAN_T int32_t
#define HD_SCAN_JOIN(a, b) hd_min(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_max_i32
#define HD_SCAN_T int32_t
#define HD_SCAN_JOIN(a, b) hd_max(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_min_i64
#define HD_SCAN_T int64_t
#define HD_SCAN_JOIN(a, b) hd_min(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_max_i64
#define HD_SCAN_T int64_t
#define HD_SCAN_JOIN(a, b) hd_max(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_sum_u32
#define HD_SCAN_T uint32_t
#define HD_SCAN_JOIN(a, b) ((a) + (b))
#define HD_SCAN_EXACT 1
#define HD_SCAN_LANES u32
#define HD_SCAN_NOTHING ((uint32_t)-0.0)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_min_u32
#define HD_SCAN_T uint32_t
#define HD_SCAN_JOIN(a, b) hd_min(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_max_u32
#define HD_SCAN_T uint32_t
#define HD_SCAN_JOIN(a, b) hd_max(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_sum_u64
#define HD_SCAN_T uint64_t
#define HD_SCAN_JOIN(a, b) ((a) + (b))
#define HD_SCAN_EXACT 1
#define HD_SCAN_LANES u64
#define HD_SCAN_NOTHING ((uint64_t)-0.0)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_min_u64
#define HD_SCAN_T uint64_t
#define HD_SCAN_JOIN(a, b) hd_min(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_max_u64
#define HD_SCAN_T uint64_t
#define HD_SCAN_JOIN(a, b) hd_max(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_sum_f32
#define HD_SCAN_T float
#define HD_SCAN_JOIN(a, b) ((a) + (b))
#define HD_SCAN_EXACT 0
#define HD_SCAN_LANES f32
#define HD_SCAN_NOTHING ((float)-0.0)
#define HD_SCAN_FINISH(v) FINISH_f32(v)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_min_f32
#define HD_SCAN_T float
#define HD_SCAN_JOIN(a, b) hd_min(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#define HD_SCAN_LANES f32
#define HD_SCAN_LANES_JOIN(v, a, b) hd_lanes_min_f32(v, a, b)
#define HD_SCAN_NOTHING MAX_f32
#define HD_SCAN_FINISH(v) FINISH_f32(v)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_max_f32
#define HD_SCAN_T float
#define HD_SCAN_JOIN(a, b) hd_max(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#define HD_SCAN_LANES f32
#define HD_SCAN_LANES_JOIN(v, a, b) hd_lanes_max_f32(v, a, b)
#define HD_SCAN_NOTHING LEAST_f32
#define HD_SCAN_FINISH(v) FINISH_f32(v)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_sum_f64
#define HD_SCAN_T double
#define HD_SCAN_JOIN(a, b) ((a) + (b))
#define HD_SCAN_EXACT 0
#define HD_SCAN_LANES f64
#define HD_SCAN_NOTHING ((double)-0.0)
#define HD_SCAN_FINISH(v) FINISH_f64(v)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_min_f64
#define HD_SCAN_T double
#define HD_SCAN_JOIN(a, b) hd_min(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#define HD_SCAN_LANES f64
#define HD_SCAN_LANES_JOIN(v, a, b) hd_lanes_min_f64(v, a, b)
#define HD_SCAN_NOTHING MAX_f64
#define HD_SCAN_FINISH(v) FINISH_f64(v)
#include <heddle/device/scan.inc>

#define HD_SCAN_NAME hd__scan_max_f64
#define HD_SCAN_T double
#define HD_SCAN_JOIN(a, b) hd_max(a, b)
#define HD_SCAN_EXACT 1
#define HD_SCAN_REPEATS 1
#define HD_SCAN_LANES f64
#define HD_SCAN_LANES_JOIN(v, a, b) hd_lanes_max_f64(v, a, b)
#define HD_SCAN_NOTHING LEAST_f64
#define HD_SCAN_FINISH(v) FINISH_f64(v)
#include <heddle/device/scan.inc>
