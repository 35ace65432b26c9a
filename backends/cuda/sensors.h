/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.h - clocks, power and energy of an NVIDIA device, from the management library (NVML),
   which is loaded and opened at the first call and stays open; without it they are unknown. */
#ifndef HEDDLE_CUDA_SENSORS_H
#define HEDDLE_CUDA_SENSORS_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "runtime/sensors.h"

typedef int hd_nvml_start(void);
typedef int hd_nvml_find(const char *bus_id, void **device);
typedef int hd_nvml_clock(void *device, int domain, unsigned *megahertz);
typedef int hd_nvml_milliwatts(void *device, unsigned *value);
typedef int hd_nvml_millijoules(void *device, unsigned long long *value);

enum { HD_NVML_CLOCK_SM = 1, HD_NVML_CLOCK_MEMORY = 2 };

/* NULL: the library does not have the call; `find` is NULL too if it cannot be used. */
typedef struct hd_nvml_sensors {
    hd_nvml_find *find;
    hd_nvml_clock *clock;
    hd_nvml_milliwatts *power, *limit;
    hd_nvml_millijoules *energy;
} hd_nvml_sensors;

static inline hd_nvml_sensors *hd_nvml_sensor_calls(void)
{
    static hd_nvml_sensors calls;

    return &calls;
}

static inline void hd_nvml_open_sensors(void)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    hd_nvml_sensors *nvml = hd_nvml_sensor_calls();
    hd_nvml_start *start;

    if (!library)
        return;
    start = (hd_nvml_start *)(uintptr_t)dlsym(library, "nvmlInit_v2");
    if (!start || start() != 0)
        return;
    nvml->find = (hd_nvml_find *)(uintptr_t)dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    nvml->clock = (hd_nvml_clock *)(uintptr_t)dlsym(library, "nvmlDeviceGetClockInfo");
    nvml->power = (hd_nvml_milliwatts *)(uintptr_t)dlsym(library, "nvmlDeviceGetPowerUsage");
    nvml->limit = (hd_nvml_milliwatts *)(uintptr_t)dlsym(library,
                                                         "nvmlDeviceGetEnforcedPowerLimit");
    nvml->energy = (hd_nvml_millijoules *)(uintptr_t)dlsym(library,
                                                           "nvmlDeviceGetTotalEnergyConsumption");
}

static inline double hd_nvml_read_clock(const hd_nvml_sensors *nvml, void *device, int domain)
{
    unsigned value = 0;

    return nvml->clock && nvml->clock(device, domain, &value) == 0 ? value : 0;
}

static inline double hd_nvml_read_watts(hd_nvml_milliwatts *get, void *device)
{
    unsigned value = 0;

    return get && get(device, &value) == 0 ? 1e-3 * value : 0;
}

static inline double hd_nvml_read_joules(const hd_nvml_sensors *nvml, void *device)
{
    unsigned long long value = 0;

    return nvml->energy && nvml->energy(device, &value) == 0 ? 1e-3 * (double)value : 0;
}

static inline void hd_cuda_sensors(const char *bus_id, hdb_sensors *sensors)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const hd_nvml_sensors *nvml = hd_nvml_sensor_calls();
    void *device = NULL;

    (void)pthread_once(&once, hd_nvml_open_sensors);
    if (!nvml->find || nvml->find(bus_id, &device) != 0)
        return;
    sensors->core_mhz = hd_nvml_read_clock(nvml, device, HD_NVML_CLOCK_SM);
    sensors->memory_mhz = hd_nvml_read_clock(nvml, device, HD_NVML_CLOCK_MEMORY);
    sensors->power_limit_watts = hd_nvml_read_watts(nvml->limit, device);
    sensors->power_watts = hd_nvml_read_watts(nvml->power, device);
    sensors->energy_joules = hd_nvml_read_joules(nvml, device);
}

#endif
