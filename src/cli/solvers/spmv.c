/* SPDX-License-Identifier: Apache-2.0 */
/* spmv.c - `heddle spmv`: a sparse matrix times a vector. */
#include <stdlib.h>

#include "cli/app/commands.h"
#include "cli/input/generate.h"
#include "cli/input/matrix.h"

typedef struct spmv_call {
    cli_matrix matrix;
    hd_csr device;
    hd_spmv_plan *plan;
    void *x, *y; /* on the device */
    void *host_x, *host_y;
} spmv_call;

static hd_status spmv(void *state, hd_stream *stream)
{
    spmv_call *c = state;

    return hd_spmv(c->plan, c->x, c->y, stream);
}

static int report(cli_job *job, const spmv_call *c)
{
    const hd_csr *m = &c->matrix.host;
    size_t first = 0, wrong = 0;

    if (job->verify)
        wrong = cli_spmv_wrong_rows(m, c->host_x, c->host_y, &first);

    cli_matrix_members(job, &c->matrix);
    if (job->seconds > 0)
        cli_job_number(job, "gflops", 2e-9 * (double)m->entries / job->seconds, 4,
                       "1e9 multiplications and additions per second");
    return cli_job_end(job,
                       !job->verify ? CLI_SKIPPED
                       : wrong      ? CLI_WRONG
                                    : CLI_VERIFIED,
                       "%zu %s wrong, first %zu", wrong, wrong == 1 ? "row is" : "rows are", first);
}

static int make_x(cli_job *job, spmv_call *c)
{
    const hd_csr *m = &c->matrix.host;
    int status = cli_vector_read(job->arguments, "x", m->columns, m->type, &c->host_x);

    if (status != CLI_DONE || c->host_x)
        return status;
    c->host_x = cli_job_memory(job, m->columns * hd_type_bytes(m->type));
    if (!c->host_x)
        return CLI_FAILED;
    cli_generate(c->host_x, m->columns, m->type, GENERATE_UNIFORM, 1);
    return CLI_DONE;
}

static int run_on(cli_job *job, spmv_call *c)
{
    const hd_csr *m = &c->matrix.host;
    const size_t bytes = m->rows * hd_type_bytes(m->type);
    const uint64_t shape = m->rows;
    int status = make_x(job, c);

    if (status == CLI_DONE)
        status = cli_matrix_upload(job, m, &c->device);
    if (status == CLI_DONE)
        status = cli_job_upload(job, c->host_x, m->columns * hd_type_bytes(m->type), &c->x);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->y);
    if (status == CLI_DONE && hd_spmv_plan_create(&c->device, job->stream, &c->plan) < 0)
        status = cli_failed_call(&cli_command_spmv);
    if (status == CLI_DONE)
        status = cli_job_time(job, spmv, c, cli_matrix_bytes(m));
    if (status == CLI_DONE && !(c->host_y = cli_job_memory(job, bytes)))
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = cli_job_download(job, c->host_y, c->y, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, m->type, c->host_y, 1, &shape);
    return status == CLI_DONE ? report(job, c) : status;
}

static int run(const cli_arguments *arguments)
{
    spmv_call c = {0};
    cli_job job;
    int status = cli_job_open(&job, arguments);

    if (status == CLI_DONE)
        status = cli_matrix_read(arguments, &c.matrix);
    if (status == CLI_DONE)
        status = run_on(&job, &c);
    (void)hd_spmv_plan_destroy(c.plan);
    cli_matrix_free_device(&c.device);
    hd_free(c.x);
    hd_free(c.y);
    free(c.host_x);
    free(c.host_y);
    cli_matrix_free(&c.matrix);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_MATRIX_OPTIONS,
    {"x", "FILE", "input vector: .mtx, .npy, .csv or raw (default: uniform random, 0 to 1)"},
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_spmv = {
    "spmv",
    "multiply a sparse matrix from a Matrix Market file by a vector",
    "[FILE.mtx]",
    options,
    "GB/s counts each entry, offset and vector element once. --verify compares every row with a\n"
    "sum in long double; the allowed error grows with the number of the row's entries. If the sum\n"
    "of absolute products exceeds the range of the type (f32: 3.4e38), infinity is accepted too.\n",
    "  heddle spmv matrix.mtx\n"
    "  heddle spmv matrix.mtx --x x.npy --out y.npy\n"
    "  heddle spmv --poisson 1000,1000 --precision f32 --json\n",
    run,
};
