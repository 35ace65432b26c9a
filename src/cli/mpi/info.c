/* SPDX-License-Identifier: Apache-2.0 */
/* info.c - heddle mpi info: ranks, nodes, devices, and how device memory travels. */
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

static void print_text(const mpi_job *job, const library *mpi)
{
    const hd_mpi_place *places = hd_mpi_places(job->mpi);
    const int nodes = node_count(job);
    const char *reason;
    const hd_mpi_path path = hd_mpi_path_used(job->mpi, &reason);

    printf("%d rank%s on %d node%s, %s (MPI %d.%d)\n", job->size, job->size == 1 ? "" : "s", nodes,
           nodes == 1 ? "" : "s", mpi->text, mpi->version, mpi->subversion);
    printf("device memory travels %s: %s\n\n", mpi_path_how(path), reason);
    printf("%5s %5s %-20s %8s %6s %4s %-8s %-13s %s\n", "rank", "node", "host", "process", "device",
           "warp", "backend", "bus", "name");
    for (int r = 0; r < job->size; r++) {
        const hd_mpi_place *p = &places[r];
        printf("%5d %5d %-20s %8lld %6d %4d %-8s %-13s %s", r, p->node, p->host, (long long)p->pid,
               p->device, p->warp, p->backend, p->bus_id, p->device_name);
        if (p->shared_by > 1)
            printf(" (shared by %d ranks)", p->shared_by);
        putchar('\n');
    }
}

static void print_json(const mpi_job *job, const library *mpi)
{
    const hd_mpi_place *places = hd_mpi_places(job->mpi);
    const char *reason;
    const hd_mpi_path path = hd_mpi_path_used(job->mpi, &reason);
    cli_json object, row;

    cli_json_begin(&object);
    cli_json_text(&object, "library", mpi->text);
    cli_json_f64(&object, "ranks", job->size, 10);
    cli_json_f64(&object, "nodes", node_count(job), 10);
    cli_json_text(&object, "path", mpi_path_name(path));
    cli_json_text(&object, "reason", reason);
    cli_json_raw(&object, "places", "[");
    for (int r = 0; r < job->size; r++) {
        const hd_mpi_place *p = &places[r];
        fputs(r ? ",\n " : "\n ", stdout);
        cli_json_begin(&row);
        cli_json_f64(&row, "rank", r, 10);
        cli_json_f64(&row, "node", p->node, 10);
        cli_json_f64(&row, "node_rank", p->node_rank, 10);
        cli_json_text(&row, "host", p->host);
        cli_json_f64(&row, "process", (double)p->pid, 17);
        cli_json_f64(&row, "device", p->device, 10);
        cli_json_f64(&row, "devices", p->devices, 10);
        cli_json_f64(&row, "shared_by", p->shared_by, 10);
        cli_json_f64(&row, "warp", p->warp, 10);
        cli_json_text(&row, "backend", p->backend);
        cli_json_text(&row, "bus_id", p->bus_id);
        cli_json_text(&row, "name", p->device_name);
        cli_json_end();
    }
    fputs("\n]", stdout);
    cli_json_end();
    putchar('\n');
}

static void print_csv(const mpi_job *job)
{
    const hd_mpi_place *places = hd_mpi_places(job->mpi);

    puts("rank,node,node_rank,host,process,device,devices,shared_by,warp,backend,bus_id,name");
    for (int r = 0; r < job->size; r++) {
        const hd_mpi_place *p = &places[r];
        printf("%d,%d,%d,", r, p->node, p->node_rank);
        cli_csv_cell(p->host, stdout);
        printf(",%lld,%d,%d,%d,%d,%s,%s,", (long long)p->pid, p->device, p->devices, p->shared_by,
               p->warp, p->backend, p->bus_id);
        cli_csv_cell(p->device_name, stdout);
        putchar('\n');
    }
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
        if (job.rank == 0 && job.format == CLI_JSON)
            print_json(&job, &mpi);
        else if (job.rank == 0 && job.format == CLI_CSV)
            print_csv(&job);
        else if (job.rank == 0)
            print_text(&job, &mpi);
        status = mpi_job_status(&job, cli_flush(arguments->command));
    }
    mpi_job_close(&job);
    return status;
}

static const cli_option options[] = {
    {"path", "PATH", MPI_PATHS ": how device memory travels"}, MPI_JOB_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_mpi_info = {
    "mpi info",
    "which rank has which device, and how device memory travels",
    NULL,
    options,
    "Ranks take the device of their place on the node; HEDDLE_MPI_DEVICE=on|off overrides what\n"
    "MPI says of itself. HEDDLE_CPU_DEVICES=4 gives the CPU engine 4 devices, to try\n"
    "--exclusive.\n" MPI_JOB_NOTES,
    "  mpirun -n 4 heddle mpi info\n"
    "  srun --ntasks-per-node 4 --gpus-per-node 4 heddle mpi info --exclusive\n",
    run};
