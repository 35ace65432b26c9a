/* SPDX-License-Identifier: Apache-2.0 */
/* measured.h - latency alpha and rate of a link, from measurements of the tool. */
#ifndef HEDDLE_CLI_LAB_MODEL_MEASURED_H
#define HEDDLE_CLI_LAB_MODEL_MEASURED_H

#include "print.h"

/* Reads the output of `heddle p2p --json` or `heddle mpi pingpong --json`. p2p: copies between
   neighbours in the order of the devices, and from the last to the first; of these, the slowest for
   a message of `bytes`. pingpong: "device" if MPI supports device memory, otherwise "staged".
   between_nodes: p2p does not apply. `from`: describes the source. CLI_DONE, or CLI_FAILED after a
   line. */
int model_measured_read(const cli_command *command, const char *path, bool between_nodes,
                        double bytes, model_link *link_out, char from_out[MODEL_FROM]);

#endif
