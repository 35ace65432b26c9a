/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.h - clocks, power and energy of a device as its driver reports them; nothing is set. Part
   of the interface that a backend implements (backend.h). */
#ifndef HEDDLE_RUNTIME_SENSORS_H
#define HEDDLE_RUNTIME_SENSORS_H

#ifdef __cplusplus
extern "C" {
#endif

/* At the moment of the call; 0: unknown. */
typedef struct hdb_sensors {
    double core_mhz, memory_mhz;
    double power_limit_watts, power_watts;
    double energy_joules; /* consumed since the driver was loaded */
} hdb_sensors;

/* For the device with this bus id (hd_device_bus_id). May take milliseconds at the first call. */
void hdb_sensors_read(const char *bus_id, hdb_sensors *sensors_out);

#ifdef __cplusplus
}
#endif

#endif
