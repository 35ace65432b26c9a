/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - `heddle scan`: running sums, minima or maxima of numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/dd.h>
#include <heddle/scan.h>

#include "array.h"
#include "job.h"
#include "words.h"

static const char *const op_words[] = {"sum", "min", "max"};
static const hd_reduce_op ops[] = {HD_SUM, HD_MIN, HD_MAX};

typedef struct call {
    cli_array array;
    size_t algorithm, op, exclusive;
    void *in, *out; /* device */
    void *result;
} call;

static hd_status scan_once(void *state, hd_stream *stream)
{
    call *c = state;
    return hd_scan_with((hd_scan_algorithm)c->algorithm, c->in, c->array.n, c->array.type,
                        ops[c->op], c->exclusive ? HD_SCAN_EXCLUSIVE : HD_SCAN_INCLUSIVE, NULL,
                        c->out, NULL, stream);
}

/* ---- verification ---------------------------------------------------------------------------- */

static double real_at(hd_type type, const void *data, size_t i)
{
    return type == HD_F32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

static double lower(double a, double b)
{
    return isnan(a) || isnan(b) ? (double)NAN : a < b || (a == b && signbit(a)) ? a : b;
}

/* Floats: sums within their rounding of a sum in double-double, extremes exactly. */
static size_t verify_real(const call *c)
{
    const double unit = c->array.type == HD_F32 ? 0x1p-24 : 0x1p-53;
    const double nothing = c->op == 0 ? 0 : c->op == 1 ? (double)INFINITY : -(double)INFINITY;
    hd_dd sum = {0, 0};
    double absolute = 0, extreme = nothing;
    for (size_t i = 0; i < c->array.n; i++) {
        const double x = real_at(c->array.type, c->array.data, i);
        const double got = real_at(c->array.type, c->result, i);
        const double before = c->op == 0 ? hd_dd_to_f64(sum) : extreme, bound = absolute;
        double expected;
        sum = hd_dd_add(sum, hd_dd_from_f64(x));
        absolute += fabs(x);
        extreme = c->op == 1 ? lower(extreme, x) : -lower(-extreme, -x);
        expected = c->exclusive ? before : c->op == 0 ? hd_dd_to_f64(sum) : extreme;
        if (c->op == 0 && isfinite(absolute)
                ? !(fabs(got - expected) <= 64 * unit * (c->exclusive ? bound : absolute))
                : c->op != 0 && got != expected && !(isnan(got) && isnan(expected)))
            return i;
    }
    return c->array.n;
}

static uint64_t integer_at(hd_type type, const void *data, size_t i)
{
    switch (type) {
    case HD_I32:
        return (uint64_t)(int64_t)((const int32_t *)data)[i];
    case HD_U32:
        return ((const uint32_t *)data)[i];
    default:
        return ((const uint64_t *)data)[i];
    }
}

static size_t verify_integers(const call *c)
{
    const hd_type type = c->array.type;
    const int is_signed = type == HD_I32 || type == HD_I64;
    uint64_t all = 0;
    for (size_t i = 0; i < c->array.n; i++) {
        const uint64_t x = integer_at(type, c->array.data, i), before = all;
        const uint64_t got = integer_at(type, c->result, i);
        const int below = is_signed ? (int64_t)x < (int64_t)all : x < all;
        all = c->op == 0 ? all + x : i == 0 || below == (c->op == 1) ? x : all;
        if (c->exclusive && i == 0)
            continue; /* the neutral element */
        if (hd_type_bytes(type) == 4 ? (uint32_t)got != (uint32_t)(c->exclusive ? before : all)
                                     : got != (c->exclusive ? before : all))
            return i;
    }
    return c->array.n;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int read_options(const cli_arguments *arguments, call *c)
{
    static const char *const algorithms[] = {
#define ALGORITHM_NAME_(name, text, what) text,
        HD_SCAN_ALGORITHM_LIST(ALGORITHM_NAME_)
#undef ALGORITHM_NAME_
    };
    int status = cli_word_read(arguments, "op", op_words, 3, 0, &c->op);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "algo", algorithms, HD_SCAN_ALGORITHM_COUNT_, 0,
                               &c->algorithm);
    c->exclusive = (size_t)(cli_option_given(arguments, "exclusive") != 0);
    return status;
}

static int measure(cli_job *job, call *c)
{
    const size_t bytes = c->array.n * hd_type_bytes(c->array.type);
    int status = cli_job_upload(job, c->array.data, bytes, &c->in);
    if (status == CLI_DONE)
        status = cli_job_upload(job, NULL, bytes, &c->out);
    if (status == CLI_DONE)
        status = cli_job_time(job, scan_once, c, 2.0 * (double)bytes);
    if (status == CLI_DONE)
        status = cli_job_download(job, c->result, c->out, bytes);
    if (status == CLI_DONE)
        status = cli_array_output(job->arguments, c->array.type, c->result, c->array.axes,
                                  c->array.shape);
    return status;
}

static int report(cli_job *job, const call *c)
{
    const int real = c->array.type == HD_F32 || c->array.type == HD_F64;
    size_t good = c->array.n;
    cli_job_text(job, "input", c->array.from, NULL);
    cli_job_text(job, "type", hd_type_name(c->array.type), NULL);
    cli_job_text(job, "op", op_words[c->op], c->exclusive ? "exclusive" : "inclusive");
    cli_job_count(job, "count", c->array.n, "elements");
    if (c->array.n > 0)
        cli_job_element(job, "last", c->array.type, c->result, c->array.n - 1, NULL);
    if (job->verify)
        good = real ? verify_real(c) : verify_integers(c);
    return cli_job_end(job,
                       !job->verify         ? CLI_SKIPPED
                       : good == c->array.n ? CLI_VERIFIED
                                            : CLI_WRONG,
                       "element %zu differs", good);
}

static int run(const cli_arguments *arguments)
{
    const unsigned types = CLI_TYPE_BIT(HD_I32) | CLI_TYPE_BIT(HD_U32) | CLI_TYPE_BIT(HD_I64) |
                           CLI_TYPE_BIT(HD_U64) | CLI_TYPE_BIT(HD_F32) | CLI_TYPE_BIT(HD_F64);
    const char *path = arguments->operand_count ? arguments->operands[0] : NULL;
    call c;
    cli_job job;
    int status;
    memset(&c, 0, sizeof c);
    status = cli_job_open(&job, arguments);
    if (status == CLI_DONE)
        status = read_options(arguments, &c);
    if (status == CLI_DONE)
        status = cli_array_input(arguments, path, types, HD_F32, &c.array);
    if (status == CLI_DONE &&
        !(c.result = cli_job_memory(&job, c.array.n * hd_type_bytes(c.array.type))))
        status = CLI_FAILED;
    if (status == CLI_DONE)
        status = measure(&job, &c);
    if (status == CLI_DONE)
        status = report(&job, &c);
    hd_free(c.in);
    hd_free(c.out);
    free(c.result);
    cli_array_free(&c.array);
    cli_job_close(&job);
    return status;
}

static const cli_option options[] = {
    CLI_ARRAY_OPTIONS,
    CLI_OUT_OPTION,
    CLI_JOB_OPTIONS,
    {"op", "NAME", "sum (the default), min or max"},
    {"exclusive", NULL, "results are of what precedes each element"},
    {"algo", "NAME", "auto, or of i32, f32, f64: hillis shuffle host"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_scan = {
    "scan",
    "running sums, minima or maxima",
    "[FILE]",
    options,
    "Types: i32 u32 i64 u64 f32 f64. Sums of integers wrap; sums of floats have the same bits on\n"
    "every device and are verified against double-double arithmetic.\n",
    "  heddle scan --n 2^24\n  heddle scan measurements.npy --op max --out peaks.npy\n",
    run,
};
