/* SPDX-License-Identifier: Apache-2.0 */
/* scan_kernel.h - scan kernels as host code sees them: the task of a launch, and how an array is
   cut. docs/scan.md has the order of operations. */
#ifndef HEDDLE_DETAIL_SCAN_KERNEL_H
#define HEDDLE_DETAIL_SCAN_KERNEL_H

#include <heddle/device/look_back.h>

/* A tile has 8 strips, a strip has rows of 32 places, a place 16 bytes of elements (1 element where
   the size does not divide 16). On GPUs a strip is 32 threads; where the threads of a block run one
   after another, one thread does the tile. */
enum {
    HD_SCAN_STRIPS = 8,
    HD_SCAN_THREADS = HD_SCAN_STRIPS * HD_LOOK_BACK_WIDTH,
    HD_SCAN_BLOCKS_PER_UNIT = 2, /* of those that take tile after tile */
    HD_SCAN_SLOTS = 3,           /* tiles that such a block stages */
    HD_SCAN_VALUE_BYTES = 64     /* of a value at most */
};

typedef struct hd_scan_task {
    const void *in;
    const void *in2; /* head flags; the u of a recurrence */
    void *out;
    size_t count;
    hd_look_back look;   /* look.tiles tiles; no state where it is 1 */
    uint32_t inclusive;  /* 0: every result is what precedes its element */
    uint32_t aligned;    /* all arrays are multiples of 16 bytes */
    uint32_t cached;     /* the arrays may stay in the cache: they fit */
    uint32_t flag_bytes; /* of a head flag: 1 or 4 */
    uint32_t workers;    /* that take tiles by turns, where one thread does a tile */
    uint32_t repairs;    /* strips may be done again (scan_repair.inc) */
    uint32_t in_place;   /* results go where the elements are */
    uint64_t *marks;     /* of strips, a word for each tile; NULL where there is one tile */
    HD_ALIGN(16) unsigned char first[HD_SCAN_VALUE_BYTES]; /* what precedes everything */
} hd_scan_task;

/* Values of so many bytes are told and asked for by two warps that have no elements; others need
   the registers that those would cost. */
#define HD_SCAN_ASKS_APART(value_bytes) ((value_bytes) <= 8)

/* Elements of a place, for elements of `size` bytes. */
HD_BOTH size_t hd_scan_place(size_t size)
{
    return 16 % size == 0 ? 16 / size : 1;
}

/* Rows of a strip, for places whose values have so many bytes: a tile's values have 32 KB, which a
   block keeps in registers. */
#define HD_SCAN_ROWS(place_bytes) ((place_bytes) <= 16 ? 8 : (place_bytes) <= 32 ? 4 : 2)

/* Elements of a tile, for elements of `size` bytes of which values of `value_bytes` are made. */
HD_BOTH size_t hd_scan_tile(size_t size, size_t value_bytes)
{
    const size_t place = hd_scan_place(size);
    return place * HD_LOOK_BACK_WIDTH * HD_SCAN_STRIPS * HD_SCAN_ROWS(place * value_bytes);
}

/* Bytes of dynamic shared memory in which a block that takes tile after tile stages them. */
HD_BOTH size_t hd_scan_stage_bytes(size_t size, size_t value_bytes)
{
    return HD_SCAN_SLOTS * value_bytes * hd_scan_tile(size, value_bytes);
}

#endif
