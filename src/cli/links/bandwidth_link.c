/* SPDX-License-Identifier: Apache-2.0 */
/* bandwidth_link.c - the nominal rate of a link. */
#include "bandwidth.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the link -------------------------------------------------------------------------------- */

/* The number at the beginning of a file of the device in /sys; 0 if there is none. */
static double read_number(const char *bus_id, const char *name)
{
    char path[160], text[64] = "";
    FILE *stream;

    snprintf(path, sizeof path, "/sys/bus/pci/devices/%s/%s", bus_id, name);
    stream = fopen(path, "r");
    if (!stream)
        return 0;
    if (!fgets(text, sizeof text, stream))
        text[0] = '\0';
    fclose(stream);
    return strtod(text, NULL);
}

/* Payload of one lane in bytes per second, at `transfers` GT/s: 8 of 10 bits up to generation 2,
   then 128 of 130, from generation 6 on 236 of 256 bytes. */
static double lane_bytes(double transfers)
{
    const double part = transfers > 40 ? 236.0 / 256 : transfers > 6 ? 128.0 / 130 : 0.8;

    return transfers * 1e9 * part / 8;
}

bandwidth_link bandwidth_link_of(int device)
{
    bandwidth_link link = {0, 0, "unknown"};
    char bus_id[64];
    double speed, width;

    if (hd_device_bus_id(device, bus_id, sizeof bus_id) < 0)
        return link;
    for (char *at = bus_id; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    speed = read_number(bus_id, "current_link_speed");
    width = read_number(bus_id, "current_link_width");
    if (!(speed > 0) || !(width > 0))
        return link;
    link.rate = width * lane_bytes(speed);
    link.fastest = read_number(bus_id, "max_link_width") *
                   lane_bytes(read_number(bus_id, "max_link_speed"));
    snprintf(link.text, sizeof link.text, "%.1f GT/s x%.0f, %.1f GB/s each way (at most %.1f)",
             speed, width, 1e-9 * link.rate, 1e-9 * link.fastest);
    return link;
}
