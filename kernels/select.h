/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - the kernels of select, partition, unique and run lengths as host code sees them. */
#ifndef HEDDLE_KERNELS_SELECT_H
#define HEDDLE_KERNELS_SELECT_H

#include <heddle/kernel_decl.h>
#include <heddle/look_back.h>

#ifndef HD__SELECT_VECTORS
#define HD__SELECT_VECTORS 8
#endif
enum {
    HD__SELECT_THREADS = 256,
    HD__SELECT_ITEMS = 32,           /* elements of a thread at most */
    HD__SELECT_SERIAL_TILE = 1 << 14 /* elements, where a thread does a whole tile */
};

/* Elements of a tile by their size in bytes: HD__SELECT_VECTORS of 16 bytes for each thread, for
   run lengths half of them, because where runs begin takes shared memory too. */
HD_BOTH uint32_t hd__select_tile(size_t size, int lengths)
{
    const uint32_t items = (uint32_t)((lengths ? 8u : 16u) * HD__SELECT_VECTORS / size);
    return HD__SELECT_THREADS * (items < HD__SELECT_ITEMS ? items : (uint32_t)HD__SELECT_ITEMS);
}

/* One launch: a block for each tile of `look`. */
typedef struct hd__select_task {
    const void *in;
    const uint8_t *flags; /* with kind HD__SELECT_FLAGS */
    void *out;            /* NULL: only count */
    void *rejected;       /* partition; NULL: they begin at out + *count, which is there already */
    void *lengths;        /* run lengths: of `out`, u64 where wide, else u32 */
    uint64_t *count;
    hd_look_back look; /* a launch of one block needs no state */
    size_t n;
    uint64_t value; /* bits of what elements are compared with */
    uint32_t kind;
    uint32_t aligned;  /* `in` to 16 bytes */
    uint32_t in_place; /* out is in: tiles write where others have read */
    uint32_t narrow;   /* n is below 2^32, and so is what the look-back carries */
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
