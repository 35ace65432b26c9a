/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - begin and end of the commands of heddle-mpi. */
#include "job.h"

#include <fcntl.h>
#include <unistd.h>

#include "../words.h"

static bool together;
static int loud = -1; /* standard error, while it is kept quiet */

void mpi_job_quiet(int rank)
{
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

    if (rank == 0 || nothing < 0)
        return;
    loud = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    (void)dup2(nothing, STDERR_FILENO);
    (void)dup2(nothing, STDOUT_FILENO);
    close(nothing);
}

static void be_loud(void)
{
    if (loud < 0)
        return;
    (void)dup2(loud, STDERR_FILENO);
    close(loud);
    loud = -1;
}

bool mpi_job_failed_together(void)
{
    return together;
}

/* hd_error_last is the same on all ranks. */
static int fail_together(const mpi_job *job)
{
    together = true;
    if (job->rank == 0)
        return cli_failed_call(job->arguments->command);
    return CLI_FAILED;
}

int mpi_job_settle(mpi_job *job, hd_status status)
{
    return hd_mpi_agree(job->mpi, status) < 0 ? fail_together(job) : CLI_DONE;
}

int mpi_job_status(mpi_job *job, int status)
{
    if (MPI_Bcast(&status, 1, MPI_INT, 0, hd_mpi_comm(job->mpi)) != MPI_SUCCESS)
        return CLI_FAILED;
    together |= status != CLI_DONE;
    return status;
}

int mpi_job_open(mpi_job *job, const cli_arguments *arguments, hd_mpi_path path)
{
    hd_mpi_options options = {0};
    int status;

    *job = (mpi_job){.arguments = arguments};
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &job->size);
    status = cli_format_read(arguments, &job->format);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "timeout", 0, &options.timeout);
    if (status != CLI_DONE)
        return status;
    options.device = cli_option_value(arguments, "device");
    options.exclusive = cli_option_given(arguments, "exclusive");
    options.path = path;
    be_loud();
    if (hd_mpi_create(MPI_COMM_WORLD, &options, &job->mpi) < 0)
        return fail_together(job);
    return mpi_job_settle(job, hd_stream_create(hd_mpi_device(job->mpi), &job->stream));
}

void mpi_job_close(mpi_job *job)
{
    hd_stream_destroy(job->stream);
    hd_mpi_destroy(job->mpi);
}

hd_status mpi_job_alloc(mpi_job *job, void **memory, size_t bytes)
{
    return hd_alloc_bytes(memory, bytes, 1, HD_MEM_DEVICE, hd_mpi_device(job->mpi));
}

static const char *const paths[] = {"auto", "staged", "device"};

int mpi_path_read(const cli_arguments *arguments, hd_mpi_path *path_out)
{
    size_t index = 0;
    int status = cli_word_read(arguments, "path", paths, sizeof paths / sizeof *paths, 0, &index);

    if (status == CLI_DONE)
        *path_out = (hd_mpi_path)index;
    return status;
}

const char *mpi_path_name(hd_mpi_path path)
{
    return paths[path];
}
