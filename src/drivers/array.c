/* SPDX-License-Identifier: Apache-2.0 */
/* array.c - whether a device can use an address. The query costs about as much as a small kernel,
   so each thread caches the last few allocations that it found usable. */
#include "array.h"

#include "runtime/backend.h"

typedef struct known_range {
    uintptr_t first, end; /* end: first + 1 if the backend does not know it */
    ptrdiff_t shift;      /* from the caller's address to the device's */
    int device;
    int bounded;    /* the end is known */
    unsigned epoch; /* hd__memory_epoch; a later free invalidates the entry */
} known_range;

enum { KNOWN = 8 };
static _Thread_local known_range known[KNOWN];
static _Thread_local unsigned known_next;

static const known_range *recall(uintptr_t address, int device, unsigned epoch)
{
    for (unsigned i = 0; i < KNOWN; i++)
        if (address >= known[i].first && address < known[i].end && known[i].device == device &&
            known[i].epoch == epoch)
            return &known[i];
    return NULL;
}

static hd_status refuse(const char *call, const char *what, const char *why, int device)
{
    return hd__fail(HD_ERR_POINTER, call, "%s is %s, which device %d cannot use", what, why,
                    device);
}

/* The address under which the device reaches the memory that `info` describes. */
static hd_status reach(const char *call, const char *what, const void *pointer,
                       const hd_pointer_info *info, int device, void **usable)
{
    *usable = (void *)(uintptr_t)pointer;
    switch (info->kind) {
    case HD_MEM_MANAGED:
        return HD_OK;
    case HD_MEM_DEVICE:
    case HD_MEM_COHERENT:
        if (info->device == device)
            return HD_OK;
        if (info->device < 0 || hd_peer_enable(device, info->device) < 0)
            return refuse(call, what, "memory of another device without peer access", device);
        return HD_OK;
    case HD_MEM_PINNED:
    case HD_MEM_MAPPED:
        if (hd_host_device_pointer(usable, (void *)(uintptr_t)pointer, device) < 0)
            return refuse(call, what, "page-locked host memory that is not mapped", device);
        return HD_OK;
    case HD_MEM_UNKNOWN:
        break;
    }
    return refuse(call, what, "pageable host memory", device);
}

/* Caches the allocation that holds the address in the thread's next entry, round robin. */
static const known_range *remember(uintptr_t address, const hd_pointer_info *info, uintptr_t usable,
                                   int device, unsigned epoch)
{
    known_range *made = &known[known_next++ % KNOWN];
    made->bounded = info->base && info->bytes;
    made->first = made->bounded ? (uintptr_t)info->base : address;
    made->end = made->bounded ? made->first + info->bytes : address + 1;
    made->shift = (ptrdiff_t)(usable - address);
    made->device = device;
    made->epoch = epoch;
    return made;
}

hd_status hd__array_room(const char *call, const char *what, const void *pointer, size_t alignment,
                         hd_stream *stream, void **usable, size_t *room)
{
    const uintptr_t address = (uintptr_t)pointer;
    const unsigned epoch = hd__memory_epoch();
    hd_pointer_info info;

    if (!pointer)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", what);
    if (address % alignment != 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "%s is not a multiple of %zu bytes", what,
                        alignment);
    const known_range *range = recall(address, stream->device, epoch);
    if (!range) {
        HD_TRY(hd_pointer_get(pointer, &info));
        HD_TRY(reach(call, what, pointer, &info, stream->device, usable));
        range = remember(address, &info, (uintptr_t)*usable, stream->device, epoch);
    }
    *usable = (void *)(address + (uintptr_t)range->shift);
    *room = range->bounded ? range->end - address : SIZE_MAX;
    return HD_OK;
}

hd_status hd__array_usable(const char *call, const char *what, const void *pointer, size_t bytes,
                           size_t alignment, hd_stream *stream, void **usable)
{
    size_t room = 0;
    HD_TRY(hd__array_room(call, what, pointer, alignment, stream, usable, &room));
    if (bytes > room)
        return hd__fail(HD_ERR_POINTER, call, "%s needs %zu bytes; its allocation has %zu left",
                        what, bytes, room);
    return HD_OK;
}
