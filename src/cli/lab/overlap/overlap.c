/* SPDX-License-Identifier: Apache-2.0 */
/* overlap.c - `heddle overlap`: copy in, compute, copy out, split over 1, 2, 4 ... streams: what
   overlap gains, and how close it gets to the bound set by the engines. */
#include "overlap.h"

#include <string.h>

#include "cli/app/words.h"

enum { ELEMENTS_CPU = 1 << 20, ELEMENTS_GPU = 1 << 26, STREAMS_MAX = 1024 };

static const hd_memory_kind kinds[] = {HD_MEM_PINNED, HD_MEM_UNKNOWN, HD_MEM_MAPPED,
                                       HD_MEM_MANAGED};

static int read_weight(overlap *o)
{
    const cli_arguments *arguments = o->job.arguments;
    const char *text = cli_option_value(arguments, "weight");
    uint64_t weight = 1;
    int status = CLI_DONE;

    o->weight_given = text && strcmp(text, "auto") != 0;
    if (o->weight_given)
        status = cli_count_read(arguments, "weight", 1, 1, 1u << 30, &weight);
    o->weight = (unsigned)weight;
    return status;
}

static int read_words(overlap *o)
{
    const char *orders[HD_PIPELINE_ORDER_COUNT_ - 1], *memory[4], *modes[OVERLAP_MODE_COUNT_];
    size_t order = 0, kind = 0, mode = 0;
    int status;

    for (int i = 1; i < HD_PIPELINE_ORDER_COUNT_; i++)
        orders[i - 1] = hd_pipeline_order_name((hd_pipeline_order)i);
    for (int i = 0; i < 4; i++)
        memory[i] = overlap_kind_name(kinds[i]);
    for (int i = 0; i < OVERLAP_MODE_COUNT_; i++)
        modes[i] = overlap_mode_name((overlap_mode)i);
    status = cli_word_read(o->job.arguments, "order", orders, HD_PIPELINE_ORDER_COUNT_ - 1, 0,
                           &order);
    if (status == CLI_DONE)
        status = cli_word_read(o->job.arguments, "mem", memory, 4, 0, &kind);
    if (status == CLI_DONE)
        status = cli_word_read(o->job.arguments, "mode", modes, OVERLAP_MODE_COUNT_, 0, &mode);
    o->order = (hd_pipeline_order)(order + 1);
    o->kind = kinds[kind];
    o->mode = (overlap_mode)mode;
    return status;
}

static int read_options(overlap *o)
{
    const cli_arguments *arguments = o->job.arguments;
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    uint64_t n = 0, streams = 0, parts = 0, threads = 0, copies = 0;
    int status = cli_count_read(arguments, "n", cpu ? ELEMENTS_CPU : ELEMENTS_GPU, 1,
                                (uint64_t)1 << 40, &n);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "streams", 256, 1, STREAMS_MAX, &streams);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "parts", 0, 1, 1u << 20, &parts);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "threads", 0, 1, 1024, &threads);
    o->threads = (unsigned)threads;
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "copy-streams", 0, 1, 8, &copies);
    o->copy_streams = (unsigned)copies;
    if (status == CLI_DONE)
        status = read_weight(o);
    if (status == CLI_DONE)
        status = read_words(o);
    o->n = (size_t)n;
    o->max_streams = (unsigned)streams;
    o->parts = (size_t)parts;
    o->in_place = cli_option_given(arguments, "in-place");
    o->plot = cli_option_value(arguments, "plot");
    return status;
}

static int run(const cli_arguments *arguments)
{
    overlap o;
    int status;

    memset(&o, 0, sizeof o);
    o.wrong_at = SIZE_MAX;
    status = cli_job_open(&o.job, arguments);
    if (status == CLI_DONE)
        status = read_options(&o);
    if (status == CLI_DONE)
        status = overlap_memory(&o);
    if (status == CLI_DONE)
        status = overlap_alone(&o);
    if (status == CLI_DONE)
        status = overlap_rows(&o);
    if (status == CLI_DONE)
        status = overlap_print(&o);
    overlap_free(&o);
    cli_job_close(&o.job);
    return status;
}

static const cli_option options[] = {
    {"n", "N", "elements of 4 bytes (default 2^26; CPU: 2^20)"},
    {"streams", "N", "use 1, 2, 4 ... N streams (default 256)"},
    {"parts", "M",
     "divide the array into M chunks, assigned to streams round-robin (default: one per stream)"},
    {"weight", "W",
     "loop iterations per element; auto (default): the kernel takes as long as a copy"},
    {"order", "ORDER",
     "issue order: depth (default), breadth or engine (one stream per copy direction)"},
    {"copy-streams", "N", "copy streams per direction with --order engine, 1 to 8"},
    {"mem", "KIND", "host memory: pinned (default), pageable, mapped or managed"},
    {"mode", "MODE", "where kernels run: streams (default), default-legacy or default-per-thread"},
    {"in-place", NULL, "let kernels access host memory in place if the device supports it"},
    {"threads", "N",
     "host threads that copy pageable memory through pinned buffers (default 3/4 of the CPUs, at "
     "most 16)"},
    {"plot", "FILE.svg", "plot the time against the number of streams"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_overlap = {
    "overlap",
    "overlap copies in, kernels and copies out on 1 to 256 streams",
    NULL,
    options,
    "Each stream has an equal part of the array; the last row uses the pipeline's own settings.\n"
    "serial: sum of the times of one copy in, one kernel and one copy out, each measured alone.\n"
    "bound: the longest of kernel, copy in, copy out and both copies at once; no order can be\n"
    "faster. overlap: the fraction of serial - bound that was saved. Every element is verified in\n"
    "every row. With --mem pageable, serial uses the vendor's copies from pageable memory, and\n"
    "the pipeline stages through pinned buffers. Times are measured on the host, from an idle\n"
    "device to results in host memory.\n"
    "\n"
    "JSON keys: n weight order mem mode copy_in copy_out both work serial bound rows (streams\n"
    "used order chunk seconds min first speedup of_bound overlap verified) best auto_of_best\n"
    "verified\n",
    "  heddle overlap\n"
    "  heddle overlap --order breadth --mem pageable --plot overlap.svg\n"
    "  heddle overlap --mode default-legacy --streams 8 --n 2^22\n",
    run};
