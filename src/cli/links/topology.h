/* SPDX-License-Identifier: Apache-2.0 */
/* topology.h - internal interface of `heddle topology`. */
#ifndef HEDDLE_CLI_LINKS_TOPOLOGY_H
#define HEDDLE_CLI_LINKS_TOPOLOGY_H

#include <heddle/peer.h>

#include "cli/app/devices.h"
#include "cli/app/output.h"

typedef struct topology_device {
    char name[128], bus_id[64];
} topology_device;

typedef struct topology {
    const cli_arguments *arguments;
    cli_devices devices;
    topology_device *device; /* one per device */
    hd_peer_info *pairs;     /* count x count, row by row */
} topology;

/* From the i-th device to the j-th. */
static inline const hd_peer_info *topology_pair(const topology *t, unsigned i, unsigned j)
{
    return &t->pairs[i * t->devices.count + j];
}

/* topology_draw.c: writes the picture. CLI_DONE, or CLI_FAILED after a line. */
int topology_draw(const topology *t, const char *path);

#endif
