/* SPDX-License-Identifier: Apache-2.0 */
/* banks.c - `heddle lab banks`: bank conflicts of a warp's reads of shared memory, by pattern. */
#include "banks.h"

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"

enum { TILE = 32, SIZES = 3, WAVES = 8, TURNS_GPU = 4096, TURNS_CPU = 2 };
static const char *const sizes[SIZES] = {"4", "8", "16"};

/* The band: the time of stride 1, scaled by the passes of merged groups at least, of separate ones
   at most. Issuing the loop takes about as long as a pass, which hides part of a conflict of low
   degree. */
static const double least_factor = 0.5, most_factor = 1.25;

typedef struct banks {
    lab lab;
    unsigned patterns, sizes; /* bits */
    bool all;
    unsigned blocks, turns;
    uint32_t *out;
    const banks_case *running;
    double second_per_pass; /* of stride 1; 0: not timed */
} banks;

/* ---- cases ----------------------------------------------------------------------------------- */

/* X(name, factor, shift, stride, swizzle): those without a number. */
#define BANKS_LIST(X)                                                                              \
    X("permuted", 5, 0, 1, 0)                                                                      \
    X("pairs", 1, 1, 1, 0)                                                                         \
    X("broadcast", 0, 0, 1, 0)                                                                     \
    X("column", 1, 0, TILE, 0)                                                                     \
    X("padded", 1, 0, TILE + 1, 0)                                                                 \
    X("swizzled", 1, 0, TILE, TILE - 1)
#define BANKS_NAME(name, factor, shift, stride, swizzle) name,
#define BANKS_READS(name, factor, shift, stride, swizzle) {stride, factor, shift, swizzle, 0},

static const char *const patterns[] = {"stride", BANKS_LIST(BANKS_NAME)};
static const banks_reads reads_of[] = {{1, 1, 0, 0, 0}, BANKS_LIST(BANKS_READS)};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

static const hd_kernel *kernel_of(unsigned bytes)
{
    return bytes == 4 ? &banks_4_kernel : bytes == 8 ? &banks_8_kernel : &banks_16_kernel;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const banks *b = state;
    hd_launch_config config = hd_launch_with(hd_dim(b->blocks, 1, 1), hd_dim(BANKS_BLOCK, 1, 1), 0,
                                             stream);

    if (b->running->bytes == 4)
        return hd_launch(banks_4, config, b->running->reads, 0, b->out);
    if (b->running->bytes == 8)
        return hd_launch(banks_8, config, b->running->reads, 0, b->out);
    return hd_launch(banks_16, config, b->running->reads, 0, b->out);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -10},
    {.key = "bytes", .heading = "\nbytes", .width = 5},
    {.key = "predicted_passes", .heading = "predicted\npasses", .width = 9},
    {.key = "predicted_degree", .heading = "\ndegree", .width = 6},
    {.key = "counted_passes", .heading = "counted\npasses", .width = 8, .decimals = 2},
    {.key = "counted_degree", .heading = "\ndegree", .width = 6},
    {.key = "seconds"},
    {.key = "ratio", .heading = "measured\nratio", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "reference", .heading = "\npubl.", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static hd_status measure(banks *b, const banks_case *c, hdb_counters *counters, double *seconds)
{
    const lab_launch launch = {kernel_of(c->bytes), run_case, b};

    b->running = c;
    HD_TRY(lab_count(&b->lab, &launch, counters));
    return lab_time(&b->lab, &launch, LAB_WARM, seconds);
}

/* read: NULL if nothing was counted; ratio: 0 if nothing was timed. */
static lab_point point_of(const banks_case *c, const banks_model *m, const hdb_access_counts *read,
                          double ratio, double least, double most)
{
    char series[LAB_LABEL];

    (void)snprintf(series, sizeof series, "%u bytes per lane", c->bytes);
    lab_point p = lab_point_at(c->name, series);
    p.predicted = m->passes;
    if (read)
        p.counted = (double)read->transactions / (double)read->requests;
    if (ratio > 0)
        lab_point_time(&p, ratio, least, most);
    return p;
}

static void row_print(banks *b, const banks_case *c, const hdb_counters *counters, double seconds)
{
    const unsigned warp = (unsigned)b->lab.job.warp;
    const banks_model p = banks_predict(c, warp);
    const uint64_t requests = (uint64_t)b->blocks * (BANKS_BLOCK / warp) * b->turns;
    const hdb_access_counts *read = &counters->shared_read;
    const bool counted = b->lab.counts && read->requests, timed = seconds > 0;
    const double base = b->second_per_pass * (warp * c->bytes / 128); /* of stride 1 */
    const double least = least_factor * p.merged / (warp * c->bytes / 128);
    const double most = most_factor * p.passes / (warp * c->bytes / 128);
    const lab_row row = {
        .equal = read->requests == requests && read->degree == p.degree &&
                 read->transactions == requests * p.passes,
        .seconds = seconds,
        .least = least * base,
        .most = most * base,
        .point = point_of(c, &p, counted ? read : NULL, timed ? seconds / base : 0, least, most)};

    CLI_ROW(b->lab.result, cell_text(c->name), cell_count(c->bytes), cell_count(p.passes),
            cell_count(p.degree),
            cell_if(counted, cell_number((double)read->transactions / (double)read->requests)),
            cell_if(counted, cell_count(read->degree)), cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(seconds / base)), cell_if(timed, cell_number(least)),
            cell_if(timed, cell_number(most)), cell_none(), lab_verdict(&b->lab, &row));
}

static void run_row(banks *b, const banks_case *c)
{
    hdb_counters counters;
    double seconds = 0;

    if (b->lab.failed >= 0)
        b->lab.failed = measure(b, c, &counters, &seconds);
    if (b->lab.failed >= 0)
        row_print(b, c, &counters, seconds);
}

/* Times stride 1 of the element size, to which the ratios relate. */
static void run_reference(banks *b, const banks_case *c)
{
    hdb_counters counters;
    double seconds = 0;

    if (b->lab.gpu && b->lab.failed >= 0)
        b->lab.failed = measure(b, c, &counters, &seconds);
    b->second_per_pass = seconds / (double)((uint64_t)b->lab.job.warp * c->bytes / 128);
}

/* All cases of one element size. */
static void run_size(banks *b, unsigned bytes)
{
    banks_case c = {"", bytes, reads_of[0]};

    c.reads.turns = b->turns;
    run_reference(b, &c);
    for (unsigned s = 1; s <= TILE && b->patterns & 1; s++) {
        c.reads.stride = s;
        (void)snprintf(c.name, sizeof c.name, "stride %u", s);
        if (b->all || (s & (s - 1)) == 0 || s == 3)
            run_row(b, &c);
    }
    for (unsigned p = 1; p < PATTERNS; p++) {
        c.reads = reads_of[p];
        c.reads.turns = b->turns;
        (void)snprintf(c.name, sizeof c.name, "%s", patterns[p]);
        if (b->patterns >> p & 1)
            run_row(b, &c);
    }
}

static void run_rows(void *state)
{
    banks *b = state;

    for (unsigned i = 0; i < SIZES; i++)
        if (b->sizes >> i & 1)
            run_size(b, 4u << i);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    banks *b = state;
    const cli_arguments *arguments = b->lab.job.arguments;
    int status = cli_word_list_read(arguments, "patterns", patterns, PATTERNS, (1u << PATTERNS) - 1,
                                    &b->patterns);

    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "bytes", sizes, SIZES, (1u << SIZES) - 1, &b->sizes);
    if (status == CLI_DONE)
        status = lab_turns_read(&b->lab, TURNS_GPU, LAB_TURNS_GPU_MAX, TURNS_CPU, &b->turns);
    b->all = cli_option_given(arguments, "all");
    return status;
}

static hd_status open_memory(void *state)
{
    banks *b = state;

    HD_TRY(lab_blocks(&b->lab, WAVES, 1, &b->blocks));
    lab_field(&b->lab, "blocks", b->blocks);
    lab_field(&b->lab, "turns", b->turns);
    return lab_alloc(&b->lab, &b->out, 1);
}

static const lab_about about = {
    "passes over 32 banks of 4 bytes per request of a warp",
    "256 threads per block, 32 KiB of shared memory, reads per thread",
    {"pattern; strides in elements", "passes per request", "time / that of stride 1"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    banks b;

    return lab_run(&b, sizeof b, arguments, &steps);
}

static const cli_option options[] = {
    {"patterns", "LIST", "some of stride, permuted, pairs, broadcast, column, padded, swizzled"},
    {"bytes", "LIST", "element sizes, of 4, 8, 16 (default: all)"},
    {"all", NULL, "every stride from 1 to 32"},
    {"turns", "N", "reads per thread (default 4096; CPU: 2, at most 64)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_banks = {
    "lab banks",
    "predict, count and time bank conflicts of a warp in shared memory",
    NULL,
    options,
    "Each lane of a warp reads one element per request. Stride is in elements. pairs: two\n"
    "lanes read one element; broadcast: all lanes do; column: lane i reads row i of a tile\n"
    "that is 32 elements wide; padded: of one with 33; swizzled: of one whose row i is\n"
    "stored in another order. The ratio is the time, divided by that of stride 1.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: blocks turns rows (case bytes predicted_passes predicted_degree\n"
    "counted_passes counted_degree seconds ratio least_ratio most_ratio reference\n"
    "verdict)\n" LAB_KEYS,
    "  heddle lab banks\n"
    "  heddle lab banks --patterns column,padded,swizzled\n"
    "  heddle lab banks --patterns stride --bytes 8 --all --csv\n",
    run};
