/* SPDX-License-Identifier: Apache-2.0 */
/* measured.h - alpha and rate of a link, from what the tool has measured. */
#ifndef HEDDLE_CLI_LAB_MODEL_MEASURED_H
#define HEDDLE_CLI_LAB_MODEL_MEASURED_H

#include "print.h"

/* Reads what `heddle p2p --json` or `heddle mpi pingpong --json` printed. Of p2p: copies, between
   the two neighbours, in the order of the devices and from the last to the first, whose message of
   `bytes` takes longest; of pingpong: "device" where MPI takes device memory, else "staged".
   between_nodes: p2p tells nothing. `from` says which it was. CLI_DONE, or CLI_FAILED after a
   line. */
int model_measured_read(const cli_command *command, const char *path, bool between_nodes,
                        double bytes, model_link *link_out, char from_out[MODEL_FROM]);

#endif
