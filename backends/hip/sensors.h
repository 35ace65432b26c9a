/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.h - clocks, power and energy of an AMD device, from the files of its kernel driver
   (hwmon); what the driver does not report is unknown. */
#ifndef HEDDLE_HIP_SENSORS_H
#define HEDDLE_HIP_SENSORS_H

#include <glob.h>
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

/* The files have hertz, microwatts and microjoules. */
static inline void hd_hip_sensors(const char *bus_id, hdb_sensors *sensors)
{
    const double average = hd_hip_sensor(bus_id, "power1_average");

    sensors->core_mhz = 1e-6 * hd_hip_sensor(bus_id, "freq1_input");
    sensors->memory_mhz = 1e-6 * hd_hip_sensor(bus_id, "freq2_input");
    sensors->power_limit_watts = 1e-6 * hd_hip_sensor(bus_id, "power1_cap");
    sensors->power_watts = 1e-6 * (average > 0 ? average : hd_hip_sensor(bus_id, "power1_input"));
    sensors->energy_joules = 1e-6 * hd_hip_sensor(bus_id, "energy1_input");
}

#endif
