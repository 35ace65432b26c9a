/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - the devices of commands that use more than one. */
#ifndef HEDDLE_CLI_APP_DEVICES_H
#define HEDDLE_CLI_APP_DEVICES_H

#include "arguments.h"

#define CLI_DEVICE_OPTION                                                                          \
    {                                                                                              \
        "device", "DEVICE",                                                                        \
            "index, bus id, 'fastest' or 'free' (the first whose compute mode lets this "          \
            "process use it, idle or not); default: HEDDLE_DEVICE, else 0"                         \
    }
#define CLI_DEVICES_OPTION                                                                         \
    {                                                                                              \
        "devices", "LIST", "devices to use: 0,3 or 0-3, bus ids, or all (default)"                 \
    }

enum { CLI_DEVICES_MAX = 64 };

typedef struct cli_devices {
    unsigned count;
    int device[CLI_DEVICES_MAX]; /* device indices, in the order given, without duplicates */
} cli_devices;

/* Reads --devices: indices as in `heddle info`, ranges of these, or bus ids, without duplicates.
   CLI_DONE, or an exit status after a line (no device, an unknown one, one given twice, fewer than
   `least`). */
int cli_devices_read(const cli_arguments *arguments, unsigned least, cli_devices *devices_out);

/* Checks that --device, if given, names a device. CLI_DONE; CLI_MISUSED after a line if it does
   not; CLI_FAILED if there are no devices or that one cannot be used. */
int cli_device_check(const cli_arguments *arguments);

/* "0,3" */
enum { CLI_DEVICES_TEXT = 4 * CLI_DEVICES_MAX };
void cli_devices_text(const cli_devices *devices, char text[CLI_DEVICES_TEXT]);

#endif
