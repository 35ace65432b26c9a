/* SPDX-License-Identifier: Apache-2.0 */
/* main.c - heddle-mpi: the commands of `heddle mpi`. A failure that the other ranks do not know
   aborts the job, so that they do not wait forever. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/program.h"
#include "cli/trace/timeline.h"
#include "commands.h"
#include "job.h"

const cli_command *const cli_commands[] = {
#define CLI_COMMAND_ADDRESS_(name) &cli_command_##name,
    MPI_COMMAND_LIST(CLI_COMMAND_ADDRESS_)
#undef CLI_COMMAND_ADDRESS_
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;
const cli_group cli_groups[] = {{"commands", sizeof cli_commands / sizeof *cli_commands},
                                {NULL, 0}};
const cli_alias cli_aliases[] = {{NULL, {NULL}}};

/* Help needs neither MPI nor other ranks. */
static int wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0 ||
            strcmp(argv[i], "--version") == 0)
            return 1;
    return argc < 2 || strcmp(argv[1], "help") == 0;
}

/* Accepts `heddle-mpi info` and, as started by `heddle mpi info`, `mpi info`. */
static int run(int argc, char **argv)
{
    static char group[] = "mpi";
    char **words;
    int status;

    if (argc < 2 || argv[1][0] == '-' || strcmp(argv[1], group) == 0 ||
        strcmp(argv[1], "help") == 0)
        return cli_program(argc, argv);
    words = malloc(((size_t)argc + 2) * sizeof *words);
    if (!words)
        return CLI_FAILED;
    words[0] = argv[0];
    words[1] = group;
    memcpy(words + 2, argv + 1, (size_t)argc * sizeof *words);
    status = cli_program(argc + 1, words);
    free(words);
    return status;
}

int main(int argc, char **argv)
{
    int provided = 0, rank = 0, status;

    if (wants_help(argc, argv))
        return run(argc, argv);
    if (MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
        return CLI_FAILED;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mpi_job_quiet(rank);
    cli_trace_rank(rank);
    status = run(argc, argv);
    if (status == CLI_FAILED && !mpi_job_failed_together())
        (void)MPI_Abort(MPI_COMM_WORLD, status);
    (void)MPI_Finalize();
    return status;
}
