/* SPDX-License-Identifier: Apache-2.0 */
/* commands.h - the commands of heddle-mpi. */
#ifndef HEDDLE_CLI_MPI_COMMANDS_H
#define HEDDLE_CLI_MPI_COMMANDS_H

#include "cli/app/arguments.h"

/* X(name): the commands in the order of help. */
#define MPI_COMMAND_LIST(X)                                                                        \
    X(mpi_info)                                                                                    \
    X(mpi_pingpong)                                                                                \
    X(mpi_alltoall)                                                                                \
    X(mpi_jacobi)

#define MPI_DECLARE_COMMAND_(name) extern const cli_command cli_command_##name;
MPI_COMMAND_LIST(MPI_DECLARE_COMMAND_)
#undef MPI_DECLARE_COMMAND_

#endif
