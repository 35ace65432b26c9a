/* SPDX-License-Identifier: Apache-2.0 */
/* sensors.c - clocks, power and energy of a device, from the vendor's driver. */
#include "runtime/sensors.h"

#include <string.h>

#include "gpu.h"

void hdb_sensors_read(const char *bus_id, hdb_sensors *sensors_out)
{
    memset(sensors_out, 0, sizeof *sensors_out);
    GPU_Sensors(bus_id, sensors_out);
}
