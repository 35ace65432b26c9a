/* SPDX-License-Identifier: Apache-2.0 */
/* reduce.h - the reduction kernels as host code sees them. The order of operations that they all
   follow is in docs/reductions.md. */
#ifndef HEDDLE_KERNELS_REDUCE_H
#define HEDDLE_KERNELS_REDUCE_H

#include <heddle/kernel_decl.h>

/* A group of 256 slots reduces one tile. A row of a tile is 16 bytes per slot. On GPUs a slot is a
   thread; where HD_SERIAL_THREADS is 1, one thread has all 256. */
enum {
    HD__REDUCE_SLOTS = 256,
    HD__REDUCE_ROW_BYTES = 16 * HD__REDUCE_SLOTS,
    HD__REDUCE_MAX_GROUPS = 4,     /* maximum groups of a block */
    HD__REDUCE_MAX_TILES = 32768,  /* of a whole array */
    HD__REDUCE_PARTIAL_BYTES = 16, /* per tile in `partials`, for every type */
    HD__REDUCE_HEADER_BYTES = 256  /* of a workspace, before the partials; holds the ticket */
};

/* One launch. `in` (and `in2`) holds tiles first_tile ... first_tile + tiles - 1 of an array of
   `total` tiles, `count` elements. If out is NULL, the launch only stores the partials of these
   tiles. Otherwise the last block to finish (its ticket is gridDim - 1) reduces all `total`
   partials; if tiles is 0, the only block does. If one block has all tiles, neither partials nor
   ticket are used. */
typedef struct hd__reduce_task {
    const void *in;
    const void *in2; /* second factor of dot */
    size_t count;
    size_t tile;        /* elements of a tile, below 2^31 */
    size_t first_index; /* index of in[0] in the whole array, for argmin and argmax */
    uint32_t tiles;
    uint32_t first_tile;
    uint32_t total;
    uint32_t aligned; /* in and in2 are multiples of 16 bytes */
    uint32_t flip;    /* all ones for max and argmax: the min of complements */
    uint32_t cached;  /* the input fits in the cache */
    void *partials;
    uint32_t *ticket; /* 0 before and after */
    void *out;
} hd__reduce_task;

/* Rows of a tile, which depend only on the `bytes` of the whole array. Rows double up to 64 to keep
   at most 256 tiles; above 512 MB tiles are shorter again, for a shorter tail; at most
   HD__REDUCE_MAX_TILES tiles. Measurements: docs/reductions.md. */
HD_BOTH uint64_t hd__reduce_rows(uint64_t bytes)
{
    uint64_t rows = 4;
    while (rows < 64 && bytes > rows * ((uint64_t)HD__REDUCE_ROW_BYTES << 8))
        rows *= 2;
    if (bytes > (uint64_t)1 << 29)
        rows = 32;
    while (bytes > rows * HD__REDUCE_ROW_BYTES * HD__REDUCE_MAX_TILES)
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
