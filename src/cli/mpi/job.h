/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - common steps of the commands of heddle-mpi: options, a device and a stream for the rank,
   failures that are reported to all ranks, output of rank 0. */
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

/* For commands that compare methods. */
#define MPI_VENDOR_OPTION                                                                          \
    {"vendor", NULL, "also measure NCCL or RCCL"},                                                 \
    {                                                                                              \
        "peers", "=vendor", NULL                                                                   \
    }

/* At the end of the notes of each command. */
#define MPI_JOB_NOTES                                                                              \
    "Each rank writes a --trace and a --timeline of its own: "                                     \
    "t.json becomes t-0.json, t-1.json, ...\n"

typedef struct mpi_job {
    const cli_arguments *arguments;
    cli_format format;
    hd_mpi *mpi; /* on the requested path, or AUTO */
    hd_stream *stream;
    int rank, size;
} mpi_job;

/* Call before anything that uses MPI: only rank 0 reports errors in options, which are the same on
   all ranks. */
void mpi_job_quiet(int rank);
/* Collective, before a command reads its options: checks that all ranks have rank 0's options,
   except for MPI_JOB_OPTIONS. CLI_DONE or CLI_MISUSED, the same on all ranks. */
int mpi_job_compare(const cli_arguments *arguments);
/* Reads MPI_JOB_OPTIONS, calls hd_mpi_create and creates a stream. `path` as in hd_mpi_options.
   CLI_DONE or an exit status, the same on all ranks; call mpi_job_close in either case. */
int mpi_job_open(mpi_job *job, const cli_arguments *arguments, hd_mpi_path path);
void mpi_job_close(mpi_job *job);
/* Collective: CLI_DONE if no rank has a failure, otherwise CLI_FAILED, and rank 0 has reported
   which rank failed and why. */
int mpi_job_settle(mpi_job *job, hd_status status);
/* Collective: gives rank 0's exit status to all ranks. */
int mpi_job_status(mpi_job *job, int status);
/* Whether the program ends with a failure that all ranks know. */
bool mpi_job_failed_together(void);
/* Begins rank 0's output: a result for its device, with the number of ranks. */
void mpi_result_begin(cli_result *result, const mpi_job *job);
/* Allocates memory on this rank's device; the job's status includes a failure. */
hd_status mpi_job_alloc(mpi_job *job, void **memory, size_t bytes);
/* Collective: communicators of the job's ranks on paths that not every MPI or machine supports. */
typedef struct mpi_other_path {
    hd_mpi *mpi;      /* NULL: not requested or not available, */
    char reason[200]; /* for this reason */
    bool asked;       /* 0: omitted from machine-readable output */
} mpi_other_path;
void mpi_other_path_open(const mpi_job *job, hd_mpi_path path, mpi_other_path *other);
/* --path auto|staged|device|library|shmem|peer. */
#define MPI_PATHS "auto, staged, device, library, shmem or peer"
int mpi_path_read(const cli_arguments *arguments, hd_mpi_path *path_out);
const char *mpi_path_name(hd_mpi_path path);
/* How device memory is transferred, as text. */
const char *mpi_path_how(hd_mpi_path path);

#endif
