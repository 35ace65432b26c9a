/* SPDX-License-Identifier: Apache-2.0 */
/* occupancy.c - resource needs of a kernel, and how many of its blocks fit on a compute unit. */
#include "runtime.h"

static hd_status kernel_use(const char *call, const hd_kernel *kernel, int device,
                            hd__device **entry)
{
    hd_status status = hd__device_use(call, device, entry);
    if (status < 0)
        return status;
    if (!kernel)
        return hd__null(call, "kernel");
    return hd__settle(call, device, hd__device_limits(*entry));
}

hd_status hd_kernel_get(const hd_kernel *kernel, int device, hd_kernel_attributes *attributes)
{
    static const char call[] = "hd_kernel_get";
    hd__device *entry;
    hd_kernel_attributes got = {0, 0, 0, 0, 0};
    hd_status status = kernel_use(call, kernel, device, &entry);
    if (status < 0)
        return status;
    if (!attributes)
        return hd__null(call, "attributes");
    status = hd__settle(call, device, hdb_kernel_get(kernel, entry->ordinal, &got));
    if (status >= 0)
        *attributes = got;
    return status;
}

hd_status hd_occupancy(const hd_kernel *kernel, int device, unsigned threads, size_t shared_bytes,
                       unsigned *blocks)
{
    static const char call[] = "hd_occupancy";
    hd__device *entry;
    unsigned got = 0;
    hd_status status = kernel_use(call, kernel, device, &entry);
    if (status < 0)
        return status;
    if (!blocks)
        return hd__null(call, "blocks");
    if (threads == 0 || threads > entry->max_threads)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                        "kernel %s: threads per block is %u, the limit %u", kernel->name, threads,
                        entry->max_threads);
    if (shared_bytes > entry->max_shared)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                        "kernel %s: dynamic shared memory in bytes is %zu, the limit %zu",
                        kernel->name, shared_bytes, entry->max_shared);
    status = hd__settle(call, device,
                        hdb_occupancy(kernel, entry->ordinal, threads, shared_bytes, &got));
    if (status >= 0)
        *blocks = got;
    return status;
}

hd_status hd_suggest_block(const hd_kernel *kernel, int device, size_t shared_bytes,
                           unsigned *threads)
{
    static const char call[] = "hd_suggest_block";
    hd_kernel_attributes attributes;
    int64_t warp = 0;
    if (!threads)
        return hd__null(call, "threads");
    hd_status status = hd_kernel_get(kernel, device, &attributes);
    if (status >= 0)
        status = hd_device_get(device, HD_ATTR_WARP_SIZE, &warp);
    if (status < 0)
        return status;
    unsigned best = 0, best_resident = 0, step = (unsigned)warp;
    for (unsigned size = attributes.max_threads / step * step; size > 0; size -= step) {
        unsigned blocks = 0;
        status = hd_occupancy(kernel, device, size, shared_bytes, &blocks);
        if (status < 0)
            return status;
        if (blocks * size > best_resident) {
            best_resident = blocks * size;
            best = size;
        }
    }
    if (best == 0)
        return hd__fail(HD_ERR_LAUNCH_CONFIG, call,
                        "kernel %s: no block with %zu bytes of shared memory fits on device %d",
                        kernel->name, shared_bytes, device);
    *threads = best;
    return HD_OK;
}
