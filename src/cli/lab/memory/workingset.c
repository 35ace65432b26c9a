/* SPDX-License-Identifier: Apache-2.0 */
/* workingset.c - `heddle lab workingset`: bandwidth against the size of the memory that is read
   again and again. */
#include <math.h>
#include <stdio.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/execution/ceilings.h"
#include "cli/lab/kernels/traffic/workingset.h"

enum {
    SET_MIN = 16 << 10,
    BLOCKS_CPU = 2,
    BLOCKS_GPU = 4,
    SECTOR = 32,
    LINE = 128,
    STEPS_CPU = 64
};
enum { READ_GPU = 64 << 20 }; /* bytes of a block */
/* Bytes of L1 that every device has, and that none exceeds (H100, H200: 256 KiB with the shared
   memory). */
enum { L1_LEAST = 16 << 10, L1_MOST = 256 << 10 };
static const uint64_t size_max = (uint64_t)1 << 34;

enum { FIRST, SECOND, MEMORY, LEVELS };
static const char *const names[LEVELS] = {"L1", "L2", "memory"};

/* Bytes that a compute unit receives per cycle at most. */
static const double most_per_cycle[LEVELS] = {128, 64, 0};
/* The band of a level: at least the rate of reads in order from memory, at most what compute units
   can receive, or for memory that rate and what L2 keeps of the set. L1 keeps L1_MOST bytes of a
   larger set at most, so that L2 has to deliver the rest of it at each turn. */
static const double least_factor = 0.6, most_factor = 1.1, memory_most = 1.5;

typedef struct workingset {
    lab lab;
    ceilings peak;
    uint64_t size, set; /* bytes: of the largest set, and of the launch */
    uint32_t steps;     /* of the launch */
    unsigned blocks, units;
    int64_t l2, kilohertz; /* 0: not known */
    hd_u32x4 *in;
    uint32_t *sums, *host;
} workingset;

static uint64_t threads_of(const workingset *w)
{
    return (uint64_t)w->blocks * WORKINGSET_BLOCK;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const workingset *w = state;

    return hd_launch(
        workingset_read,
        hd_launch_with(hd_dim(w->blocks, 1, 1), hd_dim(WORKINGSET_BLOCK, 1, 1), 0, stream),
        (uint32_t)(w->set / WORKINGSET_VECTOR / WORKINGSET_BLOCK), w->steps,
        (const hd_u32x4 *)w->in, w->sums);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Levels from which the set may come: every compute unit reads all of it. */
static int first_level(const workingset *w)
{
    return w->set <= L1_MOST ? FIRST : w->l2 && w->set >= 4 * (uint64_t)w->l2 ? MEMORY : SECOND;
}

static int last_level(const workingset *w)
{
    return w->set <= L1_LEAST ? FIRST : w->l2 && w->set <= (uint64_t)w->l2 / 4 ? SECOND : MEMORY;
}

/* Bytes per second at most. */
static double most_rate(const workingset *w)
{
    const int level = first_level(w);
    const double cycles = 1e3 * (double)w->kilohertz * w->units;
    const double missed = level == FIRST ? 1 : 1 - (double)L1_MOST / (double)w->set;

    if (level == MEMORY || !w->kilohertz)
        return level == MEMORY ? memory_most * w->peak.bytes : 0;
    return most_factor * cycles * fmin(most_per_cycle[level] / missed, most_per_cycle[FIRST]);
}

static double reference_of(const workingset *w)
{
    if (w->set == 16 << 10)
        return lab_reference(w->lab.model, LAB_L1);
    if (w->set == 4 << 20)
        return lab_reference(w->lab.model, LAB_L2);
    return w->set == (uint64_t)1 << 30 ? lab_reference_read(w->lab.model) : 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\nset", .width = -6},
    {.key = "bytes", .heading = "\nbytes", .width = 10},
    {.key = "level", .heading = "predicted\nlevel", .width = -12, .gap = 2},
    {.key = "predicted_words", .heading = "\nwords", .width = 10},
    {.key = "predicted_sectors", .heading = "\nsectors", .width = 9},
    {.key = "counted_words", .heading = "counted\nwords", .width = 10},
    {.key = "counted_sectors", .heading = "\nsectors", .width = 9},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "least_gbps", .heading = "model\nfrom", .width = 8, .decimals = 1},
    {.key = "most_gbps", .heading = "\nto", .width = 8, .decimals = 1},
    {.key = "reference", .heading = "publ.\nGB/s", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* All words are 1. */
static hd_status count(workingset *w, uint64_t *words_out)
{
    const size_t threads = (size_t)threads_of(w);

    HD_TRY(hd_copy_blocking(w->host, w->sums, threads, w->lab.job.stream));
    *words_out = 0;
    for (size_t i = 0; i < threads; i++)
        *words_out += w->host[i];
    return HD_OK;
}

static void row_print(workingset *w, const hdb_access_counts *read, uint64_t words, double seconds)
{
    const uint64_t predicted = threads_of(w) * w->steps * (WORKINGSET_VECTOR / 4);
    const uint64_t sectors = predicted / (SECTOR / 4), lines = predicted / (LINE / 4);
    const bool counted = w->lab.counts, timed = seconds > 0, verify = w->lab.job.verify;
    const double bytes = 4 * (double)predicted, least = least_factor * w->peak.bytes;
    const double most = most_rate(w);
    const int first = first_level(w), last = last_level(w);
    char label[LAB_LABEL], level[24];
    lab_row row = {.own = true,
                   .equal = words == predicted &&
                            (!counted || (read->transactions == sectors && read->lines == lines)),
                   .seconds = seconds};

    (void)snprintf(label, sizeof label, w->set < 1 << 20 ? "%.0fK" : "%.0fM",
                   (double)w->set / (w->set < 1 << 20 ? 1 << 10 : 1 << 20));
    (void)snprintf(level, sizeof level, first == last ? "%s" : "%s to %s", names[first],
                   names[last]);
    row.point = lab_point_at(label, "");
    row.point.predicted = (double)sectors;
    if (counted)
        row.point.counted = (double)read->transactions;
    row.point.reference = reference_of(w);
    if (timed && most > 0) {
        row.least = bytes / most;
        row.most = bytes / least;
        lab_point_time(&row.point, 1e-9 * bytes / seconds, 1e-9 * least, 1e-9 * most);
    }
    CLI_ROW(w->lab.result, cell_text(label), cell_count(w->set), cell_text(level),
            cell_count(predicted), cell_count(sectors), cell_if(verify, cell_count(words)),
            cell_if(counted, cell_count(read->transactions)), cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(1e-9 * bytes / seconds)),
            cell_if(timed, cell_number(1e-9 * least)),
            cell_if(timed && most > 0, cell_number(1e-9 * most)), lab_published(reference_of(w)),
            lab_verdict(&w->lab, &row));
}

static hd_status run_row(workingset *w)
{
    const lab_launch launch = {&workingset_read_kernel, run_case, w};
    hdb_counters counters;
    uint64_t words = 0;
    double seconds = 0;

    w->steps = w->lab.gpu ? READ_GPU / WORKINGSET_BLOCK / WORKINGSET_VECTOR : STEPS_CPU;
    HD_TRY(lab_count(&w->lab, &launch, &counters));
    if (w->lab.job.verify)
        HD_TRY(count(w, &words));
    HD_TRY(lab_time(&w->lab, &launch, LAB_WARM, &seconds));
    row_print(w, &counters.global_read, words, seconds);
    return HD_OK;
}

static void run_rows(void *state)
{
    workingset *w = state;

    for (w->set = SET_MIN; w->set <= w->size && w->lab.failed >= 0; w->set *= 2)
        w->lab.failed = run_row(w);
    w->lab.counts = w->lab.counts || w->lab.job.verify; /* the words, by their sum */
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    workingset *w = state;
    const uint64_t fallback = w->lab.gpu ? (uint64_t)1 << 30 : (uint64_t)1 << 20;
    const int status = cli_count_read(w->lab.job.arguments, "size", fallback, SET_MIN, size_max,
                                      &w->size);

    lab_field(&w->lab, "size", w->size);
    return status;
}

static hd_status open_memory(void *state)
{
    workingset *w = state;
    const int device = w->lab.job.device;
    const size_t bytes = (size_t)w->size / SET_MIN * SET_MIN;
    int64_t units = 1;

    HD_TRY(hd_device_get(device, HD_ATTR_COMPUTE_UNITS, &units));
    HD_TRY(hd_device_get(device, HD_ATTR_L2_BYTES, &w->l2));
    HD_TRY(hd_device_get(device, HD_ATTR_CLOCK_KHZ, &w->kilohertz));
    HD_TRY(lab_blocks(&w->lab, BLOCKS_GPU, BLOCKS_CPU, &w->blocks));
    w->units = (unsigned)units;
    lab_field(&w->lab, "blocks", w->blocks);
    HD_TRY(lab_alloc(&w->lab, &w->in, bytes / WORKINGSET_VECTOR));
    HD_TRY(lab_alloc(&w->lab, &w->sums, (size_t)threads_of(w)));
    HD_TRY(lab_alloc_host(&w->lab, &w->host, (size_t)threads_of(w)));
    HD_TRY(hd_fill_bytes(w->in, 1, 4, bytes / 4, w->lab.job.stream));
    return w->lab.gpu ? ceilings_find(&w->lab, &w->peak) : HD_OK;
}

static const lab_about about = {"bandwidth of memory that every compute unit reads again and again",
                                "bytes read, 16 bytes per load, 256 threads per block",
                                {"working set", "sectors", "GB/s"}};
static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    workingset w;

    return lab_run(&w, sizeof w, arguments, &steps);
}

static const cli_option options[] = {{"size", "BYTES", "largest working set (default 1G; CPU: 1M)"},
                                     LAB_OPTIONS,
                                     {NULL, NULL, NULL}};

const cli_command cli_command_lab_workingset = {
    "lab workingset",
    "time repeated reads by working-set size",
    NULL,
    options,
    "All blocks read the same 16 KiB, 32 KiB ... of memory, each in an order of its own.\n"
    "What L1 holds comes from there, what L2 holds from L2, anything else from memory. Counted\n"
    "are the words, by their sum, and the sectors by the checking engine. Times are measured on\n"
    "GPUs only: at least the rate of memory, at most what compute units receive per cycle. L2\n"
    "has to deliver only the part of a set that L1 cannot hold; L1 holds 256 KiB at most.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: size blocks rows (case bytes level predicted_words predicted_sectors\n"
    "counted_words counted_sectors seconds gbps least_gbps most_gbps reference verdict)\n" LAB_KEYS,
    "  heddle lab workingset\n"
    "  heddle lab workingset --size 128M --plot workingset.svg\n",
    run};
