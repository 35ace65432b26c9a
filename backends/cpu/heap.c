/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c - first fit over pieces in address order. Pages of large pieces that are free cannot be
   read or written, so that a kernel that does faults as it would on a GPU. */
#include "heap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 256, PAGE = 4096, POISON = 0xa5, LARGE = 64 << 10 };
static const size_t poison_all = (size_t)16 << 20, poison_edge = (size_t)1 << 20;

int hd_cpu_heap_make(hd_cpu_heap *heap, size_t bytes)
{
    void *base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return 0;
    heap->extents = malloc(16 * sizeof *heap->extents);
    if (!heap->extents) {
        (void)munmap(base, bytes);
        return 0;
    }
    heap->base = base;
    heap->bytes = bytes;
    heap->room = 16;
    heap->count = 1;
    heap->used = 0;
    heap->extents[0] = (hd_cpu_extent){0, bytes, 0, HD_MEM_UNKNOWN, 0};
    return 1;
}

static int insert_after(hd_cpu_heap *heap, size_t i)
{
    if (heap->count == heap->room) {
        hd_cpu_extent *more = realloc(heap->extents, 2 * heap->room * sizeof *more);
        if (!more)
            return 0;
        heap->extents = more;
        heap->room *= 2;
    }
    memmove(&heap->extents[i + 2], &heap->extents[i + 1],
            (heap->count - i - 1) * sizeof *heap->extents);
    heap->count++;
    return 1;
}

static void remove_at(hd_cpu_heap *heap, size_t i)
{
    memmove(&heap->extents[i], &heap->extents[i + 1],
            (heap->count - i - 1) * sizeof *heap->extents);
    heap->count--;
}

static void poison(char *memory, size_t bytes)
{
    if (bytes <= poison_all) {
        memset(memory, POISON, bytes);
        return;
    }
    memset(memory, POISON, poison_edge);
    memset(memory + bytes - poison_edge, POISON, poison_edge);
}

static size_t page_below(size_t offset)
{
    return offset & ~(size_t)(PAGE - 1);
}

/* The pages that hold [offset, offset + bytes). */
static void pages_open(hd_cpu_heap *heap, size_t offset, size_t bytes)
{
    size_t from = page_below(offset), to = page_below(offset + bytes + PAGE - 1);

    (void)mprotect(heap->base + from, to - from, PROT_READ | PROT_WRITE);
}

/* The pages that lie wholly in a free piece. */
static void pages_close(hd_cpu_heap *heap, size_t offset, size_t bytes)
{
    size_t from = page_below(offset + PAGE - 1), to = page_below(offset + bytes);

    if (from >= to)
        return;
    (void)madvise(heap->base + from, to - from, MADV_DONTNEED);
    (void)mprotect(heap->base + from, to - from, PROT_NONE);
}

void *hd_cpu_heap_take(hd_cpu_heap *heap, size_t bytes, hd_memory_kind kind, int device)
{
    size_t i = 0, wanted, offset, rest;

    if (bytes > heap->bytes)
        return NULL;
    wanted = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    while (i < heap->count && (heap->extents[i].used || heap->extents[i].bytes < wanted))
        i++;
    if (i == heap->count)
        return NULL;
    offset = heap->extents[i].offset;
    if (heap->extents[i].bytes > wanted) {
        if (!insert_after(heap, i))
            return NULL;
        rest = heap->extents[i].bytes - wanted;
        heap->extents[i + 1] = (hd_cpu_extent){offset + wanted, rest, 0, HD_MEM_UNKNOWN, 0};
    }
    heap->extents[i] = (hd_cpu_extent){offset, bytes, 1, kind, device};
    heap->used += wanted;
    pages_open(heap, offset, wanted);
    poison(heap->base + offset, bytes);
    return heap->base + offset;
}

hd_cpu_extent *hd_cpu_heap_find(const hd_cpu_heap *heap, const void *address)
{
    uintptr_t offset = (uintptr_t)address - (uintptr_t)heap->base;
    size_t low = 0, high = heap->count;

    if (!heap->base || offset >= heap->bytes)
        return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (heap->extents[middle].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return &heap->extents[low];
}

void hd_cpu_heap_give(hd_cpu_heap *heap, hd_cpu_extent *extent)
{
    size_t i = (size_t)(extent - heap->extents);
    size_t bytes = (extent->bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);

    heap->used -= bytes;
    extent->used = 0;
    extent->bytes = bytes;
    if (i + 1 < heap->count && !heap->extents[i + 1].used) {
        heap->extents[i].bytes += heap->extents[i + 1].bytes;
        remove_at(heap, i + 1);
    }
    if (i > 0 && !heap->extents[i - 1].used) {
        heap->extents[i - 1].bytes += heap->extents[i].bytes;
        remove_at(heap, i);
        i--;
    }
    if (bytes >= LARGE)
        pages_close(heap, heap->extents[i].offset, heap->extents[i].bytes);
}

void hd_cpu_heap_clear(hd_cpu_heap *heap)
{
    heap->count = 1;
    heap->used = 0;
    heap->extents[0] = (hd_cpu_extent){0, heap->bytes, 0, HD_MEM_UNKNOWN, 0};
    pages_close(heap, 0, heap->bytes);
}
