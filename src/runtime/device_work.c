/* SPDX-License-Identifier: Apache-2.0 */
/* device_work.c - calls about all work of a device: synchronisation and reset. */
#include "runtime/peer/peer.h"
#include "runtime/trace/trace.h"

hd_status hd_device_synchronize(int device)
{
    hd__device *entry;
    hd_status status = hd__device_use("hd_device_synchronize", device, &entry);
    if (status < 0)
        return status;
    hd__traced traced;
    hd__trace_begin_call(&traced, "hd_device_synchronize", device);
    status = hdb_device_synchronize(entry->ordinal);
    hd__trace_end_wait(&traced, status);
    return hd__settle_wait("hd_device_synchronize", device, status);
}

hd_status hd_device_reset(int device)
{
    hd__device *entry;
    hd_status status = hd__device_find("hd_device_reset", device, &entry);
    if (status < 0)
        return status;
    if (hd__tracing())
        hd__trace_device_gone(device);
    hd__memory_changed();
    status = hdb_device_reset(entry->ordinal);
    hd__memory_changed();
    if (status < 0)
        return hd__settle("hd_device_reset", device, status);
    hd__stream_defaults_reset(device);
    hd__pairs_forget(device, -1);
    hd__relay_device_gone(device);
    atomic_store(&entry->lost, 0);
    return HD_OK;
}
