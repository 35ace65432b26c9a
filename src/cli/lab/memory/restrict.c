/* SPDX-License-Identifier: Apache-2.0 */
/* restrict.c - `heddle lab restrict`: loads and stores of a kernel with and without restrict. */
#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/traffic/restrict.h"

enum { BLOCKS_CPU = 2, WORD = 4 };
static const uint64_t n_gpu = 1u << 22, n_max = 1u << 26;

/* The band, relative to restrict: as fast at least, because caches serve what is loaded again, and
   at most as many times slower as there are more accesses. */
static const double least_factor = 0.9, most_factor = 1.1;

static const char *const words[] = {"off", "on"};

typedef struct restricted {
    lab lab;
    uint64_t n; /* columns */
    bool on;    /* of the launch */
    float *in, *out, *host;
    double fastest; /* seconds with restrict; 0: not timed */
} restricted;

static hd_status run_case(void *state, hd_stream *stream)
{
    const restricted *r = state;
    const hd_launch_config config = hd_launch_1d((size_t)r->n, RESTRICT_BLOCK, stream);

    if (r->on)
        return hd_launch(restrict_on, config, (uint32_t)r->n, (const float *)r->in, r->out);
    return hd_launch(restrict_off, config, (uint32_t)r->n, (const float *)r->in, r->out);
}

/* ---- the model: accesses of a thread --------------------------------------------------------- */

/* Without the promise, each store may have changed the element. */
static unsigned loads_of(bool on)
{
    return on ? 1 : RESTRICT_ROWS;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\nrestrict", .width = -8},
    {.key = "predicted_loads", .heading = "predicted\nloads", .width = 9},
    {.key = "predicted_stores", .heading = "\nstores", .width = 6},
    {.key = "counted_loads", .heading = "counted\nloads", .width = 7, .decimals = 2},
    {.key = "counted_stores", .heading = "\nstores", .width = 6, .decimals = 2},
    {.key = "exact", .heading = "\nexact", .width = 5},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "ratio", .heading = "\nto on", .width = 7, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* Element i of `in` is i modulo 251. */
static hd_status check(restricted *r, bool *right_out)
{
    const size_t n = (size_t)r->n;

    *right_out = true;
    for (size_t k = 0; k < RESTRICT_ROWS; k++) {
        HD_TRY(hd_copy_blocking(r->host, r->out + k * n, n, r->lab.job.stream));
        for (size_t i = 0; i < n; i++)
            *right_out = *right_out && (size_t)r->host[i] == i % 251 + k;
    }
    return HD_OK;
}

static void row_print(restricted *r, const hdb_counters *counters, bool right, double seconds)
{
    const double warps = (double)r->n / (double)r->lab.job.warp, bytes = WORD * (double)r->n;
    const double loads = (double)counters->global_read.requests / warps;
    const double stores = (double)counters->global_write.requests / warps;
    const bool counted = r->lab.counts, timed = seconds > 0;
    const double most = most_factor * (loads_of(r->on) + RESTRICT_ROWS) / (1 + RESTRICT_ROWS);
    lab_row row = {
        .own = true,
        .equal = right && (!counted ||
                           (counters->global_read.requests == (uint64_t)(warps * loads_of(r->on)) &&
                            counters->global_write.requests == (uint64_t)(warps * RESTRICT_ROWS))),
        .seconds = seconds,
        .least = least_factor * r->fastest,
        .most = most * r->fastest};

    row.point = lab_point_at(words[r->on], "");
    row.point.predicted = loads_of(r->on) + RESTRICT_ROWS;
    if (counted)
        row.point.counted = loads + stores;
    if (timed)
        lab_point_time(&row.point, seconds / r->fastest, least_factor, most);
    CLI_ROW(r->lab.result, cell_text(words[r->on]), cell_count(loads_of(r->on)),
            cell_count(RESTRICT_ROWS), cell_if(counted, cell_number(loads)),
            cell_if(counted, cell_number(stores)), lab_exact(&r->lab, right),
            cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(1e-9 * (RESTRICT_ROWS + 1) * bytes / seconds)),
            cell_if(timed, cell_number(seconds / r->fastest)),
            cell_if(timed, cell_number(least_factor)), cell_if(timed, cell_number(most)),
            lab_verdict(&r->lab, &row));
}

static hd_status run_row(restricted *r, bool on)
{
    const lab_launch launch = {on ? &restrict_on_kernel : &restrict_off_kernel, run_case, r};
    hdb_counters counters;
    bool right = true;
    double seconds = 0;

    r->on = on;
    HD_TRY(hd_fill_zero(r->out, RESTRICT_ROWS * (size_t)r->n, r->lab.job.stream));
    HD_TRY(lab_count(&r->lab, &launch, &counters));
    if (r->lab.job.verify)
        HD_TRY(check(r, &right));
    HD_TRY(lab_time(&r->lab, &launch, LAB_COLD, &seconds));
    if (on)
        r->fastest = seconds;
    row_print(r, &counters, right, seconds);
    return HD_OK;
}

static void run_rows(void *state)
{
    restricted *r = state;

    for (int off = 0; off < 2 && r->lab.failed >= 0; off++)
        r->lab.failed = run_row(r, !off);
    r->lab.counts = r->lab.counts || r->lab.job.verify; /* the sums */
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    restricted *r = state;
    const int status = cli_count_read(r->lab.job.arguments, "n",
                                      r->lab.gpu ? n_gpu : BLOCKS_CPU * RESTRICT_BLOCK,
                                      RESTRICT_BLOCK, n_max, &r->n);

    r->n -= r->n % RESTRICT_BLOCK;
    lab_field(&r->lab, "n", r->n);
    return status;
}

static hd_status open_memory(void *state)
{
    restricted *r = state;
    const size_t n = (size_t)r->n;

    HD_TRY(lab_alloc(&r->lab, &r->in, n));
    HD_TRY(lab_alloc(&r->lab, &r->out, n * RESTRICT_ROWS));
    HD_TRY(lab_alloc_host(&r->lab, &r->host, n));
    for (size_t i = 0; i < n; i++)
        r->host[i] = (float)(i % 251);
    return hd_copy_blocking(r->in, r->host, n, r->lab.job.stream);
}

static const lab_about about = {
    "loads and stores of a thread that computes 16 results from one element",
    "elements, 256 threads per block, one column per thread, f32, no data in a cache",
    {"restrict", "loads and stores per thread", "time / that with restrict"}};
static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    restricted r;

    return lab_run(&r, sizeof r, arguments, &steps);
}

static const cli_option options[] = {
    {"n", "N", "columns, rounded down to a multiple of 256 (default 2^22; CPU: 512)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_restrict = {
    "lab restrict",
    "predict, count and time loads and stores with and without restrict",
    NULL,
    options,
    "A thread stores 16 results that it computes from one element. Without restrict the\n"
    "compiler has to load the element again after each store, which may have changed it; with\n"
    "it the element stays in a register. The ratio is the time, divided by that with restrict.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: n rows (case predicted_loads predicted_stores counted_loads counted_stores\n"
    "exact seconds gbps ratio least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab restrict\n"
    "  heddle lab restrict --csv\n",
    run};
