/* SPDX-License-Identifier: Apache-2.0 */
/* device_select.c - selects a device by index, bus id or required properties. */
#include "runtime/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

static hd_status select_fastest(int count, int *device)
{
    double best = -1;
    int chosen = 0;
    for (int i = 0; i < count; i++) {
        int64_t units = 0, khz = 0;
        hd_status status = hd_device_get(i, HD_ATTR_COMPUTE_UNITS, &units);
        if (status >= 0)
            status = hd_device_get(i, HD_ATTR_CLOCK_KHZ, &khz);
        if (status < 0)
            return status;
        double speed = (double)units * (double)(khz > 0 ? khz : 1);
        if (speed > best) {
            best = speed;
            chosen = i;
        }
    }
    *device = chosen;
    return HD_OK;
}

static hd_status select_free(int count, int *device)
{
    for (int i = 0; i < count; i++) {
        if (hd__lost("hd_device_select", i) < 0)
            continue;
        hd_status status = hdb_device_probe(hd__device_at(i)->ordinal);
        if (status == HD_OK) {
            *device = i;
            return HD_OK;
        }
        if (status != HD_ERR_DEVICE_BUSY)
            return hd__settle("hd_device_select", i, status);
    }
    return hd__fail(HD_ERR_DEVICE_BUSY, "hd_device_select",
                    "each of the %d devices is taken exclusively or may not be used", count);
}

static hd_status select_bus_id(const char *what, int count, int *device)
{
    for (int i = 0; i < count; i++) {
        char id[64];
        if (hd_device_bus_id(i, id, sizeof id) == HD_OK && strcmp(id, what) == 0) {
            *device = i;
            return HD_OK;
        }
    }
    return hd__fail(
        HD_ERR_ARGUMENT, "hd_device_select",
        "no device \"%s\"; use an index from 0 to %d, a bus id, \"fastest\" or \"free\"", what,
        count - 1);
}

hd_status hd_device_select(const char *what, int *device)
{
    if (!device)
        return hd__null("hd_device_select", "device");
    if (!what)
        what = hd__environment("HEDDLE_DEVICE");
    if (!what || !*what)
        what = "0";
    hd__device *first;
    int count = 0;
    hd_status status = hd__device_find("hd_device_select", 0, &first);
    if (status >= 0)
        status = hd_device_count(&count);
    if (status < 0)
        return status;
    if (strcmp(what, "fastest") == 0)
        return select_fastest(count, device);
    if (strcmp(what, "free") == 0)
        return select_free(count, device);
    char *end;
    errno = 0;
    long index = strtol(what, &end, 10);
    if (end == what || *end)
        return select_bus_id(what, count, device);
    if (errno || index < 0 || index >= count)
        return hd__fail(HD_ERR_DEVICE_INDEX, "hd_device_select",
                        "no device %s: there %s %d device%s", what, count == 1 ? "is" : "are",
                        count, count == 1 ? "" : "s");
    *device = (int)index;
    return HD_OK;
}
