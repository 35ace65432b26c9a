/* SPDX-License-Identifier: Apache-2.0 */
/* recurrence.c - `heddle recurrence`: v[i] = s[i] v[i-1] + u[i], and running weighted averages. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/device/dd.h>
#include <heddle/recurrence.h>

#include "cli/input/array.h"
#include "cli/app/job.h"
#include "cli/input/generate.h"
#include "cli/app/words.h"

typedef struct call {
    cli_array u;       /* or the values to average */
    cli_array factors; /* s, or weights */
    int average, begins;
    hd_scalar initial;
    void *dev_factors, *dev_u, *dev_out;
    void *result;
} call;

typedef struct error_report {
    double worst;   /* of the finite results, in units in the last place */
    double share;   /* largest error, as a fraction of the bound in heddle/recurrence.h */
    size_t outside; /* results out of the type's range, or with terms out of range */
    size_t wrong;   /* the first result that should be NaN but is not; u.n: none */
} error_report;

static hd_status run_once(void *state, hd_stream *stream)
{
    call *c = state;
    if (c->average)
        return hd_running_average(c->dev_u, c->dev_factors, c->u.n, c->u.type, c->dev_out, NULL,
                                  stream);
    return hd_recurrence(c->dev_factors, c->dev_u, c->u.n, c->u.type,
                         c->begins ? &c->initial : NULL, c->dev_out, NULL, stream);
}

static double at(const call *c, const void *data, size_t i)
{
    return c->u.type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

/* The terms of the current result, in double-double. */
typedef struct terms {
    hd_dd v, weights;
    double absolute; /* sum of their absolute values */
    double factors;  /* the same, each times its number of factors */
} terms;

static terms begin(const call *c)
{
    terms t = {{0, 0}, {0, 0}, 0, 0};
    if (c->begins) {
        const double initial = at(c, &c->initial, 0);
        t.v = hd_dd_from_f64(initial);
        t.absolute = fabs(initial);
    }
    return t;
}

/* Adds element i; returns its result, and the size relative to which its error is measured. */
static hd_dd step(const call *c, terms *t, size_t i, double *size)
{
    const double s = at(c, c->factors.data, i), u = at(c, c->u.data, i);
    if (!c->average) {
        t->v = hd_dd_add(hd_dd_mul(t->v, hd_dd_from_f64(s)), hd_dd_from_f64(u));
        t->factors = fabs(s) * (t->factors + t->absolute);
        *size = t->absolute = fabs(s) * t->absolute + fabs(u);
        return t->v;
    }
    t->v = hd_dd_add(t->v, hd_dd_mul(hd_dd_from_f64(u), hd_dd_from_f64(s)));
    t->weights = hd_dd_add(t->weights, hd_dd_from_f64(s));
    t->absolute += fabs(u * s);
    *size = t->absolute / fabs(hd_dd_to_f64(t->weights));
    return hd_dd_div(t->v, t->weights);
}

/* Errors in units in the last place of the sum of the absolute terms of a result (of the result
   itself for averages of positive numbers). A result that is not finite is wrong unless that sum,
   for this or an earlier result, exceeds the type's range. */
static error_report measure_errors(const call *c)
{
    const double unit = c->u.type == HD_F32 ? 0x1p-24 : 0x1p-53;
    const double smallest = c->u.type == HD_F32 ? 0x1p-126 : 0x1p-1022;
    const double sums = 2 * log2((double)c->u.n + 2) + 40;
    error_report report = {0, 0, 0, c->u.n};
    terms t = begin(c);
    const double top = c->u.type == HD_F32 ? FLT_MAX : DBL_MAX;
    double largest = 1;
    int nan = 0;
    for (size_t i = 0; i < c->u.n; i++) {
        const double got = at(c, c->result, i);
        double size = 0;
        const hd_dd expected = step(c, &t, i, &size);
        const double error = hd_dd_to_f64(hd_dd_sub(expected, hd_dd_from_f64(got)));
        nan |= isnan(at(c, c->u.data, i)) || isnan(at(c, c->factors.data, i));
        if (nan && !isnan(got) && report.wrong == c->u.n)
            report.wrong = i;
        if (!nan && !isfinite(got) && size <= top && largest <= top && report.wrong == c->u.n)
            report.wrong = i;
        const double least = fmax(size, smallest * largest) * unit;
        if (!nan && (!isfinite(size) || !isfinite(error))) {
            report.outside++;
        } else if (!nan) {
            report.worst = fmax(report.worst, fabs(error) / least);
            report.share = fmax(report.share, fabs(error) / (least * sums + t.factors * unit));
        }
        largest = fmax(largest, size);
    }
    return report;
}

static int measure(cli_job *job, call *c)
{
    const size_t bytes = c->u.n * hd_type_bytes(c->u.type);
    int status = cli_job_upload(job, c->factors.data, bytes, &c->dev_factors);
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
    error_report errors = {0, 0, 0, c->u.n};
    cli_job_path(job, "input", c->u.from, c->u.path, NULL);
    cli_job_path(job, "factors", c->factors.from, c->factors.path, NULL);
    cli_job_text(job, "type", hd_type_name(c->u.type), NULL);
    cli_job_text(job, "kind", c->average ? "average" : "recurrence", NULL);
    cli_job_count(job, "count", c->u.n, "elements");
    if (c->u.n > 0)
        cli_job_element(job, "last", c->u.type, c->result, c->u.n - 1, NULL);
    if (job->verify) {
        errors = measure_errors(c);
        cli_job_number(job, "error_ulp", errors.worst, 4,
                       "at most, against double-double, of the sum of absolute values");
        cli_job_number(job, "error_share", errors.share, 4, "of the error that is allowed");
        cli_job_count(job, "outside", errors.outside, "results beyond the range of the type");
    }
    if (errors.wrong < c->u.n)
        return cli_job_end(job, CLI_WRONG,
                           "element %zu is NaN, infinite or finite where it should not be",
                           errors.wrong);
    return cli_job_end(job,
                       !job->verify         ? CLI_SKIPPED
                       : errors.share > 1   ? CLI_WRONG
                       : errors.outside > 0 ? CLI_SKIPPED
                                            : CLI_VERIFIED,
                       "an error is %.3g times the allowed one", errors.share);
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* --factor for all, or numbers in [0, 1). */
static int make_factors(cli_job *job, call *c, double factor, int given)
{
    cli_array *f = &c->factors;
    f->n = c->u.n;
    f->type = c->u.type;
    f->data = cli_job_memory(job, f->n * hd_type_bytes(f->type));
    if (!f->data)
        return CLI_FAILED;
    if (given)
        snprintf(f->from, sizeof f->from, "all %.9g", factor);
    else
        snprintf(f->from, sizeof f->from, "uniform (seed 2)");
    if (!given)
        cli_generate(f->data, f->n, f->type, GENERATE_UNIFORM, 2);
    for (size_t i = 0; given && i < f->n; i++) {
        if (f->type == HD_F32)
            ((float *)f->data)[i] = (float)factor;
        else
            ((double *)f->data)[i] = factor;
    }
    return CLI_DONE;
}

/* From a file, from a column of the input, or generated. */
static int read_factors(cli_job *job, const char *path, call *c)
{
    const cli_arguments *arguments = job->arguments;
    const char *file = cli_option_value(arguments, "factors");
    const char *column = cli_option_value(arguments, "factor-column");
    const int given = cli_option_given(arguments, "factor");
    double factor = 0;
    int status = cli_number_read(arguments, "factor", 0, &factor);
    if (status != CLI_DONE)
        return status;
    if ((file != NULL) + (column != NULL) + given > 1 || ((file || column) && !path))
        return cli_misused(arguments->command,
                           "one of --factor, --factors FILE.npy, --factor-column; the last two "
                           "with FILE");
    if (!file && !column)
        return make_factors(job, c, factor, given);
    status = cli_array_more(arguments, file ? file : path, column, c->u.type, &c->factors);
    if (status == CLI_DONE && c->factors.n != c->u.n)
        return cli_failed(arguments->command, "%zu factors for %zu elements", c->factors.n, c->u.n);
    return status;
}

static int read_input(cli_job *job, call *c)
{
    const cli_arguments *arguments = job->arguments;
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    int status;
    c->average = cli_option_given(arguments, "average");
    c->begins = cli_option_given(arguments, "initial");
    if (c->average && c->begins)
        return cli_misused(arguments->command, "--average cannot be combined with --initial");
    status = cli_array_input(arguments, path, CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64), HD_F32,
                             &c->u);
    if (status == CLI_DONE)
        status = cli_scalar_read(arguments, "initial", c->u.type, &c->initial);
    return status == CLI_DONE ? read_factors(job, path, c) : status;
}

static int run(const cli_arguments *arguments)
{
    call c;
    cli_job job;
    int status = cli_job_open(&job, arguments);
    memset(&c, 0, sizeof c);
    if (status == CLI_DONE)
        status = read_input(&job, &c);
    if (status == CLI_DONE && !(c.result = cli_job_memory(&job, c.u.n * hd_type_bytes(c.u.type))))
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = measure(&job, &c);
    if (status == CLI_DONE)
        status = report(&job, &c);
    hd_free(c.dev_factors);
    hd_free(c.dev_u);
    hd_free(c.dev_out);
    free(c.result);
    cli_array_free(&c.factors);
    cli_array_free(&c.u);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS(CLI_FLOATS_WIDENED),
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {"factor", "S", "constant s[i], or constant weight (default: random, from 0 to 1)"},
    {"factors", "FILE.npy", "file with s, or with the weights: one number per element"},
    {"factor-column", "NAME|N", "column of FILE that holds s or the weights"},
    {"initial", "V", "v[-1] (default 0)"},
    {"average", NULL, "compute the weighted running average of FILE"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_recurrence = {
    "recurrence",
    "compute v[i] = s[i] v[i-1] + u[i], or weighted running averages",
    "[FILE]",
    options,
    "FILE holds u as f32 or f64; narrower input is widened. "
    "The error is measured in double-double\n"
    "arithmetic, in units in the last place of the sum of the absolute values of all terms;\n"
    "heddle/recurrence.h states the bound. If results overflow, nothing is verified.\n"
    "Average i is (w[0] u[0] + ... + w[i] u[i]) / (w[0] + ... + w[i]), with weights w.\n",
    "  heddle recurrence --n 2^24\n"
    "  heddle recurrence prices.npy --average --factor 1\n"
    "  heddle recurrence trades.csv --column price --average --factor-column volume\n",
    run,
};
