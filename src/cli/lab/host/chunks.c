/* SPDX-License-Identifier: Apache-2.0 */
/* chunks.c - `heddle host chunks`: strategies by which the host consumes chunks from streams: a
   waiting thread per stream; host functions in the streams; host functions that hand chunks to a
   consumer through a bounded queue; host tasks that enqueue the next chunk's work themselves. */
#include "chunks.h"

#include <stdlib.h>
#include <string.h>

#include "cli/lab/kernels/streams.h"
#include "cli/app/progress.h"
#include "cli/app/words.h"

const char *const host_chunks_names[HOST_CHUNKS_STRATEGIES] = {"threads", "functions", "queue",
                                                               "tasks"};

/* ---- a chunk --------------------------------------------------------------------------------- */

static float input_of(size_t chunk, size_t i)
{
    return cli_work_input(chunk * 37 + i);
}

static uint64_t expected_sum(const host_chunks *h)
{
    uint64_t sum = 0;

    for (size_t chunk = 0; chunk < h->chunks; chunk++)
        for (size_t i = 0; i < h->n; i++) {
            float in = input_of(chunk, i), out = stream_turns(h->turns, in) + in;

            sum += host_chunks_sum(&out, 1);
        }
    return sum;
}

/* ---- measuring ------------------------------------------------------------------------------- */

static hd_status run_strategy(host_chunks *h, size_t strategy)
{
    static hd_status (*const strategies[HOST_CHUNKS_STRATEGIES])(host_chunks *) = {
        host_chunks_threads, host_chunks_functions, host_chunks_queue, host_chunks_tasks};

    h->sum = 0;
    h->consumed = 0;
    h->failed = HD_OK;
    /* Only the queue works with few buffers: its consumer reports when one is free. */
    h->buffers = strategy == HOST_CHUNKS_QUEUE ? 2 * h->streams : h->chunks;
    HD_TRY(hd_range_push(host_chunks_names[strategy]));
    HD_TRY(strategies[strategy](h));
    return hd_range_pop();
}

static hd_status measure(host_chunks *h, size_t strategy)
{
    double samples[101];
    size_t runs = h->job.runs < 101 ? h->job.runs : 101;

    h->right[strategy] = 1;
    for (size_t i = 0; i <= runs; i++) {
        double began = cli_now();

        HD_TRY(run_strategy(h, strategy));
        if (i > 0)
            samples[i - 1] = cli_now() - began;
        if (h->consumed != h->chunks || (h->job.verify && h->sum != h->expected))
            h->right[strategy] = 0;
    }
    cli_sort_numbers(samples, runs);
    h->seconds[strategy] = samples[runs / 2];
    return HD_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static hd_status prepare(host_chunks *h)
{
    int device = h->job.device;
    size_t all = h->chunks * h->n;

    HD_TRY(hd_alloc_kind(&h->source, all, HD_MEM_PINNED, device));
    HD_TRY(hd_alloc_kind(&h->result, all, HD_MEM_PINNED, device));
    for (size_t chunk = 0; chunk < h->chunks; chunk++)
        for (size_t i = 0; i < h->n; i++)
            h->source[chunk * h->n + i] = input_of(chunk, i);
    for (size_t s = 0; s < h->streams; s++) {
        HD_TRY(hd_stream_create(device, &h->stream[s]));
        HD_TRY(hd_alloc(&h->in[s], h->n, device));
        HD_TRY(hd_alloc(&h->out[s], h->n, device));
    }
    if (h->job.verify)
        h->expected = expected_sum(h);
    return HD_OK;
}

static void release(host_chunks *h)
{
    for (size_t s = 0; s < h->streams; s++) {
        hd_free(h->in[s]);
        hd_free(h->out[s]);
        hd_stream_destroy(h->stream[s]);
    }
    hd_free(h->source);
    hd_free(h->result);
    cli_job_close(&h->job);
}

/* ---- printing -------------------------------------------------------------------------------- */

static int wanted(const host_chunks *h, size_t strategy)
{
    return h->wanted >> strategy & 1;
}

static double per_chunk(const host_chunks *h, size_t strategy)
{
    return h->seconds[strategy] / (double)h->chunks;
}

static const cli_column columns[] = {
    {.key = "strategy", .heading = "", .width = -10},
    {.key = "seconds", .heading = "time", .width = 10},
    {.key = "seconds_per_chunk", .heading = "per chunk", .width = 10, .gap = 2},
    {.key = "verified"},
    {.heading = "how", .width = -1, .gap = 2},
    {.key = "backend", .once = true},
};

static void print_strategy(const host_chunks *h, size_t strategy, cli_result *result)
{
    static const char *const about[HOST_CHUNKS_STRATEGIES] = {
        "a host thread per stream waits for each chunk and sums it",
        "a host function behind each chunk sums it, in the stream's order",
        "a host function hands the chunk to a consumer thread; few buffers",
        "a host task sums the chunk and puts the next one's work into the stream"};
    char time[CLI_NUMBER], part[CLI_NUMBER], how[128];

    cli_text_seconds(h->seconds[strategy], time);
    cli_text_seconds(per_chunk(h, strategy), part);
    snprintf(how, sizeof how, "%s%s", about[strategy], h->right[strategy] ? "" : ": WRONG");
    CLI_ROW(result, cell_text(host_chunks_names[strategy]),
            cell_shown(cell_number(h->seconds[strategy]), time),
            cell_shown(cell_number(per_chunk(h, strategy)), part),
            cell_verdict(h->job.verify, h->right[strategy]), cell_text(how),
            cell_text(hd_backend_name()));
}

static int print(const host_chunks *h)
{
    bool right = true;
    cli_result result;

    cli_result_begin(&result, h->job.arguments->command, h->job.format, h->job.device);
    cli_say(&result, "%zu chunks of %zu elements, %zu streams\n\n", h->chunks, h->n, h->streams);
    cli_field(&result, "chunks", cell_count(h->chunks));
    cli_field(&result, "n", cell_count(h->n));
    cli_field(&result, "streams", cell_count(h->streams));
    CLI_TABLE(&result, "rows", columns);
    for (size_t strategy = 0; strategy < HOST_CHUNKS_STRATEGIES; strategy++)
        if (wanted(h, strategy)) {
            print_strategy(h, strategy, &result);
            right &= h->right[strategy];
        }
    cli_table_end(&result);
    cli_field(&result, "verified", cell_verdict(h->job.verify, right));
    return cli_result_end(&result);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(host_chunks *h)
{
    const cli_arguments *arguments = h->job.arguments;
    uint64_t n = 0, chunks = 0, streams = 0;
    int status = cli_count_read(arguments, "n", 1 << 14, 1, 1 << 24, &n);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "chunks", 64, 1, 1 << 16, &chunks);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "streams", 4, 1, HOST_CHUNKS_STREAMS, &streams);
    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "strategies", host_chunks_names,
                                    HOST_CHUNKS_STRATEGIES, 15, &h->wanted);
    if (status == CLI_DONE && n * chunks > (uint64_t)1 << 30)
        status = cli_misused(arguments->command, "--n times --chunks must be at most 2^30");
    h->n = (size_t)n;
    h->chunks = (size_t)chunks;
    h->streams = (size_t)streams;
    h->turns = 8;
    h->blocks = (unsigned)((n + STREAM_WORK_BLOCK - 1) / STREAM_WORK_BLOCK);
    return status;
}

static int run(const cli_arguments *arguments)
{
    host_chunks *h = calloc(1, sizeof *h);
    int status;

    if (!h)
        return cli_failed(arguments->command, "no memory for the streams");
    status = cli_job_open(&h->job, arguments);
    if (status == CLI_DONE)
        status = read_options(h);
    if (status == CLI_DONE && prepare(h) < 0)
        status = cli_failed_call(arguments->command);
    for (size_t strategy = 0; strategy < HOST_CHUNKS_STRATEGIES && status == CLI_DONE; strategy++)
        if (wanted(h, strategy) && measure(h, strategy) < 0)
            status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = print(h);
    for (size_t strategy = 0; strategy < HOST_CHUNKS_STRATEGIES && status == CLI_DONE; strategy++)
        if (wanted(h, strategy) && !h->right[strategy])
            status = cli_failed(arguments->command, "not verified: %s",
                                host_chunks_names[strategy]);
    release(h);
    free(h);
    return status;
}

static const cli_option options[] = {
    {"strategies", "LIST",
     "strategies to time, separated by commas: threads, functions, queue, tasks (default all)"},
    {"ways", "=strategies", "the same as --strategies"},
    {"n", "N", "elements per chunk (default 2^14)"},
    {"chunks", "N", "number of chunks (default 64)"},
    {"streams", "N", "number of streams, at most 32 (default 4)"},
    CLI_JOB_OPTIONS,
    {NULL, NULL, NULL}};

static const char notes[] =
    "Each chunk is copied in, processed by a kernel, copied out and summed by the host. Host\n"
    "functions must not call heddle; host tasks may, and run on a thread of the library.\n"
    "src/cli/lab/host/chunks_strategies.c is a readable example of each.\n"
    "\n"
    "JSON keys: chunks n streams rows (strategy seconds seconds_per_chunk verified) verified\n";

const cli_command cli_command_host_chunks = {
    "host chunks",
    "compare four ways to process results on the host as they arrive",
    NULL,
    options,
    notes,
    "  heddle host chunks --timeline chunks.svg\n"
    "  heddle host chunks --strategies functions,tasks --streams 8 --csv\n",
    run};
