/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - memory of every kind, on virtual devices. Device, managed and coherent memory come
   from the device's own range; pinned and mapped memory from one range of the host's. */
#include "heap.h"
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
    /* The checker's region has as much for the host as for a device. */
    size_t host = HD_CPU_CHECK ? config->memory : (size_t)sysconf(_SC_PHYS_PAGES) * page;

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

    hd_check_freed(pointer, by);
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
    hd_check_memory_reset(device);
}

/* own: heddle's own memory, which it gives back by itself. */
static hd_status take(const char *call, int ordinal, hd_memory_kind kind, size_t bytes, int own,
                      void **pointer)
{
    hd_cpu_heap *heap = on_host(kind) ? &host_heap : &device_heap[ordinal];
    void *memory = NULL;
    size_t rest;

    (void)pthread_mutex_lock(&lock);
    if (heap->base)
        memory = hd_cpu_heap_take(heap, bytes, kind, ordinal);
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
    hd_check_allocated(memory, bytes, kind, ordinal, own);
    *pointer = memory;
    return HD_OK;
}

/* ---- the interface --------------------------------------------------------------------------- */

hd_status hdb_alloc(int ordinal, hd_memory_kind kind, size_t bytes, void **pointer)
{
    hd_status status = hd_cpu_ready("hd_alloc");

    if (status >= 0)
        status = hd_cpu_capture_guard_thread("hd_alloc");
    return status < 0 ? status : take("hd_alloc", ordinal, kind, bytes, 0, pointer);
}

/* An address that heddle handed out, of an allocation that still lives. */
static hd_status must_start(const char *call, const void *pointer, hd_cpu_allocation *found)
{
    if (hd_cpu_memory_find(pointer, found) == 1 && found->base == pointer)
        return HD_OK;
    hd_check_bad_free(pointer);
    return hd__fail(HD_ERR_POINTER, call, "%p is not the start of an allocation", pointer);
}

hd_status hdb_free(void *pointer)
{
    hd_cpu_allocation found;
    hd_status status = hd_cpu_ready("hd_free");

    if (status >= 0)
        status = hd_cpu_capture_guard_thread("hd_free");
    if (status >= 0)
        status = must_start("hd_free", pointer, &found);
    if (status < 0)
        return status;
    hd_check_free_asked(pointer);
    hd_cpu_device_drain(found.device);
    hd_cpu_memory_free(pointer, NULL);
    return HD_OK;
}

void hdb_memory_keep(const void *pointer)
{
    hd_check_memory_kept(pointer);
}

hd_status hdb_alloc_async(hd_stream *stream, size_t bytes, void **pointer)
{
    hd_status status = hd_cpu_ready("hd_alloc_async");

    return status < 0 ? status
                      : take("hd_alloc_async", stream->ordinal, HD_MEM_DEVICE, bytes,
                             stream->scratch_grows, pointer);
}

/* The pool is the heap itself. */
hd_status hdb_pool_usage(int ordinal, size_t *reserved_bytes, size_t *used_bytes)
{
    hd_status status = hd_cpu_ready("hd_pool_usage");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&lock);
    *reserved_bytes = device_heap[ordinal].used;
    *used_bytes = device_heap[ordinal].used;
    (void)pthread_mutex_unlock(&lock);
    return HD_OK;
}

hd_status hdb_pool_trim(int ordinal, size_t keep_bytes)
{
    (void)ordinal;
    (void)keep_bytes;
    return hd_cpu_ready("hd_pool_trim");
}

hd_status hdb_pool_peak(int ordinal, size_t *reserved_bytes, size_t *used_bytes)
{
    hd_status status = hd_cpu_ready("hd_pool_peak");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&lock);
    *reserved_bytes = device_heap[ordinal].peak;
    *used_bytes = device_heap[ordinal].peak;
    (void)pthread_mutex_unlock(&lock);
    return HD_OK;
}

hd_status hdb_pool_peak_reset(int ordinal)
{
    hd_status status = hd_cpu_ready("hd_pool_peak_reset");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&lock);
    device_heap[ordinal].peak = device_heap[ordinal].used;
    (void)pthread_mutex_unlock(&lock);
    return HD_OK;
}

hd_status hdb_device_memory(int ordinal, size_t *free_bytes, size_t *total_bytes)
{
    hd_status status = hd_cpu_ready("hd_device_memory");

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&lock);
    *total_bytes = hd_cpu_config_get()->memory;
    *free_bytes = device_heap[ordinal].limit - device_heap[ordinal].used;
    (void)pthread_mutex_unlock(&lock);
    return HD_OK;
}

static int overlap(const char *a, size_t a_bytes, const char *b, size_t b_bytes)
{
    return (uintptr_t)a - (uintptr_t)b < b_bytes || (uintptr_t)b - (uintptr_t)a < a_bytes;
}

/* With the lock held: the range meets one that is registered, or one that memory is taken from. */
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

hd_status hdb_host_register(int ordinal, void *pointer, size_t bytes)
{
    hd_status status = hd_cpu_ready("hd_host_register");
    hd_cpu_allocation found;
    registration *r;
    int taken;

    if (status >= 0)
        status = hd_cpu_capture_guard_thread("hd_host_register");
    if (status < 0)
        return status;
    if (bytes > UINTPTR_MAX - (uintptr_t)pointer)
        return hd__fail(HD_ERR_ARGUMENT, "hd_host_register", "%zu bytes at %p leave the addresses",
                        bytes, pointer);
    r = malloc(sizeof *r);
    if (!r)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_host_register", "no memory for the registration");
    *r = (registration){NULL, pointer, bytes, ordinal};
    taken = hd_cpu_symbol_find(pointer, &found);
    (void)pthread_mutex_lock(&lock);
    taken |= overlaps_others(pointer, bytes);
    if (!taken) {
        r->next = registered;
        registered = r;
    }
    (void)pthread_mutex_unlock(&lock);
    if (!taken) {
        hd_check_registered(pointer, bytes);
        return HD_OK;
    }
    free(r);
    return hd__fail(HD_ERR_POINTER, "hd_host_register",
                    "some of the %zu bytes at %p are registered or heddle's own", bytes, pointer);
}

hd_status hdb_host_unregister(void *pointer)
{
    hd_status status = hd_cpu_ready("hd_host_unregister");
    registration **link = &registered, *r;

    if (status < 0)
        return status;
    (void)pthread_mutex_lock(&lock);
    while (*link && (*link)->base != pointer)
        link = &(*link)->next;
    r = *link;
    if (r)
        *link = r->next;
    (void)pthread_mutex_unlock(&lock);
    if (!r)
        return hd__fail(HD_ERR_POINTER, "hd_host_unregister", "%p is not registered", pointer);
    hd_cpu_device_drain(r->device);
    hd_check_unregistered(pointer, r->bytes);
    free(r);
    return HD_OK;
}

hd_status hdb_host_device_pointer(int ordinal, void *host, void **device)
{
    hd_status status = hd_cpu_ready("hd_host_device_pointer");
    hd_cpu_allocation found;

    (void)ordinal;
    if (status < 0)
        return status;
    if (hd_cpu_memory_find(host, &found) != 1 || found.kind == HD_MEM_DEVICE)
        return hd__fail(HD_ERR_POINTER, "hd_host_device_pointer",
                        "%p is no mapped or registered host memory", host);
    *device = host;
    return HD_OK;
}

hd_status hdb_pointer_get(const void *pointer, hd_pointer_info *info)
{
    hd_status status = hd_cpu_ready("hd_pointer_get");
    hd_cpu_allocation found = {NULL, 0, HD_MEM_UNKNOWN, -1};
    int where;

    if (status < 0)
        return status;
    where = hd_cpu_memory_find(pointer, &found);
    if (where < 0)
        return hd__fail(HD_ERR_POINTER, "hd_pointer_get",
                        "%p lies in device memory, but in no allocation", pointer);
    info->kind = found.kind;
    info->device = found.device;
    info->base = found.base;
    info->bytes = found.bytes;
    return HD_OK;
}

/* Pages do not move here: both calls only check. */
hd_status hdb_prefetch(const void *pointer, size_t bytes, int ordinal, hd_stream *stream)
{
    hd_status status = hd_cpu_ready("hd_prefetch");
    hd_cpu_allocation found;

    (void)bytes;
    (void)ordinal;
    (void)stream;
    if (status < 0)
        return status;
    if (hd_cpu_memory_find(pointer, &found) != 1 || found.kind != HD_MEM_MANAGED)
        return hd__fail(HD_ERR_POINTER, "hd_prefetch", "%p is not managed memory", pointer);
    return HD_OK;
}

hd_status hdb_advise(const void *pointer, size_t bytes, hd_advice advice, int ordinal)
{
    hd_status status = hd_cpu_ready("hd_advise");
    hd_cpu_allocation found;

    (void)bytes;
    (void)advice;
    (void)ordinal;
    if (status < 0)
        return status;
    if (hd_cpu_memory_find(pointer, &found) != 1 || found.kind != HD_MEM_MANAGED)
        return hd__fail(HD_ERR_POINTER, "hd_advise", "%p is not managed memory", pointer);
    return HD_OK;
}
