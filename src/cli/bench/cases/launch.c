/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - `heddle bench launch`: the cost of hd_launch, compared with the vendor's own
   launch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/kernels/bench.h"
#include "cli/app/table.h"
#include "cli/bench/vendor.h"
#include "cli/bench/timing.h"

enum { ELEMENTS = 256, BLOCK = 256, ROUNDS = 101 };

typedef struct bench {
    const cli_arguments *arguments;
    timing clock;
    cli_vendor vendor;
    int device, has_raw;
    float *x, *y;
    void *native_stream;
    cli_format format;
    cli_result output;
} bench;

static int run_heddle(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    if (hd_launch(launch_axpy_f32, hd_launch_1d(ELEMENTS, BLOCK, b->clock.stream), (size_t)ELEMENTS,
                  2.0f, b->x, b->y) < 0)
        return timing_failed_call(&b->clock);
    return 0;
}

static int run_raw(void *state, size_t turn)
{
    bench *b = state;

    (void)turn;
    if (b->vendor.launch_axpy(1, BLOCK, ELEMENTS, 2.0f, b->x, b->y, b->native_stream) == 0)
        return 0;
    snprintf(b->clock.message, sizeof b->clock.message, "%s", b->vendor.error());
    return -1;
}

static int open_bench(bench *b)
{
    char message[TIMING_MESSAGE];
    int cpu = strcmp(hd_backend_name(), "cpu") == 0;

    if (hd_device_select(cli_option_value(b->arguments, "device"), &b->device) < 0)
        return timing_failed_call(&b->clock);
    if (timing_open(&b->clock, b->device, ROUNDS) < 0)
        return -1;
    /* The CPU has no vendor launch; on GPUs its absence is reported but not fatal. */
    b->has_raw = !cpu && cli_vendor_load(&b->vendor, message, sizeof message) == 0;
    if (!cpu && !b->has_raw)
        cli_failed(b->arguments->command, "only hd_launch is measured: %s", message);
    if (hd_alloc(&b->x, ELEMENTS, b->device) < 0 || hd_alloc(&b->y, ELEMENTS, b->device) < 0 ||
        hd_fill_zero(b->x, ELEMENTS, b->clock.stream) < 0 ||
        hd_fill_zero(b->y, ELEMENTS, b->clock.stream) < 0 ||
        (b->has_raw && hd_stream_native(b->clock.stream, &b->native_stream) < 0))
        return timing_failed_call(&b->clock);
    return 0;
}

static const cli_column columns[] = {
    {.key = "what", .heading = "what", .width = -14},
    {.key = "seconds", .heading = "median us", .width = 10, .decimals = 3, .scale = 1e6},
    {.key = "p10", .heading = "p10", .width = 10, .decimals = 3, .scale = 1e6},
    {.key = "p90", .heading = "p90", .width = 10, .decimals = 3, .scale = 1e6},
    {.key = "raw_seconds", .heading = "raw us", .width = 10, .decimals = 3, .scale = 1e6},
    {.key = "over_raw", .heading = "over raw", .width = 10, .decimals = 3, .digits = 4},
};

static void print_row(bench *b, const char *what, const timing_spread *ours,
                      const timing_spread *raw)
{
    CLI_ROW(&b->output, cell_text(what), cell_number(ours->median), cell_number(ours->p10),
            cell_number(ours->p90), cell_if(b->has_raw, cell_number(raw->median)),
            cell_if(b->has_raw, cell_number(ours->median / raw->median)));
}

static int measure(bench *b, const char *what, int enqueue_only)
{
    timing_side *sides = calloc(2, sizeof *sides);
    timing_spread ours, raw;
    int status;

    if (!sides)
        return -1;
    sides[0].run = run_heddle;
    sides[1].run = run_raw;
    sides[0].state = sides[1].state = b;
    b->clock.enqueue_only = enqueue_only;
    status = timing_measure(&b->clock, sides, b->has_raw ? 2 : 1);
    if (status == 0) {
        ours = timing_spread_of(&sides[0], ROUNDS);
        raw = timing_spread_of(&sides[1], ROUNDS);
        print_row(b, what, &ours, &raw);
    }
    free(sides);
    return status;
}

static int measure_all(bench *b)
{
    int status, ended;

    cli_result_begin(&b->output, b->arguments->command, b->format, b->device);
    cli_say(&b->output,
            "axpy of %d elements, one block; medians of %d batches; raw: the vendor's launch\n\n",
            (int)ELEMENTS, (int)ROUNDS);
    CLI_TABLE(&b->output, "rows", columns);
    status = measure(b, "call", 1);
    if (status == 0)
        status = measure(b, "back to back", 0);
    cli_table_end(&b->output);
    ended = cli_result_end(&b->output);
    return status == 0 ? ended : status;
}

static int run(const cli_arguments *arguments)
{
    bench b;
    int status;

    memset(&b, 0, sizeof b);
    b.arguments = arguments;
    status = cli_format_read(arguments, &b.format);
    if (status != CLI_DONE)
        return status;
    status = open_bench(&b);
    if (status == 0)
        status = measure_all(&b);
    hd_free(b.x);
    hd_free(b.y);
    timing_close(&b.clock);
    return status < 0 ? cli_failed(arguments->command, "%s", b.clock.message) : status;
}

static const cli_option options[] = {
    CLI_DEVICE_OPTION,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_launch = {
    "bench launch",
    "time a kernel launch against that of the vendor's runtime",
    NULL,
    options,
    "call: host time of one launch call; back to back: time per launch until all have completed.\n"
    "The raw launch of the vendor comes from libheddle_vendor.so "
    "(see 'heddle bench reduce --help').\n",
    "  heddle bench launch\n",
    run,
};
