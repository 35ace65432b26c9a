/* SPDX-License-Identifier: Apache-2.0 */
/* tridiag.c - `heddle tridiag`: solves tridiagonal systems with the same three coefficients in
   every row, for right-hand sides from a file or generated. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/tridiag.h>

#include "cli/input/array.h"
#include "cli/app/commands.h"
#include "cli/app/job.h"
#include "cli/app/words.h"

typedef struct tridiag_call {
    cli_array array; /* right-hand sides, then the solutions */
    hd_tridiag_batch batch;
    hd_tridiag_algorithm algorithm;
    double lower, diagonal, upper;
    void *side[3], *right, *x, *singular; /* on the device */
    unsigned char *got;
} tridiag_call;

static hd_status tridiag(void *state, hd_stream *stream)
{
    tridiag_call *c = state;

    return hd_tridiag_with(c->algorithm, &c->batch, c->side[0], c->side[1], c->side[2], c->right,
                           c->x, c->singular, NULL, stream);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static int read_batch(const cli_arguments *arguments, tridiag_call *c)
{
    static const char *const layouts[] = {"contiguous", "interleaved"};
    const size_t n = c->array.n, last = n && c->array.axes ? c->array.shape[c->array.axes - 1] : 1;
    const char *names[HD_TRIDIAG_ALGORITHM_COUNT_];
    size_t layout = 0, algorithm = 0;
    uint64_t rows = 0;
    int status = cli_count_read(arguments, "rows", last, 1, SIZE_MAX / 2, &rows);

    for (int a = 0; a < HD_TRIDIAG_ALGORITHM_COUNT_; a++)
        names[a] = hd_tridiag_algorithm_name((hd_tridiag_algorithm)a);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "layout", layouts, 2, 0, &layout);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "algorithm", names, HD_TRIDIAG_ALGORITHM_COUNT_,
                               HD_TRIDIAG_AUTO, &algorithm);
    if (status != CLI_DONE)
        return status;
    if (n % rows != 0)
        return cli_failed(&cli_command_tridiag, "%zu numbers are not a multiple of --rows %llu", n,
                          (unsigned long long)rows);
    c->algorithm = (hd_tridiag_algorithm)algorithm;
    c->batch.rows = (size_t)rows;
    c->batch.systems = n / (size_t)rows;
    c->batch.width = layout ? c->batch.systems : 1;
    c->batch.type = c->array.type;
    return CLI_DONE;
}

static int read_arguments(const cli_arguments *arguments, tridiag_call *c)
{
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    int status = cli_array_input(arguments, path, CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64),
                                 HD_F64, &c->array);

    if (status == CLI_DONE)
        status = cli_number_read(arguments, "lower", -1, &c->lower);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "diagonal", 4, &c->diagonal);
    if (status == CLI_DONE)
        status = cli_number_read(arguments, "upper", -1, &c->upper);
    return status == CLI_DONE ? read_batch(arguments, c) : status;
}

/* ---- verification ---------------------------------------------------------------------------- */

static double element(const tridiag_call *c, const void *data, size_t i)
{
    return c->batch.type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static size_t place(const tridiag_call *c, size_t system, size_t row)
{
    const size_t width = c->batch.width;

    return (system / width * c->batch.rows + row) * width + system % width;
}

/* Coefficients rounded to the type. */
static double rounded(const tridiag_call *c, double value)
{
    return c->batch.type == HD_F32 ? (double)(float)value : value;
}

/* The largest residual of a system, in units of u |diagonal| max|x|. */
static double residual(const tridiag_call *c, size_t system)
{
    const double u = c->batch.type == HD_F32 ? 0x1p-24 : 0x1p-53;
    const long double b = rounded(c, c->diagonal);
    const long double a = rounded(c, c->lower), d = rounded(c, c->upper);
    long double most = 0, worst = 0;

    for (size_t i = 0; i < c->batch.rows; i++) {
        const long double x = element(c, c->got, place(c, system, i));
        long double r = b * x - element(c, c->array.data, place(c, system, i));
        if (i > 0)
            r += a * element(c, c->got, place(c, system, i - 1));
        if (i + 1 < c->batch.rows)
            r += d * element(c, c->got, place(c, system, i + 1));
        most = fmaxl(most, fabsl(x));
        worst = fmaxl(worst, fabsl(r));
    }
    return most > 0 ? (double)(worst / most / fabsl(b) / u) : 0;
}

/* For diagonally dominant rows, docs/tridiagonal.md bounds the residual; otherwise the residual is
   printed and only checked to be finite (hd_tridiag_check). */
static int report(cli_job *job, const tridiag_call *c)
{
    const double theta = (fabs(c->lower) + fabs(c->upper)) / fabs(c->diagonal);
    const double bound = 8 * (4 + log2((double)c->batch.rows)) / (1 - theta);
    const int dominates = c->algorithm == HD_TRIDIAG_AUTO && theta < 1;
    double worst = 0;

    cli_job_path(job, "input", c->array.from, c->array.path, NULL);
    cli_job_text(job, "algorithm", hd_tridiag_algorithm_name(c->algorithm), NULL);
    cli_job_count(job, "systems", c->batch.systems, NULL);
    cli_job_count(job, "rows", c->batch.rows, NULL);
    cli_job_text(job, "layout", c->batch.width == 1 ? "contiguous" : "interleaved", NULL);
    for (size_t s = 0; job->verify && s < c->batch.systems; s++)
        worst = fmax(worst, residual(c, s));
    if (c->array.n > 0)
        cli_job_element(job, "first", c->batch.type, c->got, 0, "x of row 0, system 0");
    if (job->verify)
        cli_job_number(job, "residual", worst, 3, "largest, in u |diagonal| max|x|");
    if (job->verify && dominates)
        cli_job_number(job, "bound", bound, 3, "on it");
    return cli_job_end(job,
                       !job->verify || !dominates ? CLI_SKIPPED
                       : worst <= bound           ? CLI_VERIFIED
                                                  : CLI_WRONG,
                       "a residual of %.3g is above the bound %.3g", worst, bound);
}

/* ---- the run --------------------------------------------------------------------------------- */

static int upload_side(cli_job *job, const tridiag_call *c, double value, void **device)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->batch.type);
    void *host = cli_job_memory(job, bytes);
    int status = host ? CLI_DONE : CLI_FAILED;

    for (size_t i = 0; host && i < c->array.n; i++)
        if (c->batch.type == HD_F32)
            ((float *)host)[i] = (float)value;
        else
            ((double *)host)[i] = value;
    if (status == CLI_DONE)
        status = cli_job_upload(job, host, bytes, device);
    free(host);
    return status;
}

static int run_on(cli_job *job, tridiag_call *c)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->batch.type);
    int status = upload_side(job, c, c->lower, &c->side[0]);

    if (status == CLI_DONE)
        status = upload_side(job, c, c->diagonal, &c->side[1]);
    if (status == CLI_DONE)
        status = upload_side(job, c, c->upper, &c->side[2]);
    if (status == CLI_DONE)
        status = cli_job_upload(job, c->array.data, bytes, &c->right);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->x);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, sizeof(uint64_t), &c->singular);
    if (status == CLI_DONE)
        status = cli_job_time(job, tridiag, c, 5.0 * (double)bytes);
    if (status == CLI_DONE && hd_tridiag_check(c->singular, job->stream) < 0)
        status = cli_failed_call(&cli_command_tridiag);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->got, c->x, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->batch.type, c->got, c->array.axes,
                                  c->array.shape);
    return status == CLI_DONE ? report(job, c) : status;
}

static int run(const cli_arguments *arguments)
{
    tridiag_call c;
    cli_job job;
    int status = cli_job_open(&job, arguments);

    memset(&c, 0, sizeof c);
    if (status == CLI_DONE)
        status = read_arguments(arguments, &c);
    if (status == CLI_DONE) {
        c.got = cli_job_memory(&job, c.array.n * hd_type_bytes(c.array.type));
        status = c.got ? run_on(&job, &c) : CLI_FAILED;
    }
    for (int k = 0; k < 3; k++)
        hd_free(c.side[k]);
    hd_free(c.right);
    hd_free(c.x);
    hd_free(c.singular);
    free(c.got);
    cli_array_free(&c.array);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS(CLI_FLOATS_WIDENED),
    CLI_OUT_OPTION,
    {"rows", "N", "rows per system (default: last extent of the input)"},
    {"lower", "A", "value below the diagonal (default -1)"},
    {"diagonal", "B", "value on the main diagonal (default 4)"},
    {"upper", "C", "value above the diagonal (default -1)"},
    {"layout", "NAME", "contiguous (default: system after system) or interleaved (row after row)"},
    {"algorithm", "NAME", "auto (default), thomas, pcr-shuffle or pcr-shared"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_tridiag = {
    "tridiag",
    "solve tridiagonal systems for the right-hand sides in an array",
    "[FILE]",
    options,
    "Row i is A x[i-1] + B x[i] + C x[i+1] = right[i]. If |A| + |C| < |B|, residuals are verified\n"
    "in long double against the bound of docs/tridiagonal.md.\n",
    "  heddle tridiag --n 2^20 --rows 1024 --type f32\n"
    "  heddle tridiag rhs.npy --layout interleaved --out x.npy\n",
    run,
};
