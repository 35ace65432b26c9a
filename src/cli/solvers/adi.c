/* SPDX-License-Identifier: Apache-2.0 */
/* adi.c - `heddle adi`: the heat equation on a box by the alternating direction implicit method,
   starting from an eigenmode of a cube, whose decay is known, or from the field of a file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/adi.h>
#include <heddle/tridiag.h>

#include "adi_field.h"
#include "cli/app/commands.h"
#include "cli/app/job.h"
#include "cli/app/words.h"

/* Limit of points times steps for the check in plain C. */
#define CHECKED_POINTS 4e8

typedef struct adi_call {
    hd_adi_grid grid;
    size_t steps;
    void *start, *u, *singular; /* on the device */
    double *sine;               /* per coordinate */
    cli_array given;            /* --field, otherwise empty */
    unsigned char *host;
    hd_workspace workspace;
} adi_call;

static size_t points(const adi_call *c)
{
    return c->grid.nx * c->grid.ny * c->grid.nz;
}

/* From the same start each time; the copy takes a tenth of a step. */
static hd_status adi(void *state, hd_stream *stream)
{
    adi_call *c = state;

    HD_TRY(hd_copy_bytes(c->u, c->start, points(c), hd_type_bytes(c->grid.type), stream));
    return hd_adi_steps(&c->grid, c->steps, c->u, c->singular, &c->workspace, stream);
}

static int read_arguments(const cli_arguments *arguments, adi_call *c)
{
    uint64_t extent = 0, steps = 0;
    int status = cli_count_read(arguments, "size", 256, 1, 2000, &extent);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "steps", 10, 1, 1000000, &steps);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "rate", 2, &c->grid.rate);
    if (status == CLI_DONE)
        status = cli_type_read(arguments, HD_F32, &c->grid.type);
    if (status == CLI_DONE && !(c->grid.rate > 0))
        status = cli_misused(&cli_command_adi, "--rate: %g is not above 0", c->grid.rate);
    c->grid.nx = c->grid.ny = c->grid.nz = (size_t)extent;
    c->steps = (size_t)steps;
    if (status == CLI_DONE && c->grid.type != HD_F32 && c->grid.type != HD_F64)
        status = cli_misused(&cli_command_adi, "--type %s: f32 or f64", hd_type_name(c->grid.type));
    return status;
}

/* ---- eigenmode ------------------------------------------------------------------------------- */

static double mode(const adi_call *c, size_t i)
{
    const size_t n = c->grid.nx;

    return c->sine[i % n] * c->sine[i / n % n] * c->sine[i / n / n];
}

static int start_with_mode(cli_job *job, adi_call *c)
{
    const double h = 1 / (double)(c->grid.nx + 1), pi = acos(-1.0);

    c->sine = cli_job_memory(job, c->grid.nx * sizeof *c->sine);
    if (!c->sine)
        return CLI_FAILED;
    for (size_t i = 0; i < c->grid.nx; i++)
        c->sine[i] = sin(pi * h * (double)(i + 1));
    for (size_t i = 0; i < points(c); i++)
        if (c->grid.type == HD_F32)
            ((float *)(void *)c->host)[i] = (float)mode(c, i);
        else
            ((double *)(void *)c->host)[i] = mode(c, i);
    return CLI_DONE;
}

static int start(cli_job *job, adi_call *c)
{
    const size_t bytes = hd_bytes(points(c), hd_type_bytes(c->grid.type));
    int status = CLI_DONE;

    c->host = cli_job_memory(job, bytes);
    if (!c->host)
        return CLI_FAILED;
    if (!c->given.data)
        status = start_with_mode(job, c);
    return status == CLI_DONE
               ? cli_job_upload(job, c->given.data ? c->given.data : c->host, bytes, &c->start)
               : status;
}

static int end(cli_job *job, double worst, double bound)
{
    return cli_job_end(job,
                       !job->verify     ? CLI_SKIPPED
                       : worst <= bound ? CLI_VERIFIED
                                        : CLI_WRONG,
                       "an error of %.3g is above the bound %.3g", worst, bound);
}

/* Compares with plain C, if that takes seconds. A step rounds the sum of 12 neighbours times rate,
   and solves do not amplify errors. */
static int report_field(cli_job *job, const adi_call *c)
{
    const hd_adi_grid *g = &c->grid;
    const double u = g->type == HD_F32 ? 0x1p-24 : 0x1p-53;
    double worst = 0, largest = 0, bound;
    char text[CLI_JOB_TEXT];

    job->verify = job->verify && (double)points(c) * (double)c->steps <= CHECKED_POINTS;
    if (job->verify && adi_field_error(g, c->steps, c->given.data, c->host, &worst, &largest) < 0)
        return cli_failed(&cli_command_adi, "no memory to verify in");
    bound = 64 * u * (1 + (double)c->steps * (1 + 12 * g->rate)) * largest;
    snprintf(text, sizeof text, "%zu x %zu x %zu %s", g->nx, g->ny, g->nz, hd_type_name(g->type));
    cli_job_text(job, "field", text, c->given.from);
    cli_job_count(job, "steps", c->steps, NULL);
    cli_job_number(job, "rate", g->rate, 6, NULL);
    if (job->verify) {
        cli_job_number(job, "error", worst, 3, "largest, against plain C in f64");
        cli_job_number(job, "bound", bound, 3, "on it");
    }
    return end(job, worst, bound);
}

/* Each step rounds values of the field's size a few times, in f32 with u = 2^-24. */
static int report(cli_job *job, const adi_call *c)
{
    const double h = 1 / (double)(c->grid.nx + 1), pi = acos(-1.0);
    const double m = 4 * c->grid.rate * pow(sin(pi * h / 2), 2);
    const double factor = pow(1 - 3 * m / pow(1 + m / 2, 3), (double)c->steps);
    const double exact = exp(-3 * pi * pi * c->grid.rate * h * h * (double)c->steps);
    const double u = c->grid.type == HD_F32 ? 0x1p-24 : 0x1p-53;
    const double bound = 64 * u * (1 + (double)c->steps * c->grid.rate);
    double worst = 0;

    for (size_t i = 0; job->verify && i < points(c); i++) {
        const double got = c->grid.type == HD_F32 ? (double)((float *)(void *)c->host)[i]
                                                  : ((double *)(void *)c->host)[i];
        const double error = fabs(got - factor * mode(c, i));
        worst = error <= worst ? worst : error; /* keeps a NaN */
    }
    cli_job_count(job, "size", c->grid.nx, "points along each axis");
    cli_job_count(job, "steps", c->steps, NULL);
    cli_job_number(job, "rate", c->grid.rate, 6, NULL);
    cli_job_number(job, "decay", factor, 9, "of the mode, as these steps must have it");
    cli_job_number(job, "exact", exact, 9, "as the equation has it");
    if (job->verify) {
        cli_job_number(job, "error", worst, 3, "largest, against the first");
        cli_job_number(job, "bound", bound, 3, "on it");
    }
    return end(job, worst, bound);
}

/* ---- the run --------------------------------------------------------------------------------- */

static int run_on(cli_job *job, adi_call *c)
{
    const size_t bytes = points(c) * hd_type_bytes(c->grid.type);
    const uint64_t shape[] = {c->grid.nz, c->grid.ny, c->grid.nx};
    int status = start(job, c);

    if (status == CLI_DONE && hd_adi_workspace(&c->grid, &c->workspace.bytes) < 0)
        status = cli_failed_call(&cli_command_adi);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, c->workspace.bytes, &c->workspace.memory);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->u);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, sizeof(uint64_t), &c->singular);
    if (status == CLI_DONE)
        status = cli_job_time(job, adi, c, 20.0 * (double)bytes * (double)c->steps);
    if (status == CLI_DONE && hd_tridiag_check(c->singular, job->stream) < 0)
        status = cli_failed_call(&cli_command_adi);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->host, c->u, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->grid.type, c->host, 3, shape);
    if (status != CLI_DONE)
        return status;
    return c->given.data ? report_field(job, c) : report(job, c);
}

static int run(const cli_arguments *arguments)
{
    adi_call c;
    cli_job job;
    int status = cli_job_open(&job, arguments);

    memset(&c, 0, sizeof c);
    if (status == CLI_DONE)
        status = read_arguments(arguments, &c);
    if (status == CLI_DONE)
        status = adi_field_read(arguments, &c.grid, &c.given);
    if (status == CLI_DONE)
        status = run_on(&job, &c);
    hd_free(c.start);
    hd_free(c.u);
    hd_free(c.singular);
    hd_free(c.workspace.memory);
    free(c.sine);
    free(c.host);
    cli_array_free(&c.given);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    {"size", "N", "points along each axis (default 256)"},
    {"steps", "N", "time steps (default 10)"},
    {"rate", "R", "dt / dx^2 (default 2)"},
    {"type", "TYPE", "f32 (the default) or f64"},
    {"field", "FILE.npy", "initial field: an array of 3 axes of any lengths"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_adi = {
    "adi",
    "solve the heat equation on a box by the ADI method",
    NULL,
    options,
    "Starts from sin(pi x) sin(pi y) sin(pi z) on a cube, "
    "whose decay is known, and verifies every\n"
    "point; with --field, compares with plain C if that takes a few seconds at most.\n"
    "The field is 0 one point outside each face. GB/s counts 20 fields per step.\n",
    "  heddle adi\n"
    "  heddle adi --size 64 --steps 100 --rate 0.5 --type f64 --json\n"
    "  heddle adi --field warm.npy --steps 50 --out later.npy\n",
    run,
};
