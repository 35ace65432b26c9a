/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - devices, their properties, reset, printf buffer. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "gpu.h"

/* Without a driver the vendors report an outdated driver; this is treated as a machine without
   devices. */
hd_status hdb_device_count(int *count)
{
    int found = 0, driver = 0;
    GPU(Error_t) error = GPU(GetDeviceCount)(&found);
    if (error == GPU(ErrorInsufficientDriver) &&
        (GPU(DriverGetVersion)(&driver) != GPU(Success) || driver == 0)) {
        (void)GPU(GetLastError)();
        *count = 0;
        return HD_OK;
    }
    if (hd_gpu_answer(error) == HD_ERR_NO_DEVICE) {
        *count = 0;
        return HD_OK;
    }
    hd_status status = hd_gpu_check("hd_device_count", error);
    if (status < 0)
        return status;
    *count = found < GPU_MAX_DEVICES ? found : GPU_MAX_DEVICES;
    return HD_OK;
}

/* ---- properties ------------------------------------------------------------------------------ */

/* 0 for attributes that the vendor does not support on this device. */
static hd_status vendor_attribute(hd_device_attribute attribute, int ordinal, int64_t *value)
{
    int got = 0;
    GPU(Error_t) error = GPU(ErrorInvalidValue);
    switch (attribute) {
#define VENDOR_ATTRIBUTE(name, vendor)                                                             \
    case name:                                                                                     \
        error = GPU_DeviceGetAttribute(&got, vendor, ordinal);                                     \
        break;
        GPU_ATTRIBUTE_LIST(VENDOR_ATTRIBUTE)
#undef VENDOR_ATTRIBUTE
    default:
        break;
    }
    hd_status status = hd_gpu_answer(error);
    if (status == HD_ERR_ARGUMENT || status == HD_ERR_UNSUPPORTED) {
        *value = 0;
        return HD_OK;
    }
    *value = got;
    return hd_gpu_check("hd_device_get", error);
}

static hd_status priority_attribute(int least, int ordinal, int64_t *value)
{
    int previous, lowest = 0, highest = 0;
    hd_status status = hd_gpu_enter("hd_device_get", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_device_get", GPU(DeviceGetStreamPriorityRange)(&lowest, &highest));
    hd_gpu_leave(ordinal, previous);
    *value = least ? lowest : highest;
    return status;
}

hd_status hdb_device_get(int ordinal, hd_device_attribute attribute, int64_t *value)
{
    gpu_properties properties;
    hd_status status;
    switch ((int)attribute) {
    case HD_ATTR_STREAM_PRIORITY_LEAST:
        return priority_attribute(1, ordinal, value);
    case HD_ATTR_STREAM_PRIORITY_GREATEST:
        return priority_attribute(0, ordinal, value);
    case HD_ATTR_MEMORY_BYTES:
        status = hd_gpu_check("hd_device_get", GPU(GetDeviceProperties)(&properties, ordinal));
        if (status >= 0)
            *value = (int64_t)properties.totalGlobalMem;
        return status;
    case HD_ATTR_EXCLUSIVE: /* vendor's value: 0 shared, 1 and 3 exclusive, 2 prohibited */
        status = vendor_attribute(attribute, ordinal, value);
        if (status >= 0 && *value == 3)
            *value = 1;
        return status;
    case HD_ATTR_CONSTANT_BYTES: /* HD_CONSTANT can use at most 64 KB */
        status = vendor_attribute(attribute, ordinal, value);
        if (status >= 0 && *value > 65536)
            *value = 65536;
        return status;
    default:
        return vendor_attribute(attribute, ordinal, value);
    }
}

hd_status hdb_device_name(int ordinal, char *text, size_t size)
{
    gpu_properties properties;
    hd_status status = hd_gpu_check("hd_device_name",
                                    GPU(GetDeviceProperties)(&properties, ordinal));
    if (status >= 0)
        (void)snprintf(text, size, "%s", properties.name);
    return status;
}

hd_status hdb_device_bus_id(int ordinal, char *text, size_t size)
{
    char id[32] = "";
    hd_status status = hd_gpu_check("hd_device_bus_id",
                                    GPU(DeviceGetPCIBusId)(id, (int)sizeof id, ordinal));
    if (status < 0)
        return status;
    for (char *at = id; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    (void)snprintf(text, size, "%s", id);
    return HD_OK;
}

hd_status hd_gpu_arch_numbers(const char *prefix, char *text, size_t size, int ordinal)
{
    int64_t major = 0, minor = 0;
    hd_status status = hdb_device_get(ordinal, HD_ATTR_ARCH_MAJOR, &major);
    if (status >= 0)
        status = hdb_device_get(ordinal, HD_ATTR_ARCH_MINOR, &minor);
    if (status >= 0)
        (void)snprintf(text, size, "%s%d%d", prefix, (int)major, (int)minor);
    return status;
}

hd_status hdb_device_arch(int ordinal, char *text, size_t size)
{
    return GPU_ARCH(text, size, ordinal);
}

hd_status hdb_driver_version(int *version)
{
    return hd_gpu_check("hd_tune_measure", GPU(DriverGetVersion)(version));
}

hd_status hdb_device_memory(int ordinal, size_t *free_bytes, size_t *total_bytes)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_device_memory", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_device_memory", GPU(MemGetInfo)(free_bytes, total_bytes));
    hd_gpu_leave(ordinal, previous);
    return status;
}

/* ---- state ----------------------------------------------------------------------------------- */

/* Whether the process can create a context on the device. */
hd_status hdb_device_probe(int ordinal)
{
    int64_t mode = 0;
    int previous;
    hd_status status = hdb_device_get(ordinal, HD_ATTR_EXCLUSIVE, &mode);
    if (status < 0)
        return status;
    if (mode == 2)
        return hd__fail(HD_ERR_DEVICE_BUSY, "hd_device_select", "device %d may not be used",
                        ordinal);
    status = hd_gpu_enter("hd_device_select", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_device_select", GPU(Free)(NULL));
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_device_bind_thread(int ordinal)
{
    return hd_gpu_check("hd_device_bind_thread", GPU(SetDevice)(ordinal));
}

hd_status hdb_device_synchronize(int ordinal)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_device_synchronize", ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check("hd_device_synchronize", GPU(DeviceSynchronize)());
    hd_gpu_leave(ordinal, previous);
    return status;
}

/* After a fault the vendor may report it once more during the reset; the result is whether the
   device works afterwards. */
hd_status hdb_device_reset(int ordinal)
{
    int previous;
    hd_status status = hd_gpu_enter("hd_device_reset", ordinal, &previous);
    if (status < 0 && status != HD_ERR_ILLEGAL_ADDRESS && status != HD_ERR_DEVICE_LOST)
        return status;
    (void)hd_gpu_check("hd_device_reset", GPU(DeviceReset)());
    hd_gpu_assert_reset(ordinal);
    hd_gpu_module_reset(ordinal);
    hd_gpu_pool_reset(ordinal);
    hd_gpu_blocks_reset(ordinal);
    hd_gpu_launch_reset();
    status = hd_gpu_check("hd_device_reset", GPU(Free)(NULL));
    hd_gpu_leave(ordinal, previous);
    return status;
}

/* ---- printf ---------------------------------------------------------------------------------- */

#if GPU_HAS_PRINTF_LIMIT
hd_status hdb_device_set_printf_bytes(int ordinal, size_t bytes)
{
    static const char call[] = "hd_device_set_printf_bytes";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(DeviceSetLimit)(GPU(LimitPrintfFifoSize), bytes));
    hd_gpu_leave(ordinal, previous);
    return status;
}

hd_status hdb_device_printf_bytes(int ordinal, size_t *bytes)
{
    static const char call[] = "hd_device_printf_bytes";
    int previous;
    hd_status status = hd_gpu_enter(call, ordinal, &previous);
    if (status < 0)
        return status;
    status = hd_gpu_check(call, GPU(DeviceGetLimit)(bytes, GPU(LimitPrintfFifoSize)));
    hd_gpu_leave(ordinal, previous);
    return status;
}
#else
hd_status hdb_device_set_printf_bytes(int ordinal, size_t bytes)
{
    (void)ordinal, (void)bytes;
    return hd__fail(HD_ERR_UNSUPPORTED, "hd_device_set_printf_bytes",
                    "printf of this backend has no buffer of its own");
}

hd_status hdb_device_printf_bytes(int ordinal, size_t *bytes)
{
    (void)ordinal, (void)bytes;
    return hd__fail(HD_ERR_UNSUPPORTED, "hd_device_printf_bytes",
                    "printf of this backend has no buffer of its own");
}
#endif
