/* SPDX-License-Identifier: Apache-2.0 */
/* sort.h - the kernels of the radix sort as host code sees them.

   One-sweep least-significant-digit radix sort (A. Adinets, D. Merrill, Onesweep, 2022): one kernel
   counts the digits of all passes; then each pass moves every key once. A block takes a tile,
   counts its digits, publishes the counts, sorts the tile in shared memory, looks back over earlier
   tiles for their number of keys of each digit, and writes its runs.

   Few keys are sorted by comparison: small.inc sorts runs, merge.inc merges them. */
#ifndef HEDDLE_KERNELS_SORT_H
#define HEDDLE_KERNELS_SORT_H

#include <heddle/kernel_decl.h>

enum {
    HD__SORT_THREADS = 512,
    HD__SORT_BITS = 8, /* of a digit */
    HD__SORT_BINS = 1 << HD__SORT_BITS,
    HD__SORT_PASSES = 8,        /* at most */
    HD__SORT_WARPS = 16,        /* maximum warps of a block */
    HD__SORT_SMALL_ITEMS = 8,   /* keys per thread in the comparison sort */
    HD__SORT_SMALL_KEYS = 2048, /* keys per block there, for 4-byte keys without values */
    HD__SORT_PLACE_BITS = 11,   /* bits of the index of a key in its block */
    HD__SORT_RUN = 1024,        /* keys per block for other keys and values */
    HD__SORT_SHORT_RUN = 512,   /* shorter runs if there are few to merge */
    HD__SORT_FEW_RUNS = 16,
    HD__SORT_MERGE_THREADS = 512,
    HD__SORT_MERGE_TEAM = 8,        /* maximum threads that compute the rank of one key */
    HD__SORT_MERGE_BYTES = 1 << 17, /* of all keys, in a block's shared memory */
    HD__SORT_SERIAL_TILE = 1 << 16, /* keys of a tile if one thread sorts it */
    /* Header: the ticket and the digit counts; 0 before and after each sort. */
    HD__SORT_TICKET_BYTES = 256,
    HD__SORT_COUNT_BYTES = HD__SORT_PASSES * HD__SORT_BINS * 8,
    HD__SORT_HEADER_BYTES = HD__SORT_TICKET_BYTES + HD__SORT_COUNT_BYTES
};

/* Keys are encoded so that codes sort as unsigned integers: code = key ^ always, and also ^
   negative if the key's top bit is set. The top bit of `negative` is 0. */
typedef struct hd__sort_order {
    uint64_t always, negative;
} hd__sort_order;

/* Counts the digits of all passes. The last block to finish (its ticket is gridDim - 1) scans the
   counts: where each digit begins. Clears the words. */
typedef struct hd__sort_count_task {
    const void *keys;
    size_t n;
    hd__sort_order order;
    uint32_t first_bit, passes;
    uint32_t last_mask; /* of the last pass's digit */
    uint32_t aligned;   /* keys is a multiple of 16 bytes */
    uint32_t *ticket;
    uint64_t *counts; /* passes x 256, zeros before and after */
    uint64_t *begins; /* passes x 256 */
    uint32_t *words;  /* 4 * word_vectors, 16-byte aligned */
    size_t word_vectors;
} hd__sort_count_task;

/* One pass over one part of the array, of fewer than 2^30 keys, so that counts fit in the words. */
typedef struct hd__sort_pass_task {
    const void *keys_in, *values_in; /* of the part */
    void *keys_out, *values_out;     /* of the whole */
    uint32_t count;
    uint32_t shift, mask;    /* of the digit */
    uint32_t ready;          /* top bit of words published in this pass: 0 or 1 */
    uint32_t resident;       /* blocks that run at once */
    uint32_t encode, decode; /* keys_in holds keys, not codes; keys_out must hold keys */
    hd__sort_order order;
    const uint64_t *begins; /* 256: where the part's digits begin in keys_out */
    uint64_t *next_begins;  /* 256: the next part's; NULL after the last */
    uint32_t *words;        /* tiles x 256, of the part */
    uint32_t *ticket;
} hd__sort_pass_task;

/* A word: the top bit is `ready`; with PREFIX the count is inclusive, of all tiles up to this one;
   without, of this tile alone. */
#define HD__SORT_PREFIX 0x40000000u
#define HD__SORT_VALUE 0x3fffffffu

/* Each block sorts its keys by codes reduced to the bits that decide; if equal codes may stand for
   different elements, also by index, so that the sort is stable. */
typedef struct hd__sort_small_task {
    const void *keys_in, *values_in;
    void *keys_out, *values_out;
    uint32_t n;
    uint32_t key_bytes, value_bytes;
    uint32_t whole;      /* all bits decide */
    uint32_t first_bit;  /* lowest bit that decides */
    uint32_t place_bits; /* bits of the index, below the code: 0 or HD__SORT_PLACE_BITS */
    uint64_t decide;     /* mask of the bits that decide */
    hd__sort_order order;
} hd__sort_small_task;

/* Merges sorted runs of keys. */
typedef struct hd__sort_merge_task {
    const void *keys_in, *values_in; /* 16-byte aligned */
    void *keys_out, *values_out;
    uint32_t n, run; /* run: keys per run, a power of two; the last run may be shorter */
    uint32_t team;   /* threads that compute the rank of one key, a power of two */
    uint32_t value_bytes;
    uint64_t decide;
    hd__sort_order order;
} hd__sort_merge_task;

/* X(bytes of a key, bytes of a value; 0: no values) */
#define HD__SORT_LIST(X) X(4, 0) X(4, 4) X(4, 8) X(8, 0) X(8, 4) X(8, 8)

/* hd__sort_pass_<key>_<value>, and its keys per thread. */
#define HD__SORT_DECLARE(key, value)                                                               \
    HD_DECLARE(hd__sort_pass_##key##_##value, hd__sort_pass_task)                                  \
    HD_EXTERN const unsigned hd__sort_items_##key##_##value;
HD__SORT_LIST(HD__SORT_DECLARE)
#undef HD__SORT_DECLARE
HD_DECLARE(hd__sort_count_4, hd__sort_count_task)
HD_DECLARE(hd__sort_count_8, hd__sort_count_task)
/* u32: codes of 4 bytes; u64: codes, with their indices in the lowest bits; placed: pairs of code
   and index. */
HD_DECLARE(hd__sort_small_u32, hd__sort_small_task)
HD_DECLARE(hd__sort_small_u64, hd__sort_small_task)
HD_DECLARE(hd__sort_small_placed, hd__sort_small_task)
HD_DECLARE(hd__sort_merge_4, hd__sort_merge_task)
HD_DECLARE(hd__sort_merge_8, hd__sort_merge_task)

#endif
