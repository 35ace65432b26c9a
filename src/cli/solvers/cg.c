/* SPDX-License-Identifier: Apache-2.0 */
/* cg.c - `heddle cg`: solves a symmetric positive definite system by conjugate gradients on one or
   more devices. */
#include <heddle/cg.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/commands.h"
#include "cli/app/devices.h"
#include "cli/input/generate.h"
#include "cli/input/matrix.h"
#include "cli/app/words.h"

typedef struct cg_call {
    cli_matrix matrix;
    cli_devices devices;
    hd_cg_options options;
    double tolerance;
    uint64_t iterations;
    void *b, *x, *alone; /* x of all devices, and of the first one alone */
    hd_cg_report report, alone_report;
    hd_cg_share total; /* totals over the devices; rows: of the largest share */
} cg_call;

/* ---- arguments ------------------------------------------------------------------------------- */

static int read_numbers(const cli_arguments *arguments, cg_call *c)
{
    const double usual = c->matrix.host.type == HD_F32 ? 1e-3 : 1e-8;
    uint64_t look = 0;
    int status = cli_number_read(arguments, "tolerance", usual, &c->tolerance);

    if (status == CLI_DONE && c->tolerance < 0)
        status = cli_misused(arguments->command, "--tolerance is 0 or more");
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "iterations", 10000, 0, UINT32_MAX, &c->iterations);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "look", 0, 1, 4096, &look);
    c->options.look = (unsigned)look;
    return status;
}

static int read_arguments(const cli_arguments *arguments, cg_call *c)
{
    static const char *const preconditioners[] = {"jacobi", "none"};
    static const char *const issues[] = {"graph", "streams"};
    static const char *const sums[] = {"events", "group"};
    size_t preconditioner = 0, issue = 0, by = 0;
    int status = cli_devices_read(arguments, 1, &c->devices);

    if (status == CLI_DONE)
        status = cli_word_read(arguments, "preconditioner", preconditioners, 2, 0, &preconditioner);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "issue", issues, 2, 0, &issue);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "sums", sums, 2, 0, &by);
    c->options.sums = (hd_cg_sums)by;
    c->options.preconditioner = (hd_cg_preconditioner)preconditioner;
    c->options.issue = (hd_cg_issue)issue;
    if (status == CLI_DONE)
        status = cli_matrix_read(arguments, &c->matrix);
    if (status == CLI_DONE && c->matrix.host.rows != c->matrix.host.columns)
        status = cli_failed(arguments->command,
                            "%s: %zu rows and %zu columns, where a square matrix is needed",
                            c->matrix.from, c->matrix.host.rows, c->matrix.host.columns);
    if (status == CLI_DONE && c->matrix.path)
        status = cli_matrix_check_positive(arguments->command, &c->matrix);
    return status == CLI_DONE ? read_numbers(arguments, c) : status;
}

static int read_vectors(cli_job *job, cg_call *c)
{
    const hd_csr *m = &c->matrix.host;
    const size_t bytes = m->rows * hd_type_bytes(m->type);
    int status = cli_vector_read(job->arguments, "rhs", m->rows, m->type, &c->b);

    if (status != CLI_DONE)
        return status;
    if (!c->b) {
        c->b = cli_job_memory(job, bytes);
        if (c->b)
            cli_generate(c->b, m->rows, m->type, GENERATE_CONSTANT, 1);
    }
    c->x = c->b ? cli_job_memory(job, bytes) : NULL;
    c->alone = c->x ? cli_job_memory(job, bytes) : NULL;
    if (!c->alone)
        return CLI_FAILED;
    memset(c->x, 0, bytes);
    memset(c->alone, 0, bytes);
    return CLI_DONE;
}

/* ---- the run --------------------------------------------------------------------------------- */

static hd_status add_shares(const hd_cg *solver, hd_cg_share *total)
{
    hd_cg_share share;

    memset(total, 0, sizeof *total);
    for (unsigned rank = 0; rank < hd_cg_count(solver); rank++) {
        HD_TRY(hd_cg_share_get(solver, rank, &share));
        total->rows = share.rows > total->rows ? share.rows : total->rows;
        total->halo += share.halo;
        total->boundary_rows += share.boundary_rows;
        total->staged += share.staged;
    }
    return HD_OK;
}

/* Once as warm-up (captures the graph), then again from the same initial guess. */
static int solve(cg_call *c, unsigned count, void *x, hd_cg_report *report, hd_cg_share *total)
{
    const size_t bytes = c->matrix.host.rows * hd_type_bytes(c->matrix.host.type);
    hd_cg *solver = NULL;
    hd_status status = hd_cg_create(c->devices.device, count, &c->matrix.host, &c->options,
                                    &solver);

    if (status >= 0)
        status = add_shares(solver, total);
    for (int turn = 0; turn < 2 && status >= 0; turn++) {
        memset(x, 0, bytes);
        status = hd_cg_solve(solver, c->b, x, c->tolerance, (size_t)c->iterations, report);
    }
    if (status < 0)
        (void)cli_failed_call(&cli_command_cg);
    if (hd_cg_destroy(solver) < 0 && status >= 0)
        return cli_failed_call(&cli_command_cg);
    return status < 0 ? CLI_FAILED : CLI_DONE;
}

/* ---- verification ---------------------------------------------------------------------------- */

/* |b - A x| / |b| in long double; |b - A x| if b is 0. *size: bound of its rounding error. */
static double host_residual(const cg_call *c, double *size)
{
    const hd_csr *m = &c->matrix.host;
    const long double u = m->type == HD_F32 ? 0x1p-24 : 0x1p-53;
    long double rr = 0, bb = 0, ss = 0;

    for (size_t i = 0; i < m->rows; i++) {
        const int64_t first = cli_offset(m, i), end = cli_offset(m, i + 1);
        const long double b = cli_element(m->type, c->b, i);
        long double r = b, s = fabsl(b);
        for (int64_t k = first; k < end; k++) {
            const long double term = (long double)cli_element(m->type, m->value, (size_t)k) *
                                     cli_element(m->type, c->x, (size_t)m->column[k]);
            r -= term;
            s += fabsl(term);
        }
        s *= u * (long double)(end - first + 2);
        rr += r * r;
        bb += b * b;
        ss += s * s;
    }
    *size = (double)(bb > 0 ? sqrtl(ss / bb) : sqrtl(ss));
    return (double)(bb > 0 ? sqrtl(rr / bb) : sqrtl(rr));
}

/* ---- output ---------------------------------------------------------------------------------- */

static double bytes_of_iteration(const cg_call *c)
{
    const hd_csr *m = &c->matrix.host;
    const double vectors = c->options.preconditioner == HD_CG_JACOBI ? 13 : 11;

    return cli_matrix_bytes(m) + vectors * (double)m->rows * (double)hd_type_bytes(m->type);
}

static void members(cli_job *job, const cg_call *c)
{
    const hd_cg_report *r = &c->report;
    char devices[CLI_DEVICES_TEXT];

    cli_devices_text(&c->devices, devices);
    cli_matrix_members(job, &c->matrix);
    cli_job_list(job, "devices", devices, NULL);
    cli_job_count(job, "share", c->total.rows, "rows of the largest");
    cli_job_count(job, "halo", c->total.halo, "elements that others own, of all devices");
    cli_job_count(job, "boundary_rows", c->total.boundary_rows, "that need them");
    cli_job_count(job, "staged_links", c->total.staged, "through host memory");
    cli_job_text(job, "preconditioner", hd_cg_preconditioner_name(c->options.preconditioner), NULL);
    cli_job_text(job, "issue", hd_cg_issue_name(c->options.issue), NULL);
    cli_job_text(job, "sums", hd_cg_sums_name(c->options.sums), NULL);
    cli_job_count(job, "iterations", r->iterations, NULL);
    cli_job_count(job, "restarts", r->restarts, "from b - A x computed anew");
    cli_job_flag(job, "converged", r->converged, NULL);
    cli_job_number(job, "residual", r->residual, 6, "|r| / |b| as iterated");
    cli_job_number(job, "true_residual", r->true_residual, 6, "|b - A x| / |b| computed anew");
    cli_job_number(job, "norm", r->norm, 6, "|b|");
    if (r->iterations)
        cli_job_number(job, "us_per_iteration", 1e6 * r->seconds / (double)r->iterations, 5, NULL);
    else
        cli_job_absent(job, "us_per_iteration");
}

/* Runs on the first device alone: compares time and bits. */
static int compare(cli_job *job, const cg_call *c)
{
    const hd_csr *m = &c->matrix.host;
    const double speedup = c->report.seconds > 0 ? c->alone_report.seconds / c->report.seconds : 0;
    const int same = memcmp(c->x, c->alone, m->rows * hd_type_bytes(m->type)) == 0 &&
                     c->report.iterations == c->alone_report.iterations;
    char time[CLI_NUMBER], alone[CLI_JOB_TEXT];

    cli_text_seconds(c->alone_report.seconds, time);
    snprintf(alone, sizeof alone, "%s, on the first device", time);
    cli_job_number(job, "seconds_alone", c->alone_report.seconds, 6, alone);
    cli_job_number(job, "speedup", speedup, 4, NULL);
    cli_job_fraction(job, "efficiency", speedup / c->devices.count, 4);
    cli_job_flag(job, "same_bits", same, "as on one device");
    return same;
}

static void not_compared(cli_job *job)
{
    static const char *const keys[] = {"seconds_alone", "speedup", "efficiency", "same_bits"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cli_job_absent(job, keys[i]);
}

/* The iteration limit was reached; or b - A x is far larger than the residual that the iteration
   updates. */
static int not_converged(const cg_call *c)
{
    const hd_cg_report *r = &c->report;
    const int narrow = c->matrix.host.type == HD_F32, carried = r->residual > c->tolerance;

    if (r->iterations >= c->iterations)
        return cli_failed(&cli_command_cg, "%s / |b| is %.3g after %zu iterations, not %.3g",
                          carried ? "|r|" : "|b - A x|", carried ? r->residual : r->true_residual,
                          r->iterations, c->tolerance);
    return cli_failed(&cli_command_cg,
                      "|b - A x| / |b| stays at %.3g, above %.3g: rounding in %s lets it fall no "
                      "further%s",
                      r->true_residual, c->tolerance, narrow ? "f32" : "f64",
                      narrow ? "; take --precision f64 or a greater --tolerance" : "");
}

static int report(cli_job *job, cg_call *c)
{
    double residual = 0, size = 0;
    int same = 1, near = 1, status;

    members(job, c);
    if (job->verify) {
        residual = host_residual(c, &size);
        near = fabs(residual - c->report.true_residual) <= size + 1e-3 * residual;
    }
    if (job->verify && c->devices.count > 1)
        same = compare(job, c);
    else
        not_compared(job);
    job->runs = 0;
    job->seconds = c->report.seconds;
    job->gbps = job->seconds > 0
                    ? 1e-9 * bytes_of_iteration(c) * (double)c->report.iterations / job->seconds
                    : 0.0;
    status = cli_job_end(job,
                         !job->verify   ? CLI_SKIPPED
                         : same && near ? CLI_VERIFIED
                                        : CLI_WRONG,
                         same ? "the residual on the host is %.6g, not %.6g"
                              : "bits differ from those of one device (residuals %.6g, %.6g)",
                         residual, c->report.true_residual);
    return status == CLI_DONE && !c->report.converged ? not_converged(c) : status;
}

/* Prints the results before writing x, which may fail. */
static int run_on(cli_job *job, cg_call *c)
{
    const uint64_t shape = c->matrix.host.rows;
    hd_cg_share unused;
    int status = read_vectors(job, c), written;

    if (status == CLI_DONE)
        status = solve(c, c->devices.count, c->x, &c->report, &c->total);
    if (status == CLI_DONE && job->verify && c->devices.count > 1)
        status = solve(c, 1, c->alone, &c->alone_report, &unused);
    if (status != CLI_DONE)
        return status;
    status = report(job, c);
    written = cli_array_output(job->arguments, c->matrix.host.type, c->x, 1, &shape);
    return status != CLI_DONE ? status : written;
}

static int run(const cli_arguments *arguments)
{
    cg_call c = {0};
    cli_job job;
    int status = cli_job_open(&job, arguments);

    if (status == CLI_DONE)
        status = read_arguments(arguments, &c);
    if (status == CLI_DONE)
        status = run_on(&job, &c);
    free(c.b);
    free(c.x);
    free(c.alone);
    cli_matrix_free(&c.matrix);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_MATRIX_OPTIONS,
    {"rhs", "FILE", "right-hand side: .mtx, .npy, .csv or raw (default: ones)"},
    CLI_DEVICES_OPTION,
    {"tolerance", "T", "bound of |b - A x| / |b| (default 1e-8; f32: 1e-3)"},
    {"iterations", "N", "maximum number of iterations (default 10000)"},
    {"preconditioner", "NAME", "jacobi (default) or none"},
    {"issue", "NAME", "how iterations are launched: graph (default), or streams (call by call)"},
    {"sums", "NAME", "reductions across devices: events (default) or group (all-reduce)"},
    {"look", "N", "iterations between convergence checks by the host (default 16)"},
    CLI_OUT_OPTION,
    {"verify", NULL,
     "check the residual on the host, and compare the bits with one device (default)"},
    {"no-verify", NULL, "skip the verification"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print a header and one row"},
    {NULL, NULL, NULL}};

const cli_command cli_command_cg = {
    "cg",
    "solve a symmetric positive definite system by conjugate gradients",
    "[FILE.mtx]",
    options,
    "Solves A x = b from x = 0 twice and times the second run. "
    "With several devices, the first one\n"
    "also solves it alone: the times are compared, and the bits of x have to be equal. Exit\n"
    "status 1 if the tolerance is not reached or the matrix is found not to be positive definite.\n"
    "The diagonal, the symmetry of a file and p.Ap of each iteration are checked; this does not\n"
    "detect every such matrix. GB/s counts each entry, offset and vector element as often as an\n"
    "iteration needs it. Values that were not measured (comparisons on one device or with\n"
    "--no-verify) are null in JSON and empty in CSV.\n",
    "  heddle cg matrix.mtx --rhs b.mtx --out x.npy\n"
    "  heddle cg --poisson 2000,2000 --devices 0,1\n"
    "  heddle cg --poisson 200,200,200 --precision f32 --json\n",
    run,
};
