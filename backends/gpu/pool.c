/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - stream-ordered memory. heddle has its own pool per device, which keeps its memory until
   hd_pool_trim, so that other users of the default pool are not affected. On a device without
   pools, allocations are ordinary ones and a free synchronises with the stream. */
#include <pthread.h>
#include <string.h>

#include "gpu.h"

typedef struct device_pool {
    int state; /* 0 unknown, 1 created, -1 not supported by the device */
    GPU(MemPool_t) pool;
} device_pool;

static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;
static device_pool pools[GPU_MAX_DEVICES];

static hd_status pool_make(const char *call, int ordinal, device_pool *slot)
{
    gpu_pool_properties properties;
    uint64_t keep = UINT64_MAX;
    int64_t supported = 0;
    hd_status status = hdb_device_get(ordinal, HD_ATTR_MEMORY_POOLS, &supported);
    if (status < 0)
        return status;
    if (!supported) {
        slot->state = -1;
        return HD_OK;
    }
    memset(&properties, 0, sizeof properties);
    properties.allocType = GPU(MemAllocationTypePinned);
    properties.location.type = GPU(MemLocationTypeDevice);
    properties.location.id = ordinal;
    status = hd_gpu_check(call, GPU(MemPoolCreate)(&slot->pool, &properties));
    if (status < 0)
        return status;
    status = hd_gpu_check(
        call, GPU(MemPoolSetAttribute)(slot->pool, GPU(MemPoolAttrReleaseThreshold), &keep));
    slot->state = 1;
    return status;
}

/* The device's pool; *pool stays NULL if the device has none. */
static hd_status pool_of(const char *call, int ordinal, GPU(MemPool_t) * pool)
{
    device_pool *slot = &pools[ordinal];
    hd_status status = HD_OK;
    *pool = NULL;
    if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE) == 0) {
        (void)pthread_mutex_lock(&pools_lock);
        if (slot->state == 0) {
            device_pool made = {0, NULL};
            status = pool_make(call, ordinal, &made);
            slot->pool = made.pool;
            __atomic_store_n(&slot->state, made.state, __ATOMIC_RELEASE);
        }
        (void)pthread_mutex_unlock(&pools_lock);
    }
    if (status >= 0 && slot->state == 1)
        *pool = slot->pool;
    return status;
}

void hd_gpu_pool_reset(int ordinal)
{
    (void)pthread_mutex_lock(&pools_lock);
    pools[ordinal].state = 0;
    pools[ordinal].pool = NULL;
    (void)pthread_mutex_unlock(&pools_lock);
}

hd_status hd_gpu_pool_share(const char *call, int ordinal, int peer, int allowed)
{
    GPU(MemPool_t) pool;
    gpu_pool_access access;
    hd_status status = pool_of(call, peer, &pool);
    if (status < 0 || !pool)
        return status;
    memset(&access, 0, sizeof access);
    access.location.type = GPU(MemLocationTypeDevice);
    access.location.id = ordinal;
    access.flags = allowed ? GPU(MemAccessFlagsProtReadWrite) : GPU(MemAccessFlagsProtNone);
    return hd_gpu_check(call, GPU(MemPoolSetAccess)(pool, &access, 1));
}

hd_status hdb_alloc_async(hd_stream *stream, size_t bytes, void **pointer)
{
    static const char call[] = "hd_alloc_async_bytes";
    GPU(MemPool_t) pool;
    void *got = NULL;
    int previous;
    hd_status status = pool_of(call, stream->ordinal, &pool);
    if (status >= 0)
        status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    if (pool)
        status = hd_gpu_check(call,
                              GPU(MallocFromPoolAsync)(&got, bytes, pool, hd_gpu_stream(stream)));
    else
        status = hd_gpu_check(call, GPU(Malloc)(&got, bytes));
    if (status == HD_ERR_ARGUMENT) /* more than the address space */
        status = hd_gpu_restate(HD_ERR_NO_MEMORY, call);
    if (status >= 0)
        *pointer = got;
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_free_async(hd_stream *stream, void *pointer)
{
    static const char call[] = "hd_free_async";
    GPU(MemPool_t) pool;
    int previous;
    hd_status status = pool_of(call, stream->ordinal, &pool);
    if (status >= 0)
        status = hd_gpu_enter(call, stream->ordinal, &previous);
    if (status < 0)
        return status;
    if (pool) {
        status = hd_gpu_check(call, GPU(FreeAsync)(pointer, hd_gpu_stream(stream)));
    } else {
        status = hd_gpu_check(call, GPU(StreamSynchronize)(hd_gpu_stream(stream)));
        if (status >= 0)
            status = hd_gpu_check(call, GPU(Free)(pointer));
    }
    hd_gpu_leave(stream->ordinal, previous);
    return status == HD_ERR_ARGUMENT ? hd_gpu_restate(HD_ERR_POINTER, call) : status;
}

/* Two attributes of the device's pool; 0 without a pool. */
static hd_status pool_get(const char *call, int ordinal, enum GPU(MemPoolAttr) reserved_name,
                          enum GPU(MemPoolAttr) used_name, size_t *reserved_bytes,
                          size_t *used_bytes)
{
    GPU(MemPool_t) pool;
    uint64_t reserved = 0, used = 0;
    hd_status status = pool_of(call, ordinal, &pool);
    if (status >= 0 && pool)
        status = hd_gpu_check(call, GPU(MemPoolGetAttribute)(pool, reserved_name, &reserved));
    if (status >= 0 && pool)
        status = hd_gpu_check(call, GPU(MemPoolGetAttribute)(pool, used_name, &used));
    *reserved_bytes = (size_t)reserved;
    *used_bytes = (size_t)used;
    return status;
}

hd_status hdb_pool_usage(int ordinal, size_t *reserved_bytes, size_t *used_bytes)
{
    return pool_get("hd_pool_usage", ordinal, GPU(MemPoolAttrReservedMemCurrent),
                    GPU(MemPoolAttrUsedMemCurrent), reserved_bytes, used_bytes);
}

hd_status hdb_pool_trim(int ordinal, size_t keep_bytes)
{
    GPU(MemPool_t) pool;
    hd_status status = pool_of("hd_pool_trim", ordinal, &pool);
    if (status < 0 || !pool)
        return status;
    return hd_gpu_check("hd_pool_trim", GPU(MemPoolTrimTo)(pool, keep_bytes));
}

hd_status hdb_pool_peak(int ordinal, size_t *reserved_bytes, size_t *used_bytes)
{
    return pool_get("hd_pool_peak", ordinal, GPU(MemPoolAttrReservedMemHigh),
                    GPU(MemPoolAttrUsedMemHigh), reserved_bytes, used_bytes);
}

hd_status hdb_pool_peak_reset(int ordinal)
{
    static const char call[] = "hd_pool_peak_reset";
    GPU(MemPool_t) pool;
    uint64_t none = 0;
    hd_status status = pool_of(call, ordinal, &pool);
    if (status >= 0 && pool)
        status = hd_gpu_check(
            call, GPU(MemPoolSetAttribute)(pool, GPU(MemPoolAttrReservedMemHigh), &none));
    if (status >= 0 && pool)
        status = hd_gpu_check(call,
                              GPU(MemPoolSetAttribute)(pool, GPU(MemPoolAttrUsedMemHigh), &none));
    return status;
}
