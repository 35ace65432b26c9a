/* SPDX-License-Identifier: Apache-2.0 */
/* intensity.c - `heddle lab intensity`: operations per byte that is read, against the roofline. */
#include <heddle/heddle.h>

#include "ceilings.h"
#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/kernels/intensity.h"

enum { FLOPS_MAX = 4096, CPU_BLOCKS = 2, SECTOR = 32, FEW = 8, ONE_BITS = 0x3f800000 };
enum { PER_BLOCK = INTENSITY_BLOCK * INTENSITY_LOADS * INTENSITY_VECTOR };
static const uint64_t size_max = (uint64_t)1 << 40;

/* The band: the roofline, from which a kernel stays away most where both ceilings meet, because
   reading and computing do not overlap completely. */
static const double least_factor = 0.5, most_factor = 1.15, launch_seconds = 5e-6;

typedef struct intensity {
    lab lab;
    ceilings roof;
    uint64_t size; /* bytes that a launch reads */
    unsigned blocks;
    intensity_work work; /* of the launch */
    void *in;
    float *out, *results, *each; /* each: `results`, or NULL while times are measured */
} intensity;

static hd_status run_case(void *state, hd_stream *stream)
{
    const intensity *t = state;

    return hd_launch(
        intensity_run,
        hd_launch_with(hd_dim(t->blocks, 1, 1), hd_dim(INTENSITY_BLOCK, 1, 1), 0, stream), t->work,
        (const hd_u32x4 *)t->in, t->each, t->out);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\nflop/byte", .width = -9},
    {.key = "intensity"},
    {.key = "predicted_operations", .heading = "operations per vector\npredicted", .width = 12},
    {.key = "counted_operations", .heading = "\ncounted", .width = 8},
    {.key = "predicted_bytes", .heading = "bytes per vector\npredicted", .width = 9, .gap = 3},
    {.key = "counted_bytes", .heading = "\ncounted", .width = 7},
    {.key = "seconds"},
    {.key = "gflops", .heading = "measured\nGFLOP/s", .width = 9, .decimals = 1},
    {.key = "least_gflops", .heading = "model\nfrom", .width = 9, .decimals = 1},
    {.key = "most_gflops", .heading = "\nto", .width = 9, .decimals = 1},
    {.key = "reference", .heading = "publ.\nGFLOP/s", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

typedef struct counts {
    double operations, bytes; /* per vector */
    double seconds;
} counts;

/* Operations from the results: see intensity.h. */
static double operations_of(const intensity *t, double sum)
{
    const double vectors = (double)t->blocks * INTENSITY_BLOCK * INTENSITY_LOADS;
    const double results = sum / vectors;

    return t->work.flops >= FEW ? 2 * (results - 4) : t->work.flops > 1 ? 2 * results : results;
}

static hd_status measure(intensity *t, counts *found)
{
    const lab_launch launch = {&intensity_run_kernel, run_case, t};
    hdb_counters counters;
    double sum;

    t->each = t->results;
    HD_TRY(lab_count(&t->lab, &launch, &counters));
    HD_TRY(ceilings_sum(&t->lab, t->results, (size_t)t->blocks * INTENSITY_BLOCK, &sum));
    found->operations = operations_of(t, sum);
    found->bytes = t->lab.counts ? (double)counters.global_read.transactions * SECTOR /
                                       ((double)t->blocks * PER_BLOCK / INTENSITY_VECTOR)
                                 : INTENSITY_VECTOR;
    t->each = NULL;
    return lab_time(&t->lab, &launch, LAB_COLD, &found->seconds);
}

static lab_row judge(const intensity *t, const counts *found, double flops)
{
    const double model = flops / ceilings_at(&t->roof, (double)t->work.flops / INTENSITY_VECTOR);
    const bool operations = found->operations >= t->work.flops &&
                            found->operations <= t->work.flops;
    const bool bytes = found->bytes >= INTENSITY_VECTOR && found->bytes <= INTENSITY_VECTOR;

    return (lab_row){.wrong = !operations,
                     .equal = operations && bytes,
                     .seconds = found->seconds,
                     .least = model / most_factor,
                     .most = model / least_factor + (t->lab.gpu ? launch_seconds : 0)};
}

static void name_row(const intensity *t, char label[LAB_LABEL])
{
    if (t->work.flops < INTENSITY_VECTOR)
        (void)snprintf(label, LAB_LABEL, "1/%u", INTENSITY_VECTOR / t->work.flops);
    else
        (void)snprintf(label, LAB_LABEL, "%u", t->work.flops / INTENSITY_VECTOR);
}

static void row_print(intensity *t, const counts *found, bool requests)
{
    const double flops = (double)t->blocks * PER_BLOCK / INTENSITY_VECTOR * t->work.flops;
    const bool timed = found->seconds > 0, known = t->roof.flops > 0;
    const bool verify = t->lab.job.verify;
    const double reference = t->work.flops == FLOPS_MAX ? lab_reference(t->lab.model, LAB_FLOPS_F32)
                                                        : 0;
    lab_row row = judge(t, found, flops);
    char label[LAB_LABEL];

    name_row(t, label);
    row.point = lab_point_at(label, "");
    row.point.predicted = t->work.flops;
    row.point.counted = verify ? found->operations : LAB_NONE;
    row.point.reference = reference;
    lab_point_time(&row.point, timed ? 1e-9 * flops / found->seconds : LAB_NONE,
                   known ? 1e-9 * flops / row.most : LAB_NONE,
                   known ? 1e-9 * flops / row.least : LAB_NONE);
    CLI_ROW(t->lab.result, cell_text(label), cell_number((double)t->work.flops / INTENSITY_VECTOR),
            cell_count(t->work.flops), cell_if(verify, cell_number(found->operations)),
            cell_count(INTENSITY_VECTOR), cell_if(requests, cell_number(found->bytes)),
            cell_if(timed, cell_number(found->seconds)),
            cell_if(timed, cell_number(row.point.measured)),
            cell_if(known, cell_number(row.point.least)),
            cell_if(known, cell_number(row.point.most)), lab_published(reference),
            lab_verdict(&t->lab, &row));
}

static void run_rows(void *state)
{
    intensity *t = state;

    for (unsigned flops = 1; flops <= FLOPS_MAX && t->lab.failed >= 0; flops *= 2) {
        counts found = {0, 0, 0};
        bool requests;

        t->work = (intensity_work){flops, 1, 1};
        t->lab.failed = measure(t, &found);
        requests = t->lab.counts;
        ceilings_count_results(&t->lab);
        if (t->lab.failed >= 0)
            row_print(t, &found, requests);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    intensity *t = state;
    const uint64_t fallback = t->lab.gpu ? (uint64_t)1 << 29 : CPU_BLOCKS * PER_BLOCK;
    const int status = cli_count_read(t->lab.job.arguments, "size", fallback, PER_BLOCK, size_max,
                                      &t->size);

    t->blocks = (unsigned)(t->size / PER_BLOCK);
    return status;
}

static hd_status open_memory(void *state)
{
    intensity *t = state;
    const size_t words = (size_t)t->blocks * PER_BLOCK / sizeof(uint32_t);

    lab_field(&t->lab, "size", (uint64_t)t->blocks * PER_BLOCK);
    HD_TRY(lab_alloc_bytes(&t->lab, &t->in, words, sizeof(uint32_t)));
    HD_TRY(lab_alloc(&t->lab, &t->results, (size_t)t->blocks * INTENSITY_BLOCK));
    HD_TRY(lab_alloc(&t->lab, &t->out, 1));
    HD_TRY(hd_fill_bytes(t->in, ONE_BITS, sizeof(uint32_t), words, t->lab.job.stream));
    return ceilings_find(&t->lab, &t->roof);
}

static const lab_about about = {
    "floating-point operations and bytes per vector of 16 bytes",
    "bytes read, 16 bytes per load, 4 loads per thread, blocks of 256 threads, f32",
    {"arithmetic intensity in flop/byte", "operations per vector", "GFLOP/s"}};

static void say_ridge(void *state)
{
    const intensity *t = state;

    cli_field(t->lab.result, "ridge",
              cell_if(t->roof.bytes > 0, cell_number(ceilings_ridge(&t->roof))));
    if (t->roof.bytes > 0)
        cli_say(t->lab.result, "\n%s: %.0f GFLOP/s and %.0f GB/s meet at %.1f flop/byte\n",
                t->lab.gpu ? "measured ceilings" : "peak rates", 1e-9 * t->roof.flops,
                1e-9 * t->roof.bytes, ceilings_ridge(&t->roof));
}

static const lab_steps steps = {&about,   LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                say_ridge};

static int run(const cli_arguments *arguments)
{
    intensity t;

    return lab_run(&t, sizeof t, arguments, &steps);
}

static const cli_option options[] = {
    {"size", "BYTES", "memory that a kernel reads (default 512M; CPU: 32K)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_intensity = {
    "lab intensity",
    "predict, count and time arithmetic intensities from 1/16 to 256 flop/byte",
    NULL,
    options,
    "A kernel reads vectors of 16 bytes and does 1 to 4096 operations with each. The model is\n"
    "the roofline: the lower of the highest rate of arithmetic and intensity times bandwidth,\n"
    "both measured first. On the CPU they are the peak rates of --device-model. Operations are\n"
    "counted from the results.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: size rows (case intensity predicted_operations counted_operations\n"
    "predicted_bytes counted_bytes seconds gflops least_gflops most_gflops reference verdict)\n"
    "ridge\n" LAB_KEYS,
    "  heddle lab intensity\n"
    "  heddle lab intensity --device-model h200 --plot intensity.svg\n"
    "  heddle lab intensity --csv\n",
    run};
