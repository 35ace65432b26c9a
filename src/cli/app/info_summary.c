/* SPDX-License-Identifier: Apache-2.0 */
/* info_summary.c - `heddle info` without --all: devices with the same properties are shown once. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "info.h"
#include "output.h"

enum { BUS_IDS_PER_LINE = 6 };

/* Free memory and bus ids may differ. */
static bool same_kind(const info_device *a, const info_device *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->arch, b->arch) == 0 &&
           a->total_bytes == b->total_bytes && memcmp(a->value, b->value, sizeof a->value) == 0 &&
           memcmp(a->known, b->known, sizeof a->known) == 0;
}

/* The next device after `device` of its group; count if it is the last. */
static int next_in_group(const info_device *devices, int count, int device)
{
    int next = device + 1;

    while (next < count && !same_kind(&devices[device], &devices[next]))
        next++;
    return next;
}

static bool begins_group(const info_device *devices, int device)
{
    for (int before = 0; before < device; before++)
        if (same_kind(&devices[before], &devices[device]))
            return false;
    return true;
}

/* "device 0: ", "4 devices, 0 to 3: ", "3 devices, 0, 2, 3: " */
static void print_title(const info_device *devices, int count, int first)
{
    int size = 1, last = first, next;

    while ((next = next_in_group(devices, count, last)) < count) {
        last = next;
        size++;
    }
    if (size == 1) {
        printf("\ndevice %d: %s\n", first, devices[first].name);
        return;
    }
    printf("\n%d devices, %d", size, first);
    if (last - first == size - 1 && size > 2)
        printf(" to %d", last);
    else
        for (next = next_in_group(devices, count, first); next < count;
             next = next_in_group(devices, count, next))
            printf(", %d", next);
    printf(": %s\n", devices[first].name);
}

static void print_label(const char *label)
{
    printf("  %-16s ", label);
}

static void print_bus_ids(const info_device *devices, int count, int first)
{
    int printed = 0;

    print_label(next_in_group(devices, count, first) < count ? "bus ids" : "bus id");
    for (int device = first; device < count; device = next_in_group(devices, count, device)) {
        if (printed > 0)
            printf(printed % BUS_IDS_PER_LINE == 0 ? ",\n%19s" : ", ", "");
        printf("%s", devices[device].bus_id);
        printed++;
    }
    putchar('\n');
}

/* "79.6 GiB, 78.9 GiB free"; if the devices differ, "70.1 to 78.9 GiB free each". */
static void print_memory(const info_device *devices, int count, int first)
{
    char total[CLI_NUMBER], least_text[CLI_NUMBER], most_text[CLI_NUMBER];
    size_t least = devices[first].free_bytes, most = least;

    for (int device = first; device < count; device = next_in_group(devices, count, device)) {
        least = devices[device].free_bytes < least ? devices[device].free_bytes : least;
        most = devices[device].free_bytes > most ? devices[device].free_bytes : most;
    }
    cli_text_bytes((double)devices[first].total_bytes, total);
    cli_text_bytes((double)least, least_text);
    cli_text_bytes((double)most, most_text);
    print_label("memory");
    if (strcmp(least_text, most_text) == 0)
        printf("%s, %s free\n", total, least_text);
    else
        printf("%s, %s to %s free\n", total, least_text, most_text);
}

/* The value as text, "-" if it is not known. */
static const char *count_text(const info_device *device, hd_device_attribute id,
                              char text[CLI_NUMBER])
{
    snprintf(text, CLI_NUMBER, device->known[id] ? "%" PRId64 : "-", device->value[id]);
    return text;
}

static const char *size_text(const info_device *device, hd_device_attribute id,
                             char text[CLI_NUMBER])
{
    snprintf(text, CLI_NUMBER, "-");
    if (device->known[id])
        cli_text_size((uint64_t)device->value[id], text);
    return text;
}

static void print_shared_memory(const info_device *device)
{
    char block[CLI_NUMBER], most[CLI_NUMBER], unit[CLI_NUMBER];

    print_label("shared memory");
    printf("%s per block, %s with opt-in, %s per multiprocessor\n",
           size_text(device, HD_ATTR_SHARED_PER_BLOCK, block),
           size_text(device, HD_ATTR_SHARED_PER_BLOCK_MAX, most),
           size_text(device, HD_ATTR_SHARED_PER_UNIT, unit));
}

static void print_clocks(const info_device *device)
{
    if (device->known[HD_ATTR_CLOCK_KHZ]) {
        print_label("clock");
        printf("%.0f MHz\n", (double)device->value[HD_ATTR_CLOCK_KHZ] * 1e-3);
    }
    if (device->known[HD_ATTR_MEMORY_CLOCK_KHZ] && device->known[HD_ATTR_MEMORY_BUS_BITS]) {
        print_label("memory bus");
        printf("%" PRId64 " bits, %.0f MHz\n", device->value[HD_ATTR_MEMORY_BUS_BITS],
               (double)device->value[HD_ATTR_MEMORY_CLOCK_KHZ] * 1e-3);
    }
}

static void print_limits(const info_device *device)
{
    char one[CLI_NUMBER], other[CLI_NUMBER];

    print_label("warp");
    printf("%s lanes\n", count_text(device, HD_ATTR_WARP_SIZE, one));
    print_label("multiprocessors");
    printf("%s\n", count_text(device, HD_ATTR_COMPUTE_UNITS, one));
    print_label("threads");
    printf("at most %s per block, %s per multiprocessor\n",
           count_text(device, HD_ATTR_MAX_THREADS_PER_BLOCK, one),
           count_text(device, HD_ATTR_MAX_THREADS_PER_UNIT, other));
    if (device->known[HD_ATTR_REGISTERS_PER_BLOCK]) {
        print_label("registers");
        printf("%s per block\n", count_text(device, HD_ATTR_REGISTERS_PER_BLOCK, one));
    }
    print_shared_memory(device);
    print_label("L2 cache");
    printf("%s\n", size_text(device, HD_ATTR_L2_BYTES, one));
    print_clocks(device);
    print_label("copy engines");
    printf("%s\n", count_text(device, HD_ATTR_ASYNC_ENGINES, one));
}

/* Prints the features that the device has. */
static void print_features(const info_device *device)
{
    static const struct {
        hd_device_attribute id;
        const char *text;
    } features[] = {
        {HD_ATTR_COOPERATIVE_LAUNCH, "cooperative launch"},
        {HD_ATTR_MANAGED_MEMORY, "managed memory"},
        {HD_ATTR_MEMORY_POOLS, "stream-ordered allocation"},
        {HD_ATTR_MAPPED_HOST, "mapped host memory"},
        {HD_ATTR_ECC, "ECC"},
    };
    const char *before = "";

    print_label("supports");
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
        if (device->known[features[i].id] && device->value[features[i].id] > 0) {
            printf("%s%s", before, features[i].text);
            before = ", ";
        }
    printf("%s\n", *before ? "" : "-");
}

void info_print_groups(const info_device *devices, int count)
{
    for (int device = 0; device < count; device++) {
        if (!begins_group(devices, device))
            continue;
        print_title(devices, count, device);
        print_label("architecture");
        printf("%s\n", devices[device].arch);
        print_bus_ids(devices, count, device);
        print_memory(devices, count, device);
        print_limits(&devices[device]);
        print_features(&devices[device]);
    }
}

static hd_status print_matrix(int count)
{
    printf("\npeer access (row reaches column)\n      ");
    for (int peer = 0; peer < count; peer++)
        printf("%4d", peer);
    putchar('\n');
    for (int device = 0; device < count; device++) {
        printf("  %4d", device);
        for (int peer = 0; peer < count; peer++) {
            int can = 1;

            if (peer != device)
                HD_TRY(hd_peer_possible(device, peer, &can));
            printf("%4s", peer == device ? "-" : can ? "yes" : "no");
        }
        putchar('\n');
    }
    return HD_OK;
}

hd_status info_print_peers(int count, bool matrix)
{
    int pairs = 0;

    if (count < 2)
        return HD_OK;
    for (int device = 0; device < count; device++)
        for (int peer = 0; peer < count; peer++) {
            int can = 0;

            if (peer != device)
                HD_TRY(hd_peer_possible(device, peer, &can));
            pairs += can;
        }
    if (matrix || (pairs > 0 && pairs < count * (count - 1)))
        return print_matrix(count);
    printf("\npeer access: %s\n", pairs > 0 ? "between all devices" : "none");
    return HD_OK;
}
