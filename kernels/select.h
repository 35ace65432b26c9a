/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - the kernels of select, partition, unique and run lengths as host code sees them. */
#ifndef HEDDLE_KERNELS_SELECT_H
#define HEDDLE_KERNELS_SELECT_H

#include <heddle/kernel_decl.h>

enum {
    HD__SELECT_THREADS = 256,
    HD__SELECT_VECTORS = 4,          /* of 16 bytes that a thread holds, fewer of small elements */
    HD__SELECT_SERIAL_TILE = 1 << 14 /* elements, where a thread does a whole tile */
};

/* Elements of a tile, by their size in bytes: 4 vectors a thread, and no more than 16 elements. */
HD_BOTH uint32_t hd__select_tile(size_t size)
{
    const uint32_t items = (uint32_t)(16 * HD__SELECT_VECTORS / size);
    return HD__SELECT_THREADS * (items < 16 ? items : 16u);
}

/* What begins the workspace, zeroed once. */
typedef struct hd__select_header {
    uint64_t round_ticket; /* launches so far in the high half, tiles handed out in the low one */
    uint64_t dirty[2];     /* words that the last launch of each parity may have set */
    uint64_t unused[5];
} hd__select_header;

/* One launch: `tiles` blocks. After the header the workspace has, for launches of even number and
   for those of odd number, two arrays of `capacity` words: how many elements tile after tile
   selects, and where its last run begins. A word is 0, or 4 * value + 1 where the value is that of
   the tile alone, + 2 where it is that of the tile and all before it. A launch leaves the words of
   the other parity 0. */
typedef struct hd__select_task {
    const void *in;
    const uint8_t *flags; /* with kind HD__SELECT_FLAGS */
    void *out;            /* NULL: only count */
    void *rejected;       /* partition; NULL: they begin at out + *count, which is there already */
    void *lengths;        /* run lengths: of `out`, u64 where wide, else u32 */
    uint64_t *count;
    hd__select_header *header; /* not used by the only block of a launch */
    uint64_t *words;
    size_t n;
    uint64_t value; /* bits of what elements are compared with */
    uint32_t capacity;
    uint32_t tiles;
    uint32_t kind;
    uint32_t aligned; /* `in` to 16 bytes */
    uint32_t in_place;
    uint32_t wide;
} hd__select_task;

/* Values of kind: the order of hd_where_kind. */
enum {
    HD__SELECT_LT,
    HD__SELECT_LE,
    HD__SELECT_GT,
    HD__SELECT_GE,
    HD__SELECT_EQ,
    HD__SELECT_NE,
    HD__SELECT_FLAGS
};

#define HD__SELECT_TYPES(X, mode)                                                                  \
    X(mode, u8) X(mode, i32) X(mode, u32) X(mode, i64) X(mode, u64) X(mode, f32) X(mode, f64)
#define HD__SELECT_KERNEL_LIST(X)                                                                  \
    HD__SELECT_TYPES(X, select)                                                                    \
    HD__SELECT_TYPES(X, partition)                                                                 \
    HD__SELECT_TYPES(X, unique)                                                                    \
    HD__SELECT_TYPES(X, runs)

#define HD__SELECT_DECLARE(mode, type) HD_DECLARE(hd__##mode##_##type, hd__select_task)
HD__SELECT_KERNEL_LIST(HD__SELECT_DECLARE)
#undef HD__SELECT_DECLARE

#endif
