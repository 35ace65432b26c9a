/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.h - clocks, power and energy of an AMD device, from the files of its kernel driver
   (hwmon). If there is no energy counter among them, the management library (ROCm SMI) reads it,
   which is loaded and opened at the first such call and stays open. What neither reports is
   unknown. */
#ifndef HEDDLE_HIP_SENSORS_H
#define HEDDLE_HIP_SENSORS_H

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/sensors.h"

/* The number in a file of the device's hwmon folder; 0 if there is none. */
static inline double hd_hip_sensor(const char *bus_id, const char *file)
{
    char pattern[160];
    double value = 0;
    FILE *stream = NULL;
    glob_t found;

    (void)snprintf(pattern, sizeof pattern, "/sys/bus/pci/devices/%s/hwmon/hwmon*/%s", bus_id,
                   file);
    if (glob(pattern, 0, NULL, &found) == 0) {
        stream = fopen(found.gl_pathv[0], "r");
        globfree(&found);
    }
    if (stream) {
        if (fscanf(stream, "%lf", &value) != 1)
            value = 0;
        (void)fclose(stream);
    }
    return value;
}

/* ---- energy ---------------------------------------------------------------------------------- */

typedef int hd_rsmi_start(uint64_t flags);
typedef int hd_rsmi_count(uint32_t *devices);
typedef int hd_rsmi_find(uint32_t device, uint64_t *pci_id);
typedef int hd_rsmi_read(uint32_t device, uint64_t *count, float *microjoules, uint64_t *time);

/* NULL: the library cannot be used. */
typedef struct hd_rsmi {
    hd_rsmi_count *count;
    hd_rsmi_find *find;
    hd_rsmi_read *energy;
} hd_rsmi;

static inline hd_rsmi *hd_rsmi_calls(void)
{
    static hd_rsmi calls;

    return &calls;
}

static inline void hd_rsmi_open(void)
{
    static const char *const names[] = {"librocm_smi64.so", "librocm_smi64.so.7",
                                        "librocm_smi64.so.6", "librocm_smi64.so.5",
                                        "librocm_smi64.so.1"};
    hd_rsmi *rsmi = hd_rsmi_calls();
    hd_rsmi_start *start;
    void *library = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return;
    start = (hd_rsmi_start *)(uintptr_t)dlsym(library, "rsmi_init");
    if (!start || start(0) != 0)
        return;
    rsmi->count = (hd_rsmi_count *)(uintptr_t)dlsym(library, "rsmi_num_monitor_devices");
    rsmi->find = (hd_rsmi_find *)(uintptr_t)dlsym(library, "rsmi_dev_pci_id_get");
    rsmi->energy = (hd_rsmi_read *)(uintptr_t)dlsym(library, "rsmi_dev_energy_count_get");
}

/* The library's form of "dddd:bb:dd.f"; bits 31 to 16 are not part of it. */
static inline uint64_t hd_rsmi_pci_id(const char *bus_id)
{
    unsigned domain = 0, bus = 0, device = 0, function = 0;

    if (sscanf(bus_id, "%x:%x:%x.%x", &domain, &bus, &device, &function) != 4)
        return UINT64_MAX;
    return (uint64_t)domain << 32 | (bus & 0xff) << 8 | (device & 0x1f) << 3 | (function & 7);
}

static inline double hd_rsmi_joules(const char *bus_id)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const hd_rsmi *rsmi = hd_rsmi_calls();
    const uint64_t mask = ~(uint64_t)0xffff0000, wanted = hd_rsmi_pci_id(bus_id);
    uint64_t id = 0, count = 0, time = 0;
    uint32_t devices = 0;
    float microjoules = 0;

    (void)pthread_once(&once, hd_rsmi_open);
    if (!rsmi->count || !rsmi->find || !rsmi->energy || rsmi->count(&devices) != 0)
        return 0;
    for (uint32_t i = 0; i < devices; i++)
        if (rsmi->find(i, &id) == 0 && (id & mask) == wanted &&
            rsmi->energy(i, &count, &microjoules, &time) == 0)
            return 1e-6 * (double)count * (double)microjoules;
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* The files have hertz, microwatts and microjoules. */
static inline void hd_hip_sensors(const char *bus_id, hdb_sensors *sensors)
{
    const double average = hd_hip_sensor(bus_id, "power1_average");

    sensors->core_mhz = 1e-6 * hd_hip_sensor(bus_id, "freq1_input");
    sensors->memory_mhz = 1e-6 * hd_hip_sensor(bus_id, "freq2_input");
    sensors->power_limit_watts = 1e-6 * hd_hip_sensor(bus_id, "power1_cap");
    sensors->power_watts = 1e-6 * (average > 0 ? average : hd_hip_sensor(bus_id, "power1_input"));
    sensors->energy_joules = 1e-6 * hd_hip_sensor(bus_id, "energy1_input");
    if (sensors->energy_joules <= 0)
        sensors->energy_joules = hd_rsmi_joules(bus_id);
}

#endif
