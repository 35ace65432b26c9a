/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - virtual devices: attributes, errors, peers. */
#include "observe.h"
#include "block/block.h"
#include "core/device_error.h"
#include "memory/allocations.h"
#include "stream/stream.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static size_t printf_bytes[HD_CPU_MAX_DEVICES];

hd_status hdb_native_supported(void)
{
    return HD_ERR_UNSUPPORTED;
}

void hdb_handle_refused(const char *call, const void *handle, const char *what)
{
    HD_OBSERVE(memory.dead_handle(call, handle, what));
}

/* ---- properties ------------------------------------------------------------------------------ */

static int64_t system_value(int name)
{
    long value = sysconf(name);

    return value > 0 ? value : 0;
}

static int64_t attribute_value(hd_device_attribute attribute)
{
    switch (attribute) {
    case HD_ATTR_WARP_SIZE:
        return hd_cpu_config_get()->warp_size;
    case HD_ATTR_COMPUTE_UNITS:
        return hd_cpu.workers;
    case HD_ATTR_MAX_THREADS_PER_BLOCK:
    case HD_ATTR_MAX_BLOCK_X:
    case HD_ATTR_MAX_BLOCK_Y:
        return HD_CPU_MAX_THREADS;
    case HD_ATTR_MAX_BLOCK_Z:
        return 64;
    case HD_ATTR_MAX_THREADS_PER_UNIT:
        /* The checker needs grid-stride loops to run with as many small blocks as on a GPU. */
        return HD_OBSERVED ? 64 * HD_CPU_RESIDENT_THREADS : HD_CPU_RESIDENT_THREADS;
    case HD_ATTR_MAX_GRID_X:
        return INT32_MAX;
    case HD_ATTR_MAX_GRID_Y:
    case HD_ATTR_MAX_GRID_Z:
        return 65535;
    case HD_ATTR_SHARED_PER_BLOCK:
        return HD_CPU_SHARED;
    case HD_ATTR_SHARED_PER_BLOCK_MAX:
        return (int64_t)hd_cpu_config_get()->shared;
    case HD_ATTR_SHARED_PER_UNIT:
        return (int64_t)hd_cpu_config_get()->shared * HD_CPU_RESIDENT;
    case HD_ATTR_CONSTANT_BYTES:
        return HD_CPU_CONSTANT;
    case HD_ATTR_L2_BYTES:
        return system_value(_SC_LEVEL2_CACHE_SIZE);
    case HD_ATTR_MEMORY_BYTES:
        return (int64_t)hd_cpu_config_get()->memory;
    case HD_ATTR_CONCURRENT_KERNELS:
    case HD_ATTR_COOPERATIVE_LAUNCH:
    case HD_ATTR_MANAGED_MEMORY:
    case HD_ATTR_CONCURRENT_MANAGED:
    case HD_ATTR_MEMORY_POOLS:
    case HD_ATTR_MAPPED_HOST:
    case HD_ATTR_INTEGRATED:
        return 1;
    case HD_ATTR_STREAM_PRIORITY_GREATEST:
        return HD_CPU_PRIORITY_GREATEST;
    default:
        return 0;
    }
}

hd_status hdb_device_get(int ordinal, hd_device_attribute attribute, int64_t *value)
{
    hd_status status = hd_cpu_ready("hd_device_get");

    (void)ordinal;
    if (status >= 0)
        *value = attribute_value(attribute);
    return status;
}

static void processor_name(char *text, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];

    (void)snprintf(text, size, "CPU");
    while (file && fgets(line, sizeof line, file)) {
        char *value = strncmp(line, "model name", 10) == 0 ? strchr(line, ':') : NULL;

        if (!value || !value[1])
            continue;
        line[strcspn(line, "\n")] = 0;
        (void)snprintf(text, size, "%s", value + 2);
        break;
    }
    if (file)
        (void)fclose(file);
}

hd_status hdb_device_name(int ordinal, char *text, size_t size)
{
    hd_status status = hd_cpu_ready("hd_device_name");

    (void)ordinal;
    if (status >= 0)
        processor_name(text, size);
    return status;
}

hd_status hdb_device_bus_id(int ordinal, char *text, size_t size)
{
    (void)snprintf(text, size, "cpu:%d", ordinal);
    return HD_OK;
}

hd_status hdb_device_arch(int ordinal, char *text, size_t size)
{
    (void)ordinal;
#if defined(__x86_64__)
    (void)snprintf(text, size, "x86_64");
#elif defined(__aarch64__)
    (void)snprintf(text, size, "aarch64");
#else
    (void)snprintf(text, size, "unknown");
#endif
    return HD_OK;
}

hd_status hdb_driver_version(int *version)
{
    *version = 0;
    return HD_OK;
}

hd_status hdb_device_probe(int ordinal)
{
    (void)ordinal;
    return hd_cpu_ready("hd_device_select");
}

/* A host thread needs no current device on the CPU. */
hd_status hdb_device_bind_thread(int ordinal)
{
    (void)ordinal;
    return HD_OK;
}

/* ---- errors of kernels ----------------------------------------------------------------------- */

hd_status hdb_device_pending_error(int ordinal)
{
    char text[HD_CPU_TEXT];
    hd_status status = hd_cpu_ready("a kernel");

    if (status < 0)
        return status;
    status = hd_cpu_device_take_error(ordinal, text);
    if (status != HD_OK)
        return hd__fail(status, "a kernel", "%s", text);
    if (hd_cpu_device_lost(ordinal))
        return hd__fail(HD_ERR_DEVICE_LOST, "a kernel", "an earlier kernel faulted on cpu:%d",
                        ordinal);
    return HD_OK;
}

hd_status hdb_device_synchronize(int ordinal)
{
    hd_status status = hd_cpu_ready("hd_device_synchronize");

    if (status >= 0)
        status = hd_cpu_capture_guard_thread("hd_device_synchronize");
    if (status < 0)
        return status;
    hd_cpu_device_drain(ordinal);
    (void)fflush(stdout);
    return HD_OK;
}

hd_status hdb_device_reset(int ordinal)
{
    hd_status status = hd_cpu_ready("hd_device_reset");

    if (status < 0)
        return status;
    hd_cpu_device_cancel(ordinal);
    hd_cpu_device_drain(ordinal);
    hd_cpu_memory_reset(ordinal);
    hd_cpu_symbols_reset(ordinal);
    hd_cpu_device_clear(ordinal);
    printf_bytes[ordinal] = 0;
    return HD_OK;
}

/* hd_printf writes to stdout immediately; the size is only stored. */
hd_status hdb_device_set_printf_bytes(int ordinal, size_t bytes)
{
    printf_bytes[ordinal] = bytes;
    return HD_OK;
}

hd_status hdb_device_printf_bytes(int ordinal, size_t *bytes)
{
    *bytes = printf_bytes[ordinal] ? printf_bytes[ordinal] : (size_t)1 << 20;
    return HD_OK;
}

/* ---- peers ----------------------------------------------------------------------------------- */

/* Kernels can access the memory of every device; the matrix determines only what the peer calls
   return. */
hd_status hdb_peer_possible(int ordinal, int peer, int *can)
{
    hd_status status = hd_cpu_ready("hd_peer_possible");

    if (status >= 0)
        *can = hd_cpu_config_get()->peers[ordinal][peer];
    return status;
}

hd_status hdb_peer_enable(int ordinal, int peer)
{
    hd_status status = hd_cpu_ready("hd_peer_enable");

    if (status < 0)
        return status;
    if (!hd_cpu_config_get()->peers[ordinal][peer])
        return hd__fail(HD_ERR_NO_PEER, "hd_peer_enable",
                        "HEDDLE_CPU_PEERS keeps cpu:%d from cpu:%d", ordinal, peer);
    HD_OBSERVE(memory.peer(ordinal, peer, 1));
    return HD_OK;
}

hd_status hdb_peer_disable(int ordinal, int peer)
{
    (void)ordinal;
    (void)peer;
    HD_OBSERVE(memory.peer(ordinal, peer, 0));
    return HD_OK;
}

hd_status hdb_peer_link(int ordinal, int peer, hd_peer_info *info)
{
    hd_status status = hdb_peer_possible(ordinal, peer, &info->atomics);

    info->link = HD_LINK_VIRTUAL;
    info->rank = 0;
    return status;
}
