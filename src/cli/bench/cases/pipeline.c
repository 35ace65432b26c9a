/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline.c - `heddle bench pipeline`: a kernel on an array in host memory, as one
   copy-launch-copy sequence and as a pipeline that may split it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/pipeline.h>

#include "cli/bench/kernels/overlap.h"
#include "cli/app/table.h"
#include "cli/bench/timing.h"
#include "cli/app/words.h"

enum { ROUNDS = 25, BLOCK = 256, TRIES_MAX = 100, LEAST = 1 << 16, MOST = 1 << 24 };

typedef struct bench {
    const cli_arguments *arguments;
    timing clock;
    int device, shares; /* shares: device and host share memory, nothing is copied */
    size_t only, rounds;
    bool wrong; /* an output differs from the host's */
    cli_format format;
    cli_result output;
    /* size of the row */
    size_t n;
    unsigned weight;
    hd_memory_kind kind;
    uint32_t *in, *out;               /* host */
    uint32_t *device_in, *device_out; /* addresses for kernels; separate memory unless shared */
    hd_pipeline *pipeline;
} bench;

static int ended(bench *b, hd_status status)
{
    return status < 0 ? timing_failed_call(&b->clock) : 0;
}

/* ---- the sides ------------------------------------------------------------------------------- */

/* Addresses for kernels of host memory that the device shares. */
static hd_status find_shared_memory(bench *b)
{
    void *shared[2];

    HD_TRY(hd_host_device_pointer(&shared[0], b->in, b->device));
    HD_TRY(hd_host_device_pointer(&shared[1], b->out, b->device));
    b->device_in = shared[0];
    b->device_out = shared[1];
    return HD_OK;
}

/* Kernels reach pageable memory only while it is registered, which the pipeline does per pass. */
static hd_status once(bench *b)
{
    const size_t bytes = b->n * sizeof *b->in;
    const int registers = b->shares && b->kind == HD_MEM_UNKNOWN;
    hd_stream *stream = b->clock.stream;

    if (registers) {
        HD_TRY(hd_host_register(b->in, bytes, b->device));
        HD_TRY(hd_host_register(b->out, bytes, b->device));
        HD_TRY(find_shared_memory(b));
    }
    if (!b->shares)
        HD_TRY(hd_copy(b->device_in, (const uint32_t *)b->in, b->n, stream));
    HD_TRY(hd_launch(overlap_work, hd_launch_loop(b->n, BLOCK, stream), b->n, b->weight,
                     (const uint32_t *)b->device_in, b->device_out));
    if (!b->shares)
        HD_TRY(hd_copy(b->out, (const uint32_t *)b->device_out, b->n, stream));
    HD_TRY(hd_stream_synchronize(stream));
    if (registers) {
        HD_TRY(hd_host_unregister(b->in));
        HD_TRY(hd_host_unregister(b->out));
    }
    return HD_OK;
}

static int run_once(void *state, size_t turn)
{
    (void)turn;
    return ended(state, once(state));
}

static hd_status work(void *state, const hd_pipeline_chunk *chunk, hd_stream *stream)
{
    const bench *b = state;

    return hd_launch(overlap_work, hd_launch_loop(chunk->count, BLOCK, stream), chunk->count,
                     b->weight, (const uint32_t *)chunk->in[0], (uint32_t *)chunk->out[0]);
}

static hd_status pass(bench *b, hd_pipeline_report *report)
{
    const hd_pipeline_input in = {b->in, sizeof *b->in, 1, NULL, NULL};
    const hd_pipeline_output out = {b->out, sizeof *b->out, 1, NULL, NULL};
    const hd_pipeline_job job = {&in, 1, &out, 1, b->n, 0, work, b};

    return hd_pipeline_run(b->pipeline, &job, report);
}

static int run_pipeline(void *state, size_t turn)
{
    (void)turn;
    return ended(state, pass(state, NULL));
}

/* ---- one row --------------------------------------------------------------------------------- */

static hd_status make_device_memory(bench *b)
{
    if (!b->shares) {
        HD_TRY(hd_alloc(&b->device_in, b->n, b->device));
        return hd_alloc(&b->device_out, b->n, b->device);
    }
    return b->kind == HD_MEM_PINNED ? find_shared_memory(b) : HD_OK;
}

static hd_status make_row(bench *b)
{
    hd_pipeline_options options = {0};

    options.device = b->device;
    if (b->kind == HD_MEM_UNKNOWN) {
        b->in = malloc(b->n * sizeof *b->in);
        b->out = malloc(b->n * sizeof *b->out);
    } else {
        HD_TRY(hd_alloc_kind(&b->in, b->n, b->kind, b->device));
        HD_TRY(hd_alloc_kind(&b->out, b->n, b->kind, b->device));
    }
    if (!b->in || !b->out)
        return cli_no_memory("%zu bytes on the host", 2 * b->n * sizeof *b->in);
    for (size_t i = 0; i < b->n; i++)
        b->in[i] = (uint32_t)i * OVERLAP_FACTOR;
    memset(b->out, 0, b->n * sizeof *b->out);
    HD_TRY(make_device_memory(b));
    return hd_pipeline_create(&options, &b->pipeline);
}

static void free_row(bench *b)
{
    hd_pipeline_destroy(b->pipeline);
    if (!b->shares) {
        hd_free(b->device_in);
        hd_free(b->device_out);
    }
    if (b->kind == HD_MEM_UNKNOWN) {
        free(b->in);
        free(b->out);
    } else {
        hd_free(b->in);
        hd_free(b->out);
    }
    b->pipeline = NULL;
    b->in = b->out = b->device_in = b->device_out = NULL;
}

/* Both outputs match the host's result; a pipeline that tries chunk sizes has settled. */
static int check_row(bench *b, hd_pipeline_report *report)
{
    for (int side = 0; side < 2; side++) {
        size_t wrong = 0;

        memset(b->out, 0, b->n * sizeof *b->out);
        for (int i = 0; side == 1 && i < TRIES_MAX && !report->settled; i++)
            if (pass(b, report) < 0)
                return timing_failed_call(&b->clock);
        if (side == 0 && once(b) < 0)
            return timing_failed_call(&b->clock);
        for (size_t i = 0; i < b->n; i++) {
            uint32_t x = b->in[i];

            for (unsigned k = 0; k < b->weight; k++)
                x = x * OVERLAP_FACTOR + OVERLAP_TERM;
            wrong += x != b->out[i];
        }
        if (wrong > 0) {
            b->wrong = true;
            snprintf(b->clock.message, sizeof b->clock.message, "%zu elements differ, n = %zu",
                     wrong, b->n);
            return -1;
        }
    }
    return 0;
}

static const cli_column columns[] = {
    {.key = "n", .heading = "n", .width = 10},
    {.key = "memory", .heading = "memory", .width = -9},
    {.key = "weight", .heading = "turns", .width = 6},
    {.key = "once", .heading = "once us", .width = 12, .decimals = 3, .scale = 1e6},
    {.key = "once_min", .heading = "least", .width = 12, .decimals = 3, .scale = 1e6},
    {.key = "seconds", .heading = "pipeline us", .width = 12, .decimals = 3, .scale = 1e6},
    {.key = "min", .heading = "least", .width = 12, .decimals = 3, .scale = 1e6},
    {.key = "chunk", .heading = "chunk", .width = 10},
    {.key = "over_once", .heading = "over once", .width = 9, .decimals = 3, .digits = 4},
};

static void print_row(bench *b, const timing_spread *alone, const timing_spread *piped,
                      size_t chunk)
{
    CLI_ROW(&b->output, cell_count(b->n),
            cell_text(b->kind == HD_MEM_UNKNOWN ? "pageable" : "pinned"), cell_count(b->weight),
            cell_number(alone->median), cell_number(alone->least), cell_number(piped->median),
            cell_number(piped->least), cell_count(chunk),
            cell_number(piped->median / alone->median));
}

static int measure_row(bench *b)
{
    timing_side *sides = calloc(2, sizeof *sides);
    hd_pipeline_report report = {0};
    timing_spread alone, piped;
    int status = sides ? 0 : -1;

    if (status == 0)
        status = ended(b, make_row(b));
    if (status == 0)
        status = check_row(b, &report);
    if (status == 0) {
        sides[0].run = run_once;
        sides[1].run = run_pipeline;
        sides[0].state = sides[1].state = b;
        status = timing_measure(&b->clock, sides, 2);
    }
    if (status == 0) {
        alone = timing_spread_of(&sides[0], b->rounds);
        piped = timing_spread_of(&sides[1], b->rounds);
        print_row(b, &alone, &piped, report.chunk);
    }
    free_row(b);
    free(sides);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int measure_all(bench *b)
{
    static const unsigned weights[] = {1, 32};
    static const hd_memory_kind kinds[] = {HD_MEM_UNKNOWN, HD_MEM_PINNED};
    int status = 0, ended;

    cli_result_begin(&b->output, b->arguments->command, b->format, b->device);
    cli_say(&b->output, "%s: medians and least of %zu batches\n\n",
            b->shares ? "once: the kernel on everything, in place"
                      : "once: one copy in, the kernel on everything, one copy out",
            b->rounds);
    CLI_TABLE(&b->output, "rows", columns);
    for (size_t n = b->only ? b->only : LEAST; n <= (b->only ? b->only : MOST); n *= 4)
        for (size_t w = 0; w < 2; w++)
            for (size_t k = 0; k < 2 && status == 0; k++) {
                b->n = n;
                b->weight = weights[w];
                b->kind = kinds[k];
                status = measure_row(b);
            }
    cli_table_end(&b->output);
    if (status == 0 || b->wrong) /* a failed run was not compared */
        cli_field(&b->output, "verified", cell_flag(!b->wrong));
    ended = cli_result_end(&b->output);
    return status == 0 ? ended : status;
}

static int open_bench(bench *b)
{
    int64_t integrated;

    if (hd_device_select(cli_option_value(b->arguments, "device"), &b->device) < 0 ||
        hd_device_get(b->device, HD_ATTR_INTEGRATED, &integrated) < 0)
        return timing_failed_call(&b->clock);
    b->shares = integrated != 0;
    if (timing_open(&b->clock, b->device, b->rounds) < 0)
        return -1;
    b->clock.host_clock = 1; /* a pipeline uses its own streams and is idle at the end */
    return 0;
}

static int run(const cli_arguments *arguments)
{
    uint64_t n, rounds;
    bench b;
    int status;

    memset(&b, 0, sizeof b);
    b.arguments = arguments;
    status = cli_format_read(arguments, &b.format);
    if (status != CLI_DONE)
        return status;
    if (cli_count_read(arguments, "n", 0, 1, (uint64_t)1 << 32, &n) != CLI_DONE ||
        cli_count_read(arguments, "rounds", ROUNDS, 1, TIMING_ROUNDS_MAX, &rounds) != CLI_DONE)
        return CLI_MISUSED;
    b.only = (size_t)n;
    b.rounds = (size_t)rounds;
    status = open_bench(&b);
    if (status == 0)
        status = measure_all(&b);
    timing_close(&b.clock);
    return status < 0 ? cli_failed(arguments->command, "%s", b.clock.message) : status;
}

static const cli_option options[] = {
    {"n", "N", "elements of 4 bytes (default 2^16 to 2^24, in steps of 4x)"},
    {"rounds", "N", "batches per result (default 25)"},
    CLI_DEVICE_OPTION,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_pipeline = {
    "bench pipeline",
    "time a pipeline against one kernel on the whole array",
    NULL,
    options,
    "Input and result are in host memory. If device and host share memory, nothing is copied, and\n"
    "'over once' above 1 is the overhead of the pipeline over one kernel. Otherwise 'once' is a\n"
    "copy in, the kernel and a copy out in sequence, which the pipeline overlaps. Both alternate;\n"
    "results are verified first. Times are those of the host, from idle to idle.\n"
    "\n"
    "JSON keys: rows (n memory weight once once_min seconds min chunk over_once) verified\n",
    "  heddle bench pipeline\n"
    "  heddle bench pipeline --n 2^20 --rounds 101\n",
    run,
};
