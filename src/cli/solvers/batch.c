/* SPDX-License-Identifier: Apache-2.0 */
/* batch.c - `heddle batch`: many small heat problems, each advanced entirely in the shared memory
   of a block. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/batch.h>

#include "cli/input/array.h"
#include "cli/bench/batch_reference.h"
#include "cli/app/job.h"
#include "cli/app/words.h"

enum { DEFAULT_STEPS = 100, DEFAULT_NX = 256 };
#define DEFAULT_COEFFICIENT 0.2

typedef struct batch_job {
    cli_job job;
    cli_array array;
    hd_heat_batch batch;
    size_t points;
    void *in, *out; /* device */
    unsigned char *result;
} batch_job;

/* The problems in an array: the axes after the first are those of a problem, unless --nx is
   given. */
static int read_shape(batch_job *b)
{
    const cli_arguments *arguments = b->job.arguments;
    const cli_array *a = &b->array;
    int given = cli_option_given(arguments, "nx");
    int shaped = a->axes == 2 || a->axes == 3;
    uint64_t nx = shaped ? a->shape[a->axes - 1] : DEFAULT_NX, ny = a->axes == 3 ? a->shape[1] : 0;
    int status = CLI_DONE;

    if (!given && cli_option_given(arguments, "ny"))
        return cli_misused(arguments->command, "--ny needs --nx");
    if (given || !shaped)
        status = cli_count_read(arguments, "nx", DEFAULT_NX, 1, UINT32_MAX, &nx);
    if (given && status == CLI_DONE)
        status = cli_count_read(arguments, "ny", 0, 0, UINT32_MAX, &ny);
    if (status != CLI_DONE)
        return status;
    b->batch.nx = (size_t)nx;
    b->batch.ny = (size_t)ny;
    b->points = (size_t)(nx * (ny ? ny : 1));
    if (b->points == 0 || a->n % b->points != 0)
        return cli_failed(arguments->command,
                          "%s: %zu numbers are not a whole number of problems of %zu points",
                          a->from, a->n, b->points);
    b->batch.problems = a->n / b->points;
    return CLI_DONE;
}

static int read_options(batch_job *b)
{
    const cli_arguments *arguments = b->job.arguments;
    uint64_t steps;
    int status = cli_count_read(arguments, "steps", DEFAULT_STEPS, 0, UINT32_MAX, &steps);

    if (status == CLI_DONE)
        status = cli_number_read(arguments, "r", DEFAULT_COEFFICIENT, &b->batch.coefficient);
    if (status == CLI_DONE)
        b->batch.steps = (unsigned)steps;
    return status;
}

static hd_status call(void *state, hd_stream *stream)
{
    const batch_job *b = state;

    return hd_batch_heat(&b->batch, b->array.type, b->in, b->out, stream);
}

static int solve(batch_job *b)
{
    size_t bytes = b->array.n * hd_type_bytes(b->array.type);
    int status = cli_job_upload(&b->job, b->array.data, bytes, &b->in);

    b->result = cli_job_memory(&b->job, bytes);
    if (status == CLI_DONE && !b->result)
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = cli_job_upload(&b->job, NULL, bytes, &b->out);
    if (status == CLI_DONE)
        status = cli_job_time(&b->job, call, b, 2.0 * (double)bytes);
    if (status == CLI_DONE)
        status = cli_job_download(&b->job, b->result, b->out, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(b->job.arguments, b->array.type, b->result, b->array.axes,
                                  b->array.shape);
    return status;
}

static int finish(batch_job *b)
{
    cli_job *job = &b->job;
    const hd_heat_batch *batch = &b->batch;
    double updates = (double)b->array.n * batch->steps;
    size_t wrong = batch->problems;

    if (job->verify)
        wrong = batch_reference(batch, b->array.type, b->array.data, b->result);
    if (wrong == SIZE_MAX)
        return cli_failed(job->arguments->command, "no memory to verify (--no-verify)");
    cli_job_path(job, "input", b->array.from, b->array.path, NULL);
    cli_job_text(job, "type", hd_type_name(b->array.type), NULL);
    cli_job_count(job, "count", batch->problems, "problems");
    cli_job_count(job, "nx", batch->nx, NULL);
    cli_job_count(job, "ny", batch->ny, batch->ny ? NULL : "one dimension");
    cli_job_count(job, "steps", batch->steps, NULL);
    cli_job_number(job, "r", batch->coefficient, 17,
                   fabs(batch->coefficient) > (batch->ny ? 0.25 : 0.5) ? "steps are not stable"
                                                                       : NULL);
    cli_job_number(job, "glups", job->seconds > 0 ? updates / job->seconds * 1e-9 : 0.0, 6,
                   "1e9 points and steps per second");
    return cli_job_end(job,
                       !job->verify               ? CLI_SKIPPED
                       : wrong == batch->problems ? CLI_VERIFIED
                                                  : CLI_WRONG,
                       "problem %zu differs from plain C", wrong);
}

static int run(const cli_arguments *arguments)
{
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    batch_job b;
    int status;

    memset(&b, 0, sizeof b);
    status = cli_job_open(&b.job, arguments);
    if (status == CLI_DONE)
        status = read_options(&b);
    if (status == CLI_DONE)
        status = cli_array_input(arguments, path, CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64),
                                 HD_F32, &b.array);
    if (status == CLI_DONE)
        status = read_shape(&b);
    if (status == CLI_DONE)
        status = solve(&b);
    if (status == CLI_DONE)
        status = finish(&b);
    hd_free(b.in);
    hd_free(b.out);
    free(b.result);
    cli_array_free(&b.array);
    cli_job_close(&b.job);
    return status;
}

static const cli_option options[] = {
    {"nx", "N", "points per row (default: last axis of the array, else 256)"},
    {"ny", "N", "rows per problem, together with --nx; 0 (default): one-dimensional problems"},
    {"steps", "N", "explicit time steps (default 100)"},
    {"r", "R", "diffusivity * dt / dx^2 (default 0.2)"},
    CLI_ARRAY_OPTIONS(CLI_FLOATS_WIDENED),
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL},
};

const cli_command cli_command_batch = {
    "batch",
    "solve many small heat equations in one batch",
    "[FILE]",
    options,
    "An array of two axes holds one-dimensional problems, one of three axes two-dimensional ones;\n"
    "anything else, and generated input, is divided into problems by --nx and --ny. Boundary\n"
    "points keep their values. Two copies of a problem have to fit into the shared memory of a\n"
    "block. The result is compared bit by bit with the same steps in plain C.\n"
    "\n"
    "JSON keys: input type count nx ny steps r glups seconds gbps verified\n",
    "  heddle batch --n 2^22 --nx 64 --ny 64 --steps 200\n"
    "  heddle batch problems.npy --type f64 --r 0.25 --out after.npy\n",
    run,
};
