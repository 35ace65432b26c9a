/* SPDX-License-Identifier: Apache-2.0 */
/* latency.c - `heddle lab latency`: time of one operation that the next one waits for. */
#include "latency.h"

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"

enum { PARTS = 3, STEPS_GPU = 1 << 16, STEPS_CPU = 1000, STEPS_MAX = 1 << 24 };
static const uint64_t size_min = 4096, size_max = (uint64_t)1 << 33;
static const char *const parts[PARTS] = {"chase", "atomics", "calls"};

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -21},
    {.key = "bytes", .heading = "\nbytes", .width = 10},
    {.key = "level", .heading = "predicted\nlevel", .width = -12, .gap = 2},
    {.key = "predicted_operations", .heading = "\noperations", .width = 10},
    {.key = "counted_operations", .heading = "counted\noperations", .width = 10},
    {.key = "seconds", .heading = "measured\nns", .width = 9, .decimals = 1, .scale = 1e9},
    {.key = "cycles", .heading = "\ncycles", .width = 7, .decimals = 0},
    {.key = "least_seconds", .heading = "model\nfrom", .width = 7, .decimals = 0, .scale = 1e9},
    {.key = "most_seconds", .heading = "\nto ns", .width = 7, .decimals = 0, .scale = 1e9},
    {.key = "reference", .heading = "publ.\ncycles", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    latency *l = state;
    const cli_arguments *arguments = l->lab.job.arguments;
    const uint64_t size = l->lab.gpu ? (uint64_t)1 << 30 : (uint64_t)1 << 20;
    int status = cli_word_list_read(arguments, "parts", parts, PARTS, (1u << PARTS) - 1, &l->parts);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "size", size, size_min, size_max, &l->size);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "steps", l->lab.gpu ? STEPS_GPU : STEPS_CPU, 1,
                                STEPS_MAX, &l->repeats);
    if (status == CLI_DONE && hd_device_get(l->lab.job.device, HD_ATTR_L2_BYTES, &l->l2) < 0)
        l->l2 = 0;
    if (status == CLI_DONE &&
        hd_device_get(l->lab.job.device, HD_ATTR_CLOCK_KHZ, &l->kilohertz) < 0)
        l->kilohertz = 0;
    lab_field(&l->lab, "steps", l->repeats);
    return status;
}

static const lab_about about = {
    "time of one operation on which the next one depends",
    "one link per 128 bytes, one thread; one warp for atomics; one thread per kernel of the calls",
    {"working set or operation", "operations", "ns per operation"}};

static void run_rows(void *state)
{
    static void (*const run[PARTS])(latency *) = {latency_chases, latency_atomics, latency_calls};
    latency *l = state;

    for (unsigned i = 0; i < PARTS && l->lab.failed >= 0; i++)
        if (l->parts >> i & 1)
            run[i](l);
    l->lab.counts = l->lab.job.verify; /* by the kernels themselves */
}

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, NULL, run_rows, NULL};

static int run(const cli_arguments *arguments)
{
    latency l;

    return lab_run(&l, sizeof l, arguments, &steps);
}

static const cli_option options[] = {
    {"parts", "LIST", "some of chase, atomics, calls (default: all)"},
    {"size", "BYTES", "largest working set of the chase (default 1G; CPU: 1M)"},
    {"steps", "N", "loads or atomics per measurement (default 65536; CPU: 1000)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_latency = {
    "lab latency",
    "measure the latency of dependent loads, atomics, launches and events",
    NULL,
    options,
    "chase: one thread follows links in random order through 4 KiB, 8 KiB ... of memory, one\n"
    "link per 128 bytes. atomics: the lanes of one warp add 1, each after its last addition\n"
    "has returned. calls: kernels of one thread, launched back to back, each waited for, as\n"
    "nodes of a graph, each followed by an event, and alternately on two streams.\n"
    "Counted are the links that were visited exactly once, the sum of the words, and the\n"
    "kernels that ran; they must equal the predicted ones. Times are measured on GPUs only,\n"
    "and must lie in the band of the level or call. Cycles are those of the clock that the\n"
    "driver reports. Exit status 1 if a row disagrees with the model.\n"
    "\n"
    "JSON keys: steps rows (case bytes level predicted_operations counted_operations seconds\n"
    "cycles least_seconds most_seconds reference verdict)\n" LAB_KEYS,
    "  heddle lab latency\n"
    "  heddle lab latency --parts chase --size 64M\n"
    "  heddle lab latency --parts atomics,calls --csv\n",
    run};
