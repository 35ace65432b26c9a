/* SPDX-License-Identifier: Apache-2.0 */
/* divergence.c - `heddle lab divergence`: a branch by lane compared with one by warp. */
#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/divergence.h"

enum { PARTS_MAX = 64, TURNS_GPU = 4096, TURNS_CPU = 4, WAVES = 8 };

/* The band: the time of one path for all, scaled by the paths that a warp executes. */
static const double least_factor = 0.7, most_factor = 1.4;

static const char *const splits[] = {"lane", "warp"};

typedef struct divergence {
    lab lab;
    unsigned splits; /* bits */
    unsigned parts, blocks, turns;
    uint32_t *in, *out;
    divergence_split split; /* of the launch */
    double seconds;         /* of one path for all; 0: not timed */
} divergence;

static hd_status run_case(void *state, hd_stream *stream)
{
    const divergence *d = state;
    hd_launch_config config = hd_launch_with(hd_dim(d->blocks, 1, 1),
                                             hd_dim(DIVERGENCE_BLOCK, 1, 1), 0, stream);

    return hd_launch(divergence_work, config, d->split, (const uint32_t *)d->in, d->out);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -8},
    {.key = "fraction", .heading = "\nfraction", .width = 8, .decimals = 3},
    {.key = "predicted_paths", .heading = "predicted\npaths", .width = 9, .decimals = 2},
    {.key = "predicted_lanes", .heading = "\nlanes", .width = 6, .decimals = 2},
    {.key = "counted_paths", .heading = "counted\npaths", .width = 8, .decimals = 2},
    {.key = "counted_lanes", .heading = "\nlanes", .width = 6, .decimals = 2},
    {.key = "seconds"},
    {.key = "ratio", .heading = "measured\nratio", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "reference", .heading = "\npubl.", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* Paths that a warp executes: both if its lanes differ. A fraction that is no whole number of lanes
   is rounded up. */
static unsigned paths_of(const divergence_split *split, unsigned warp)
{
    unsigned lanes = (split->taken * warp + split->of - 1) / split->of;

    return !split->by_warp && lanes > 0 && lanes < warp ? 2 : 1;
}

static hd_status measure(divergence *d, hdb_counters *counters, double *seconds)
{
    const lab_launch launch = {&divergence_work_kernel, run_case, d};

    HD_TRY(lab_count(&d->lab, &launch, counters));
    return lab_time(&d->lab, &launch, LAB_WARM, seconds);
}

/* read: NULL if nothing was counted; seconds: 0 if nothing was timed. */
static lab_point point_of(const divergence *d, const hdb_access_counts *read, uint64_t steps,
                          double seconds)
{
    const unsigned paths = paths_of(&d->split, (unsigned)d->lab.job.warp);
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u/%u", d->split.taken, d->split.of);
    lab_point p = lab_point_at(label, d->split.by_warp ? "by warp" : "by lane");
    p.predicted = paths;
    if (read)
        p.counted = (double)read->requests / (double)steps;
    if (seconds > 0)
        lab_point_time(&p, seconds / d->seconds, least_factor * paths, most_factor * paths);
    return p;
}

static void row_print(divergence *d, const hdb_counters *counters, double seconds)
{
    const unsigned warp = (unsigned)d->lab.job.warp, paths = paths_of(&d->split, warp);
    const uint64_t steps = (uint64_t)d->blocks * (DIVERGENCE_BLOCK / warp) * d->turns;
    const hdb_access_counts *read = &counters->global_read;
    const bool counted = d->lab.counts && read->requests, timed = seconds > 0;
    const lab_row row = {.equal = read->requests == steps * paths && read->lanes == steps * warp,
                         .seconds = seconds,
                         .least = least_factor * paths * d->seconds,
                         .most = most_factor * paths * d->seconds,
                         .point = point_of(d, counted ? read : NULL, steps, seconds)};

    CLI_ROW(d->lab.result, cell_text(d->split.by_warp ? "by warp" : "by lane"),
            cell_number((double)d->split.taken / d->split.of), cell_count(paths),
            cell_number((double)warp / paths),
            cell_if(counted, cell_number((double)read->requests / (double)steps)),
            cell_if(counted, cell_number((double)read->lanes / (double)read->requests)),
            cell_if(timed, cell_number(seconds)), cell_if(timed, cell_number(seconds / d->seconds)),
            cell_if(timed, cell_number(least_factor * paths)),
            cell_if(timed, cell_number(most_factor * paths)), cell_none(),
            lab_verdict(&d->lab, &row));
}

static void run_row(divergence *d, divergence_split split)
{
    hdb_counters counters;
    double seconds = 0;

    d->split = split;
    if (d->lab.failed >= 0)
        d->lab.failed = measure(d, &counters, &seconds);
    if (d->lab.failed >= 0)
        row_print(d, &counters, seconds);
}

static void run_rows(void *state)
{
    divergence *d = state;
    const divergence_split whole = {1, 1, 0, d->turns};
    hdb_counters counters;

    d->split = whole;
    if (d->lab.gpu)
        d->lab.failed = measure(d, &counters, &d->seconds);
    for (unsigned by_warp = 0; by_warp < 2; by_warp++)
        for (unsigned taken = 0; taken <= d->parts && d->splits >> by_warp & 1; taken++)
            run_row(d, (divergence_split){taken, d->parts, by_warp, d->turns});
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    divergence *d = state;
    const cli_arguments *arguments = d->lab.job.arguments;
    uint64_t parts = 0;
    int status = cli_word_list_read(arguments, "by", splits, 2, 3, &d->splits);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "parts", 8, 2, PARTS_MAX, &parts);
    if (status == CLI_DONE)
        status = lab_turns_read(&d->lab, TURNS_GPU, LAB_TURNS_GPU_MAX, TURNS_CPU, &d->turns);
    d->parts = (unsigned)parts;
    return status;
}

static hd_status open_memory(void *state)
{
    divergence *d = state;

    HD_TRY(lab_blocks(&d->lab, WAVES, 2, &d->blocks));
    lab_field(&d->lab, "blocks", d->blocks);
    lab_field(&d->lab, "turns", d->turns);
    HD_TRY(lab_alloc(&d->lab, &d->in, DIVERGENCE_TABLE));
    HD_TRY(lab_alloc(&d->lab, &d->out, 1));
    return hd_fill_zero(d->in, DIVERGENCE_TABLE, d->lab.job.stream);
}

static const lab_about about = {
    "paths that a warp executes, and active lanes in them",
    "256 threads per block, steps of each path, one load per step",
    {"fraction of the threads in the first path", "paths per warp", "time / that of one path"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    divergence d;

    return lab_run(&d, sizeof d, arguments, &steps);
}

static const cli_option options[] = {
    {"by", "LIST", "what decides on the path: lane, warp (default: both)"},
    {"parts", "N", "fractions 0, 1/N ... 1 of the threads, N from 2 to 64 (default 8)"},
    {"turns", "N", "loop iterations of each path (default 4096; CPU: 4, at most 64)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_divergence = {
    "lab divergence",
    "predict, count and time branches that split warps, and branches that do not",
    NULL,
    options,
    "A fraction of the threads takes one of two paths of equal length, the rest the other.\n"
    "by lane: the threads of each warp differ; by warp: all threads of a warp agree. Paths\n"
    "and lanes are counted as the requests of the load in both paths. The ratio is the time,\n"
    "divided by that of one path for all threads.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: blocks turns rows (case fraction predicted_paths predicted_lanes\n"
    "counted_paths counted_lanes seconds ratio least_ratio most_ratio reference\n"
    "verdict)\n" LAB_KEYS,
    "  heddle lab divergence\n"
    "  heddle lab divergence --by lane --parts 32\n"
    "  heddle lab divergence --csv\n",
    run};
