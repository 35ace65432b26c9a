/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.h - clocks, power and energy of an NVIDIA device, from the management library (NVML),
   which is loaded on first use; without it they are unknown. */
#ifndef HEDDLE_CUDA_SENSORS_H
#define HEDDLE_CUDA_SENSORS_H

#include <dlfcn.h>
#include <stdint.h>

#include "runtime/sensors.h"

typedef int hd_nvml_start(void);
typedef int hd_nvml_find(const char *bus_id, void **device);
typedef int hd_nvml_clock(void *device, int domain, unsigned *megahertz);
typedef int hd_nvml_milliwatts(void *device, unsigned *value);
typedef int hd_nvml_millijoules(void *device, unsigned long long *value);

enum { HD_NVML_CLOCK_SM = 1, HD_NVML_CLOCK_MEMORY = 2 };

static inline double hd_nvml_read_clock(void *library, void *device, int domain)
{
    hd_nvml_clock *get = (hd_nvml_clock *)(uintptr_t)dlsym(library, "nvmlDeviceGetClockInfo");
    unsigned value = 0;

    return get && get(device, domain, &value) == 0 ? value : 0;
}

static inline double hd_nvml_read_watts(void *library, void *device, const char *name)
{
    hd_nvml_milliwatts *get = (hd_nvml_milliwatts *)(uintptr_t)dlsym(library, name);
    unsigned value = 0;

    return get && get(device, &value) == 0 ? 1e-3 * value : 0;
}

static inline double hd_nvml_read_joules(void *library, void *device)
{
    hd_nvml_millijoules *get = (hd_nvml_millijoules *)(uintptr_t)dlsym(
        library, "nvmlDeviceGetTotalEnergyConsumption");
    unsigned long long value = 0;

    return get && get(device, &value) == 0 ? 1e-3 * (double)value : 0;
}

/* The library stays loaded. */
static inline void hd_cuda_sensors(const char *bus_id, hdb_sensors *sensors)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *device = NULL;
    hd_nvml_start *start;
    hd_nvml_find *find;

    if (!library)
        return;
    start = (hd_nvml_start *)(uintptr_t)dlsym(library, "nvmlInit_v2");
    find = (hd_nvml_find *)(uintptr_t)dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    if (!start || !find || start() != 0 || find(bus_id, &device) != 0)
        return;
    sensors->core_mhz = hd_nvml_read_clock(library, device, HD_NVML_CLOCK_SM);
    sensors->memory_mhz = hd_nvml_read_clock(library, device, HD_NVML_CLOCK_MEMORY);
    sensors->power_limit_watts = hd_nvml_read_watts(library, device,
                                                    "nvmlDeviceGetEnforcedPowerLimit");
    sensors->power_watts = hd_nvml_read_watts(library, device, "nvmlDeviceGetPowerUsage");
    sensors->energy_joules = hd_nvml_read_joules(library, device);
}

#endif
