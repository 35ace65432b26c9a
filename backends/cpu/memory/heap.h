/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h - memory handed out of one reserved range of addresses. Not locked: the caller does. */
#ifndef HEDDLE_CPU_MEMORY_HEAP_H
#define HEDDLE_CPU_MEMORY_HEAP_H

#include "core/engine.h"

/* A piece of the range, used or free; pieces are kept in the order of addresses and cover it. */
typedef struct hd_cpu_extent {
    size_t offset, bytes;
    int used;
    int kept; /* free, but not to be handed out yet */
    hd_memory_kind kind;
    int device;
} hd_cpu_extent;

typedef struct hd_cpu_heap {
    char *base;
    size_t bytes; /* of the range */
    size_t limit; /* of what may be used of it */
    size_t used;
    size_t peak; /* of used */
    hd_cpu_extent *extents;
    size_t count, room;
    struct hd_cpu_kept *kept, **kept_end; /* the oldest first */
    size_t kept_bytes, kept_count;
} hd_cpu_heap;

/* Reserves the range; takes no memory yet. 0 if there is no room for it. For the checker the range
   is larger than the limit: there is a gap behind every piece, and what was given back is handed
   out again late. */
int hd_cpu_heap_make(hd_cpu_heap *heap, size_t bytes);
/* NULL if there is no piece large enough. The memory holds 0xa5 bytes: all of it up to 16 MiB, the
   first and last MiB beyond (what comes from the system for the first time is zero there). */
void *hd_cpu_heap_take(hd_cpu_heap *heap, size_t bytes, hd_memory_kind kind, int device);
/* The piece that holds the address, NULL if it is not in the range. */
hd_cpu_extent *hd_cpu_heap_find(const hd_cpu_heap *heap, const void *address);
void hd_cpu_heap_give(hd_cpu_heap *heap, hd_cpu_extent *extent);
/* Gives everything back. */
void hd_cpu_heap_clear(hd_cpu_heap *heap);

#endif
