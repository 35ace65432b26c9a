/* SPDX-License-Identifier: Apache-2.0 */
/* link.c - the path between two PCI devices, from the system's device tree. */
#include "peer.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCI_DEVICES "/sys/bus/pci/devices/"

/* The device's path in the tree: /sys/devices/pci0000:00/0000:00:01.0/0000:01:00.0. */
static int place_of(const char *bus_id, char place[PATH_MAX])
{
    char path[sizeof PCI_DEVICES + 64];

    (void)snprintf(path, sizeof path, PCI_DEVICES "%s", bus_id);
    return realpath(path, place) != NULL;
}

/* The NUMA node; -1: unknown. */
static int node_of(const char *bus_id)
{
    char path[sizeof PCI_DEVICES + 80];
    int node = -1;
    FILE *file;

    (void)snprintf(path, sizeof path, PCI_DEVICES "%s/numa_node", bus_id);
    file = fopen(path, "r");
    if (!file)
        return -1;
    if (fscanf(file, "%d", &node) != 1)
        node = -1;
    (void)fclose(file);
    return node;
}

/* Number of leading directories that both paths share, from /sys on. */
static unsigned shared_parts(const char *a, const char *b)
{
    unsigned parts = 0;

    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        parts += a[i] == '/' && i > 0;
    return parts;
}

hd_link_class hd__peer_pci_link(const char *a, const char *b)
{
    char place_a[PATH_MAX], place_b[PATH_MAX];
    unsigned shared;

    if (!place_of(a, place_a) || !place_of(b, place_b))
        return HD_LINK_UNKNOWN;
    shared = shared_parts(place_a, place_b); /* "/sys" "/devices" "/pci0000:00" "/0000:00:01.0" */
    if (shared > 3)
        return HD_LINK_SWITCH;
    if (shared == 3 || (node_of(a) >= 0 && node_of(a) == node_of(b)))
        return HD_LINK_HOST;
    return node_of(a) >= 0 && node_of(b) >= 0 ? HD_LINK_SYSTEM : HD_LINK_UNKNOWN;
}
