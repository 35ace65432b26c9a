/* SPDX-License-Identifier: Apache-2.0 */
/* laplace.c - the subcommands laplace and laplace3d on generated problems. */
#include "laplace.h"

#include <math.h>
#include <stdlib.h>

#include "cli/input/array.h"

/* Limits of cell updates for the check in plain C: all sides fixed, and otherwise. */
#define CHECKED_UPDATES 4e9
#define CHECKED_UPDATES_SLOW 4e8

static void put(hd_type type, void *field, size_t cell, double v)
{
    if (type == HD_F32)
        ((float *)field)[cell] = (float)v;
    else
        ((double *)field)[cell] = v;
}

/* x^2 - y^2 on the unit square, which also solves the difference equation exactly. */
static double harmonic(const hd_jacobi *p, size_t x, size_t y)
{
    const double u = p->nx > 1 ? (double)x / (double)(p->nx - 1) : 0;
    const double v = p->nx > 1 ? (double)y / (double)(p->nx - 1) : 0;
    return u * u - v * v;
}

static int on_side(const laplace_run *run, size_t x, size_t y, size_t z)
{
    const hd_jacobi *p = &run->problem;
    return x == 0 || y == 0 || x + 1 == p->nx || y + 1 == p->ny ||
           (run->dimensions == 3 && (z == 0 || z + 1 == p->nz));
}

/* 2-D: the harmonic function on the sides; 3-D: 1 on the sides; 0 inside. */
static void generate(const laplace_run *run, void *field)
{
    const hd_jacobi *p = &run->problem;
    size_t cell = 0;
    for (size_t z = 0; z < (run->dimensions == 3 ? p->nz : 1); z++)
        for (size_t y = 0; y < p->ny; y++)
            for (size_t x = 0; x < p->nx; x++, cell++) {
                const double side = run->dimensions == 3 ? 1.0 : harmonic(p, x, y);
                put(p->type, field, cell, on_side(run, x, y, z) ? side : 0.0);
            }
}

static double largest_error(const laplace_run *run, const void *field)
{
    const hd_jacobi *p = &run->problem;
    double most = 0;
    for (size_t y = 0; y < p->ny; y++)
        for (size_t x = 0; x < p->nx; x++) {
            const size_t cell = y * p->nx + x;
            const double v = p->type == HD_F32 ? (double)((const float *)field)[cell]
                                               : ((const double *)field)[cell];
            most = fmax(most, fabs(v - harmonic(p, x, y)));
        }
    return most;
}

/* Compares bits if plain C is fast enough; otherwise, in 2-D, computes the change of one more
   sweep. */
static int judge(cli_job *job, const laplace_run *run, const void *initial, const void *result)
{
    const hd_jacobi *p = &run->problem;
    const double cells = (double)p->nx * (double)p->ny * (run->dimensions == 3 ? (double)p->nz : 1);
    const double most = laplace_all_fixed(run) ? CHECKED_UPDATES : CHECKED_UPDATES_SLOW;
    size_t cell = 0;
    if (!job->verify)
        return cli_job_end(job, CLI_SKIPPED, " ");
    if (cells * (double)run->report.sweeps <= most) {
        const int same = laplace_plain_check(run, initial, result, &cell);
        if (same < 0)
            return cli_failed(job->arguments->command, "no memory to verify in");
        return cli_job_end(job, same ? CLI_VERIFIED : CLI_WRONG,
                           "cell %zu differs from %zu sweeps in plain C", cell, run->report.sweeps);
    }
    if (run->dimensions == 3)
        return cli_job_end(job, CLI_SKIPPED, " ");
    const double left = laplace_plain_norm(run, result, NULL);
    return cli_job_end(job, left <= run->report.norm * (1 + 1e-3) ? CLI_VERIFIED : CLI_WRONG,
                       "another sweep changes %g, more than the last one, %g", left,
                       run->report.norm);
}

/* Writes --out, then prints problem and result. */
static int report(cli_job *job, const laplace_run *run, const cli_array *given, const void *initial,
                  const void *result)
{
    const hd_jacobi *p = &run->problem;
    const uint64_t shape[] = {p->nz, p->ny, p->nx};
    const int flat = run->dimensions == 2;
    char text[CLI_JOB_TEXT];
    const int status = cli_array_output(job->arguments, p->type, result, flat ? 2 : 3,
                                        flat ? shape + 1 : shape);
    if (status != CLI_DONE)
        return status;
    if (flat)
        snprintf(text, sizeof text, "%zu x %zu %s", p->nx, p->ny, hd_type_name(p->type));
    else
        snprintf(text, sizeof text, "%zu x %zu x %zu %s", p->nx, p->ny, p->nz,
                 hd_type_name(p->type));
    cli_job_text(job, "field", text, given->data ? given->from : NULL);
    laplace_members(job, run);
    if (flat && !given->data && laplace_all_fixed(run))
        cli_job_number(job, "error", largest_error(run, result), 6,
                       "largest, from x^2 - y^2 of the unit square");
    return judge(job, run, initial, result);
}

/* `given`: the initial field; empty: generated. */
static int solve(cli_job *job, laplace_run *run, const cli_array *given)
{
    const hd_jacobi *p = &run->problem;
    const size_t cells = p->nx * p->ny * (run->dimensions == 3 ? p->nz : 1);
    const size_t bytes = hd_bytes(cells, hd_type_bytes(p->type));
    void *made = given->data ? NULL : cli_job_memory(job, bytes);
    void *initial = given->data ? given->data : made, *result = cli_job_memory(job, bytes);
    int status = initial && result ? CLI_DONE : CLI_FAILED;
    if (status == CLI_DONE && made)
        generate(run, made);
    if (status == CLI_DONE)
        status = laplace_upload(job, run, initial, NULL);
    if (status == CLI_DONE)
        status = laplace_time(job, run, result);
    if (status == CLI_DONE)
        status = report(job, run, given, initial, result);
    free(made);
    free(result);
    return status;
}

/* Reads --field and sets the problem's extents to its shape. `extents`: options that would
   conflict. */
static int read_field(const cli_arguments *arguments, laplace_run *run, int extents,
                      cli_array *given)
{
    const char *path = cli_option_value(arguments, "field");
    const size_t axes = (size_t)run->dimensions;
    int status;
    if (!path)
        return CLI_DONE;
    if (extents)
        return cli_misused(arguments->command,
                           "--field determines the size; omit the options of the size");
    status = cli_array_input(arguments, path, CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64), HD_F32,
                             given);
    if (status != CLI_DONE)
        return status;
    run->problem.type = given->type;
    if (given->axes != axes || given->n == 0)
        return cli_failed(arguments->command, "%s: %zu numbers on %zu axes, not a field of %zu",
                          given->from, given->n, given->axes, axes);
    run->problem.nx = (size_t)given->shape[axes - 1];
    run->problem.ny = (size_t)given->shape[axes - 2];
    run->problem.nz = axes == 3 ? (size_t)given->shape[0] : 0;
    return CLI_DONE;
}

static int run_problem(const cli_arguments *arguments, laplace_run *run, int extents)
{
    cli_array given = {0};
    cli_job job;
    int status = cli_job_open(&job, arguments);
    if (status == CLI_DONE)
        status = read_field(arguments, run, extents, &given);
    if (status == CLI_DONE)
        status = laplace_depth(arguments, 0, run);
    if (status == CLI_DONE)
        status = solve(&job, run, &given);
    laplace_free(run);
    cli_array_free(&given);
    cli_job_close(&job);
    return status;
}

/* ---- laplace --------------------------------------------------------------------------------- */

static int run_2d(const cli_arguments *arguments)
{
    laplace_run run = {0};
    uint64_t nx = 0, ny = 0;
    run.dimensions = 2;
    int status = laplace_options(arguments, 1000, -1, &run);
    if (cli_option_given(arguments, "image") &&
        (cli_option_given(arguments, "field") || cli_option_given(arguments, "out")))
        return cli_misused(arguments->command, "--image excludes --field and --out");
    if (cli_option_given(arguments, "image") &&
        (cli_option_given(arguments, "periodic") || cli_option_given(arguments, "mirror")))
        return cli_misused(arguments->command, "--image excludes --periodic and --mirror");
    if (cli_option_given(arguments, "image"))
        return status == CLI_DONE ? laplace_image(arguments) : status;
    if (cli_option_given(arguments, "mask") || arguments->operand_count)
        return cli_misused(arguments->command, "--mask and OUT.png require --image");
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "nx", 1024, 1, (uint64_t)1 << 30, &nx);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "ny", nx, 1, (uint64_t)1 << 30, &ny);
    if (status != CLI_DONE)
        return status;
    run.problem.nx = (size_t)nx;
    run.problem.ny = (size_t)ny;
    return run_problem(arguments, &run,
                       cli_option_given(arguments, "nx") || cli_option_given(arguments, "ny"));
}

static const cli_option options_2d[] = {
    {"nx", "N", "columns (default 1024)"},
    {"ny", "N", "rows (default: as many as columns)"},
    {"type", "TYPE", "f32 (default) or f64"},
    {"sweeps", "N", "maximum number of sweeps (default 1000; pictures: 20000)"},
    {"tolerance", "T",
     "stop when the 2-norm of a sweep's change is at most T (default: never; pictures of 8 bits: "
     "0.5 steps of a sample)"},
    {"depth", "N",
     "sweeps per pass over memory: 1, 2, 4, 8 (f32 only), for pictures 1 or 4; 0 (default): the "
     "fastest"},
    {"field", "FILE.npy", "initial field: a matrix; its boundary cells keep their values"},
    LAPLACE_SIDE_OPTIONS,
    CLI_OUT_OPTION,
    {"image", "IN.png", "fill the masked pixels of this picture, and write OUT.png"},
    {"mask", "MASK.png", "mask of the same size: pixels that are not black are filled"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};
const cli_command cli_command_laplace = {
    "laplace",
    "solve Laplace's equation by Jacobi sweeps; fill in parts of pictures",
    "[OUT.png]",
    options_2d,
    "Without --field and --image the boundary values are x^2 - y^2 on the unit square, whose\n"
    "solution is known. The result is compared bit by bit with plain C if that takes a few\n"
    "seconds at most.\n",
    "  heddle laplace --nx 4096 --sweeps 256\n"
    "  heddle laplace --nx 512 --periodic x --sweeps 2000 --out ring.npy\n"
    "  heddle laplace --field plate.npy --tolerance 1e-3 --sweeps 100000 --out solved.npy\n"
    "  heddle laplace --image photo.png --mask scratches.png repaired.png\n",
    run_2d};

/* ---- laplace3d ------------------------------------------------------------------------------- */

static int run_3d(const cli_arguments *arguments)
{
    laplace_run run = {0};
    uint64_t n = 0;
    run.dimensions = 3;
    int status = laplace_options(arguments, 100, -1, &run);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "n", 128, 1, (uint64_t)1 << 20, &n);
    if (status != CLI_DONE)
        return status;
    run.problem.nx = run.problem.ny = run.problem.nz = (size_t)n;
    return run_problem(arguments, &run, cli_option_given(arguments, "n"));
}

static const cli_option options_3d[] = {
    {"n", "N", "cells along each edge of the cube (default 128)"},
    {"type", "TYPE", "f32 (default) or f64"},
    {"sweeps", "N", "maximum number of sweeps (default 100)"},
    {"tolerance", "T", "stop when the 2-norm of a sweep's change is at most T (default: never)"},
    {"depth", "N", "sweeps per pass over memory: 1 or 2; 0 (default): the fastest"},
    {"field", "FILE.npy",
     "initial field: an array of 3 axes; its boundary cells keep their values"},
    LAPLACE_SIDE_OPTIONS,
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};
const cli_command cli_command_laplace3d = {
    "laplace3d",
    "solve the 7-point Laplace equation in a cube",
    NULL,
    options_3d,
    "Without --field the boundary is 1 and the interior starts at 0. "
    "The result is compared bit by\n"
    "bit with plain C if that takes a few seconds at most.\n",
    "  heddle laplace3d --n 256 --sweeps 200\n"
    "  heddle laplace3d --n 64 --periodic xy --mirror z\n"
    "  heddle laplace3d --field cube.npy --tolerance 1e-3 --sweeps 10000 --out solved.npy\n",
    run_3d};
