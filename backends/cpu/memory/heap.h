/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h - allocator for one reserved range of addresses. Not locked: callers must lock. */
#ifndef HEDDLE_CPU_MEMORY_HEAP_H
#define HEDDLE_CPU_MEMORY_HEAP_H

#include "core/engine.h"

/* A piece of the range, used or free; pieces are sorted by address and cover the range. */
typedef struct hd_cpu_extent {
    size_t offset, bytes;
    int used;
    int kept; /* free, but must not be reused yet */
    hd_memory_kind kind;
    int device;
} hd_cpu_extent;

typedef struct hd_cpu_heap {
    char *base;
    size_t bytes; /* size of the range */
    size_t limit; /* limit of `used` */
    size_t used;
    size_t peak; /* maximum of `used` so far */
    hd_cpu_extent *extents;
    size_t count, room;
    struct hd_cpu_kept *kept, **kept_end; /* kept pieces, oldest first */
    size_t kept_bytes, kept_count;
} hd_cpu_heap;

/* Reserves the range without allocating memory. 0 if there is no room for it. For the checker the
   range is larger than the limit: every piece is followed by a gap, and reuse is delayed. */
int hd_cpu_heap_make(hd_cpu_heap *heap, size_t bytes);
/* NULL if no free piece is large enough. The memory is filled with 0xa5: all of it up to 16 MiB,
   beyond that the first and last MiB (memory fresh from the system is zero in between). */
void *hd_cpu_heap_take(hd_cpu_heap *heap, size_t bytes, hd_memory_kind kind, int device);
/* The piece that contains the address; NULL if it is outside the range. */
hd_cpu_extent *hd_cpu_heap_find(const hd_cpu_heap *heap, const void *address);
void hd_cpu_heap_give(hd_cpu_heap *heap, hd_cpu_extent *extent);
/* Frees everything. */
void hd_cpu_heap_clear(hd_cpu_heap *heap);

#endif
