/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - the backend's memory calls: every kind of memory on virtual devices. */
#include "memory/allocations.h"
#include "observe.h"
#include "stream/stream.h"

hd_status hdb_alloc(int ordinal, hd_memory_kind kind, size_t bytes, void **pointer)
{
    hd_status status = hd_cpu_ready("hd_alloc");

    if (status >= 0)
        status = hd_cpu_capture_guard_thread("hd_alloc");
    return status < 0 ? status : hd_cpu_memory_take("hd_alloc", ordinal, kind, bytes, 0, pointer);
}

/* Requires the start of a live allocation of heddle. */
static hd_status must_start(const char *call, const void *pointer, hd_cpu_allocation *found)
{
    if (hd_cpu_memory_find(pointer, found) == 1 && found->base == pointer)
        return HD_OK;
    HD_OBSERVE(memory.freeing(pointer, HD_FREE_REFUSED));
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
    HD_OBSERVE(memory.freeing(pointer, HD_FREE_ASKED));
    hd_cpu_device_drain(found.device);
    hd_cpu_memory_free(pointer, NULL);
    return HD_OK;
}

void hdb_memory_keep(const void *pointer)
{
    HD_OBSERVE(memory.freeing(pointer, HD_FREE_NEVER));
}

hd_status hdb_alloc_async(hd_stream *stream, size_t bytes, void **pointer)
{
    hd_status status = hd_cpu_ready("hd_alloc_async");

    return status < 0 ? status
                      : hd_cpu_memory_take("hd_alloc_async", stream->ordinal, HD_MEM_DEVICE, bytes,
                                           stream->scratch_grows, pointer);
}

/* The pool is the heap itself. */
hd_status hdb_pool_usage(int ordinal, size_t *reserved_bytes, size_t *used_bytes)
{
    hd_status status = hd_cpu_ready("hd_pool_usage");

    if (status >= 0)
        *reserved_bytes = *used_bytes = hd_cpu_memory_usage(ordinal).used;
    return status;
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

    if (status >= 0)
        *reserved_bytes = *used_bytes = hd_cpu_memory_usage(ordinal).peak;
    return status;
}

hd_status hdb_pool_peak_reset(int ordinal)
{
    hd_status status = hd_cpu_ready("hd_pool_peak_reset");

    if (status >= 0)
        hd_cpu_memory_peak_reset(ordinal);
    return status;
}

hd_status hdb_device_memory(int ordinal, size_t *free_bytes, size_t *total_bytes)
{
    hd_status status = hd_cpu_ready("hd_device_memory");
    hd_cpu_usage usage;

    if (status < 0)
        return status;
    usage = hd_cpu_memory_usage(ordinal);
    *total_bytes = hd_cpu_config_get()->memory;
    *free_bytes = usage.limit - usage.used;
    return HD_OK;
}

hd_status hdb_host_register(int ordinal, void *pointer, size_t bytes)
{
    hd_status status = hd_cpu_ready("hd_host_register");

    if (status >= 0)
        status = hd_cpu_capture_guard_thread("hd_host_register");
    if (status < 0)
        return status;
    if (bytes > UINTPTR_MAX - (uintptr_t)pointer)
        return hd__fail(HD_ERR_ARGUMENT, "hd_host_register",
                        "%zu bytes at %p exceed the address space", bytes, pointer);
    return hd_cpu_memory_register("hd_host_register", ordinal, pointer, bytes);
}

hd_status hdb_host_unregister(void *pointer)
{
    hd_status status = hd_cpu_ready("hd_host_unregister");
    hd_cpu_allocation was;

    if (status < 0)
        return status;
    if (!hd_cpu_memory_unregister(pointer, &was))
        return hd__fail(HD_ERR_POINTER, "hd_host_unregister", "%p is not registered", pointer);
    hd_cpu_device_drain(was.device);
    HD_OBSERVE(memory.registered(pointer, was.bytes, 0));
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
                        "%p is not in mapped or registered host memory", host);
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
                        "%p lies in device memory outside every allocation", pointer);
    info->kind = found.kind;
    info->device = found.device;
    info->base = found.base;
    info->bytes = found.bytes;
    return HD_OK;
}

/* Pages do not migrate on the CPU: both calls only check their arguments. */
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

/* A CPU has no texture unit. */
hd_status hdb_texture_create(const char *call, int ordinal, const hd_image *image,
                             uint64_t *texture)
{
    (void)call, (void)ordinal, (void)image;
    *texture = 0;
    return HD_OK;
}

hd_status hdb_texture_destroy(const char *call, int ordinal, uint64_t texture)
{
    (void)ordinal;
    return hd__fail(HD_ERR_ARGUMENT, call, "%llu is not a texture: the CPU engine has none",
                    (unsigned long long)texture);
}
