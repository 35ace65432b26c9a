/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - a Laplace problem on the device: memory, timing, output. */
#include <stdlib.h>
#include <string.h>

#include "laplace.h"

/* Sets both sides of the axes listed in --NAME to a kind. */
static int read_sides(const cli_arguments *arguments, const char *name, hd_side kind,
                      laplace_run *run)
{
    static const char axes[] = "xyz";
    const char *text = cli_option_value(arguments, name);
    if (text && !*text)
        return cli_misused(arguments->command, "--%s is empty: list axes", name);
    for (; text && *text; text++) {
        const char *axis = strchr(axes, *text);
        hd_side *sides;
        if (!axis || axis - axes >= run->dimensions)
            return cli_misused(arguments->command, "--%s: %c is not one of the axes %.*s", name,
                               *text, run->dimensions, axes);
        sides = run->problem.sides + 2 * (axis - axes);
        if (sides[0] != HD_SIDE_FIXED)
            return cli_misused(arguments->command, "--%s: %c is given twice", name, *text);
        sides[0] = sides[1] = kind;
    }
    return CLI_DONE;
}

int laplace_options(const cli_arguments *arguments, uint64_t sweeps, double tolerance,
                    laplace_run *run)
{
    int status = cli_type_read(arguments, HD_F32, &run->problem.type);
    if (status == CLI_DONE && run->problem.type != HD_F32 && run->problem.type != HD_F64)
        return cli_misused(arguments->command, "--type is f32 or f64");
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "sweeps", sweeps, 1, (uint64_t)1 << 40, &sweeps);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "tolerance", tolerance, &run->tolerance);
    if (status == CLI_DONE && cli_option_given(arguments, "tolerance") && run->tolerance < 0)
        return cli_misused(arguments->command, "--tolerance is 0 or more");
    if (status == CLI_DONE)
        status = read_sides(arguments, "periodic", HD_SIDE_PERIODIC, run);
    if (status == CLI_DONE)
        status = read_sides(arguments, "mirror", HD_SIDE_MIRROR, run);
    run->problem.sweeps = (size_t)sweeps;
    return status;
}

int laplace_depth(const cli_arguments *arguments, int held, laplace_run *run)
{
    static const unsigned depths_3d[] = {0, 1, 2}, depths_held[] = {0, 1, 4};
    if (run->dimensions == 3 || held)
        return cli_choice_read(arguments, "depth", 0, held ? depths_held : depths_3d, 3,
                               &run->problem.depth);
    return cli_depth_read(arguments, run->problem.type, 0, &run->problem.depth);
}

static size_t cells_of(const laplace_run *run)
{
    const hd_jacobi *p = &run->problem;
    return p->nx * p->ny * (run->dimensions == 3 ? p->nz : 1);
}

int laplace_upload(cli_job *job, laplace_run *run, const void *initial, const uint8_t *held)
{
    const size_t bytes = cells_of(run) * hd_type_bytes(run->problem.type);
    void *norms = NULL, *mask = NULL;
    int status = cli_job_upload(job, initial, bytes, &run->initial);
    run->group = run->problem.sweeps < 64 ? run->problem.sweeps : 64;
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &run->field);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &run->other);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, run->group * sizeof(double), &norms);
    if (status == CLI_DONE && held)
        status = cli_job_upload(job, held, run->problem.nx * run->problem.ny, &mask);
    run->problem.norms = norms;
    run->held = mask;
    run->problem.held = mask;
    return status;
}

hd_status laplace_solve(void *state, hd_stream *stream)
{
    laplace_run *run = state;
    const size_t bytes = cells_of(run) * hd_type_bytes(run->problem.type);
    const double tolerance = run->tolerance < 0 ? 0 : run->tolerance;
    HD_TRY(hd_copy_bytes(run->field, run->initial, bytes, 1, stream));
    if (run->dimensions == 3)
        return hd_laplace3d(&run->problem, tolerance, run->group, run->field, run->other,
                            &run->report, NULL, stream);
    return hd_laplace2d(&run->problem, tolerance, run->group, run->field, run->other, &run->report,
                        NULL, stream);
}

int laplace_time(cli_job *job, laplace_run *run, void *result)
{
    const size_t bytes = cells_of(run) * hd_type_bytes(run->problem.type);
    int status = cli_job_time(job, laplace_solve, run, CLI_NO_BYTES);
    if (status == CLI_DONE)
        status = cli_job_download(job, result, run->report.result, bytes);
    return status;
}

static const char *depth_note(const laplace_run *run)
{
    return run->report.depth < run->problem.depth && strcmp(hd_backend_name(), "cpu") == 0
               ? "sweeps per pass over memory: the CPU engine makes one"
               : "sweeps per pass over memory";
}

void laplace_members(cli_job *job, const laplace_run *run)
{
    const double updates = (double)cells_of(run) * (double)run->report.sweeps;
    cli_job_count(job, "sweeps", run->report.sweeps, NULL);
    cli_job_count(job, "depth", run->report.depth, depth_note(run));
    cli_job_number(job, "norm", run->report.norm, 6, "2-norm of the last sweep's change");
    if (run->tolerance >= 0)
        cli_job_flag(job, "converged", run->report.converged, NULL);
    cli_job_number(job, "glups", job->seconds > 0 ? updates / job->seconds * 1e-9 : 0, 4,
                   "1e9 cell updates per second");
}

void laplace_free(laplace_run *run)
{
    hd_free(run->initial);
    hd_free(run->field);
    hd_free(run->other);
    hd_free(run->problem.norms);
    hd_free(run->held);
}
