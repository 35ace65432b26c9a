/* SPDX-License-Identifier: Apache-2.0 */
/* heap.c - first-fit allocator over pieces in address order. Pages of large free pieces are
   protected, so that a kernel that accesses them faults as on a GPU. */
#include "memory/heap.h"

#include "observe.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 256, PAGE = 4096, POISON = 0xa5, LARGE = 64 << 10, KEPT_MAX = 1 << 14 };
static const size_t poison_all = (size_t)16 << 20, poison_edge = (size_t)1 << 20;

/* Freed pieces that must not be reused yet. */
typedef struct hd_cpu_kept {
    struct hd_cpu_kept *next;
    size_t offset, bytes;
} hd_cpu_kept;

static void *reserve(size_t bytes)
{
    void *base;

    if (HD_OBSERVED)
        return HD_OBSERVE_OR(NULL, memory.reserve(bytes));
    base = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? NULL : base;
}

int hd_cpu_heap_make(hd_cpu_heap *heap, size_t bytes)
{
    size_t range = HD_OBSERVED ? 2 * bytes : bytes;
    void *base = reserve(range);

    if (HD_OBSERVED && !base) {
        range = bytes;
        base = reserve(range);
    }
    if (!base)
        return 0;
    heap->extents = malloc(16 * sizeof *heap->extents);
    if (!heap->extents) {
        if (!HD_OBSERVED)
            (void)munmap(base, range);
        return 0;
    }
    heap->base = base;
    heap->bytes = range;
    heap->limit = bytes;
    heap->room = 16;
    heap->kept_end = &heap->kept;
    hd_cpu_heap_clear(heap);
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

/* Unprotects the pages that contain [offset, offset + bytes). */
static void pages_open(hd_cpu_heap *heap, size_t offset, size_t bytes)
{
    size_t from = page_below(offset), to = page_below(offset + bytes + PAGE - 1);

    if (HD_OBSERVED) /* never protected: the checker reports bad accesses before they happen */
        return;
    (void)mprotect(heap->base + from, to - from, PROT_READ | PROT_WRITE);
}

/* Protects the pages that lie completely in a free piece. */
static void pages_close(hd_cpu_heap *heap, size_t offset, size_t bytes)
{
    size_t from = page_below(offset + PAGE - 1), to = page_below(offset + bytes);

    if (from >= to)
        return;
    (void)madvise(heap->base + from, to - from, MADV_DONTNEED);
    if (!HD_OBSERVED)
        (void)mprotect(heap->base + from, to - from, PROT_NONE);
}

static int is_free(const hd_cpu_extent *extent)
{
    return !extent->used && !extent->kept;
}

/* Including its red zone. */
static size_t size_of_piece(size_t bytes)
{
    return ((bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1)) + HD_OBSERVE_RED_ZONE;
}

static size_t first_fit(const hd_cpu_heap *heap, size_t wanted)
{
    size_t i = 0;

    while (i < heap->count && (!is_free(&heap->extents[i]) || heap->extents[i].bytes < wanted))
        i++;
    return i;
}

/* Merges the piece with free neighbours; returns its new index. */
static size_t merge(hd_cpu_heap *heap, size_t i)
{
    if (i + 1 < heap->count && is_free(&heap->extents[i + 1])) {
        heap->extents[i].bytes += heap->extents[i + 1].bytes;
        remove_at(heap, i + 1);
    }
    if (i > 0 && is_free(&heap->extents[i - 1])) {
        heap->extents[i - 1].bytes += heap->extents[i].bytes;
        remove_at(heap, i);
        i--;
    }
    return i;
}

/* The oldest kept piece can be reused. */
static void kept_release(hd_cpu_heap *heap)
{
    hd_cpu_kept *oldest = heap->kept;
    hd_cpu_extent *extent = hd_cpu_heap_find(heap, heap->base + oldest->offset);

    heap->kept = oldest->next;
    if (!heap->kept)
        heap->kept_end = &heap->kept;
    heap->kept_bytes -= oldest->bytes;
    heap->kept_count--;
    free(oldest);
    extent->kept = 0;
    (void)merge(heap, (size_t)(extent - heap->extents));
}

/* 0: out of memory; the piece can then be reused immediately. */
static int keep(hd_cpu_heap *heap, hd_cpu_extent *extent)
{
    hd_cpu_kept *kept = malloc(sizeof *kept);

    if (!kept)
        return 0;
    *kept = (hd_cpu_kept){NULL, extent->offset, extent->bytes};
    *heap->kept_end = kept;
    heap->kept_end = &kept->next;
    heap->kept_bytes += extent->bytes;
    heap->kept_count++;
    extent->kept = 1;
    while (heap->kept_bytes > heap->limit / 4 || heap->kept_count > KEPT_MAX)
        kept_release(heap);
    return 1;
}

void *hd_cpu_heap_take(hd_cpu_heap *heap, size_t bytes, hd_memory_kind kind, int device)
{
    size_t i, wanted, offset, rest;

    if (bytes > heap->limit)
        return NULL;
    wanted = size_of_piece(bytes);
    if (wanted - HD_OBSERVE_RED_ZONE > heap->limit - heap->used)
        return NULL;
    while ((i = first_fit(heap, wanted)) == heap->count && heap->kept)
        kept_release(heap);
    if (i == heap->count)
        return NULL;
    offset = heap->extents[i].offset;
    if (heap->extents[i].bytes > wanted) {
        if (!insert_after(heap, i))
            return NULL;
        rest = heap->extents[i].bytes - wanted;
        heap->extents[i + 1] = (hd_cpu_extent){offset + wanted, rest, 0, 0, HD_MEM_UNKNOWN, 0};
    }
    heap->extents[i] = (hd_cpu_extent){offset, bytes, 1, 0, kind, device};
    heap->used += wanted - HD_OBSERVE_RED_ZONE;
    if (heap->used > heap->peak)
        heap->peak = heap->used;
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
    size_t bytes = size_of_piece(extent->bytes);

    heap->used -= bytes - HD_OBSERVE_RED_ZONE;
    extent->used = 0;
    extent->bytes = bytes;
    if (HD_OBSERVED) {
        if (bytes >= LARGE)
            pages_close(heap, extent->offset, bytes);
        if (keep(heap, extent))
            return;
    }
    i = merge(heap, i);
    if (bytes >= LARGE)
        pages_close(heap, heap->extents[i].offset, heap->extents[i].bytes);
}

void hd_cpu_heap_clear(hd_cpu_heap *heap)
{
    while (heap->kept)
        kept_release(heap);
    heap->count = 1;
    heap->used = heap->peak = 0;
    heap->extents[0] = (hd_cpu_extent){0, heap->bytes, 0, 0, HD_MEM_UNKNOWN, 0};
    pages_close(heap, 0, heap->bytes);
}
