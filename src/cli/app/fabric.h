/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.h - `heddle info --links`. */
#ifndef HEDDLE_CLI_APP_FABRIC_H
#define HEDDLE_CLI_APP_FABRIC_H

#include "output.h"

/* Prints the support of this machine for transfers between networks or storage and device memory
   without a copy in host memory: kernel modules, ports of network cards, NVMe drives. Only reads
   files of /proc, /sys and /boot; queries no device. CLI_DONE, or CLI_FAILED after a line. */
int fabric_print(const cli_command *command, cli_format format);

#endif
