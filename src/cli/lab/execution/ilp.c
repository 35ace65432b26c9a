/* SPDX-License-Identifier: Apache-2.0 */
/* ilp.c - `heddle lab ilp`: independent operations of one thread against resident threads. */
#include <math.h>

#include <heddle/heddle.h>

#include "ceilings.h"
#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/kernels/chains.h"

enum { SCHEDULERS = 4 };
enum { GROUP = 128, BLOCKS_CPU = 2, TURNS_GPU = 1024, TURNS_CPU = 1, TURNS_GPU_MAX = 1 << 16 };

/* The band: a chain takes as long as one alone, divided by the chains among which its operations
   are distributed, or as long as the compute unit needs for all threads at its highest rate, of
   which fewer warps than schedulers can use a part only. */
static const double least_factor = 0.75, most_factor = 1.4, launch_seconds = 5e-6;

/* X(chains): the kernels. */
#define CHAINS_LIST(X) X(1) X(2) X(3) X(4) X(6) X(8)
#define CHAINS_NUMBER_(n) n,
static const unsigned chains[] = {CHAINS_LIST(CHAINS_NUMBER_)};
static const unsigned groups[] = {1, 2, 4, 8};
enum { CHAINS = sizeof chains / sizeof *chains, GROUPS = sizeof groups / sizeof *groups };

typedef struct ilp {
    lab lab;
    ceilings peak;
    unsigned blocks, turns;
    unsigned chains, threads; /* of the launch */
    double alone;             /* seconds of one chain in few threads; 0: not timed */
    float *words;
} ilp;

/* Operations of a thread, the same in all rows. */
static double operations_of(const ilp *p)
{
    return (double)CHAINS_SHARED * CHAINS_UNROLLED * p->turns;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const ilp *p = state;
    const chains_work work = {(uint32_t)(operations_of(p) / p->chains), 1, 1, 0};
    const hd_launch_config config = hd_launch_with(hd_dim(p->blocks, 1, 1),
                                                   hd_dim(p->threads, 1, 1), 0, stream);

    switch (p->chains) {
#define CHAINS_RUN_(n)                                                                             \
    case n:                                                                                        \
        return hd_launch(chains_##n, config, work, p->words);
        CHAINS_LIST(CHAINS_RUN_)
    default:
        return HD_ERR_ARGUMENT;
    }
}

static const hd_kernel *kernel_of(unsigned count)
{
    switch (count) {
#define CHAINS_KERNEL_(n)                                                                          \
    case n:                                                                                        \
        return &chains_##n##_kernel;
        CHAINS_LIST(CHAINS_KERNEL_)
    default:
        return NULL;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\nchains", .width = -6},
    {.key = "threads", .heading = "threads\nper unit", .width = 8},
    {.key = "predicted_independent", .heading = "predicted\nindependent", .width = 11},
    {.key = "predicted_operations"},
    {.key = "counted_independent", .heading = "counted\nindependent", .width = 11},
    {.key = "counted_operations"},
    {.key = "seconds"},
    {.key = "gflops", .heading = "measured\nGFLOP/s", .width = 9, .decimals = 0},
    {.key = "least_gflops", .heading = "model\nfrom", .width = 8, .decimals = 0},
    {.key = "most_gflops", .heading = "\nto", .width = 8, .decimals = 0},
    {.key = "reference", .heading = "publ.\nGFLOP/s", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static hd_status measure(ilp *p, double *counted, double *seconds)
{
    const lab_launch launch = {kernel_of(p->chains), run_case, p};

    HD_TRY(run_case(p, p->lab.job.stream));
    HD_TRY(ceilings_sum(&p->lab, p->words, (size_t)p->blocks * p->threads, counted));
    ceilings_count_results(&p->lab);
    return lab_time(&p->lab, &launch, LAB_WARM, seconds);
}

/* The published rate is that of a saturated device. */
static double reference_of(const ilp *p)
{
    const bool most = p->chains == chains[CHAINS - 1] && p->threads == GROUP * groups[GROUPS - 1];

    return most ? lab_reference(p->lab.model, LAB_FLOPS_F32) : 0;
}

static void row_print(ilp *p, double counted, double seconds)
{
    const double threads = (double)p->blocks * p->threads, all = threads * operations_of(p);
    const double steps = operations_of(p) / p->chains, flops = 2e-9 * all;
    const double busy = fmin(1, (double)p->threads / (double)p->lab.job.warp / SCHEDULERS);
    const double saturated = p->peak.flops > 0 ? 2 * all / (p->peak.flops * busy) : 0;
    const double model = fmax(p->alone / p->chains, saturated);
    const double independent = counted / steps / p->blocks;
    const bool right = counted >= all && counted <= all, verify = p->lab.job.verify;
    lab_row row = {.wrong = !right,
                   .equal = right,
                   .seconds = seconds,
                   .least = least_factor * model,
                   .most = most_factor * model + launch_seconds};
    char label[LAB_LABEL], series[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u", p->chains);
    (void)snprintf(series, sizeof series, "%u threads", p->threads);
    row.point = lab_point_at(label, series);
    row.point.predicted = (double)p->chains * p->threads;
    row.point.counted = verify ? independent : LAB_NONE;
    row.point.reference = reference_of(p);
    if (seconds > 0)
        lab_point_time(&row.point, flops / seconds, flops / row.most, flops / row.least);
    CLI_ROW(p->lab.result, cell_count(p->chains), cell_count(p->threads),
            cell_number((double)p->chains * p->threads), cell_number(all),
            cell_if(verify, cell_number(independent)), cell_if(verify, cell_number(counted)),
            cell_if(seconds > 0, cell_number(seconds)),
            cell_if(seconds > 0, cell_number(flops / seconds)),
            cell_if(seconds > 0, cell_number(flops / row.most)),
            cell_if(seconds > 0, cell_number(flops / row.least)), lab_published(reference_of(p)),
            lab_verdict(&p->lab, &row));
}

static void run_rows(void *state)
{
    ilp *p = state;
    double counted = 0;

    p->chains = 1;
    p->threads = GROUP;
    if (p->lab.gpu)
        p->lab.failed = measure(p, &counted, &p->alone);
    for (unsigned g = 0; g < GROUPS; g++)
        for (unsigned c = 0; c < CHAINS && p->lab.failed >= 0; c++) {
            double seconds = 0;

            p->chains = chains[c];
            p->threads = GROUP * groups[g];
            p->lab.failed = measure(p, &counted, &seconds);
            if (p->lab.failed >= 0)
                row_print(p, counted, seconds);
        }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    ilp *p = state;

    return lab_turns_read(&p->lab, TURNS_GPU, TURNS_GPU_MAX, TURNS_CPU, &p->turns);
}

static hd_status open_memory(void *state)
{
    ilp *p = state;

    HD_TRY(lab_blocks(&p->lab, 1, BLOCKS_CPU, &p->blocks));
    lab_field(&p->lab, "blocks", p->blocks);
    lab_field(&p->lab, "turns", p->turns);
    HD_TRY(lab_alloc(&p->lab, &p->words, (size_t)p->blocks * CHAINS_BLOCK_MAX));
    if (p->lab.gpu)
        HD_TRY(ceilings_find(&p->lab, &p->peak));
    return HD_OK;
}

static const lab_about about = {
    "independent multiply-adds per compute unit: chains of a thread, times threads",
    "operations per thread, one block per compute unit, f32",
    {"independent chains per thread", "independent operations per compute unit", "GFLOP/s"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    ilp p;

    return lab_run(&p, sizeof p, arguments, &steps);
}

static const cli_option options[] = {
    {"turns", "N", "192 N operations per thread (default 1024; CPU: 1, at most 64)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_ilp = {
    "lab ilp",
    "predict and time independent operations per thread against resident threads",
    NULL,
    options,
    "Every thread does the same number of multiply-adds, in 1 to 8 chains; within a chain each\n"
    "needs the result of the one before. Operations are counted from the results.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: blocks turns rows (case threads predicted_independent predicted_operations\n"
    "counted_independent counted_operations seconds gflops least_gflops most_gflops reference\n"
    "verdict)\n" LAB_KEYS,
    "  heddle lab ilp\n"
    "  heddle lab ilp --turns 4 --plot ilp.svg\n"
    "  heddle lab ilp --csv\n",
    run};
