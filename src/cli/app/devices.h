/* SPDX-License-Identifier: Apache-2.0 */
/* devices.h - the devices of commands that use several. */
#ifndef HEDDLE_CLI_APP_DEVICES_H
#define HEDDLE_CLI_APP_DEVICES_H

#include "arguments.h"

#define CLI_DEVICES_OPTION                                                                         \
    {                                                                                              \
        "devices", "LIST", "devices to use: 0,3 or 0-3, bus ids, or all (default)"                 \
    }

enum { CLI_DEVICES_MAX = 64 };

typedef struct cli_devices {
    unsigned count;
    int device[CLI_DEVICES_MAX]; /* indices, each once, in the order given */
} cli_devices;

/* Reads --devices: indices as `heddle info` numbers them, ranges of these, or bus ids, each once.
   CLI_DONE, or an exit status after a line (no device, an unknown one, one given twice, fewer than
   `least`). */
int cli_devices_read(const cli_arguments *arguments, unsigned least, cli_devices *devices_out);

/* Whether --device, where it is given, names a device. CLI_DONE, CLI_MISUSED after a line where it
   names none, CLI_FAILED where there are none or that one cannot be had. */
int cli_device_check(const cli_arguments *arguments);

/* "0,3" */
enum { CLI_DEVICES_TEXT = 4 * CLI_DEVICES_MAX };
void cli_devices_text(const cli_devices *devices, char text[CLI_DEVICES_TEXT]);

#endif
