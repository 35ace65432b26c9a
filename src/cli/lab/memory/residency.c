/* SPDX-License-Identifier: Apache-2.0 */
/* residency.c - `heddle lab residency`: bandwidth against the number of resident threads. */
#include <stdio.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/operations/residency.h"

enum { ELEMENT = 16, CPU_THREADS = 512 };
static const uint64_t size_min = 1u << 16, size_max = (uint64_t)1 << 40;

/* The band: of the bandwidth that Little's law predicts. Near the maximum, loads wait for each
   other, which the law with the latency of an idle memory does not know. */
static const double least_factor = 0.5, most_factor = 1.25;

typedef struct residency {
    lab lab;
    uint64_t size;
    unsigned units, most; /* compute units; resident threads of one at most */
    unsigned threads;     /* of the launch, per unit */
    hd_u32x4 *in;
    uint32_t *sums, *host_sums;
    double one, full; /* bytes per second of one warp per unit, and of all; 0: not timed */
} residency;

static size_t total_of(const residency *r)
{
    return (size_t)r->units * r->threads;
}

/* One block per unit, or as few as hold the threads. */
static hd_status run_case(void *state, hd_stream *stream)
{
    const residency *r = state;
    unsigned blocks = 1;

    while (r->threads / blocks > 1024)
        blocks *= 2;
    return hd_launch(residency_read,
                     hd_launch_with(hd_dim(r->units * blocks, 1, 1),
                                    hd_dim(r->threads / blocks, 1, 1), 0, stream),
                     (size_t)r->size / ELEMENT, (const hd_u32x4 *)r->in, 0, r->sums);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -8},
    {.key = "threads", .heading = "threads\nper unit", .width = 8},
    {.key = "in_flight", .heading = "bytes\nin flight", .width = 9},
    {.key = "predicted_words", .heading = "predicted\nwords", .width = 10},
    {.key = "counted_words", .heading = "counted\nwords", .width = 10},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "nanoseconds", .heading = "\nns/load", .width = 8, .decimals = 0},
    {.key = "predicted_gbps", .heading = "model\nGB/s", .width = 8, .decimals = 1},
    {.key = "least_gbps", .heading = "\nfrom", .width = 8, .decimals = 1},
    {.key = "most_gbps", .heading = "\nto", .width = 8, .decimals = 1},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* All words are 1. */
static hd_status count(residency *r, uint64_t *words_out)
{
    const size_t total = total_of(r);

    HD_TRY(run_case(r, r->lab.job.stream));
    HD_TRY(hd_copy_blocking(r->host_sums, r->sums, total, r->lab.job.stream));
    *words_out = 0;
    for (size_t i = 0; i < total; i++)
        *words_out += r->host_sums[i];
    return HD_OK;
}

static hd_status time_case(residency *r, double *seconds)
{
    const lab_launch launch = {&residency_read_kernel, run_case, r};

    return lab_time(&r->lab, &launch, LAB_WARM, seconds);
}

/* Little's law: the bytes in flight, divided by the latency that one warp per unit sees, up to the
   bandwidth of all threads. */
static double predict(const residency *r)
{
    const double linear = r->one * r->threads / (double)r->lab.job.warp;

    return linear < r->full ? linear : r->full;
}

static void row_print(residency *r, uint64_t words, double seconds)
{
    const double flight = (double)total_of(r) * ELEMENT, law = predict(r), bytes = (double)r->size;
    const bool timed = seconds > 0, verify = r->lab.job.verify;
    lab_row row = {.own = true, .equal = words == r->size / 4, .seconds = seconds};
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u", r->threads);
    row.point = lab_point_at(label, "");
    row.point.predicted = flight / 1024;
    if (timed) {
        row.least = bytes / (most_factor * law);
        row.most = bytes / (least_factor * law);
        lab_point_time(&row.point, 1e-9 * bytes / seconds, 1e-9 * least_factor * law,
                       1e-9 * most_factor * law);
    }
    CLI_ROW(r->lab.result, cell_text("read"), cell_count(r->threads), cell_count((uint64_t)flight),
            cell_count(r->size / 4), cell_if(verify, cell_count(words)),
            cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(1e-9 * bytes / seconds)),
            cell_if(timed, cell_number(1e9 * flight * seconds / bytes)),
            cell_if(timed, cell_number(1e-9 * law)),
            cell_if(timed, cell_number(1e-9 * least_factor * law)),
            cell_if(timed, cell_number(1e-9 * most_factor * law)), lab_verdict(&r->lab, &row));
}

static hd_status run_row(residency *r)
{
    uint64_t words = r->size / 4;
    double seconds = 0;

    if (r->lab.job.verify)
        HD_TRY(count(r, &words));
    HD_TRY(time_case(r, &seconds));
    row_print(r, words, seconds);
    return HD_OK;
}

/* The two rates that the model starts from. */
static hd_status calibrate(residency *r)
{
    double seconds = 0;

    if (!r->lab.gpu)
        return HD_OK;
    r->threads = (unsigned)r->lab.job.warp;
    HD_TRY(time_case(r, &seconds));
    r->one = (double)r->size / seconds;
    r->threads = r->most;
    HD_TRY(time_case(r, &seconds));
    r->full = (double)r->size / seconds;
    return HD_OK;
}

static void run_rows(void *state)
{
    residency *r = state;
    r->lab.failed = calibrate(r);
    for (unsigned threads = (unsigned)r->lab.job.warp; threads <= r->most && r->lab.failed >= 0;
         threads *= 2) {
        r->threads = threads;
        r->lab.failed = run_row(r);
    }
    r->lab.counts = r->lab.job.verify; /* the words, by their sum */
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    residency *r = state;
    const cli_arguments *arguments = r->lab.job.arguments;
    const uint64_t fallback = r->lab.gpu ? (uint64_t)1 << 30 : size_min;
    int64_t units = 1, most = CPU_THREADS;
    int status = cli_count_read(arguments, "size", fallback, size_min, size_max, &r->size);

    r->size -= r->size % ELEMENT;
    if (status == CLI_DONE && r->lab.gpu &&
        (hd_device_get(r->lab.job.device, HD_ATTR_COMPUTE_UNITS, &units) < 0 ||
         hd_device_get(r->lab.job.device, HD_ATTR_MAX_THREADS_PER_UNIT, &most) < 0))
        status = cli_failed_call(arguments->command);
    r->units = (unsigned)units;
    r->most = (unsigned)r->lab.job.warp;
    while (r->most * 2 <= (unsigned)most)
        r->most *= 2;
    return status;
}

static hd_status open_memory(void *state)
{
    residency *r = state;
    const size_t total = (size_t)r->units * r->most, n = (size_t)r->size / ELEMENT;

    lab_field(&r->lab, "size", r->size);
    lab_field(&r->lab, "units", r->units);
    HD_TRY(lab_alloc_host(&r->lab, &r->host_sums, total));
    HD_TRY(lab_alloc(&r->lab, &r->in, n));
    HD_TRY(lab_alloc(&r->lab, &r->sums, total));
    return hd_fill_bytes(r->in, 1, 4, 4 * n, r->lab.job.stream);
}

static const lab_about about = {"bandwidth against resident threads, one load in flight per thread",
                                "bytes read, 16 bytes per load, compute units",
                                {"resident threads per compute unit", "KiB in flight", "GB/s"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    residency r;

    return lab_run(&r, sizeof r, arguments, &steps);
}

static const cli_option options[] = {
    {"size", "BYTES", "memory to read (default 1G; CPU: 64K)"}, LAB_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_lab_residency = {
    "lab residency",
    "compare bandwidth with Little's law, by number of resident threads",
    NULL,
    options,
    "Every thread has one load of 16 bytes in flight. Little's law: the bandwidth is the bytes\n"
    "in flight, divided by the latency, up to the bandwidth of the memory. The model takes the\n"
    "latency from one warp per compute unit, and the maximum from all resident threads; ns per\n"
    "load is the law read backwards. Counted are the words that were read. Times are measured\n"
    "on GPUs only. Exit status 1 if a row disagrees with the model.\n"
    "\n"
    "JSON keys: size units rows (case threads in_flight predicted_words counted_words seconds\n"
    "gbps nanoseconds predicted_gbps least_gbps most_gbps verdict)\n" LAB_KEYS,
    "  heddle lab residency\n"
    "  heddle lab residency --size 256M --csv\n",
    run};
