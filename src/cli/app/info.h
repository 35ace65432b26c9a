/* SPDX-License-Identifier: Apache-2.0 */
/* info.h - what `heddle info` reads of each device, and the text that it prints by default. */
#ifndef HEDDLE_CLI_APP_INFO_H
#define HEDDLE_CLI_APP_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/heddle.h>

enum { INFO_TEXT = 128 };

typedef struct info_device {
    char name[INFO_TEXT], bus_id[INFO_TEXT], arch[INFO_TEXT];
    size_t free_bytes, total_bytes;
    int64_t value[HD_ATTR_COUNT_]; /* by hd_device_attribute */
    bool known[HD_ATTR_COUNT_];    /* false: the backend does not know the value */
} info_device;

/* Prints each set of devices that have the same name, architecture and attributes once. */
void info_print_groups(const info_device *devices, int count);

/* Prints peer access: one line if it is the same for all pairs, otherwise a matrix. With one device
   nothing. */
hd_status info_print_peers(int count, bool matrix);

#endif
