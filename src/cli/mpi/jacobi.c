/* SPDX-License-Identifier: Apache-2.0 */
/* jacobi.c - `heddle mpi jacobi`: the standard multi-device Jacobi problem over ranks. */
#include "jacobi.h"

#include <stdlib.h>
#include <string.h>

#include "cli/solvers/jacobi/limits.h"
#include "cli/solvers/jacobi/field.h"
#include "cli/app/words.h"
#include "commands.h"

static void make_rows(const hd_jacobi *problem, const hd_part *part, void *rows)
{
    const size_t bytes = problem->nx * hd_type_bytes(problem->type);

    for (size_t y = 0; y < part->ny; y++)
        jacobi_field_row(problem, part->y + y, (char *)rows + y * bytes);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* A few sweeps as warm-up, then all of them from the start; times of the slowest rank. */
static hd_status time_run(mpi_jacobi *m, hd_mpi *mpi, hd_mpi_jacobi *jacobi, void *rows,
                          double *norms, double *seconds)
{
    hd_part part;
    double began;

    HD_TRY(hd_mpi_jacobi_get(jacobi, &part, NULL));
    make_rows(&m->problem, &part, rows);
    HD_TRY(hd_mpi_jacobi_load(jacobi, rows, 0));
    HD_TRY(hd_mpi_jacobi_run(jacobi, m->sweeps < 16 ? m->sweeps : 16, m->every, norms));
    HD_TRY(hd_mpi_jacobi_load(jacobi, rows, 0));
    HD_TRY(hd_mpi_agree(mpi, HD_OK));
    began = MPI_Wtime();
    HD_TRY(hd_mpi_jacobi_run(jacobi, m->sweeps, m->every, norms));
    *seconds = MPI_Wtime() - began;
    (void)MPI_Allreduce(MPI_IN_PLACE, seconds, 1, MPI_DOUBLE, MPI_MAX, hd_mpi_comm(mpi));
    return HD_OK;
}

static hd_status run_ranks(mpi_jacobi *m)
{
    const size_t row = m->problem.nx * hd_type_bytes(m->problem.type);
    hd_mpi_jacobi *jacobi = NULL;
    hd_status status;

    HD_TRY(hd_mpi_jacobi_create(m->job.mpi, &m->problem, &jacobi));
    status = hd_mpi_jacobi_get(jacobi, &m->part, &m->depth);
    if (status >= 0 && !(m->rows = malloc(row * m->part.ny)))
        status = HD_ERR_NO_MEMORY;
    status = hd_mpi_agree(m->job.mpi, status);
    if (status >= 0)
        status = time_run(m, m->job.mpi, jacobi, m->rows, m->norms, &m->seconds);
    if (status >= 0)
        status = hd_mpi_jacobi_store(jacobi, m->rows, 0);
    (void)hd_mpi_jacobi_destroy(jacobi);
    return status;
}

/* The same on rank 0's device alone. */
static hd_status run_alone(mpi_jacobi *m)
{
    const char *device = cli_option_value(m->job.arguments, "device");
    const hd_mpi_options options = {.device = device};
    const size_t bytes = m->problem.nx * m->problem.ny * hd_type_bytes(m->problem.type);
    double *norms = calloc(m->norm_count + 1, sizeof *norms);
    void *rows = malloc(bytes);
    hd_mpi *mpi = NULL;
    hd_mpi_jacobi *jacobi = NULL;
    hd_status status = norms && rows ? HD_OK : HD_ERR_NO_MEMORY;

    if (status >= 0)
        status = hd_mpi_create(MPI_COMM_SELF, &options, &mpi);
    if (status >= 0)
        status = hd_mpi_jacobi_create(mpi, &m->problem, &jacobi);
    if (status >= 0)
        status = time_run(m, mpi, jacobi, rows, norms, &m->alone);
    (void)hd_mpi_jacobi_destroy(jacobi);
    (void)hd_mpi_destroy(mpi);
    free(norms);
    free(rows);
    return status;
}

static hd_status compare(mpi_jacobi *m)
{
    hd_status status = HD_OK;

    if (!m->compare || m->job.size == 1)
        return HD_OK;
    hd_mpi_set_timeout(m->job.mpi, -1); /* the other ranks wait for rank 0 */
    if (m->job.rank == 0)
        status = run_alone(m);
    status = hd_mpi_agree(m->job.mpi, status);
    hd_mpi_set_timeout(m->job.mpi, 0);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int finish(mpi_jacobi *m)
{
    const cli_command *command = m->job.arguments->command;
    int status = CLI_DONE;

    if (m->job.rank == 0) {
        status = mpi_jacobi_print(m);
        if (m->wrong_rows || m->wrong_norms)
            status = cli_failed(command, "not verified: %llu rows and %llu norms differ",
                                (unsigned long long)m->wrong_rows,
                                (unsigned long long)m->wrong_norms);
    }
    return mpi_job_status(&m->job, status);
}

static int read_options(mpi_jacobi *m, const cli_arguments *arguments, hd_mpi_path *path)
{
    uint64_t nx = 0, ny = 0, sweeps = 0, every = 0;
    unsigned depth = 0;
    hd_type type = HD_F32;
    const bool cpu = strcmp(hd_backend_name(), "cpu") == 0;
    const uint64_t side = cpu ? JACOBI_SIDE_CPU : JACOBI_SIDE_GPU;
    int status = cli_count_read(arguments, "nx", side, JACOBI_COLUMNS_LEAST, JACOBI_SIDE_MAX, &nx);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "ny", side, 1, JACOBI_SIDE_MAX, &ny);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "niter", cpu ? JACOBI_SWEEPS_CPU : JACOBI_SWEEPS_GPU, 1,
                                1 << 30, &sweeps);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "nccheck", 100, 0, 1 << 30, &every);
    if (status == CLI_DONE)
        status = cli_type_read(arguments, HD_F32, &type);
    if (status == CLI_DONE && type != HD_F32 && type != HD_F64)
        status = cli_misused(arguments->command, "--type: f32 or f64");
    if (status == CLI_DONE)
        status = cli_depth_read(arguments, type, 0, &depth);
    if (status == CLI_DONE)
        status = mpi_path_read(arguments, path);
    m->problem = (hd_jacobi){
        .type = type,
        .nx = (size_t)nx,
        .ny = (size_t)ny,
        .sides = {HD_SIDE_FIXED, HD_SIDE_FIXED, HD_SIDE_PERIODIC, HD_SIDE_PERIODIC},
        .depth = depth};
    m->sweeps = (size_t)sweeps;
    m->every = (size_t)every;
    m->norm_count = every ? (size_t)((sweeps + every - 1) / every) : 0;
    m->compare = !cli_option_given(arguments, "no-compare");
    return status == CLI_DONE ? cli_verify_read(arguments, &m->verify) : status;
}

/* Called before the ranks have devices. */
static int check_rows(const mpi_jacobi *m, const cli_command *command)
{
    size_t least;
    int ranks = 1;

    (void)MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    least = jacobi_least_rows(m->problem.nx, (unsigned)ranks);
    if (m->problem.ny >= least)
        return CLI_DONE;
    return cli_misused(command, "--ny %zu: %d ranks need %zu rows at least", m->problem.ny, ranks,
                       least);
}

static int run_all(mpi_jacobi *m)
{
    int status;

    m->norms = calloc(m->norm_count + 1, sizeof *m->norms);
    status = mpi_job_settle(&m->job, m->norms ? HD_OK : HD_ERR_NO_MEMORY);
    if (status == CLI_DONE)
        status = mpi_job_settle(&m->job, run_ranks(m));
    if (status == CLI_DONE)
        status = mpi_job_settle(&m->job, compare(m));
    if (status == CLI_DONE && m->verify)
        status = mpi_job_settle(&m->job, mpi_jacobi_check(m));
    return status == CLI_DONE ? finish(m) : status;
}

static int run(const cli_arguments *arguments)
{
    mpi_jacobi m = {.rows = NULL};
    hd_mpi_path path = HD_MPI_AUTO;
    int status = mpi_job_compare(arguments);

    if (status == CLI_DONE)
        status = read_options(&m, arguments, &path);
    if (status == CLI_DONE)
        status = check_rows(&m, arguments->command);
    if (status != CLI_DONE)
        return status;
    status = mpi_job_open(&m.job, arguments, path);
    if (status == CLI_DONE)
        status = run_all(&m);
    free(m.rows);
    free(m.norms);
    mpi_job_close(&m.job);
    return status;
}

static const cli_option options[] = {
    {"nx", "N", "columns (default 16384; CPU: 1024)"},
    {"ny", "N", "rows (default 16384; CPU: 1024)"},
    {"niter", "N", "number of sweeps (default 1000; CPU: 200)"},
    {"nccheck", "N", "sweeps between printed norms (default 100); 0: no norms"},
    {"type", "TYPE", "f32 (default) or f64"},
    {"depth", "N",
     "sweeps per pass and rows per exchange, at most: 1, 2, 4, 8 (f32); 0: the fastest"},
    {"path", "PATH", MPI_PATHS ": path of the exchanged rows"},
    {"no-compare", NULL, "skip the measurement of one device alone"},
    {"verify", NULL, "compare with the field and norms of one device (default)"},
    {"no-verify", NULL, "skip the verification"},
    MPI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_mpi_jacobi = {
    "mpi jacobi",
    "solve Laplace's equation over all ranks",
    NULL,
    options,
    "The field starts at 0; left and right columns keep sin(2 pi row / (ny - 1)), top and bottom\n"
    "are periodic; each rank has a stripe of rows. Rank 0 then runs all sweeps alone to compare\n"
    "the time, and with hd_jacobi2d the bits of the field and the norms, which are the same for\n"
    "any number of ranks, backend and warp size.\n" MPI_JOB_NOTES,
    "  mpirun -n 4 heddle mpi jacobi\n"
    "  mpirun -n 4 heddle mpi jacobi --nx 1024 --ny 512 --niter 200 --nccheck 50 --json\n"
    "  mpirun -n 2 -x HEDDLE_CPU_WARP=32 heddle mpi jacobi --nx 300 --ny 300 : \\\n"
    "         -n 2 -x HEDDLE_CPU_WARP=64 heddle mpi jacobi --nx 300 --ny 300\n",
    run};
