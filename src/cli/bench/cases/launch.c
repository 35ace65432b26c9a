/* SPDX-License-Identifier: Apache-2.0 */
/* launch.c - `heddle bench launch`: what hd_launch costs, against the vendor's own launch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/kernels/bench.h"
#include "cli/app/output.h"
#include "cli/bench/vendor.h"
#include "cli/bench/timing.h"

enum { ELEMENTS = 256, BLOCK = 256, ROUNDS = 101 };

typedef struct bench {
    const cli_arguments *arguments;
    timing clock;
    cli_peers peers;
    int device, has_raw;
    float *x, *y;
    void *native_stream;
    cli_format format;
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
    if (b->peers.launch_axpy(1, BLOCK, ELEMENTS, 2.0f, b->x, b->y, b->native_stream) == 0)
        return 0;
    snprintf(b->clock.message, sizeof b->clock.message, "%s", b->peers.error());
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
    /* On the CPU there is no vendor's launch; elsewhere its absence is told, not fatal. */
    b->has_raw = !cpu && cli_peers_load(&b->peers, message, sizeof message) == 0;
    if (!cpu && !b->has_raw)
        cli_failed(b->arguments->command, "only hd_launch is measured: %s", message);
    if (hd_alloc(&b->x, ELEMENTS, b->device) < 0 || hd_alloc(&b->y, ELEMENTS, b->device) < 0 ||
        hd_fill_zero(b->x, ELEMENTS, b->clock.stream) < 0 ||
        hd_fill_zero(b->y, ELEMENTS, b->clock.stream) < 0 ||
        (b->has_raw && hd_stream_native(b->clock.stream, &b->native_stream) < 0))
        return timing_failed_call(&b->clock);
    return 0;
}

static void print_row(const bench *b, const char *what, const timing_spread *ours,
                      const timing_spread *raw, int first)
{
    double ratio = b->has_raw ? ours->median / raw->median : 0.0;
    cli_json object;

    if (b->format == CLI_JSON) {
        fputs(first ? "" : ", ", stdout);
        cli_json_begin(&object);
        cli_json_text(&object, "what", what);
        cli_json_f64(&object, "seconds", ours->median, 6);
        cli_json_f64(&object, "p10", ours->p10, 6);
        cli_json_f64(&object, "p90", ours->p90, 6);
        cli_json_f64(&object, "raw_seconds", b->has_raw ? raw->median : 0.0, 6);
        cli_json_f64(&object, "over_raw", ratio, 4);
        cli_json_end();
        return;
    }
    printf("%-14s %10.3f %10.3f %10.3f", what, 1e6 * ours->median, 1e6 * ours->p10,
           1e6 * ours->p90);
    if (b->has_raw)
        printf(" %10.3f %10.3f\n", 1e6 * raw->median, ratio);
    else
        printf(" %10s %10s\n", "-", "-");
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
        print_row(b, what, &ours, &raw, enqueue_only);
    }
    free(sides);
    return status;
}

static int measure_all(bench *b)
{
    int status;

    if (b->format == CLI_JSON)
        printf("{\"backend\": \"%s\", \"rows\": [", hd_backend_name());
    else
        printf("axpy of %d elements, one block; medians of %d batches; raw: the vendor's launch\n\n"
               "%-14s %10s %10s %10s %10s %10s\n",
               (int)ELEMENTS, (int)ROUNDS, "what", "median us", "p10", "p90", "raw us", "over raw");
    status = measure(b, "call", 1);
    if (status == 0)
        status = measure(b, "back to back", 0);
    if (status == 0 && b->format == CLI_JSON)
        puts("]}");
    return status;
}

static int run(const cli_arguments *arguments)
{
    bench b;
    int status;

    memset(&b, 0, sizeof b);
    b.arguments = arguments;
    b.format = cli_option_given(arguments, "json") ? CLI_JSON : CLI_TEXT;
    status = open_bench(&b);
    if (status == 0)
        status = measure_all(&b);
    hd_free(b.x);
    hd_free(b.y);
    timing_close(&b.clock);
    return status < 0 ? cli_failed(arguments->command, "%s", b.clock.message)
                      : cli_flush(arguments->command);
}

static const cli_option options[] = {
    {"device", "DEVICE", "index, bus id, 'fastest' or 'free'"},
    {"json", NULL, "print one JSON object"},
    {NULL, NULL, NULL},
};

const cli_command cli_command_bench_launch = {
    "bench launch",
    "time a kernel launch against the vendor's own",
    NULL,
    options,
    "'call' is the host's time in one launch call, 'back to back' the time per launch until all\n"
    "are done. The raw launch comes from libheddle_peers.so ('heddle bench reduce --help').\n",
    "  heddle bench launch\n",
    run,
};
