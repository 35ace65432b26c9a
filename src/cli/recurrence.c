/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.c - `heddle recurrence`: v[i] = s[i] v[i-1] + u[i], and running weighted averages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/dd.h>
#include <heddle/recurrence.h>

#include "array.h"
#include "job.h"
#include "kernels/generate.h"
#include "words.h"

typedef struct call {
    cli_array u; /* or the values that are averaged */
    int average;
    void *factors; /* s, or weights; in host memory */
    void *dev_factors, *dev_u, *dev_out;
    void *result;
} call;

static hd_status run_once(void *state, hd_stream *stream)
{
    call *c = state;
    if (c->average)
        return hd_running_average(c->dev_u, c->dev_factors, c->u.n, c->u.type, c->dev_out, NULL,
                                  stream);
    return hd_recurrence(c->dev_factors, c->dev_u, c->u.n, c->u.type, NULL, c->dev_out, NULL,
                         stream);
}

static double at(const call *c, const void *data, size_t i)
{
    return c->u.type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* The largest error in units of the last place of the sum of absolute values that make up a result
   (of the result itself for averages of positive numbers). */
static double worst_error(const call *c)
{
    const double unit = c->u.type == HD_F32 ? 0x1p-24 : 0x1p-53;
    hd_dd v = {0, 0}, weights = {0, 0};
    double absolute = 0, worst = 0;
    for (size_t i = 0; i < c->u.n; i++) {
        const double s = at(c, c->factors, i), u = at(c, c->u.data, i), got = at(c, c->result, i);
        hd_dd expected;
        double size;
        if (c->average) {
            v = hd_dd_add(v, hd_dd_mul(hd_dd_from_f64(u), hd_dd_from_f64(s)));
            weights = hd_dd_add(weights, hd_dd_from_f64(s));
            absolute += fabs(u * s);
            expected = hd_dd_div(v, weights);
            size = absolute / fabs(hd_dd_to_f64(weights));
        } else {
            v = hd_dd_add(hd_dd_mul(v, hd_dd_from_f64(s)), hd_dd_from_f64(u));
            absolute = fabs(s) * absolute + fabs(u);
            expected = v;
            size = absolute;
        }
        const double error = fabs(hd_dd_to_f64(hd_dd_sub(expected, hd_dd_from_f64(got))));
        if (size > 0 && !(error / (size * unit) <= worst))
            worst = error / (size * unit);
    }
    return worst;
}

static int measure(cli_job *job, call *c)
{
    const size_t bytes = c->u.n * hd_type_bytes(c->u.type);
    int status = cli_job_upload(job, c->factors, bytes, &c->dev_factors);
    if (status == CLI_DONE)
        status = cli_job_upload(job, c->u.data, bytes, &c->dev_u);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->dev_out);
    if (status == CLI_DONE)
        status = cli_job_time(job, run_once, c, 3.0 * (double)bytes);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->result, c->dev_out, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->u.type, c->result, c->u.axes, c->u.shape);
    return status;
}

static int report(cli_job *job, const call *c)
{
    const double bound = 2 * log2((double)c->u.n + 2) + 40;
    double worst = 0;
    cli_job_text(job, "input", c->u.from, NULL);
    cli_job_text(job, "type", hd_type_name(c->u.type), NULL);
    cli_job_text(job, "kind", c->average ? "average" : "recurrence", NULL);
    cli_job_count(job, "count", c->u.n, "elements");
    if (c->u.n > 0)
        cli_job_element(job, "last", c->u.type, c->result, c->u.n - 1, NULL);
    if (job->verify) {
        worst = worst_error(c);
        cli_job_number(job, "error_ulp", worst, 4, "at most, of the sum of absolute values");
    }
    return cli_job_end(job,
                       !job->verify     ? CLI_SKIPPED
                       : worst <= bound ? CLI_VERIFIED
                                        : CLI_WRONG,
                       "an error of %.3g units, %.3g are expected at most", worst, bound);
}

/* The factors: --factor everywhere, or numbers from 0 to 1. */
static int make_factors(const cli_arguments *arguments, call *c)
{
    double factor = 0;
    const int given = cli_option_given(arguments, "factor");
    const int status = cli_number_read(arguments, "factor", 0, &factor);
    if (status != CLI_DONE)
        return status;
    if (!given)
        cli_generate(c->factors, c->u.n, c->u.type, GENERATE_UNIFORM, 2);
    for (size_t i = 0; given && i < c->u.n; i++) {
        if (c->u.type == HD_F32)
            ((float *)c->factors)[i] = (float)factor;
        else
            ((double *)c->factors)[i] = factor;
    }
    return CLI_DONE;
}

static int run(const cli_arguments *arguments)
{
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    call c;
    cli_job job;
    int status;
    memset(&c, 0, sizeof c);
    c.average = cli_option_given(arguments, "average") != 0;
    status = cli_job_open(&job, arguments);
    if (status == CLI_DONE)
        status = cli_array_input(arguments, path, CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64),
                                 HD_F32, &c.u);
    if (status == CLI_DONE) {
        const size_t bytes = c.u.n * hd_type_bytes(c.u.type);
        c.factors = cli_job_memory(&job, bytes);
        c.result = cli_job_memory(&job, bytes);
        status = c.factors && c.result ? make_factors(arguments, &c) : CLI_FAILED;
    }
    if (status == CLI_DONE)
        status = measure(&job, &c);
    if (status == CLI_DONE)
        status = report(&job, &c);
    hd_free(c.dev_factors);
    hd_free(c.dev_u);
    hd_free(c.dev_out);
    free(c.factors);
    free(c.result);
    cli_array_free(&c.u);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS,
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {"factor", "S", "s[i], or the weights, all of them; else numbers from 0 to 1"},
    {"average", NULL, "the running average of FILE, weighted"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_recurrence = {
    "recurrence",
    "v[i] = s[i] v[i-1] + u[i], or running weighted averages",
    "[FILE]",
    options,
    "FILE has u, of f32 or f64; v[-1] is 0. The error is measured against double-double\n"
    "arithmetic, in units of the last place of the sum of absolute values that make up a result.\n",
    "  heddle recurrence --n 2^24\n  heddle recurrence prices.npy --average --factor 1\n",
    run,
};
