/* SPDX-License-Identifier: Apache-2.0 */
/* mpi.c - `heddle mpi`: replaces itself with heddle-mpi, the only program that links MPI. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "cli/app/commands.h"
#include "cli/app/program.h"

#define PROGRAM "heddle-mpi"
enum { WORDS_MAX = 4096 };

/* From the environment (1), or next to the tool's executable (0); -1: the name is too long. */
static int find_program(char path[PATH_MAX])
{
    const char *named = hd__environment("HEDDLE_MPI_PROGRAM");

    if (named && *named) {
        if (strlen(named) >= PATH_MAX)
            return -1;
        strcpy(path, named);
        return 1;
    }
    cli_beside_tool(PROGRAM, path);
    return 0;
}

/* Also used if heddle-mpi is not installed. */
static int check_name(const cli_arguments *arguments)
{
    static const char *const names[] = {"info", "pingpong", "alltoall", "jacobi"};
    const size_t count = sizeof names / sizeof *names;
    const char *name = arguments->rest ? arguments->rest[0] : NULL, *nearest;

    if (!name)
        return cli_misused(arguments->command, "choose one of info, pingpong, alltoall, jacobi");
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return CLI_DONE;
    nearest = cli_nearest(name, names, count);
    if (nearest)
        return cli_misused(arguments->command, "unknown command '%s', did you mean '%s'?", name,
                           nearest);
    return cli_misused(arguments->command,
                       "unknown command '%s'; choose one of info, pingpong, alltoall, jacobi",
                       name);
}

static int run(const cli_arguments *arguments)
{
    static char *words[WORDS_MAX + 3];
    static char group[] = "mpi";
    char path[PATH_MAX];
    size_t count = 0;
    int status = check_name(arguments), named;

    if (status != CLI_DONE)
        return status;
    if (arguments->trace || arguments->timeline)
        return cli_misused(arguments->command, "options follow the command: heddle mpi COMMAND %s",
                           arguments->trace ? "--trace FILE" : "--timeline FILE");
    named = find_program(path);
    if (named < 0)
        return cli_failed(arguments->command, "HEDDLE_MPI_PROGRAM is too long for a path");
    words[count++] = path;
    words[count++] = group;
    for (char **word = arguments->rest; *word && count < WORDS_MAX; word++)
        words[count++] = *word;
    if (arguments->rest && arguments->rest[count - 2])
        return cli_misused(arguments->command, "more than %d arguments", (int)WORDS_MAX - 2);
    execv(path, words);
    if (errno == ENOENT && named)
        return cli_failed(arguments->command, "HEDDLE_MPI_PROGRAM=%s is not a program", path);
    if (errno == ENOENT)
        return cli_failed(arguments->command,
                          "no program %s: this build of heddle has no MPI (configure with "
                          "-DHEDDLE_MPI=ON; Debian: libopenmpi-dev openmpi-bin), or its target "
                          "heddle_mpi_tool was not built",
                          path);
    return cli_failed(arguments->command, "%s: %s", path, strerror(errno));
}

static const cli_option options[] = {{NULL, NULL, NULL}};

const cli_command cli_command_mpi = {
    "mpi",
    "run one process per device under mpirun: info, pingpong, alltoall, jacobi",
    "COMMAND [OPTIONS]",
    options,
    "commands:\n"
    "  info       show the device of each rank and the path of device memory\n"
    "  pingpong   measure latency and bandwidth between two ranks\n"
    "  alltoall   send a block from every rank to every rank\n"
    "  jacobi     solve Laplace's equation over all ranks\n"
    "See 'heddle mpi COMMAND --help'. "
    "These commands are in the program heddle-mpi beside this one\n"
    "(or HEDDLE_MPI_PROGRAM), which alone needs MPI.\n",
    "  mpirun -n 4 heddle mpi info\n"
    "  mpirun -n 2 heddle mpi pingpong\n"
    "  mpirun -n 4 heddle mpi jacobi --nx 16384 --ny 16384\n",
    run};
