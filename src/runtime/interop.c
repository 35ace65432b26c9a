/* SPDX-License-Identifier: Apache-2.0 */
/* interop.c - conversion between handles and the vendor's own objects. */
#include "runtime.h"

static hd_status native_use(const char *call, int device, hd__device **entry)
{
    hd_status status = hd__device_use(call, device, entry);
    if (status < 0)
        return status;
    if (hdb_native_supported() < 0)
        return hd__fail(HD_ERR_UNSUPPORTED, call, "the %s backend has no vendor objects",
                        hdb_name());
    return HD_OK;
}

hd_status hd_stream_from_native(int device, void *native, hd_stream **stream)
{
    static const char call[] = "hd_stream_from_native";
    hd__device *entry;
    hd_status status = native_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!stream)
        return hd__null(call, "stream");
    status = hd__settle(call, device, hd__device_limits(entry));
    if (status < 0)
        return status;
    hd_stream *made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for a stream");
    made->device = device;
    made->ordinal = entry->ordinal;
    made->borrowed = 1;
    made->native = native;
    made->number = hd__stream_next_number();
    (void)pthread_mutex_init(&made->scratch_lock, NULL);
    *stream = made;
    return HD_OK;
}

hd_status hd_stream_native(hd_stream *stream, void **native)
{
    static const char call[] = "hd_stream_native";
    hd__device *entry;
    if (!stream || !native)
        return hd__null(call, stream ? "native" : "stream");
    hd_status status = native_use(call, stream->device, &entry);
    if (status >= 0)
        *native = stream->native;
    return status;
}

hd_status hd_event_from_native(int device, void *native, hd_event **event)
{
    static const char call[] = "hd_event_from_native";
    hd__device *entry;
    hd_status status = native_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!native || !event)
        return hd__null(call, native ? "event" : "native");
    hd_event *made = hd__handle_make(sizeof *made);
    if (!made)
        return hd__fail(HD_ERR_NO_MEMORY, call, "no memory for an event");
    made->device = device;
    made->ordinal = entry->ordinal;
    made->borrowed = 1;
    made->recorded = 1; /* unknown; the vendor's wait ignores an event that was never recorded */
    made->native = native;
    *event = made;
    return HD_OK;
}

hd_status hd_event_native(hd_event *event, void **native)
{
    static const char call[] = "hd_event_native";
    hd__device *entry;
    if (!event || !native)
        return hd__null(call, event ? "native" : "event");
    hd_status status = native_use(call, event->device, &entry);
    if (status >= 0)
        *native = event->native;
    return status;
}

hd_status hd_device_native(int device, int *ordinal)
{
    hd__device *entry;
    hd_status status = native_use("hd_device_native", device, &entry);
    if (status < 0)
        return status;
    if (!ordinal)
        return hd__null("hd_device_native", "ordinal");
    *ordinal = entry->ordinal;
    return HD_OK;
}

hd_status hd_device_from_native(int ordinal, int *device)
{
    static const char call[] = "hd_device_from_native";
    hd__device *first;
    hd_status status = hd__device_find(call, 0, &first);
    if (status < 0)
        return status;
    if (!device)
        return hd__null(call, "device");
    int found = hd__device_of_ordinal(ordinal);
    if (found < 0)
        return hd__fail(HD_ERR_DEVICE_INDEX, call, "the process does not use the device %d",
                        ordinal);
    *device = found;
    return HD_OK;
}
