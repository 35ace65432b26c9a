/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.h - the histogram kernels as host code sees them. */
#ifndef HEDDLE_KERNELS_HISTOGRAM_H
#define HEDDLE_KERNELS_HISTOGRAM_H

#include <heddle/kernel_decl.h>

enum {
    HD__HISTOGRAM_MAX_BINS = 65536,
    HD__HISTOGRAM_OUTSIDE = 3,   /* rows after those of the bins: below, above, NaN */
    HD__HISTOGRAM_U8_ROWS = 256, /* u8: rows are values, summed into bins at the end */
    HD__HISTOGRAM_COPY_BITS = 5, /* at most 32 copies of a row: one per bank of shared memory */
    HD__HISTOGRAM_SERIAL_COPY_BITS = 2, /* one thread per block: four copies, or one */
    HD__HISTOGRAM_THREADS = 1024        /* of a block at most */
};

/* One launch. A row counts the elements of one bin, or of one value of u8. Rows are cut into parts
   that fit in shared memory; a block counts one part of the rows in its share of the elements.
   Block b has part b % parts, so that the blocks of one share run concurrently and all but one read
   it from the cache. */
typedef struct hd__histogram_task {
    const void *in;
    size_t count;
    size_t head;    /* elements before the first aligned 16-byte vector */
    size_t vectors; /* after them */
    uint32_t bins;
    uint32_t rows; /* in all */
    uint32_t part_rows;
    uint32_t parts;
    uint32_t copy_bits; /* log2 of the copies of each row; a lane uses copy lane % copies */
    uint32_t wide;      /* counts are u64 */
    uint32_t store;     /* 1: one block has all elements of a part and stores; 0: blocks add */
    /* Integers of 8 and 32 bits (signed ones modulo 2^32): low is the lowest value of the range;
       last is the highest value and reach the type's largest, both minus low. */
    uint32_t low, last, reach;
    uint32_t shift;      /* if bins are 2^shift values wide */
    uint64_t reciprocal; /* floor(bins * 2^64 / values) + 1; for 64-bit elements its upper half */
    float low_f32, high_f32, scale; /* f32: low <= x < high */
    void *counts;                   /* of `bins` bins */
    void *outside;                  /* 3 counts, or NULL */
    uint32_t *scratch;              /* only where HD_SERIAL_THREADS is 1: rows of each block */
    /* Elements of 64 bits. Must stay last: before the other members they triple the registers of
       the u8 kernel on AMD. */
    uint64_t reciprocal_low;               /* floor(bins * 2^128 / values) + 1: its lower half */
    uint64_t low_u64, last_u64, reach_u64; /* as low, last, reach */
    double low_f64, high_f64;              /* f64, and f32 in f64: low <= x < high */
    double unit, low_units, width_units;   /* f64: a power of two; low and width in this unit */
} hd__histogram_task;

#define HD__HISTOGRAM_KERNEL_LIST(X)                                                               \
    X(u8)                                                                                          \
    X(u32_shift) /* u32 and i32, bins 2^k values wide */                                           \
    X(u32_even)  /* any width */                                                                   \
    X(u64_shift) /* u64 and i64 */                                                                 \
    X(u64_even)                                                                                    \
    X(f32)                                                                                         \
    X(f32_wide) /* f32 in ranges where f32 overflows or loses bits: computed in f64 */             \
    X(f64)

#define HD__HISTOGRAM_DECLARE(name) HD_DECLARE(hd__histogram_##name, hd__histogram_task)
HD__HISTOGRAM_KERNEL_LIST(HD__HISTOGRAM_DECLARE)
#undef HD__HISTOGRAM_DECLARE

#endif
