/* SPDX-License-Identifier: Apache-2.0 */
/* job.c - start and end of the commands of heddle-mpi. */
#include "job.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/app/words.h"

static bool together;
static int loud = -1; /* the saved standard error while it is redirected; -1: it is not */

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

/* Fails with hd_error_last, which is the same on all ranks. */
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

/* ---- options that are the same on all ranks -------------------------------------------------- */

/* A command line, truncated to what is compared and shown. */
typedef struct command_line {
    char name[32];
    char values[CLI_OPTIONS_MAX][64];
} command_line;

/* Options that may differ between ranks: device, timeout and output format. */
static bool may_differ(const char *name)
{
    static const cli_option own[] = {MPI_JOB_OPTIONS};

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(own[i].name, name) == 0)
            return true;
    return false;
}

static void describe_line(const cli_arguments *arguments, command_line *line)
{
    const cli_option *options = arguments->command->options;

    memset(line, 0, sizeof *line);
    (void)snprintf(line->name, sizeof line->name, "%s", arguments->command->name);
    for (size_t i = 0; options[i].name; i++)
        if (!may_differ(options[i].name))
            (void)snprintf(line->values[i], sizeof line->values[i], "%s",
                           !arguments->values[i] ? "not given"
                           : options[i].value    ? arguments->values[i]
                                                 : "given");
}

static int report_difference(const cli_command *command, const command_line *first,
                             const command_line *other, int rank)
{
    size_t i = 0;

    if (strcmp(first->name, other->name) != 0)
        return cli_misused(command, "rank 0 runs %s and rank %d %s", first->name, rank,
                           other->name);
    while (strcmp(first->values[i], other->values[i]) == 0)
        i++;
    return cli_misused(command, "--%s is %s on rank 0 and %s on rank %d", command->options[i].name,
                       first->values[i], other->values[i], rank);
}

int mpi_job_compare(const cli_arguments *arguments)
{
    command_line own, first, other;
    int rank = 0, size = 1, differs;

    describe_line(arguments, &own);
    first = own;
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    (void)MPI_Bcast(&first, (int)sizeof first, MPI_BYTE, 0, MPI_COMM_WORLD);
    differs = memcmp(&first, &own, sizeof own) != 0 ? rank : size;
    (void)MPI_Allreduce(MPI_IN_PLACE, &differs, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (differs == size)
        return CLI_DONE;
    other = own;
    (void)MPI_Bcast(&other, (int)sizeof other, MPI_BYTE, differs, MPI_COMM_WORLD);
    return rank == 0 ? report_difference(arguments->command, &first, &other, differs) : CLI_MISUSED;
}

/* ---- begin and end --------------------------------------------------------------------------- */

/* Collective: if a rank's --device is invalid, all ranks fail. */
static int check_device(const mpi_job *job)
{
    const char *device = cli_option_value(job->arguments, "device");
    int unused = -1, first = job->size;
    const hd_status status = device ? hd_device_select(device, &unused) : HD_OK;
    const int wrong = status == HD_ERR_DEVICE_INDEX || status == HD_ERR_ARGUMENT;
    const int own = wrong ? job->rank : job->size;

    (void)MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == job->rank)
        (void)cli_misused(job->arguments->command, "--device: rank %d has no device '%s': %s",
                          job->rank, device, hd_error_last()->message);
    return first < job->size ? CLI_MISUSED : CLI_DONE;
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
    if (status == CLI_DONE && cli_option_given(arguments, "timeout") && options.timeout == 0)
        status = cli_misused(
            arguments->command,
            "--timeout: '%s' is not a number of seconds other than 0 (below 0: for ever)",
            cli_option_value(arguments, "timeout"));
    if (status != CLI_DONE)
        return status;
    options.device = cli_option_value(arguments, "device");
    options.exclusive = cli_option_given(arguments, "exclusive");
    options.path = path;
    be_loud();
    status = check_device(job);
    if (status != CLI_DONE)
        return status;
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

static const char *reason_without(hd_mpi_path path)
{
    return path == HD_MPI_LIBRARY ? "--vendor asks for NCCL or RCCL"
                                  : "this MPI takes no device memory";
}

/* Loads the library and creates its communicator if --vendor requests it. */
void mpi_other_path_open(const mpi_job *job, hd_mpi_path path, mpi_other_path *other)
{
    hd_mpi_options options = {.path = path, .device = cli_option_value(job->arguments, "device")};

    (void)cli_number_read(job->arguments, "timeout", 0, &options.timeout); /* already checked */
    other->mpi = NULL;
    (void)snprintf(other->reason, sizeof other->reason, "%s", reason_without(path));
    other->asked = path != HD_MPI_LIBRARY || cli_option_given(job->arguments, "vendor");
    if (!other->asked)
        return;
    if (hd_mpi_create(MPI_COMM_WORLD, &options, &other->mpi) >= 0)
        return;
    other->mpi = NULL;
    if (path != HD_MPI_DEVICE)
        (void)snprintf(other->reason, sizeof other->reason, "%s", hd_error_last()->message);
}

static const char *const paths[] = {"auto", "staged", "device", "library", "shmem", "peer"};

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

const char *mpi_path_how(hd_mpi_path path)
{
    return path == HD_MPI_DEVICE    ? "without staging"
           : path == HD_MPI_LIBRARY ? "by the vendor's library"
           : path == HD_MPI_SHMEM   ? "by puts into symmetric memory"
           : path == HD_MPI_PEER    ? "from device to device"
                                    : "staged through the host";
}

void mpi_result_begin(cli_result *result, const mpi_job *job)
{
    cli_result_begin(result, job->arguments->command, job->format,
                     hd_mpi_places(job->mpi)[job->rank].device);
    cli_field(result, "ranks", cell_count((uint64_t)job->size));
}
