/* SPDX-License-Identifier: Apache-2.0 */
/* constants.c - `heddle lab constants`: uniform and divergent reads of constant memory, struct
   parameters and read-only global memory. */
#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/kernels/operations/constants.h"
#include "cli/lab/experiment/lab.h"

enum { TURNS_GPU = 4096, TURNS_CPU = 2, WAVES = 8, LINE = 128 };

/* The band of reads that are served one address after the other: the time of one address, scaled by
   the passes at most. Issuing the loop may take as long as eight passes. */
static const double serial_share = 8, least_factor = 0.9, most_factor = 1.25;
/* That of reads that are served by lines of global memory. */
static const double line_least = 0.7, line_most = 1.5;

enum { MEMORY, PARAMETER, READONLY, KINDS };
static const char *const kinds[KINDS] = {"constant", "parameter", "read-only"};
static const hd_kernel *const kernels[KINDS] = {
    &constants_memory_kernel, &constants_parameter_kernel, &constants_readonly_kernel};

typedef struct constants {
    lab lab;
    unsigned kinds; /* bits */
    unsigned blocks, turns, distinct;
    size_t kind;
    bool cache; /* a cache of its own serves constants */
    constants_words words;
    uint32_t *table, *out;
    double second; /* of one address; 0: not timed */
} constants;

static hd_status run_case(void *state, hd_stream *stream)
{
    const constants *c = state;
    hd_launch_config config = hd_launch_with(hd_dim(c->blocks, 1, 1), hd_dim(CONSTANTS_BLOCK, 1, 1),
                                             0, stream);

    if (c->kind == MEMORY)
        return hd_launch(constants_memory, config, c->distinct, c->turns, c->out);
    if (c->kind == PARAMETER)
        return hd_launch(constants_parameter, config, c->words, c->distinct, c->turns, c->out);
    return hd_launch(constants_readonly, config, (const uint32_t *)c->table, c->distinct, c->turns,
                     c->out);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -10},
    {.key = "distinct", .heading = "distinct\nwords", .width = 8},
    {.key = "predicted_passes", .heading = "predicted\npasses", .width = 9},
    {.key = "counted_words", .heading = "counted\nwords", .width = 8, .decimals = 2},
    {.key = "counted_passes", .heading = "\npasses", .width = 6, .decimals = 2},
    {.key = "seconds"},
    {.key = "ratio", .heading = "measured\nratio", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static bool serial(const constants *c)
{
    return c->kind != READONLY && c->cache;
}

/* Passes of one request: one per address, or one per line of the words from 0 on. */
static unsigned passes_of(const constants *c)
{
    return serial(c) ? c->distinct : (c->distinct * 4 + LINE - 1) / LINE;
}

static double least_ratio(const constants *c)
{
    const double passes = passes_of(c);

    if (!serial(c))
        return line_least;
    return least_factor * (passes > serial_share ? passes / serial_share : 1);
}

static double most_ratio(const constants *c)
{
    return (serial(c) ? most_factor : line_most) * passes_of(c);
}

static hd_status measure(constants *c, hdb_counters *counters, double *seconds)
{
    const lab_launch launch = {kernels[c->kind], run_case, c};

    HD_TRY(lab_count(&c->lab, &launch, counters));
    return lab_time(&c->lab, &launch, LAB_WARM, seconds);
}

static lab_point point_of(const constants *c, double counted, double seconds)
{
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u", c->distinct);
    lab_point p = lab_point_at(label, kinds[c->kind]);
    p.predicted = passes_of(c);
    p.counted = counted;
    if (seconds > 0)
        lab_point_time(&p, seconds / c->second, least_ratio(c), most_ratio(c));
    return p;
}

static void row_print(constants *c, const hdb_counters *counters, double seconds)
{
    const unsigned passes = passes_of(c);
    const uint64_t warps = (uint64_t)c->blocks * (CONSTANTS_BLOCK / (unsigned)c->lab.job.warp);
    const hdb_access_counts *read = &counters->global_read;
    const uint64_t counted = serial(c) ? read->words : read->lines;
    const bool seen = c->lab.counts && read->requests, timed = seconds > 0;
    const double requests = (double)read->requests;
    const bool judged = c->lab.gpu ||
                        c->kind != PARAMETER; /* whose reads the engine does not see */
    const lab_row row = {
        .equal = read->requests == warps * c->turns &&
                 read->words == read->requests * c->distinct && counted == read->requests * passes,
        .seconds = seconds,
        .least = least_ratio(c) * c->second,
        .most = most_ratio(c) * c->second,
        .point = point_of(c, seen ? (double)counted / requests : LAB_NONE, seconds)};

    CLI_ROW(c->lab.result, cell_text(kinds[c->kind]), cell_count(c->distinct), cell_count(passes),
            cell_if(seen, cell_number((double)read->words / requests)),
            cell_if(seen, cell_number((double)counted / requests)),
            cell_if(timed, cell_number(seconds)), cell_if(timed, cell_number(seconds / c->second)),
            cell_if(timed, cell_number(least_ratio(c))), cell_if(timed, cell_number(most_ratio(c))),
            judged ? lab_verdict(&c->lab, &row) : cell_none());
}

static void run_row(constants *c)
{
    hdb_counters counters;
    double seconds = 0;

    if (c->lab.failed >= 0)
        c->lab.failed = measure(c, &counters, &seconds);
    if (c->distinct == 1)
        c->second = seconds;
    if (c->lab.failed >= 0)
        row_print(c, &counters, seconds);
}

static void run_rows(void *state)
{
    constants *c = state;

    for (c->kind = 0; c->kind < KINDS; c->kind++)
        for (c->distinct = 1; c->distinct <= (unsigned)c->lab.job.warp; c->distinct *= 2)
            if (c->kinds >> c->kind & 1)
                run_row(c);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    constants *c = state;
    const cli_arguments *arguments = c->lab.job.arguments;
    int status = cli_word_list_read(arguments, "kinds", kinds, KINDS, (1u << KINDS) - 1, &c->kinds);

    if (status == CLI_DONE)
        status = lab_turns_read(&c->lab, TURNS_GPU, LAB_TURNS_GPU_MAX, TURNS_CPU, &c->turns);
    return status;
}

static hd_status open_memory(void *state)
{
    constants *c = state;
    hd_stream *stream = c->lab.job.stream;
    uint32_t cache = 0;

    HD_TRY(lab_blocks(&c->lab, WAVES, 1, &c->blocks));
    lab_field(&c->lab, "blocks", c->blocks);
    lab_field(&c->lab, "turns", c->turns);
    HD_TRY(lab_alloc(&c->lab, &c->table, CONSTANTS_WORDS));
    HD_TRY(lab_alloc(&c->lab, &c->out, 1));
    HD_TRY(hd_fill_zero(c->table, CONSTANTS_WORDS, stream));
    HD_TRY(hd_symbol_write(hd_symbol_of(constants_table), 0, &c->words, sizeof c->words, stream));
    HD_TRY(hd_launch(constants_cache, hd_launch_1d(1, 1, stream), c->out));
    HD_TRY(hd_copy_blocking(&cache, c->out, 1, stream));
    c->cache = cache != 0;
    return HD_OK;
}

static const lab_about about = {
    "passes per request of a warp that reads 1, 2, 4 ... distinct words",
    "256 threads per block, reads per thread, words of 4 bytes, a table of 256 bytes",
    {"distinct words per warp", "passes per request", "time / that of one word"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    constants c;

    return lab_run(&c, sizeof c, arguments, &steps);
}

static const cli_option options[] = {
    {"kinds", "LIST", "some of constant, parameter, read-only (default: all)"},
    {"turns", "N", "reads per thread (default 4096; CPU: 2, at most 64)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_constants = {
    "lab constants",
    "predict, count and time uniform and divergent reads of constants",
    NULL,
    options,
    "The lanes of a warp read 1, 2, 4 ... distinct words of a table. constant: in constant\n"
    "memory; parameter: in a struct passed to the kernel; read-only: in global memory,\n"
    "through the read-only path. Constants that have a cache of their own take a pass per\n"
    "distinct word, global memory one per line of 128 bytes. The ratio is the time, divided\n"
    "by that of one word for all lanes. Reads of parameters are not counted.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: blocks turns rows (case distinct predicted_passes counted_words\n"
    "counted_passes seconds ratio least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab constants\n"
    "  heddle lab constants --kinds constant,read-only\n"
    "  heddle lab constants --csv\n",
    run};
