/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - `heddle mpi info`: ranks, nodes, devices, and how device memory is transferred. */
#include <string.h>

#include "commands.h"
#include "job.h"

typedef struct library {
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int version, subversion;
} library;

static void ask_library(library *found)
{
    int length = 0;

    memset(found, 0, sizeof *found);
    (void)MPI_Get_library_version(found->text, &length);
    found->text[strcspn(found->text, "\n,")] = '\0';
    (void)MPI_Get_version(&found->version, &found->subversion);
}

static int node_count(const mpi_job *job)
{
    const hd_mpi_place *places = hd_mpi_places(job->mpi);
    int nodes = 0;

    for (int r = 0; r < job->size; r++)
        nodes = places[r].node >= nodes ? places[r].node + 1 : nodes;
    return nodes;
}

static const cli_column columns[] = {
    {.key = "rank", .heading = "rank", .width = 5},
    {.key = "node", .heading = "node", .width = 5},
    {.key = "node_rank"},
    {.key = "host", .heading = "host", .width = -20},
    {.key = "process", .heading = "process", .width = 8},
    {.key = "device", .heading = "device", .width = 6},
    {.key = "devices"},
    {.key = "shared_by"},
    {.key = "warp", .heading = "warp", .width = 4},
    {.key = "backend", .heading = "backend", .width = -8},
    {.key = "bus_id", .heading = "bus", .width = -13},
    {.key = "name", .heading = "name", .width = -1},
};

static void print_place(const hd_mpi_place *p, int rank, cli_result *result)
{
    char name[sizeof p->device_name + 48];

    (void)snprintf(name, sizeof name, "%s (shared by %d ranks)", p->device_name, p->shared_by);
    CLI_ROW(result, cell_number(rank), cell_number(p->node), cell_number(p->node_rank),
            cell_text(p->host), cell_count((uint64_t)p->pid), cell_number(p->device),
            cell_number(p->devices), cell_number(p->shared_by), cell_number(p->warp),
            cell_text(p->backend), cell_text(p->bus_id),
            cell_shown(cell_text(p->device_name), p->shared_by > 1 ? name : NULL));
}

static int print(const mpi_job *job, const library *mpi)
{
    const int nodes = node_count(job);
    const char *reason;
    const hd_mpi_path path = hd_mpi_path_used(job->mpi, &reason);
    cli_result result;

    mpi_result_begin(&result, job);
    cli_say(&result, "%d rank%s on %d node%s, %s (MPI %d.%d)\n", job->size,
            job->size == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s", mpi->text, mpi->version,
            mpi->subversion);
    cli_say(&result, "device memory travels %s: %s\n\n", mpi_path_how(path), reason);
    cli_field(&result, "library", cell_text(mpi->text));
    cli_field(&result, "nodes", cell_number(nodes));
    cli_field(&result, "path", cell_text(mpi_path_name(path)));
    cli_field(&result, "reason", cell_text(reason));
    CLI_TABLE(&result, "rows", columns);
    for (int r = 0; r < job->size; r++)
        print_place(&hd_mpi_places(job->mpi)[r], r, &result);
    cli_table_end(&result);
    return cli_result_end(&result);
}

static int run(const cli_arguments *arguments)
{
    hd_mpi_path path = HD_MPI_AUTO;
    library mpi;
    mpi_job job = {0};
    int status = mpi_job_compare(arguments);

    if (status == CLI_DONE)
        status = mpi_path_read(arguments, &path);
    if (status != CLI_DONE)
        return status;
    status = mpi_job_open(&job, arguments, path);
    if (status == CLI_DONE) {
        ask_library(&mpi);
        status = mpi_job_status(&job, job.rank == 0 ? print(&job, &mpi) : CLI_DONE);
    }
    mpi_job_close(&job);
    return status;
}

static const cli_option options[] = {
    {"path", "PATH", MPI_PATHS ": path of device memory"}, MPI_JOB_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_mpi_info = {
    "mpi info",
    "show the device of each rank and the path of device memory",
    NULL,
    options,
    "Each rank uses the device of its position on the node. HEDDLE_MPI_DEVICE=on|off overrides\n"
    "what MPI reports about its support for device memory. HEDDLE_CPU_DEVICES=4\n"
    "gives the CPU engine 4 devices, to try --exclusive.\n" MPI_JOB_NOTES,
    "  mpirun -n 4 heddle mpi info\n"
    "  srun --ntasks-per-node 4 --gpus-per-node 4 heddle mpi info --exclusive\n",
    run};
