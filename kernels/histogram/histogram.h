/* SPDX-License-Identifier: Apache-2.0 */
/* histogram.h - the histogram kernels as host code sees them. */
#ifndef HEDDLE_KERNELS_HISTOGRAM_H
#define HEDDLE_KERNELS_HISTOGRAM_H

#include <heddle/kernel_decl.h>

enum {
    HD__HISTOGRAM_MAX_BINS = 65536,
    HD__HISTOGRAM_OUTSIDE = 3, /* rows after those of the bins: below, above, NaN */
    HD__HISTOGRAM_U8_ROWS =
        256, /* u8 is counted by value, and values are put into bins at the end */
    HD__HISTOGRAM_COPY_BITS =
        5, /* 32 copies of a row at most: one for each bank of shared memory */
    HD__HISTOGRAM_SERIAL_COPY_BITS = 2, /* a thread by itself: four copies, or one */
    HD__HISTOGRAM_THREADS = 1024        /* of a block at most */
};

/* One launch. A row counts the elements of one bin, or of one value of u8. Rows are cut into parts
   that fit in shared memory: block b counts part b % parts of its share of the elements, so that
   the blocks of one share run side by side and one of them reads from the cache. */
typedef struct hd__histogram_task {
    const void *in;
    size_t count;
    size_t head;    /* elements before the first 16-byte vector, fewer than one holds */
    size_t vectors; /* after them */
    uint32_t bins;
    uint32_t rows; /* in all */
    uint32_t part_rows;
    uint32_t parts;
    uint32_t copy_bits; /* log2 of the copies of each row, one for each lane modulo copies */
    uint32_t wide;      /* counts are u64 */
    uint32_t store;     /* one block has all elements of a part: it stores, others add */
    /* Integers of 8 and 32 bits, signed ones modulo 2^32: the lowest value; the highest and the
       type's largest, minus the lowest. */
    uint32_t low, last, reach;
    uint32_t shift;      /* bins 2^shift values wide, else */
    uint64_t reciprocal; /* floor(bins * 2^64 / values) + 1; of 64 bits: the upper half of */
    float low_f32, high_f32, scale; /* f32: low <= x < high */
    void *counts;                   /* of `bins` bins */
    void *outside;                  /* 3 counts, or NULL */
    uint32_t *scratch;              /* where threads run one after another: rows of each block */
    /* Elements of 64 bits. Behind all others: in front of them AMD's kernel of u8 has three times
       the registers. */
    uint64_t reciprocal_low;               /* floor(bins * 2^128 / values) + 1: its lower half */
    uint64_t low_u64, last_u64, reach_u64; /* as low, last, reach */
    double low_f64, high_f64;              /* f64, and f32 in f64: low <= x < high */
    double unit, low_units, width_units;   /* there: a power of two, and low and width in it */
} hd__histogram_task;

#define HD__HISTOGRAM_KERNEL_LIST(X)                                                               \
    X(u8)                                                                                          \
    X(u32_shift) /* u32 and i32, bins 2^k values wide */                                           \
    X(u32_even)  /* any width */                                                                   \
    X(u64_shift) /* u64 and i64 */                                                                 \
    X(u64_even)                                                                                    \
    X(f32)                                                                                         \
    X(f32_wide) /* ranges on which f32 overflows or loses bits: steps in f64 */                    \
    X(f64)

#define HD__HISTOGRAM_DECLARE(name) HD_DECLARE(hd__histogram_##name, hd__histogram_task)
HD__HISTOGRAM_KERNEL_LIST(HD__HISTOGRAM_DECLARE)
#undef HD__HISTOGRAM_DECLARE

#endif
