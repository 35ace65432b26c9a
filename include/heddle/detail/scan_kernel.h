/* SPDX-License-Identifier: Apache-2.0 */
/* scan_kernel.h - shared by host code and kernels of scans: the argument of a launch, and the size
   of tiles. docs/scan.md specifies the order of operations. */
#ifndef HEDDLE_DETAIL_SCAN_KERNEL_H
#define HEDDLE_DETAIL_SCAN_KERNEL_H

#include <heddle/device/look_back.h>

/* A tile is 8 strips, a strip is rows of 32 columns, and a column has 16 bytes of elements (1
   element if its size does not divide 16). On GPUs a strip is 32 threads, one per column; on the
   CPU engine one thread computes the whole tile. */
enum {
    HD_SCAN_STRIPS = 8,
    HD_SCAN_THREADS = HD_SCAN_STRIPS * HD_LOOK_BACK_WIDTH,
    HD_SCAN_BLOCKS_PER_UNIT = 2, /* persistent blocks per compute unit */
    HD_SCAN_SLOTS = 3,           /* tiles that a persistent block stages */
    HD_SCAN_VALUE_BYTES = 64     /* largest value */
};

typedef struct hd_scan_task {
    const void *in;
    const void *in2; /* head flags; the u of a recurrence */
    void *out;
    size_t count;
    hd_look_back look;    /* has no state if look.tiles is 1 */
    uint32_t inclusive;   /* 0: exclusive */
    uint32_t aligned;     /* all arrays are aligned to 16 bytes */
    uint32_t cached;      /* the arrays fit into the cache: no prefetches */
    uint32_t flag_bytes;  /* size of a head flag: 1 or 4 */
    uint32_t workers;     /* CPU engine: workers, which take the tiles in turn */
    uint32_t repairs;     /* strips may be repaired (scan_repair.inc) */
    uint32_t in_place;    /* out is in */
    unsigned char *again; /* a byte per strip: to be repaired; NULL if there is one tile */
    HD_ALIGN(16) unsigned char first[HD_SCAN_VALUE_BYTES]; /* initial value */
} hd_scan_task;

/* Whether persistent blocks for values of this size have two helper warps, which publish and look
   back. Larger values leave no registers for them. */
#define HD_SCAN_HELPERS(value_bytes) ((value_bytes) <= 8)

/* Elements of a column in a row, for elements of `size` bytes. */
HD_BOTH size_t hd_scan_place(size_t size)
{
    return 16 % size == 0 ? 16 / size : 1;
}

/* Rows of a strip, given the bytes of a column's values: a tile has at most 32 KB of values, which
   a block keeps in registers. */
#define HD_SCAN_ROWS(place_bytes) ((place_bytes) <= 16 ? 8 : (place_bytes) <= 32 ? 4 : 2)

/* Elements of a tile, for elements of `size` bytes that are combined as values of `value_bytes`. */
HD_BOTH size_t hd_scan_tile(size_t size, size_t value_bytes)
{
    const size_t place = hd_scan_place(size);
    return place * HD_LOOK_BACK_WIDTH * HD_SCAN_STRIPS * HD_SCAN_ROWS(place * value_bytes);
}

/* Dynamic shared memory of a persistent block, in bytes. */
HD_BOTH size_t hd_scan_stage_bytes(size_t size, size_t value_bytes)
{
    return HD_SCAN_SLOTS * value_bytes * hd_scan_tile(size, value_bytes);
}

#endif
