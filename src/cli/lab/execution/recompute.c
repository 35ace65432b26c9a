/* SPDX-License-Identifier: Apache-2.0 */
/* recompute.c - `heddle lab recompute`: a factor that is computed again or read. */
#include <math.h>
#include <stdio.h>

#include <heddle/heddle.h>

#include "ceilings.h"
#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/kernels/traffic/recompute.h"

enum { BLOCK = 256, WORD = 4, SECTOR = 32, VALUES = 251 };
static const uint64_t n_gpu = 1u << 26, n_cpu = 1024, n_max = (uint64_t)1 << 32;
/* Multiply-adds per factor; 0: it is read. */
static const uint32_t steps_of[] = {0, 2, 8, 32, 64, 128};
enum { ROWS = sizeof steps_of / sizeof *steps_of };

/* The band, of the time of reading the factor: that of the roofline, where reading and computing do
   not overlap completely. */
static const double least_factor = 0.7, most_factor = 1.8, launch_seconds = 5e-6;

typedef struct recompute {
    lab lab;
    ceilings roof;
    uint64_t n;
    uint32_t steps; /* of the launch */
    float *in, *table, *out, *host, *host_table;
    double fetched; /* seconds of reading the factor; 0: not timed */
} recompute;

static hd_status run_case(void *state, hd_stream *stream)
{
    const recompute *r = state;
    const size_t vectors = (size_t)r->n / RECOMPUTE_VECTOR;
    const hd_launch_config config = hd_launch_loop(vectors, BLOCK, stream);
    const hd_f32x4 *in = (const void *)r->in, *table = (const void *)r->table;
    hd_f32x4 *out = (void *)r->out;

    if (r->steps)
        return hd_launch(recompute_again, config, vectors, r->steps, 1.0F, 1.0F, in, out);
    return hd_launch(recompute_fetch, config, vectors, table, in, out);
}

/* ---- the model, per element ------------------------------------------------------------------ */

static double bytes_of(uint32_t steps)
{
    return steps ? 2 * WORD : 3 * WORD;
}

static double flops_of(uint32_t steps)
{
    return 2.0 * steps + 1;
}

/* Seconds under the roof. */
static double model_of(const recompute *r, uint32_t steps)
{
    return fmax(bytes_of(steps) / r->roof.bytes, flops_of(steps) / r->roof.flops);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -9},
    {.key = "steps", .heading = "\nsteps", .width = 5},
    {.key = "predicted_bytes", .heading = "bytes per element\npredicted", .width = 9},
    {.key = "counted_bytes", .heading = "\ncounted", .width = 7},
    {.key = "predicted_operations", .heading = "operations\npredicted", .width = 10},
    {.key = "counted_operations", .heading = "\ncounted", .width = 7},
    {.key = "seconds"},
    {.key = "ratio", .heading = "measured\nto fetch", .width = 8, .decimals = 2},
    {.key = "predicted_ratio", .heading = "model\nto fetch", .width = 8, .decimals = 2},
    {.key = "least_ratio", .heading = "\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

typedef struct found {
    double operations; /* per element, from the results */
    bool right;        /* every result is as it should be */
    hdb_counters counters;
    double seconds;
} found;

/* All elements of `in` are 1: the result is the factor, and a computed one the number of steps. */
static hd_status check(recompute *r, found *f)
{
    const size_t n = (size_t)r->n;

    f->right = true;
    HD_TRY(hd_copy_blocking(r->host, r->out, n, r->lab.job.stream));
    for (size_t i = 0; i < n; i++) {
        const float expected = r->steps ? (float)r->steps : r->host_table[i];

        f->right = f->right && r->host[i] >= expected && r->host[i] <= expected;
    }
    f->operations = r->steps ? 2 * (double)r->host[0] + 1 : 1;
    return HD_OK;
}

static double counted_bytes(const recompute *r, const found *f)
{
    return SECTOR *
           (double)(f->counters.global_read.transactions + f->counters.global_write.transactions) /
           (double)r->n;
}

static void row_print(recompute *r, const found *f)
{
    const double bytes = bytes_of(r->steps), flops = flops_of(r->steps);
    const bool counted = r->lab.counts, timed = f->seconds > 0, known = r->roof.flops > 0;
    const double model = known ? model_of(r, r->steps) / model_of(r, 0) : 0;
    const double least = least_factor * model, most = most_factor * model;
    const uint64_t sectors = (uint64_t)bytes * r->n / SECTOR;
    const char *name = r->steps ? "recompute" : "fetch";
    lab_row row = {.own = true,
                   .equal = f->right &&
                            (!counted || f->counters.global_read.transactions +
                                                 f->counters.global_write.transactions ==
                                             sectors),
                   .seconds = f->seconds,
                   .least = least * r->fetched,
                   .most = most * r->fetched + launch_seconds};
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, r->steps ? "%u" : "fetch", r->steps);
    row.point = lab_point_at(label, "");
    row.point.predicted = bytes;
    if (counted)
        row.point.counted = counted_bytes(r, f);
    if (timed)
        lab_point_time(&row.point, f->seconds / r->fetched, least, most);
    CLI_ROW(r->lab.result, cell_text(name), cell_if(r->steps > 0, cell_count(r->steps)),
            cell_number(bytes), cell_if(counted, cell_number(counted_bytes(r, f))),
            cell_number(flops), cell_if(r->lab.job.verify, cell_number(f->operations)),
            cell_if(timed, cell_number(f->seconds)),
            cell_if(timed, cell_number(f->seconds / r->fetched)),
            cell_if(known, cell_number(model)), cell_if(timed, cell_number(least)),
            cell_if(timed, cell_number(most)), lab_verdict(&r->lab, &row));
}

static hd_status run_row(recompute *r)
{
    const lab_launch launch = {r->steps ? &recompute_again_kernel : &recompute_fetch_kernel,
                               run_case, r};
    found f = {.right = true};

    HD_TRY(hd_fill_zero(r->out, (size_t)r->n, r->lab.job.stream));
    HD_TRY(lab_count(&r->lab, &launch, &f.counters));
    if (r->lab.job.verify)
        HD_TRY(check(r, &f));
    HD_TRY(lab_time(&r->lab, &launch, LAB_COLD, &f.seconds));
    if (!r->steps)
        r->fetched = f.seconds;
    row_print(r, &f);
    return HD_OK;
}

static void run_rows(void *state)
{
    recompute *r = state;

    for (size_t i = 0; i < ROWS && r->lab.failed >= 0; i++) {
        r->steps = steps_of[i];
        r->lab.failed = run_row(r);
    }
    r->lab.counts = r->lab.counts || r->lab.job.verify; /* the results */
}

/* Multiply-adds that take as long as reading the factor. */
static void say_break_even(void *state)
{
    const recompute *r = state;
    const bool known = r->roof.flops > 0;
    const double steps = known ? (model_of(r, 0) * r->roof.flops - 1) / 2 : 0;

    cli_field(r->lab.result, "break_even_steps", cell_if(known, cell_number(steps)));
    if (known)
        cli_say(r->lab.result, "\nreading the factor takes as long as %.0f multiply-adds\n", steps);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    recompute *r = state;
    const int status = cli_count_read(r->lab.job.arguments, "n", r->lab.gpu ? n_gpu : n_cpu, BLOCK,
                                      n_max, &r->n);

    r->n -= r->n % BLOCK;
    lab_field(&r->lab, "n", r->n);
    return status;
}

static hd_status open_memory(void *state)
{
    recompute *r = state;
    const size_t n = (size_t)r->n;
    const uint32_t one_bits = 0x3f800000;

    HD_TRY(lab_alloc(&r->lab, &r->in, n));
    HD_TRY(lab_alloc(&r->lab, &r->table, n));
    HD_TRY(lab_alloc(&r->lab, &r->out, n));
    HD_TRY(lab_alloc_host(&r->lab, &r->host, n));
    HD_TRY(lab_alloc_host(&r->lab, &r->host_table, n));
    for (size_t i = 0; i < n; i++)
        r->host_table[i] = (float)(i % VALUES);
    HD_TRY(hd_fill_bytes(r->in, one_bits, WORD, n, r->lab.job.stream));
    HD_TRY(hd_copy_blocking(r->table, r->host_table, n, r->lab.job.stream));
    return ceilings_find(&r->lab, &r->roof);
}

static const lab_about about = {
    "bytes and operations per element: a factor that is read, or computed",
    "elements, four per thread, 256 threads per block, f32, no data in a cache",
    {"multiply-adds per factor", "bytes per element", "time / that of reading the factor"}};
static const lab_steps steps = {&about,   LAB_COLUMNS(columns), read_options, open_memory,
                                run_rows, say_break_even};

static int run(const cli_arguments *arguments)
{
    recompute r;

    return lab_run(&r, sizeof r, arguments, &steps);
}

static const cli_option options[] = {
    {"n", "N", "elements, rounded down to a multiple of 256 (default 2^26; CPU: 1024)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_recompute = {
    "lab recompute",
    "predict, count and time recomputing a value against loading it",
    NULL,
    options,
    "out[i] = in[i] w, where w is read from an array (fetch), or computed by 2 to 128 multiply-\n"
    "adds that depend on each other (recompute). A thread has four elements, which are\n"
    "independent. The model is the roofline of lab intensity: the longer of moving the bytes\n"
    "and computing. On the CPU it is that of --device-model.\n"
    "Operations are counted from the results, bytes by the checking engine.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: n rows (case steps predicted_bytes counted_bytes predicted_operations\n"
    "counted_operations seconds ratio predicted_ratio least_ratio most_ratio verdict)\n"
    "break_even_steps\n" LAB_KEYS,
    "  heddle lab recompute\n"
    "  heddle lab recompute --device-model h200\n",
    run};
