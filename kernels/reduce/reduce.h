/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - the reduction kernels as host code sees them. The order of operations that they all
   follow is in docs/reductions.md. */
#ifndef HEDDLE_KERNELS_REDUCE_H
#define HEDDLE_KERNELS_REDUCE_H

#include <heddle/kernel_decl.h>

/* A group of 256 slots works on one tile. A row of a tile is 16 bytes per slot. On GPUs a slot is
   a thread; where threads of a block run one after another, one thread has all 256. */
enum {
    HD__REDUCE_SLOTS = 256,
    HD__REDUCE_ROW_BYTES = 16 * HD__REDUCE_SLOTS,
    HD__REDUCE_MAX_GROUPS = 4,     /* groups of a block, at most */
    HD__REDUCE_MOST_TILES = 32768, /* of a whole */
    HD__REDUCE_PARTIAL_BYTES = 16, /* of one tile in `partials`, whatever the type */
    HD__REDUCE_HEADER_BYTES = 256  /* of a workspace, before the partials; holds the ticket */
};

/* One launch. Tiles first_tile ... first_tile + tiles - 1 of a whole of `total` tiles lie at `in`
   (and `in2`), `count` elements. out NULL: their partials are stored and that is all. Else the
   block that takes the last ticket folds all `total` partials; with tiles == 0 the only block
   does; a launch of one block for all tiles needs neither partials nor ticket. */
typedef struct hd__reduce_task {
    const void *in;
    const void *in2; /* second factor of dot */
    size_t count;
    size_t tile;        /* elements of a tile, below 2^31 */
    size_t first_index; /* of in[0] in the whole: what argmin and argmax count from */
    uint32_t tiles;
    uint32_t first_tile;
    uint32_t total;
    uint32_t aligned; /* in and in2 are multiples of 16 bytes */
    uint32_t flip;    /* all ones for max and argmax: they are the min of the complement */
    uint32_t cached;  /* the input may stay in the cache: it fits */
    void *partials;
    uint32_t *ticket; /* 0 before and after */
    void *out;
} hd__reduce_task;

/* Rows of a tile when the whole has `bytes` bytes: a function of nothing else. At most 256 tiles
   while rows grow to 64; above 512 MB shorter tiles again, whose last ones end closer together; at
   most HD__REDUCE_MOST_TILES. As measured: docs/reductions.md. */
HD_BOTH uint64_t hd__reduce_rows(uint64_t bytes)
{
    uint64_t rows = 4;
    while (rows < 64 && bytes > rows * ((uint64_t)HD__REDUCE_ROW_BYTES << 8))
        rows *= 2;
    if (bytes > (uint64_t)1 << 29)
        rows = 32;
    while (bytes > rows * HD__REDUCE_ROW_BYTES * HD__REDUCE_MOST_TILES)
        rows *= 2;
    return rows;
}

#define HD__REDUCE_TYPES(X, op)                                                                    \
    X(op, u8)                                                                                      \
    X(op, i8)                                                                                      \
    X(op, u16)                                                                                     \
    X(op, i16) X(op, u32) X(op, i32) X(op, u64) X(op, i64) X(op, f16) X(op, f32) X(op, f64)

/* X(op, type): the kernels hd__reduce_<op>_<type>. `extreme` serves min and max, `arg` argmin and
   argmax. */
#define HD__REDUCE_KERNEL_LIST(X)                                                                  \
    HD__REDUCE_TYPES(X, sum)                                                                       \
    HD__REDUCE_TYPES(X, prod)                                                                      \
    HD__REDUCE_TYPES(X, extreme)                                                                   \
    HD__REDUCE_TYPES(X, arg)                                                                       \
    HD__REDUCE_TYPES(X, norm1)                                                                     \
    HD__REDUCE_TYPES(X, norm2)                                                                     \
    HD__REDUCE_TYPES(X, norminf)                                                                   \
    HD__REDUCE_TYPES(X, dot)

#define HD__REDUCE_DECLARE(op, type) HD_DECLARE(hd__reduce_##op##_##type, hd__reduce_task)
HD__REDUCE_KERNEL_LIST(HD__REDUCE_DECLARE)
#undef HD__REDUCE_DECLARE

#endif
