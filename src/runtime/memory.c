/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - allocation, pools, page locking, managed memory, scratch memory of streams. */
#include "runtime/trace/trace.h"

/* count * size, or HD_ERR_OVERFLOW. hd_bytes marks an overflow with SIZE_MAX. */
static hd_status bytes_of(const char *call, size_t count, size_t size, size_t *bytes)
{
    if (size == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "elements of 0 bytes");
    if (count > (SIZE_MAX - 1) / size)
        return hd__fail(HD_ERR_OVERFLOW, call, "%zu elements of %zu bytes do not fit in memory",
                        count, size);
    *bytes = count * size;
    return HD_OK;
}

hd_status hd_alloc_bytes(void **pointer, size_t count, size_t size, hd_memory_kind kind, int device)
{
    static const char call[] = "hd_alloc_bytes";
    hd__device *entry;
    size_t bytes = 0;
    void *got = NULL;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!pointer)
        return hd__null(call, "pointer");
    if ((int)kind < 0 || kind >= HD_MEM_UNKNOWN)
        return hd__fail(HD_ERR_ARGUMENT, call, "unknown memory kind %d", (int)kind);
    status = bytes_of(call, count, size, &bytes);
    if (status < 0)
        return status;
    if (bytes != 0) {
        hd__traced traced;
        hd__trace_begin_call(&traced, call, device);
        traced.span.bytes = bytes;
        status = hdb_alloc(entry->ordinal, kind, bytes, &got);
        hd__trace_end(&traced, status);
        status = hd__settle(call, device, status);
    }
    if (status >= 0)
        *pointer = got;
    return status;
}

hd_status hd_free(void *pointer)
{
    HD__RELEASING;
    if (!pointer)
        return HD_OK;
    hd__traced traced;
    hd__memory_changed();
    hd__trace_begin_call(&traced, "hd_free", -1);
    hd_status status = hdb_free(pointer);
    hd__trace_end(&traced, status);
    hd__memory_changed();
    return hd__settle_any("hd_free", status);
}

hd_status hd_alloc_async_bytes(void **pointer, size_t count, size_t size, hd_stream *stream)
{
    static const char call[] = "hd_alloc_async_bytes";
    size_t bytes = 0;
    void *got = NULL;
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (!pointer)
        return hd__null(call, "pointer");
    status = bytes_of(call, count, size, &bytes);
    if (status >= 0)
        status = hd__capture_refuses(call, stream, "memory cannot be had");
    if (status < 0)
        return status;
    if (bytes != 0) {
        hd__traced traced;
        hd__trace_begin_call(&traced, call, stream->device);
        traced.span.bytes = bytes;
        status = hdb_alloc_async(stream, bytes, &got);
        hd__trace_end(&traced, status);
        status = hd__settle(call, stream->device, status);
    }
    if (status >= 0)
        *pointer = got;
    return status;
}

hd_status hd_free_async(void *pointer, hd_stream *stream)
{
    HD__RELEASING;
    hd_status status = hd__stream_use("hd_free_async", stream);
    if (status < 0 || !pointer)
        return status;
    status = hd__capture_refuses("hd_free_async", stream, "memory cannot be given back");
    if (status < 0)
        return status;
    hd__memory_changed();
    status = hdb_free_async(stream, pointer);
    hd__memory_changed();
    return hd__settle("hd_free_async", stream->device, status);
}

hd_status hd_pool_usage(int device, size_t *reserved_bytes, size_t *used_bytes)
{
    hd__device *entry;
    size_t reserved = 0, used = 0;
    hd_status status = hd__device_use("hd_pool_usage", device, &entry);
    if (status < 0)
        return status;
    status = hd__settle("hd_pool_usage", device, hdb_pool_usage(entry->ordinal, &reserved, &used));
    if (status < 0)
        return status;
    if (reserved_bytes)
        *reserved_bytes = reserved;
    if (used_bytes)
        *used_bytes = used;
    return HD_OK;
}

hd_status hd_pool_trim(int device, size_t keep_bytes)
{
    hd__device *entry;
    hd_status status = hd__device_use("hd_pool_trim", device, &entry);
    if (status < 0)
        return status;
    return hd__settle("hd_pool_trim", device, hdb_pool_trim(entry->ordinal, keep_bytes));
}

hd_status hd_pool_peak(int device, size_t *reserved_bytes, size_t *used_bytes)
{
    hd__device *entry;
    size_t reserved = 0, used = 0;
    hd_status status = hd__device_use("hd_pool_peak", device, &entry);
    if (status < 0)
        return status;
    status = hd__settle("hd_pool_peak", device, hdb_pool_peak(entry->ordinal, &reserved, &used));
    if (status < 0)
        return status;
    if (reserved_bytes)
        *reserved_bytes = reserved;
    if (used_bytes)
        *used_bytes = used;
    return HD_OK;
}

hd_status hd_pool_peak_reset(int device)
{
    hd__device *entry;
    hd_status status = hd__device_use("hd_pool_peak_reset", device, &entry);
    if (status < 0)
        return status;
    return hd__settle("hd_pool_peak_reset", device, hdb_pool_peak_reset(entry->ordinal));
}

hd_status hd_host_register(void *pointer, size_t bytes, int device)
{
    hd__device *entry;
    hd_status status = hd__device_use("hd_host_register", device, &entry);
    if (status < 0 || bytes == 0)
        return status;
    if (!pointer)
        return hd__null("hd_host_register", "pointer");
    return hd__settle("hd_host_register", device,
                      hdb_host_register(entry->ordinal, pointer, bytes));
}

hd_status hd_host_unregister(void *pointer)
{
    HD__RELEASING;
    if (!pointer)
        return HD_OK;
    hd__memory_changed();
    hd_status status = hdb_host_unregister(pointer);
    hd__memory_changed();
    return hd__settle_any("hd_host_unregister", status);
}

hd_status hd_host_device_pointer(void **device_pointer, void *host_pointer, int device)
{
    static const char call[] = "hd_host_device_pointer";
    hd__device *entry;
    void *got = NULL;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!device_pointer || !host_pointer)
        return hd__null(call, device_pointer ? "host_pointer" : "device_pointer");
    status = hd__settle(call, device, hdb_host_device_pointer(entry->ordinal, host_pointer, &got));
    if (status >= 0)
        *device_pointer = got;
    return status;
}

hd_status hd_pointer_get(const void *pointer, hd_pointer_info *info)
{
    int count;
    hd_status status = hd_device_count(&count);
    if (status < 0)
        return status;
    if (!pointer || !info)
        return hd__null("hd_pointer_get", pointer ? "info" : "pointer");
    hd_pointer_info got = {HD_MEM_UNKNOWN, -1, NULL, 0};
    if (count > 0)
        status = hd__settle_any("hd_pointer_get", hdb_pointer_get(pointer, &got));
    if (status < 0)
        return status;
    if (got.device >= 0)
        got.device = hd__device_of_ordinal(got.device);
    *info = got;
    return HD_OK;
}

/* Keeps HD_DEVICE_HOST; converts a device to the backend's ordinal. */
static hd_status place_of(const char *call, int device, int *ordinal)
{
    hd__device *entry;
    if (device == HD_DEVICE_HOST) {
        *ordinal = HD_DEVICE_HOST;
        return HD_OK;
    }
    hd_status status = hd__device_use(call, device, &entry);
    if (status >= 0)
        *ordinal = entry->ordinal;
    return status;
}

hd_status hd_prefetch(const void *pointer, size_t bytes, int device, hd_stream *stream)
{
    int ordinal;
    hd_status status = hd__stream_use("hd_prefetch", stream);
    if (status >= 0)
        status = place_of("hd_prefetch", device, &ordinal);
    if (status < 0 || bytes == 0)
        return status;
    if (!pointer)
        return hd__null("hd_prefetch", "pointer");
    return hd__settle("hd_prefetch", stream->device, hdb_prefetch(pointer, bytes, ordinal, stream));
}

hd_status hd_advise(const void *pointer, size_t bytes, hd_advice advice, int device)
{
    int ordinal;
    hd_status status = place_of("hd_advise", device, &ordinal);
    if (status < 0 || bytes == 0)
        return status;
    if (!pointer)
        return hd__null("hd_advise", "pointer");
    if ((int)advice < 0 || advice > HD_ADVISE_UNSET_ACCESSED_BY)
        return hd__fail(HD_ERR_ARGUMENT, "hd_advise", "unknown advice %d", (int)advice);
    return hd__settle_any("hd_advise", hdb_advise(pointer, bytes, advice, ordinal));
}

/* ---- scratch of a stream -------------------------------------------------------------------- */

/* At least doubles, so that growing requests cause few allocations. */
static size_t scratch_size(const hd_stream *stream, size_t bytes)
{
    size_t twice = stream->scratch_bytes <= SIZE_MAX / 2 ? stream->scratch_bytes * 2 : bytes;
    return bytes > twice ? bytes : twice;
}

hd_status hd__stream_scratch(hd_stream *stream, size_t bytes, void **scratch, int *grew)
{
    static const char call[] = "hd__stream_scratch";
    hd_status status = hd__stream_use(call, stream);
    if (status < 0)
        return status;
    if (bytes <= stream->scratch_bytes) {
        *scratch = stream->scratch;
        *grew = 0;
        return HD_OK;
    }
    int capturing = 0;
    status = hdb_stream_capturing(stream, &capturing);
    if (status < 0)
        return hd__settle(call, stream->device, status);
    if (capturing)
        return hd__fail(HD_ERR_WORKSPACE, call,
                        "%zu bytes of scratch cannot be had while the stream is captured: "
                        "give a workspace",
                        bytes);
    void *bigger;
    size_t bigger_bytes = scratch_size(stream, bytes);
    stream->scratch_grows = 1;
    status = hdb_alloc_async(stream, bigger_bytes, &bigger);
    stream->scratch_grows = 0;
    if (status >= 0 && stream->scratch)
        status = hdb_free_async(stream, stream->scratch);
    if (status < 0)
        return hd__settle(call, stream->device, status);
    *scratch = stream->scratch = bigger;
    stream->scratch_bytes = bigger_bytes;
    *grew = 1;
    return HD_OK;
}
