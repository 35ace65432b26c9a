/* SPDX-License-Identifier: Apache-2.0 */
/* indices.c - `heddle lab indices`: index arithmetic in 32 and in 64 bits. */
#include <stdio.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/traffic/indices.h"

enum { WAVES = 8, BLOCKS_CPU = 1, TURNS_GPU = 4096, TURNS_CPU = 8, DIVISOR = 1009 };
static const char *const ops[INDICES_OPS] = {"add", "multiply", "divide"};

/* The band, of the time of 32 bits: loops and waiting hide a part of the longer arithmetic. */
static const double least_factor[INDICES_OPS] = {0.9, 1.2, 1.5};
static const double most_factor[INDICES_OPS] = {2.6, 8, 24};
/* Instructions of a step, at least, if operands have 32 bits and a product of two of them 64; 0: a
   division is a sequence of its own. */
static const unsigned narrow[INDICES_OPS] = {2, 1, 0}, wide[INDICES_OPS] = {4, 2, 0};

typedef struct variant {
    const hd_kernel *kernel;
    unsigned bits, op;
} variant;
#define VARIANT_(name, type, bits, op) {&name##_kernel, bits, op},
static const variant variants[] = {INDICES_LIST(VARIANT_)};
enum { VARIANTS = sizeof variants / sizeof *variants };

typedef struct indices {
    lab lab;
    unsigned ops; /* bits */
    unsigned blocks, turns;
    const variant *running;
    uint32_t *out, *host;
    double narrow; /* seconds of 32 bits of the same operation; 0: not timed */
} indices;

static hd_status run_case(void *state, hd_stream *stream)
{
    const indices *x = state;
    const indices_work work = {x->turns, DIVISOR};
    const hd_launch_config config = hd_launch_with(hd_dim(x->blocks, 1, 1),
                                                   hd_dim(INDICES_BLOCK, 1, 1), 0, stream);

#define RUN_(name, type, bits, op)                                                                 \
    if (x->running->kernel == &name##_kernel)                                                      \
        return hd_launch(name, config, work, x->out);
    INDICES_LIST(RUN_)
#undef RUN_
    return HD_ERR_ARGUMENT;
}

/* ---- the results on the host ----------------------------------------------------------------- */

static uint64_t step_of(unsigned op, uint64_t v, uint32_t step)
{
    if (op == INDICES_ADD)
        return (v ^ step) + DIVISOR;
    if (op == INDICES_MULTIPLY)
        return v * DIVISOR + step;
    return v / DIVISOR + v % DIVISOR * INDICES_FACTOR;
}

static uint32_t result_of(const indices *x, uint32_t thread)
{
    const uint64_t mask = x->running->bits == 64 ? UINT64_MAX : UINT32_MAX;
    uint64_t v = (thread + ((uint64_t)DIVISOR << 32)) & mask;

    for (uint32_t step = 0; step < x->turns; step++)
        v = step_of(x->running->op, v, step) & mask;
    return (uint32_t)v ^ (uint32_t)(v >> 32);
}

static hd_status check(const indices *x, uint64_t *exact_out)
{
    HD_TRY(hd_copy_blocking(x->host, x->out, INDICES_BLOCK, x->lab.job.stream));
    *exact_out = 0;
    for (uint32_t i = 0; i < INDICES_BLOCK; i++)
        *exact_out += x->host[i] == result_of(x, i);
    return HD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -8},
    {.key = "bits", .heading = "\nbits", .width = 4},
    {.key = "predicted_instructions", .heading = "predicted\ninstructions", .width = 12},
    {.key = "predicted_results", .heading = "\nresults", .width = 7},
    {.key = "counted_results", .heading = "counted\nresults", .width = 7},
    {.key = "counted_stores", .heading = "\nstores", .width = 6},
    {.key = "seconds"},
    {.key = "gops", .heading = "measured\n10^9/s", .width = 8, .decimals = 1},
    {.key = "ratio", .heading = "\nto 32", .width = 6, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static void row_print(indices *x, const hdb_access_counts *write, uint64_t exact, double seconds)
{
    const variant *v = x->running;
    const unsigned instructions = v->bits == 64 ? wide[v->op] : narrow[v->op];
    const uint64_t warps = (uint64_t)x->blocks * (INDICES_BLOCK / (unsigned)x->lab.job.warp);
    const bool counted = x->lab.counts, timed = seconds > 0, ratio = timed && v->bits == 64;
    const bool verify = x->lab.job.verify;
    const double steps = (double)x->blocks * INDICES_BLOCK * x->turns;
    char series[LAB_LABEL];
    lab_row row = {.own = true,
                   .equal = exact == INDICES_BLOCK && (!counted || write->requests == warps),
                   .seconds = seconds};

    (void)snprintf(series, sizeof series, "%u bits", v->bits);
    row.point = lab_point_at(ops[v->op], series);
    row.point.predicted = instructions ? instructions : LAB_NONE;
    if (ratio) {
        row.least = least_factor[v->op] * x->narrow;
        row.most = most_factor[v->op] * x->narrow;
        lab_point_time(&row.point, seconds / x->narrow, least_factor[v->op], most_factor[v->op]);
    }
    CLI_ROW(x->lab.result, cell_text(ops[v->op]), cell_count(v->bits),
            cell_if(instructions > 0, cell_count(instructions)), cell_count(INDICES_BLOCK),
            cell_if(verify, cell_count(exact)), cell_if(counted, cell_count(write->requests)),
            cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(1e-9 * steps / seconds)),
            cell_if(ratio, cell_number(seconds / x->narrow)),
            cell_if(ratio, cell_number(least_factor[v->op])),
            cell_if(ratio, cell_number(most_factor[v->op])), lab_verdict(&x->lab, &row));
}

static hd_status run_row(indices *x)
{
    const lab_launch launch = {x->running->kernel, run_case, x};
    hdb_counters counters;
    uint64_t exact = 0;
    double seconds = 0;

    HD_TRY(hd_fill_zero(x->out, (size_t)x->blocks * INDICES_BLOCK, x->lab.job.stream));
    HD_TRY(lab_count(&x->lab, &launch, &counters));
    if (x->lab.job.verify)
        HD_TRY(check(x, &exact));
    HD_TRY(lab_time(&x->lab, &launch, LAB_WARM, &seconds));
    if (x->running->bits == 32)
        x->narrow = seconds;
    row_print(x, &counters.global_write, exact, seconds);
    return HD_OK;
}

static void run_rows(void *state)
{
    indices *x = state;

    for (size_t i = 0; i < VARIANTS && x->lab.failed >= 0; i++) {
        x->running = &variants[i];
        if (x->ops >> variants[i].op & 1)
            x->lab.failed = run_row(x);
    }
    x->lab.counts = x->lab.counts || x->lab.job.verify; /* the results */
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    indices *x = state;
    int status = cli_word_list_read(x->lab.job.arguments, "ops", ops, INDICES_OPS,
                                    (1u << INDICES_OPS) - 1, &x->ops);

    if (status == CLI_DONE)
        status = lab_turns_read(&x->lab, TURNS_GPU, LAB_TURNS_GPU_MAX, TURNS_CPU, &x->turns);
    x->turns = (x->turns + INDICES_UNROLLED - 1) / INDICES_UNROLLED * INDICES_UNROLLED;
    return status;
}

static hd_status open_memory(void *state)
{
    indices *x = state;

    HD_TRY(lab_blocks(&x->lab, WAVES, BLOCKS_CPU, &x->blocks));
    lab_field(&x->lab, "blocks", x->blocks);
    lab_field(&x->lab, "turns", x->turns);
    HD_TRY(lab_alloc(&x->lab, &x->out, (size_t)x->blocks * INDICES_BLOCK));
    return lab_alloc_host(&x->lab, &x->host, INDICES_BLOCK);
}

static const lab_about about = {
    "least number of instructions per step of index arithmetic, and exact results of a block",
    "steps per thread, 256 threads per block, each step needs the last one's result",
    {"operation", "instructions per step", "time of 64 bits / time of 32 bits"}};
static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    indices x;

    return lab_run(&x, sizeof x, arguments, &steps);
}

static const cli_option options[] = {
    {"ops", "LIST", "some of add, multiply, divide (default: all)"},
    {"turns", "N", "steps per thread, rounded up to a multiple of 8 (default 4096; CPU: 8)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_indices = {
    "lab indices",
    "predict and time index arithmetic in 32 and in 64 bits",
    NULL,
    options,
    "A thread changes an index again and again: add and xor; multiply by a number and add;\n"
    "divide by a number, with the remainder, as in a split into row and column. GPUs compute\n"
    "with 32-bit operands; 64 bits take several instructions. The results of a block are\n"
    "compared with the host's. The ratio is the time, divided by that of 32 bits.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: blocks turns rows (case bits predicted_instructions predicted_results\n"
    "counted_results counted_stores seconds gops ratio least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab indices\n"
    "  heddle lab indices --ops divide --csv\n",
    run};
