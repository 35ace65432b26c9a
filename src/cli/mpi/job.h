/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - what every command of heddle-mpi does alike: options, a device and a stream for the rank,
   failures that all ranks learn of, output of rank 0. */
#ifndef HEDDLE_CLI_MPI_JOB_H
#define HEDDLE_CLI_MPI_JOB_H

#include <stdbool.h>

#include <heddle/mpi.h>

#include "cli/app/table.h"

#define MPI_JOB_OPTIONS                                                                            \
    {"device", "DEVICE",                                                                           \
     "index or bus id (default HEDDLE_DEVICE, else by the rank's position on its node)"},          \
        {"exclusive", NULL, "fail if ranks share a device"},                                       \
        {"timeout", "SECONDS",                                                                     \
         "end the job if a rank waits longer (default HEDDLE_MPI_TIMEOUT, else 60)"},              \
        {"json", NULL, "print one JSON object"},                                                   \
    {                                                                                              \
        "csv", NULL, "print CSV: a header and the results"                                         \
    }

/* Of commands that compare ways. */
#define MPI_PEERS_OPTION                                                                           \
    {                                                                                              \
        "peers", NULL, "also measure NCCL or RCCL"                                                 \
    }

/* Behind the notes of each command. */
#define MPI_JOB_NOTES                                                                              \
    "Each rank writes a --trace and a --timeline of its own: t.json becomes t-0.json, t-1.json, "  \
    "...\n"

typedef struct mpi_job {
    const cli_arguments *arguments;
    cli_format format;
    hd_mpi *mpi; /* on the path that was asked for, or AUTO */
    hd_stream *stream;
    int rank, size;
} mpi_job;

/* Called first of all, before MPI starts to be used: only rank 0 says what is wrong with options,
   which are the same on all. */
void mpi_job_quiet(int rank);
/* Collective, before a command reads its options: those of all ranks are those of rank 0, but for
   MPI_JOB_OPTIONS. CLI_DONE or CLI_MISUSED, the same on all ranks. */
int mpi_job_compare(const cli_arguments *arguments);
/* MPI_JOB_OPTIONS, hd_mpi_create and a stream. `path` as in hd_mpi_options. CLI_DONE or an exit
   status, the same on all ranks; mpi_job_close may follow a failure. */
int mpi_job_open(mpi_job *job, const cli_arguments *arguments, hd_mpi_path path);
void mpi_job_close(mpi_job *job);
/* Collective: CLI_DONE where no rank gives a failure, else CLI_FAILED, and rank 0 has said which
   rank failed and why. */
int mpi_job_settle(mpi_job *job, hd_status status);
/* Collective: the exit status of rank 0 for all. */
int mpi_job_status(mpi_job *job, int status);
/* All ranks know of the failure that the program ends with. */
bool mpi_job_failed_together(void);
/* Begins what rank 0 prints: as of its device, with the number of ranks. */
void mpi_result_begin(cli_result *result, const mpi_job *job);
/* Memory of this rank's device; counts in the status. */
hd_status mpi_job_alloc(mpi_job *job, void **memory, size_t bytes);
/* Collective: communicators of the job's ranks on paths that not every MPI or machine has. */
typedef struct mpi_other_path {
    hd_mpi *mpi;      /* NULL: not asked for, or it cannot be had; */
    char reason[200]; /* then why */
    bool asked;       /* else machine-readable output has nothing of it */
} mpi_other_path;
void mpi_other_path_open(const mpi_job *job, hd_mpi_path path, mpi_other_path *other);
/* --path auto|staged|device|library|shmem|peer. */
#define MPI_PATHS "auto, staged, device, library, shmem or peer"
int mpi_path_read(const cli_arguments *arguments, hd_mpi_path *path_out);
const char *mpi_path_name(hd_mpi_path path);
/* Device memory travels ... */
const char *mpi_path_how(hd_mpi_path path);

#endif
