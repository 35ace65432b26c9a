/* SPDX-License-Identifier: Apache-2.0 */
/* select.h - the kernels of select, partition, unique and run lengths as host code sees them. */
#ifndef HEDDLE_KERNELS_SELECT_H
#define HEDDLE_KERNELS_SELECT_H

#include <heddle/device/look_back.h>

enum {
    HD__SELECT_THREADS = 256,      /* the last warp does the look-back, the others select */
    HD__SELECT_ONCE_THREADS = 288, /* if all tiles are resident at once: tiles of a power of two */
    HD__SELECT_WIDEST = HD__SELECT_THREADS / 4, /* maximum lanes of a warp */
    HD__SELECT_SLOTS = 3,                       /* tiles that a persistent block stages */
    HD__SELECT_BLOCKS_PER_UNIT = 2,             /* persistent blocks per compute unit */
    HD__SELECT_SERIAL_TILE = 1 << 14,           /* elements, if one thread processes a tile */
    HD__SELECT_PIECES = 2,                      /* words of 32 bits: a count */
    HD__SELECT_RUN_PIECES = 2, /* a count and the begin of a run, for fewer than 2^32 elements */
    HD__SELECT_MANY_RUN_PIECES = 4 /* the same for more elements */
};

/* Items per thread, by element size: 8 vectors of 16 bytes, or 6 if run lengths are computed, but
   at most 32 elements. */
#define HD__SELECT_ITEMS(size, lengths)                                                            \
    ((size) < 4 ? 32u : ((lengths) ? 96u : 128u) / (unsigned)(size))

/* Elements of a block's tile on a device with `warp` lanes per warp. */
HD_BOTH uint32_t hd__select_tile(size_t size, int lengths, unsigned warp, unsigned threads)
{
    return (threads - warp) * HD__SELECT_ITEMS(size, lengths);
}

/* Bytes of shared memory to pack a tile: its elements and their positions. */
HD_BOTH size_t hd__select_stage_bytes(size_t size, int lengths, uint32_t tile)
{
    return tile * (size + (lengths ? sizeof(uint16_t) : 0));
}

/* One launch. The look-back's values are counts, or counts and the begin of the last run. */
typedef struct hd__select_task {
    const void *in;
    const uint8_t *flags; /* for kind HD__SELECT_FLAGS */
    void *out;            /* NULL: only counts */
    /* Partition: rejected elements; NULL: at out + *count, which is known before the launch. */
    void *rejected;
    void *lengths; /* run lengths, parallel to `out`: u64 if wide, else u32 */
    uint64_t *count;
    size_t n;
    uint64_t value;    /* bits of the value that elements are compared with */
    hd_look_back look; /* look.tiles tiles; no state where it is 1 */
    uint32_t kind;
    uint32_t aligned; /* `in` and `flags` are aligned to 16 bytes */
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
    HD__SELECT_TYPES(X, count)                                                                     \
    HD__SELECT_TYPES(X, runs)                                                                      \
    HD__SELECT_TYPES(X, many_runs)                                                                 \
    HD__SELECT_TYPES(X, once_select)                                                               \
    HD__SELECT_TYPES(X, once_partition)                                                            \
    HD__SELECT_TYPES(X, once_unique)                                                               \
    HD__SELECT_TYPES(X, once_runs)                                                                 \
    HD__SELECT_TYPES(X, once_many_runs)

#define HD__SELECT_DECLARE(mode, type) HD_DECLARE(hd__##mode##_##type, hd__select_task)
HD__SELECT_KERNEL_LIST(HD__SELECT_DECLARE)
#undef HD__SELECT_DECLARE

#endif
