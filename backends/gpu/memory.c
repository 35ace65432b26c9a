/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - allocations of every kind, and queries about addresses.

   HD_MEM_COHERENT is device memory whose system-scope accesses peers see while kernels run; the
   host accesses it through copies. A flag that the host polls directly is HD_MEM_MAPPED. */
#include <pthread.h>
#include <stdlib.h>

#include "gpu.h"

/* ---- allocations whose kind the vendor does not report --------------------------------------- */

typedef struct block {
    unsigned char *base;
    size_t bytes;
    hd_memory_kind kind;
    int ordinal;
    struct block *next;
} block;

static pthread_mutex_t blocks_lock = PTHREAD_MUTEX_INITIALIZER;
static block *blocks;

static hd_status block_remember(void *base, size_t bytes, hd_memory_kind kind, int ordinal)
{
    block *made = (block *)malloc(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, "hd_alloc_bytes", "no memory to record an allocation");
    made->base = (unsigned char *)base;
    made->bytes = bytes;
    made->kind = kind;
    made->ordinal = ordinal;
    (void)pthread_mutex_lock(&blocks_lock);
    made->next = blocks;
    blocks = made;
    (void)pthread_mutex_unlock(&blocks_lock);
    return HD_OK;
}

/* Copies the block that contains the address; 0 if there is none. */
static int block_find(const void *pointer, block *found)
{
    const unsigned char *address = (const unsigned char *)pointer;
    int there = 0;
    (void)pthread_mutex_lock(&blocks_lock);
    for (block *at = blocks; at && !there; at = at->next)
        if (address >= at->base && address < at->base + at->bytes) {
            *found = *at;
            there = 1;
        }
    (void)pthread_mutex_unlock(&blocks_lock);
    return there;
}

/* Removes the block that starts at `base`, or all blocks of a device if base is NULL. */
static void block_forget(const void *base, int ordinal)
{
    (void)pthread_mutex_lock(&blocks_lock);
    for (block **link = &blocks; *link;) {
        block *at = *link;
        if (base ? at->base == base : at->ordinal == ordinal) {
            *link = at->next;
            free(at);
        } else {
            link = &at->next;
        }
    }
    (void)pthread_mutex_unlock(&blocks_lock);
}

void hd_gpu_blocks_reset(int ordinal)
{
    block_forget(NULL, ordinal);
}

/* ---- allocation ------------------------------------------------------------------------------ */

static GPU(Error_t) allocate(hd_memory_kind kind, size_t bytes, void **pointer)
{
    switch (kind) {
    case HD_MEM_PINNED:
        return GPU_HostAlloc(pointer, bytes, GPU_HOST_PINNED);
    case HD_MEM_MAPPED:
        return GPU_HostAlloc(pointer, bytes, GPU_HOST_MAPPED);
    case HD_MEM_MANAGED:
        return GPU(MallocManaged)(pointer, bytes, GPU(MemAttachGlobal));
    case HD_MEM_COHERENT:
        return GPU_MallocCoherent(pointer, bytes);
    case HD_MEM_DEVICE:
    case HD_MEM_UNKNOWN:
        break;
    }
    return GPU(Malloc)(pointer, bytes);
}

static GPU(Error_t) release(hd_memory_kind kind, void *pointer)
{
    if (kind != HD_MEM_PINNED && kind != HD_MEM_MAPPED)
        return GPU(Free)(pointer);
    GPU(Error_t) error = GPU(DeviceSynchronize)();
    return error == GPU(Success) ? GPU_FreeHost(pointer) : error;
}

static int is_remembered(hd_memory_kind kind)
{
    return kind == HD_MEM_PINNED || kind == HD_MEM_MAPPED || kind == HD_MEM_COHERENT;
}

hd_status hdb_alloc(int ordinal, hd_memory_kind kind, size_t bytes, void **pointer)
{
    static const char call[] = "hd_alloc_bytes";
    int previous;
    void *got = NULL;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, allocate(kind, bytes, &got));
    if (status == HD_ERR_ARGUMENT) /* more than the address space */
        status = hd_gpu_restate(HD_ERR_NO_MEMORY, call);
    if (status >= 0 && is_remembered(kind)) {
        status = block_remember(got, bytes, kind, ordinal);
        if (status < 0)
            (void)release(kind, got);
    }
    if (status >= 0)
        *pointer = got;
    hd_gpu_leave(ordinal, previous);
    return status;
}

void hdb_memory_keep(const void *pointer)
{
    (void)pointer;
}

hd_status hdb_free(void *pointer)
{
    static const char call[] = "hd_free";
    hd_pointer_info info = {HD_MEM_UNKNOWN, -1, NULL, 0};
    int previous;
    hd_status status = hdb_pointer_get(pointer, &info);
    if (status < 0)
        return status;
    if (info.kind == HD_MEM_UNKNOWN)
        return hd__fail(HD_ERR_POINTER, call, "%p is not memory of the %s backend", pointer,
                        hdb_name());
    if (is_remembered(info.kind) && info.base && info.base != pointer)
        return hd__fail(HD_ERR_POINTER, call, "%p is inside an allocation, not its start", pointer);
    status = hd_gpu_enter(call, info.device, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, release(info.kind, pointer));
    if (status >= 0 && is_remembered(info.kind))
        block_forget(pointer, -1);
    hd_gpu_leave(info.device, previous);
    return status == HD_ERR_ARGUMENT ? hd_gpu_restate(HD_ERR_POINTER, call) : status;
}

/* ---- host memory ----------------------------------------------------------------------------- */

hd_status hdb_host_register(int ordinal, void *pointer, size_t bytes)
{
    static const char call[] = "hd_host_register";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(
        call,
        GPU(HostRegister)(pointer, bytes, GPU(HostRegisterPortable) | GPU(HostRegisterMapped)));
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_host_unregister(void *pointer)
{
    return hd_gpu_check("hd_host_unregister", GPU(HostUnregister)(pointer));
}

hd_status hdb_host_device_pointer(int ordinal, void *host, void **device)
{
    static const char call[] = "hd_host_device_pointer";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(HostGetDevicePointer)(device, host, 0));
    hd_gpu_leave(ordinal, previous);
    return status == HD_ERR_ARGUMENT ? hd_gpu_restate(HD_ERR_POINTER, call) : status;
}

/* ---- queries about addresses ----------------------------------------------------------------- */

static void info_of_block(const block *known, hd_pointer_info *info)
{
    info->kind = known->kind;
    info->device = known->ordinal;
    info->base = known->base;
    info->bytes = known->bytes;
}

/* A range that the vendor does not report is not an error. The query needs the owner's context; a
   thread that has not called the vendor's runtime has none until it sets a device, even the default
   one. */
static hd_status address_range(const void *pointer, hd_pointer_info *info)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_pointer_get", info->device, &previous);
    if (status < 0)
        return status;
    (void)GPU(SetDevice)(info->device);
    if (hd_gpu_answer(GPU_AddressRange(pointer, &info->base, &info->bytes)) < 0) {
        info->base = NULL;
        info->bytes = 0;
    }
    hd_gpu_leave(info->device, previous);
    return HD_OK;
}

hd_status hdb_pointer_get(const void *pointer, hd_pointer_info *info)
{
    block known;
    gpu_pointer_attributes attributes;
    if (block_find(pointer, &known)) {
        info_of_block(&known, info);
        return HD_OK;
    }
    GPU(Error_t) error = GPU_PointerGetAttributes(&attributes, pointer);
    if (hd_gpu_answer(error) == HD_ERR_ARGUMENT) /* plain host memory, in some versions */
        return HD_OK;
    hd_status status = hd_gpu_check("hd_pointer_get", error);
    if (status < 0)
        return status;
    info->kind = gpu_pointer_kind(&attributes);
    if (info->kind == HD_MEM_UNKNOWN)
        return HD_OK;
    info->device = attributes.device;
    if (info->kind == HD_MEM_PINNED)
        return HD_OK;
    return address_range(pointer, info);
}

/* ---- managed memory -------------------------------------------------------------------------- */

hd_status hdb_prefetch(const void *pointer, size_t bytes, int ordinal, hd_stream *stream)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_prefetch", stream->ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_prefetch",
                          GPU_MemPrefetch(pointer, bytes, ordinal, hd_gpu_stream(stream)));
    hd_gpu_leave(stream->ordinal, previous);
    return status;
}

hd_status hdb_advise(const void *pointer, size_t bytes, hd_advice advice, int ordinal)
{
    GPU(Error_t) error = GPU(ErrorInvalidValue);
    switch (advice) {
    case HD_ADVISE_READ_MOSTLY:
        error = GPU_MemAdvise(pointer, bytes, GPU(MemAdviseSetReadMostly), ordinal);
        break;
    case HD_ADVISE_UNSET_READ_MOSTLY:
        error = GPU_MemAdvise(pointer, bytes, GPU(MemAdviseUnsetReadMostly), ordinal);
        break;
    case HD_ADVISE_PREFER_DEVICE:
        error = GPU_MemAdvise(pointer, bytes, GPU(MemAdviseSetPreferredLocation), ordinal);
        break;
    case HD_ADVISE_PREFER_HOST:
        error = GPU_MemAdvise(pointer, bytes, GPU(MemAdviseSetPreferredLocation), HD_DEVICE_HOST);
        break;
    case HD_ADVISE_ACCESSED_BY:
        error = GPU_MemAdvise(pointer, bytes, GPU(MemAdviseSetAccessedBy), ordinal);
        break;
    case HD_ADVISE_UNSET_ACCESSED_BY:
        error = GPU_MemAdvise(pointer, bytes, GPU(MemAdviseUnsetAccessedBy), ordinal);
        break;
    }
    return hd_gpu_check("hd_advise", error);
}
