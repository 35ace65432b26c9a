/* SPDX-License-Identifier: Apache-2.0 */
/* device.c - the devices that a process sees: HEDDLE_DEVICES, properties, lost devices. */
#include "runtime/runtime.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/environment.h"

static pthread_once_t table_once = PTHREAD_ONCE_INIT;
static pthread_mutex_t limits_lock = PTHREAD_MUTEX_INITIALIZER;
static hd__device *table;
static int table_size;
static hd_status table_status;
/* Why there is no table or no device in it; "" if there are devices. */
static char table_message[HD_ERROR_TEXT_MAX];

const char *hd_backend_name(void)
{
    return hdb_name();
}

/* ---- the table ------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static hd_status table_refuse(hd_status status,
                                                                    const char *format, ...)
{
    va_list args;

    va_start(args, format);
    hd__text_put(table_message, sizeof table_message, format, args);
    va_end(args);
    return status;
}

static hd_status table_add(const char *list, long ordinal, int native_count)
{
    if (ordinal < 0 || ordinal >= native_count)
        return table_refuse(HD_ERR_DEVICE_INDEX,
                            "HEDDLE_DEVICES=%s: there is no device %ld; devices are 0 to %d", list,
                            ordinal, native_count - 1);
    for (int i = 0; i < table_size; i++)
        if (table[i].ordinal == ordinal)
            return table_refuse(HD_ERR_ARGUMENT, "HEDDLE_DEVICES=%s: device %ld is listed twice",
                                list, ordinal);
    table[table_size++].ordinal = (int)ordinal;
    return HD_OK;
}

/* "1,0": comma-separated numbers; an empty list hides all devices. */
static hd_status table_parse(const char *list, int native_count)
{
    const char *at = list;
    if (!*list)
        (void)table_refuse(HD_OK, ": HEDDLE_DEVICES is empty, which hides all");
    while (*at) {
        char *end;
        errno = 0;
        long ordinal = strtol(at, &end, 10);
        if (*at < '0' || *at > '9' || errno || (*end && *end != ',') || (*end == ',' && !end[1]))
            return table_refuse(HD_ERR_ARGUMENT,
                                "HEDDLE_DEVICES=%s is not a list of device numbers such as 1,0",
                                list);
        hd_status status = table_add(list, ordinal, native_count);
        if (status < 0)
            return status;
        at = *end ? end + 1 : end;
    }
    return HD_OK;
}

static hd_status table_fill(void)
{
    int native_count = 0;
    hd_status status = hdb_device_count(&native_count);
    if (status < 0)
        return table_refuse(status, "%s", hd_error_last()->message);
    if (native_count == 0)
        return HD_OK;
    table = calloc((size_t)native_count, sizeof *table);
    if (!table)
        return table_refuse(HD_ERR_NO_MEMORY, "no memory for the table of devices");
    const char *list = hd__environment("HEDDLE_DEVICES");
    if (list)
        return table_parse(list, native_count);
    for (int i = 0; i < native_count; i++)
        table[i].ordinal = i;
    table_size = native_count;
    return HD_OK;
}

static int forked; /* in a child of the process that made the table */

static void forked_child(void)
{
    forked = 1;
}

static void table_make(void)
{
    (void)pthread_atfork(NULL, NULL, forked_child);
    table_status = table_fill();
    if (table_status < 0)
        table_size = 0;
}

static hd_status table_ready(const char *call)
{
    (void)pthread_once(&table_once, table_make);
    if (forked)
        return hd__fail(HD_ERR_STATE, call,
                        "used after fork, which leaves devices and threads to the parent: fork "
                        "before the first call, or start another program");
    return table_status < 0 ? hd__fail(table_status, call, "%s", table_message) : HD_OK;
}

hd__device *hd__device_at(int device)
{
    return &table[device];
}

int hd__device_of_ordinal(int ordinal)
{
    for (int i = 0; i < table_size; i++)
        if (table[i].ordinal == ordinal)
            return i;
    return -1;
}

hd_status hd__device_find(const char *call, int device, hd__device **entry)
{
    hd_status status = table_ready(call);
    if (status < 0)
        return status;
    if (table_size == 0)
        return hd__fail(HD_ERR_NO_DEVICE, call, "the %s backend sees no device%s", hdb_name(),
                        table_message);
    if (device < 0 || device >= table_size)
        return hd__fail(HD_ERR_DEVICE_INDEX, call, "no device %d: there %s %d device%s", device,
                        table_size == 1 ? "is" : "are", table_size, table_size == 1 ? "" : "s");
    *entry = &table[device];
    return HD_OK;
}

hd_status hd__device_use(const char *call, int device, hd__device **entry)
{
    hd_status status = hd__device_find(call, device, entry);
    if (status < 0)
        return status;
    return hd__lost(call, device);
}

static unsigned limit_of(int ordinal, hd_device_attribute attribute, hd_status *status)
{
    int64_t value = 0;
    hd_status got = hdb_device_get(ordinal, attribute, &value);
    if (got < 0)
        *status = got;
    return value > UINT32_MAX ? UINT32_MAX : value < 0 ? 0 : (unsigned)value;
}

static hd_status limits_read(hd__device *entry)
{
    hd_status status = HD_OK;
    int d = entry->ordinal;
    entry->max_threads = limit_of(d, HD_ATTR_MAX_THREADS_PER_BLOCK, &status);
    entry->max_block[0] = limit_of(d, HD_ATTR_MAX_BLOCK_X, &status);
    entry->max_block[1] = limit_of(d, HD_ATTR_MAX_BLOCK_Y, &status);
    entry->max_block[2] = limit_of(d, HD_ATTR_MAX_BLOCK_Z, &status);
    entry->max_grid[0] = limit_of(d, HD_ATTR_MAX_GRID_X, &status);
    entry->max_grid[1] = limit_of(d, HD_ATTR_MAX_GRID_Y, &status);
    entry->max_grid[2] = limit_of(d, HD_ATTR_MAX_GRID_Z, &status);
    entry->max_shared = limit_of(d, HD_ATTR_SHARED_PER_BLOCK_MAX, &status);
    entry->unit_shared = limit_of(d, HD_ATTR_SHARED_PER_UNIT, &status);
    entry->units = limit_of(d, HD_ATTR_COMPUTE_UNITS, &status);
    entry->cache_bytes = limit_of(d, HD_ATTR_L2_BYTES, &status);
    entry->threads_per_unit = limit_of(d, HD_ATTR_MAX_THREADS_PER_UNIT, &status);
    entry->warp_size = limit_of(d, HD_ATTR_WARP_SIZE, &status);
    return status;
}

hd_status hd__device_limits(hd__device *entry)
{
    if (atomic_load_explicit(&entry->limits_known, memory_order_acquire))
        return HD_OK;
    (void)pthread_mutex_lock(&limits_lock);
    hd_status status = limits_read(entry);
    if (status >= 0)
        atomic_store_explicit(&entry->limits_known, 1, memory_order_release);
    (void)pthread_mutex_unlock(&limits_lock);
    return status;
}

/* ---- lost devices --------------------------------------------------------------------------- */

static pthread_mutex_t cause_lock = PTHREAD_MUTEX_INITIALIZER; /* guards hd__device.cause */

/* Stores the fault's message for later calls on the lost device; nothing if it would only repeat
   that the device faulted. */
static void cause_keep(hd__device *entry, hd_status status)
{
    const hd_error *e = hd_error_last();
    (void)pthread_mutex_lock(&cause_lock);
    entry->cause[0] = 0;
    if (e->status == status && status == HD_ERR_ILLEGAL_ADDRESS)
        (void)snprintf(entry->cause, sizeof entry->cause, ": %s", e->message);
    (void)pthread_mutex_unlock(&cause_lock);
}

static hd_status refuse_lost(const char *call, int device)
{
    char cause[sizeof table->cause];
    (void)pthread_mutex_lock(&cause_lock);
    memcpy(cause, table[device].cause, sizeof cause);
    (void)pthread_mutex_unlock(&cause_lock);
    return hd__fail(HD_ERR_DEVICE_LOST, call, "device %d is lost: an earlier kernel faulted%s",
                    device, cause);
}

hd_status hd__lost(const char *call, int device)
{
    hd__error_passed();
    if (atomic_load_explicit(&table[device].lost, memory_order_relaxed))
        return refuse_lost(call, device);
    return HD_OK;
}

hd_status hd__settle(const char *call, int device, hd_status status)
{
    int fault = status == HD_ERR_ILLEGAL_ADDRESS || status == HD_ERR_DEVICE_LOST;
    if (!fault)
        return status;
    if (atomic_exchange(&table[device].lost, 1))
        return refuse_lost(call, device);
    cause_keep(&table[device], status);
    return status;
}

hd_status hd__settle_wait(const char *call, int device, hd_status status)
{
    if (status != HD_ERR_ILLEGAL_ADDRESS && status != HD_ERR_DEVICE_LOST) {
        hd_status pending = hdb_device_pending_error(table[device].ordinal);
        if (pending >= 0)
            pending = hd__failure_take(call, &table[device]);
        if (pending < 0)
            status = pending;
    }
    return hd__settle(call, device, status);
}

hd_status hd__settle_any(const char *call, hd_status status)
{
    if (status != HD_ERR_ILLEGAL_ADDRESS && status != HD_ERR_DEVICE_LOST)
        return status;
    for (int i = 0; i < table_size; i++)
        if (atomic_load(&table[i].lost))
            return refuse_lost(call, i);
    return status;
}

hd_status hd__null(const char *call, const char *what)
{
    return hd__fail(HD_ERR_ARGUMENT, call, "%s is NULL", what);
}

/* ---- public calls --------------------------------------------------------------------------- */

hd_status hd_device_count(int *count)
{
    if (!count)
        return hd__null("hd_device_count", "count");
    hd_status status = table_ready("hd_device_count");
    if (status >= 0)
        *count = table_size;
    return status;
}

/* Calls of the thread about the shared memory limit. */
enum { SHARED_ASKED = 1, SHARED_SIZED = 2 };
static _Thread_local unsigned shared_known;

int hd__shared_sized(void)
{
    const int known = shared_known != 0;
    shared_known &= SHARED_ASKED;
    return known;
}

hd_status hd__shared_max(const char *call, int device, size_t *bytes)
{
    hd__device *entry;
    HD_TRY(hd__device_use(call, device, &entry));
    HD_TRY(hd__device_limits(entry));
    shared_known |= SHARED_SIZED;
    *bytes = entry->max_shared;
    return HD_OK;
}

hd_status hd_device_get(int device, hd_device_attribute attribute, int64_t *value)
{
    hd__device *entry;
    hd_status status = hd__device_use("hd_device_get", device, &entry);
    if (status < 0)
        return status;
    if (!value)
        return hd__null("hd_device_get", "value");
    if ((int)attribute < 0 || attribute >= HD_ATTR_COUNT_)
        return hd__fail(HD_ERR_ARGUMENT, "hd_device_get", "unknown attribute %d", (int)attribute);
    int64_t got = 0;
    status = hd__settle("hd_device_get", device, hdb_device_get(entry->ordinal, attribute, &got));
    if (status >= 0)
        *value = got;
    if (attribute == HD_ATTR_SHARED_PER_BLOCK_MAX)
        shared_known |= SHARED_ASKED;
    return status;
}

typedef hd_status text_call(int ordinal, char *text, size_t size);

static hd_status device_text(const char *call, text_call *get, int device, char *text, size_t size)
{
    hd__device *entry;
    hd_status status = hd__device_use(call, device, &entry);
    if (status < 0)
        return status;
    if (!text || size == 0)
        return hd__fail(HD_ERR_ARGUMENT, call, "no room for the text");
    return hd__settle(call, device, get(entry->ordinal, text, size));
}

hd_status hd_device_name(int device, char *text, size_t size)
{
    return device_text("hd_device_name", hdb_device_name, device, text, size);
}

hd_status hd_device_bus_id(int device, char *text, size_t size)
{
    return device_text("hd_device_bus_id", hdb_device_bus_id, device, text, size);
}

hd_status hd_device_arch(int device, char *text, size_t size)
{
    return device_text("hd_device_arch", hdb_device_arch, device, text, size);
}

hd_status hd_device_memory(int device, size_t *free_bytes, size_t *total_bytes)
{
    hd__device *entry;
    size_t free_now = 0, total = 0;
    hd_status status = hd__device_use("hd_device_memory", device, &entry);
    if (status < 0)
        return status;
    status = hd__settle("hd_device_memory", device,
                        hdb_device_memory(entry->ordinal, &free_now, &total));
    if (status < 0)
        return status;
    if (free_bytes)
        *free_bytes = free_now;
    if (total_bytes)
        *total_bytes = total;
    return HD_OK;
}

hd_status hd_device_bind_thread(int device)
{
    hd__device *entry;
    HD_TRY(hd__device_use("hd_device_bind_thread", device, &entry));
    return hdb_device_bind_thread(entry->ordinal);
}

hd_status hd_device_state(int device)
{
    hd__device *entry;
    return hd__device_use("hd_device_state", device, &entry);
}

hd_status hd_device_set_printf_bytes(int device, size_t bytes)
{
    hd__device *entry;
    hd_status status = hd__device_use("hd_device_set_printf_bytes", device, &entry);
    if (status < 0)
        return status;
    return hd__settle("hd_device_set_printf_bytes", device,
                      hdb_device_set_printf_bytes(entry->ordinal, bytes));
}

hd_status hd_device_printf_bytes(int device, size_t *bytes)
{
    hd__device *entry;
    size_t got = 0;
    hd_status status = hd__device_use("hd_device_printf_bytes", device, &entry);
    if (status < 0)
        return status;
    if (!bytes)
        return hd__null("hd_device_printf_bytes", "bytes");
    status = hd__settle("hd_device_printf_bytes", device,
                        hdb_device_printf_bytes(entry->ordinal, &got));
    if (status >= 0)
        *bytes = got;
    return status;
}
