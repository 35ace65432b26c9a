/* SPDX-License-Identifier: Apache-2.0 */
/* allocations.c - live memory. Device, managed and coherent memory is allocated from the device's
   address range; pinned and mapped memory from the host's range; registered memory is the
   program's. */
#include "memory/allocations.h"
#include "memory/heap.h"
#include "observe.h"

#include <stdlib.h>
#include <unistd.h>

typedef struct registration {
    struct registration *next;
    char *base;
    size_t bytes;
    int device;
} registration;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hd_cpu_heap device_heap[HD_CPU_MAX_DEVICES], host_heap;
static registration *registered;

void hd_cpu_memory_start(void)
{
    const hd_cpu_config *config = hd_cpu_config_get();
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    /* The checker's region has as much room for the host as for a device. */
    size_t host = HD_OBSERVED ? config->memory : (size_t)sysconf(_SC_PHYS_PAGES) * page;

    for (int i = 0; i < config->devices; i++)
        (void)hd_cpu_heap_make(&device_heap[i], config->memory);
    if (!hd_cpu_heap_make(&host_heap, host) && host > config->memory)
        (void)hd_cpu_heap_make(&host_heap, config->memory);
}

static int on_host(hd_memory_kind kind)
{
    return kind == HD_MEM_PINNED || kind == HD_MEM_MAPPED;
}

static hd_cpu_heap *heap_of(const void *pointer, hd_cpu_extent **extent)
{
    if ((*extent = hd_cpu_heap_find(&host_heap, pointer)))
        return &host_heap;
    for (int i = 0; i < hd_cpu_config_get()->devices; i++)
        if ((*extent = hd_cpu_heap_find(&device_heap[i], pointer)))
            return &device_heap[i];
    return NULL;
}

static registration *registration_of(const void *pointer)
{
    registration *r = registered;

    while (r && (uintptr_t)pointer - (uintptr_t)r->base >= r->bytes)
        r = r->next;
    return r;
}

static int find(const void *pointer, hd_cpu_allocation *found)
{
    hd_cpu_extent *extent;
    hd_cpu_heap *heap = heap_of(pointer, &extent);
    registration *r;

    if (heap) {
        if (!extent->used ||
            (uintptr_t)pointer - (uintptr_t)heap->base >= extent->offset + extent->bytes)
            return -1;
        *found = (hd_cpu_allocation){heap->base + extent->offset, extent->bytes, extent->kind,
                                     extent->device};
        return 1;
    }
    r = registration_of(pointer);
    if (r)
        *found = (hd_cpu_allocation){r->base, r->bytes, HD_MEM_MAPPED, r->device};
    return r != NULL;
}

int hd_cpu_memory_find(const void *pointer, hd_cpu_allocation *found)
{
    int where;

    (void)pthread_mutex_lock(&lock);
    where = find(pointer, found);
    (void)pthread_mutex_unlock(&lock);
    return where == 0 ? hd_cpu_symbol_find(pointer, found) : where;
}

void hd_cpu_memory_free(void *pointer, const hd_cpu_op *by)
{
    hd_cpu_extent *extent;
    hd_cpu_heap *heap;

    HD_OBSERVE(memory.freed(pointer, by));
    (void)pthread_mutex_lock(&lock);
    heap = heap_of(pointer, &extent);
    if (heap && extent->used)
        hd_cpu_heap_give(heap, extent);
    (void)pthread_mutex_unlock(&lock);
}

void hd_cpu_memory_reset(int device)
{
    (void)pthread_mutex_lock(&lock);
    if (device_heap[device].base)
        hd_cpu_heap_clear(&device_heap[device]);
    (void)pthread_mutex_unlock(&lock);
    HD_OBSERVE(memory.reset(device));
}

hd_status hd_cpu_memory_take(const char *call, int device, hd_memory_kind kind, size_t bytes,
                             int own, void **pointer)
{
    hd_cpu_heap *heap = on_host(kind) ? &host_heap : &device_heap[device];
    void *memory = NULL;
    size_t rest;

    (void)pthread_mutex_lock(&lock);
    if (heap->base)
        memory = hd_cpu_heap_take(heap, bytes, kind, device);
    rest = heap->limit - heap->used;
    (void)pthread_mutex_unlock(&lock);
    if (!heap->base)
        return hd__fail(HD_ERR_NO_MEMORY, call,
                        "%zu bytes wanted, but no address space could be reserved for the %zu of a "
                        "device (ulimit -v): set HEDDLE_CPU_MEMORY to less, such as 64M",
                        bytes, hd_cpu_config_get()->memory);
    if (!memory)
        return hd__fail(HD_ERR_NO_MEMORY, call, "%zu bytes wanted, %zu of %zu are free", bytes,
                        rest, heap->limit);
    HD_OBSERVE(memory.allocated(memory, bytes, kind, device, own));
    *pointer = memory;
    return HD_OK;
}

hd_cpu_usage hd_cpu_memory_usage(int device)
{
    const hd_cpu_heap *heap = &device_heap[device];
    hd_cpu_usage usage;

    (void)pthread_mutex_lock(&lock);
    usage = (hd_cpu_usage){heap->limit, heap->used, heap->peak};
    (void)pthread_mutex_unlock(&lock);
    return usage;
}

void hd_cpu_memory_peak_reset(int device)
{
    (void)pthread_mutex_lock(&lock);
    device_heap[device].peak = device_heap[device].used;
    (void)pthread_mutex_unlock(&lock);
}

/* ---- registered host memory ------------------------------------------------------------------ */

static int overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    return (uintptr_t)a - (uintptr_t)b < b_bytes || (uintptr_t)b - (uintptr_t)a < a_bytes;
}

/* With the lock held: the range overlaps registered memory, or a range of the engine's
   allocations. */
static int overlaps_others(const char *base, size_t bytes)
{
    for (const registration *r = registered; r; r = r->next)
        if (overlap(base, bytes, r->base, r->bytes))
            return 1;
    for (int i = 0; i < hd_cpu_config_get()->devices; i++)
        if (overlap(base, bytes, device_heap[i].base, device_heap[i].bytes))
            return 1;
    return overlap(base, bytes, host_heap.base, host_heap.bytes);
}

hd_status hd_cpu_memory_register(const char *call, int device, void *pointer, size_t bytes)
{
    registration *r = malloc(sizeof *r);
    hd_cpu_allocation found;
    int taken;

    if (!r)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for the registration");
    *r = (registration){NULL, pointer, bytes, device};
    taken = hd_cpu_symbol_find(pointer, &found);
    (void)pthread_mutex_lock(&lock);
    taken |= overlaps_others(pointer, bytes);
    if (!taken) {
        r->next = registered;
        registered = r;
    }
    (void)pthread_mutex_unlock(&lock);
    if (!taken) {
        HD_OBSERVE(memory.registered(pointer, bytes, 1));
        return HD_OK;
    }
    free(r);
    return hd__fail(HD_ERR_POINTER, call,
                    "some of the %zu bytes at %p are registered or heddle's own", bytes, pointer);
}

int hd_cpu_memory_unregister(void *pointer, hd_cpu_allocation *was)
{
    registration **link = &registered, *r;

    (void)pthread_mutex_lock(&lock);
    while (*link && (*link)->base != pointer)
        link = &(*link)->next;
    r = *link;
    if (r)
        *link = r->next;
    (void)pthread_mutex_unlock(&lock);
    if (!r)
        return 0;
    *was = (hd_cpu_allocation){r->base, r->bytes, HD_MEM_MAPPED, r->device};
    free(r);
    return 1;
}
