/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.h - `heddle info --links`. */
#ifndef HEDDLE_CLI_APP_FABRIC_H
#define HEDDLE_CLI_APP_FABRIC_H

#include "output.h"

/* Prints what this machine has for networks and storage to reach device memory without a copy in
   host memory: kernel modules, ports of network cards, NVMe drives. Reads files of /proc, /sys and
   /boot, and asks no device. CLI_DONE, or CLI_FAILED after a line. */
int fabric_print(const cli_command *command, cli_format format);

#endif
