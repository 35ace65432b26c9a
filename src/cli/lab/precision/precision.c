/* SPDX-License-Identifier: Apache-2.0 */
/* precision.c - `heddle lab precision`: error and time of one kernel in single and double
   precision. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/arithmetic/precision.h"

enum { BLOCK = 256, ERRORS_MAX = 4096 };
static const uint32_t turns_of[] = {2, 16, 128, 1024};
static const uint64_t n_gpu = 1u << 25, n_cpu = 1000, n_max = (uint64_t)1 << 32;
static const double factor = 1 - 1.0 / 1024; /* exact in both */

/* Time of double over that of single precision: moving twice the bytes, or computing at a rate that
   is between the same and 1/64. */
static const double bytes_least = 1.6, bytes_most = 2.5, rate_least = 0.9, rate_most = 70;

typedef struct precision {
    lab lab;
    uint64_t n;
    uint32_t turns;
    bool f64;
    float *in32, *out32;
    double *in64, *out64;
    float *host32;
    double *host64;
    double single; /* seconds of the f32 row */
} precision;

/* In (1, 2): 24 bits, so that both precisions have the same input. */
static float input(uint64_t i)
{
    const uint32_t bits = (uint32_t)i * 2654435761u;

    return 1.0F + (float)(bits >> 9) * 0x1p-23F;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const precision *p = state;
    hd_launch_config config = hd_launch_loop((size_t)p->n, BLOCK, stream);

    if (p->f64)
        return hd_launch(precision_f64, config, (size_t)p->n, p->turns, factor,
                         (const double *)p->in64, p->out64);
    return hd_launch(precision_f32, config, (size_t)p->n, p->turns, (float)factor,
                     (const float *)p->in32, p->out32);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Each step rounds once, relative to a value that is not above the last one: after `turns` steps
   the error is at most turns * unit roundoff of the result, to first order. */
static double bound_of(const precision *p)
{
    const double roundoff = p->f64 ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2;

    return p->turns * roundoff * (1 + p->turns * roundoff);
}

/* Error of one element relative to the recurrence in the next higher precision. */
static double error_of(const precision *p, uint64_t i)
{
    const long double x = (long double)input(i);
    const long double found = p->f64 ? (long double)p->host64[i] : (long double)p->host32[i];
    long double v = 0;

    for (uint32_t t = 0; t < p->turns; t++)
        v = (long double)factor * v + x;
    v = (found - v) / v;
    return (double)(v < 0 ? -v : v);
}

/* Largest relative error of the first elements. */
static hd_status error_find(const precision *p, double *error_out)
{
    const size_t n = p->n < ERRORS_MAX ? (size_t)p->n : ERRORS_MAX;

    HD_TRY(run_case((void *)(uintptr_t)p, p->lab.job.stream));
    if (p->f64)
        HD_TRY(hd_copy_blocking(p->host64, p->out64, n, p->lab.job.stream));
    else
        HD_TRY(hd_copy_blocking(p->host32, p->out32, n, p->lab.job.stream));
    *error_out = 0;
    for (size_t i = 0; i < n; i++) {
        const double error = error_of(p, i);

        *error_out = error <= *error_out ? *error_out : error; /* keeps NaN */
    }
    return HD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -4},
    {.key = "turns", .heading = "\nsteps", .width = 5},
    {.key = "flops_per_byte", .heading = "flops\nper byte", .width = 8, .decimals = 2},
    {.key = "error_bound", .heading = "predicted\nunits", .width = 9, .decimals = 1},
    {.key = "error", .heading = "counted\nunits", .width = 8, .decimals = 2},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "gflops", .heading = "\nGFLOP/s", .width = 9, .decimals = 1},
    {.key = "ratio", .heading = "\nto f32", .width = 7, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static void row_print(precision *p, double error, double seconds)
{
    const double bytes = (p->f64 ? 16.0 : 8.0) * (double)p->n,
                 flops = 2.0 * p->turns * (double)p->n;
    const double unit = p->f64 ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2;
    const bool timed = seconds > 0, ratio = timed && p->f64, moves = p->turns == turns_of[0];
    const double least = moves ? bytes_least : rate_least, most = moves ? bytes_most : rate_most;
    lab_row row = {.own = true, .equal = error <= bound_of(p), .seconds = seconds};
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u", p->turns);
    row.point = lab_point_at(label, p->f64 ? "f64" : "f32");
    row.point.predicted = bound_of(p) / unit;
    row.point.counted = p->lab.job.verify ? error / unit : LAB_NONE;
    if (ratio) {
        row.least = least * p->single;
        row.most = most * p->single;
        lab_point_time(&row.point, seconds / p->single, least, most);
    }
    CLI_ROW(p->lab.result, cell_text(p->f64 ? "f64" : "f32"), cell_count(p->turns),
            cell_number(flops / bytes), cell_number(bound_of(p) / unit),
            cell_if(p->lab.job.verify, cell_number(error / unit)),
            cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(1e-9 * bytes / seconds)),
            cell_if(timed, cell_number(1e-9 * flops / seconds)),
            cell_if(ratio, cell_number(seconds / p->single)), cell_if(ratio, cell_number(least)),
            cell_if(ratio, cell_number(most)), lab_verdict(&p->lab, &row));
}

static hd_status run_row(precision *p)
{
    const lab_launch launch = {p->f64 ? &precision_f64_kernel : &precision_f32_kernel, run_case, p};
    double error = 0, seconds = 0;

    if (p->lab.job.verify)
        HD_TRY(error_find(p, &error));
    HD_TRY(lab_time(&p->lab, &launch, LAB_WARM, &seconds));
    if (!p->f64)
        p->single = seconds;
    row_print(p, error, seconds);
    return HD_OK;
}

static void run_rows(void *state)
{
    precision *p = state;

    for (size_t i = 0; i < sizeof turns_of / sizeof *turns_of; i++)
        for (unsigned f64 = 0; f64 < 2 && p->lab.failed >= 0; f64++) {
            p->turns = turns_of[i];
            p->f64 = f64;
            p->lab.failed = run_row(p);
        }
    p->lab.counts = p->lab.job.verify; /* errors, on the host */
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    precision *p = state;

    return cli_count_read(p->lab.job.arguments, "n", p->lab.gpu ? n_gpu : n_cpu, 1, n_max, &p->n);
}

static hd_status upload(const precision *p, const float *in32, const double *in64)
{
    HD_TRY(hd_copy_blocking(p->in32, in32, (size_t)p->n, p->lab.job.stream));
    return hd_copy_blocking(p->in64, in64, (size_t)p->n, p->lab.job.stream);
}

static hd_status fill(precision *p)
{
    float *in32 = malloc((size_t)p->n * sizeof *in32);
    double *in64 = malloc((size_t)p->n * sizeof *in64);
    hd_status status = in32 && in64 ? HD_OK : cli_no_memory("%zu numbers", (size_t)p->n);

    for (uint64_t i = 0; i < p->n && status >= 0; i++)
        in64[i] = (double)(in32[i] = input(i));
    if (status >= 0)
        status = upload(p, in32, in64);
    free(in32);
    free(in64);
    return status;
}

static hd_status open_memory(void *state)
{
    precision *p = state;
    const size_t n = (size_t)p->n;

    lab_field(&p->lab, "n", p->n);
    HD_TRY(lab_alloc(&p->lab, &p->in32, n));
    HD_TRY(lab_alloc(&p->lab, &p->out32, n));
    HD_TRY(lab_alloc(&p->lab, &p->in64, n));
    HD_TRY(lab_alloc(&p->lab, &p->out64, n));
    HD_TRY(lab_alloc_host(&p->lab, &p->host32, ERRORS_MAX));
    HD_TRY(lab_alloc_host(&p->lab, &p->host64, ERRORS_MAX));
    return fill(p);
}

static const lab_about about = {
    "relative error in units of half a unit in the last place of 1, and time",
    "the recurrence v = 1023/1024 v + x, one fused multiply-add per step, numbers",
    {"steps", "relative error / unit roundoff", "time of f64 / time of f32"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    precision p;

    return lab_run(&p, sizeof p, arguments, &steps);
}

static const cli_option options[] = {
    {"n", "N", "numbers (default 2^25; CPU: 1000)"}, LAB_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_lab_precision = {
    "lab precision",
    "compare error and time of one kernel in single and double precision",
    NULL,
    options,
    "Each number goes through 2, 16, 128 and 1024 steps of a recurrence with one rounding\n"
    "each. The predicted error is the bound, one rounding per step; the counted one is the\n"
    "largest relative error of the first 4096 numbers against extended precision on the host.\n"
    "Both are in units of roundoff: 2^-24 for f32, 2^-53 for f64. On a GPU the time of f64 is\n"
    "divided by that of f32: 2 if the bytes decide, otherwise the ratio of the arithmetic\n"
    "rates. Exit status 1 if a row disagrees with the model.\n"
    "\n"
    "JSON keys: n rows (case turns flops_per_byte error_bound error seconds gbps gflops ratio\n"
    "least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab precision\n"
    "  heddle lab precision --n 100 --csv\n",
    run};
