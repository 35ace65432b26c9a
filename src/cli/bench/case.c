/* SPDX-License-Identifier: Apache-2.0 */
/* case.c - lists the cases of a benchmark and measures one after another. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "cli/bench/kernels/bench.h"

enum { SIDES = 3, ONLY_LIST = 800 };

/* ---- calls for bench files ------------------------------------------------------------------- */

size_t bench_size_count(const bench *b)
{
    return b->size_count;
}

size_t bench_size(const bench *b, size_t i)
{
    return b->sizes[i];
}

const cli_arguments *bench_arguments(const bench *b)
{
    return b->arguments;
}

hd_stream *bench_stream(bench *b)
{
    return b->clock.stream;
}

hd_workspace *bench_workspace(bench *b)
{
    return &b->workspace;
}

int bench_device(const bench *b)
{
    return b->device;
}

int bench_is_cpu(const bench *b)
{
    return b->cpu;
}

bench_case *bench_add(bench *b)
{
    bench_case *c = calloc(1, sizeof *c);
    bench_case **grown = realloc(b->cases, (b->case_count + 1) * sizeof *grown);

    if (grown)
        b->cases = grown;
    if (!c || !grown) {
        free(c);
        bench_failed(b, "out of memory");
        return NULL;
    }
    c->variant = "";
    c->type = HD_F32;
    b->cases[b->case_count++] = c;
    return c;
}

/* ---- heddle, vendor library, memory ceiling -------------------------------------------------- */

static int run_heddle(void *state, size_t turn)
{
    bench *b = state;
    bench_arrays a = bench_arrays_of(b, turn % b->used);

    return b->running->run(b, b->running, &a) < 0 ? bench_failed_call(b) : 0;
}

static int run_vendor(void *state, size_t turn)
{
    bench *b = state;
    bench_arrays a = bench_arrays_of(b, turn % b->used);

    return bench_run_vendor(b, &a);
}

/* Only moves the case's bytes. */
static int run_ceiling(void *state, size_t turn)
{
    bench *b = state;
    bench_ceiling kind = b->running->ceiling;
    unsigned parts = kind == BENCH_COPY ? 2 : kind == BENCH_TRIAD ? 3 : 1;
    unsigned char *at = b->ceiling_memory + turn % b->ceiling_used * b->ceiling_bytes;
    hd_u32x4 *x = (hd_u32x4 *)(void *)at;
    size_t n = b->ceiling_bytes / sizeof *x / parts;
    size_t blocks = (n + CEILING_VECTORS - 1) / CEILING_VECTORS;
    hd_launch_config config = hd_launch_with(hd_dim(blocks ? (unsigned)blocks : 1, 1, 1),
                                             hd_dim(CEILING_THREADS, 1, 1), 0, b->clock.stream);
    hd_status status = kind == BENCH_READ
                           ? hd_launch(ceiling_read, config, n, x, (uint32_t *)(void *)at)
                       : kind == BENCH_WRITE
                           ? hd_launch(ceiling_write, config, n, (uint32_t)turn, x)
                       : kind == BENCH_COPY
                           ? hd_launch(ceiling_copy, config, n, x, x + n)
                           : hd_launch(ceiling_triad, config, n, x, x + n, x + 2 * n);

    return status < 0 ? bench_failed_call(b) : 0;
}

/* ---- one case ------------------------------------------------------------------------------- */

/* Opens the vendor library's version of the case; b->opened stays NULL if there is none. */
static int open_vendor(bench *b)
{
    const bench_case *c = b->running;
    heddle_vendor_arguments arguments;
    int status;

    b->opened = NULL;
    if (!b->compare || b->own_vendor || !c->vendor)
        return 0;
    memset(&arguments, 0, sizeof arguments);
    arguments.ordinal = b->ordinal;
    arguments.type = hd_type_name(c->type);
    arguments.variant = c->variant;
    arguments.n = c->n;
    memcpy(arguments.sizes, c->sizes, sizeof c->sizes);
    memcpy(arguments.numbers, c->numbers, sizeof c->numbers);
    status = b->vendor.open(c->vendor, &arguments, &b->opened);
    if (status == HEDDLE_VENDOR_OK || status == HEDDLE_VENDOR_UNSUPPORTED)
        return 0;
    return bench_failed(b, "vendor %s: %s", c->vendor, b->vendor.error());
}

static int measure(bench *b, bench_row *row)
{
    int (*const runs[SIDES])(void *, size_t) = {run_heddle, run_ceiling, run_vendor};
    timing_spread *const spreads[SIDES] = {&row->heddle, &row->ceiling, &row->vendor};
    int wanted[SIDES] = {1, b->ceiling_copies > 0, row->vendor_name != NULL};
    timing_side *sides = calloc(SIDES, sizeof *sides);
    size_t count = 0;
    int status;

    if (!sides)
        return bench_failed(b, "out of memory");
    for (int i = 0; i < SIDES; i++)
        if (wanted[i]) {
            sides[count].run = runs[i];
            sides[count++].state = b;
        }
    status = timing_measure(&b->clock, sides, count);
    count = 0;
    for (int i = 0; i < SIDES && status == 0; i++)
        if (wanted[i])
            *spreads[i] = timing_spread_of(&sides[count++], b->clock.rounds);
    free(sides);
    return status;
}

/* Measures with the arrays in cache, then with copies that rotate through memory. */
static int measure_data(bench *b)
{
    int cached = b->copies > 1;

    for (int data = cached ? BENCH_WARM : BENCH_MEMORY;
         data <= (cached ? BENCH_ROTATED : BENCH_MEMORY); data++) {
        bench_row row;

        memset(&row, 0, sizeof row);
        row.data = (bench_data)data;
        if (b->opened)
            row.vendor_name = b->vendor.library(b->opened);
        else if (b->compare && b->own_vendor && b->running->plain)
            row.vendor_name = "plain C";
        b->used = data == BENCH_ROTATED ? b->copies : 1;
        b->ceiling_used = data == BENCH_ROTATED && b->ceiling_copies ? b->ceiling_copies : 1;
        if (measure(b, &row) < 0)
            return -1;
        bench_print_row(b, &row);
        if (cli_flush(b->arguments->command) != CLI_DONE)
            return -1;
    }
    return 0;
}

/* Whether the memory of a run fits; cases that do not fit the device are skipped. */
static int fits(const bench *b, const bench_case *c)
{
    size_t bytes = c->workspace_bytes + (size_t)c->bytes, free_bytes = 0;

    for (size_t i = 0; i < BENCH_ARRAYS; i++)
        bytes += c->in_bytes[i] + 2 * c->out_bytes[i];
    return hd_device_memory(b->device, &free_bytes, NULL) == HD_OK && bytes < free_bytes / 10 * 9;
}

static int run_case(bench *b, const bench_case *c)
{
    int status;

    b->running = c;
    if (!fits(b, c))
        return 0;
    status = bench_make_memory(b);
    if (status == 0)
        status = open_vendor(b);
    if (status == 0)
        status = bench_check(b);
    if (status == 0)
        status = measure_data(b);
    if (b->opened)
        b->vendor.close(b->opened);
    b->opened = NULL;
    bench_free_memory(b);
    return status;
}

/* ---- all cases ------------------------------------------------------------------------------- */

static int open_bench(bench *b, size_t rounds)
{
    if (hd_device_select(cli_option_value(b->arguments, "device"), &b->device) < 0 ||
        hd_device_name(b->device, b->device_name, sizeof b->device_name) < 0 ||
        bench_find_cache(b) < 0)
        return bench_failed_call(b);
    if (timing_open(&b->clock, b->device, rounds) < 0)
        return -1;
    if (b->compare && !b->own_vendor &&
        cli_vendor_load(&b->vendor, b->clock.message, sizeof b->clock.message) < 0)
        return -1;
    if (!b->cpu && (hd_stream_native(b->clock.stream, &b->native_stream) < 0 ||
                    hd_device_native(b->device, &b->ordinal) < 0))
        return bench_failed_call(b);
    return 0;
}

/* `only`: the option's text, NULL: all cases. */
static int wanted(const bench *b, size_t i, const char *only)
{
    return !only || strstr(b->cases[i]->text, only) != NULL;
}

/* Fails if no case contains the text of --only, and lists all cases. */
static int check_only(const bench *b, const char *only)
{
    char list[ONLY_LIST] = "";

    for (size_t i = 0; i < b->case_count; i++)
        if (wanted(b, i, only))
            return CLI_DONE;
    for (size_t i = 0; i < b->case_count; i++) {
        size_t first = 0, used = strlen(list);

        while (strcmp(b->cases[first]->text, b->cases[i]->text) != 0)
            first++;
        if (first == i)
            snprintf(list + used, sizeof list - used, "%s%s", used ? "; " : "", b->cases[i]->text);
    }
    return *list ? cli_misused(b->arguments->command,
                               "--only: no case contains '%s'; cases are: %s", only, list)
                 : cli_misused(b->arguments->command, "no case has these sizes");
}

static int run_cases(bench *b)
{
    const char *only = cli_option_value(b->arguments, "only");
    int status = check_only(b, only);

    if (status != CLI_DONE)
        return status;
    bench_print_head(b);
    for (size_t i = 0; i < b->case_count && status == 0; i++)
        if (wanted(b, i, only))
            status = run_case(b, b->cases[i]);
    if (status == 0)
        status = bench_print_end(b);
    return status == 0 && b->rows == 0 ? bench_failed(b, "no case fits the device's free memory")
                                       : status;
}

static void close_bench(bench *b)
{
    for (size_t i = 0; i < b->case_count; i++) {
        if (b->cases[i]->destroy)
            b->cases[i]->destroy(b->cases[i]);
        free(b->cases[i]);
    }
    free(b->cases);
    timing_close(&b->clock);
}

int bench_main(const cli_arguments *arguments, int (*list)(bench *b), const char *defaults,
               const char *cpu_defaults)
{
    bench b;
    size_t rounds = 0;
    int status;

    memset(&b, 0, sizeof b);
    b.arguments = arguments;
    b.cpu = strcmp(hd_backend_name(), "cpu") == 0;
    status = bench_read_options(&b, b.cpu ? cpu_defaults : defaults, &rounds);
    if (status != CLI_DONE)
        return status;
    status = open_bench(&b, rounds);
    if (status == 0)
        status = list(&b);
    if (status == 0)
        status = run_cases(&b);
    close_bench(&b);
    if (status < 0 && b.clock.message[0])
        return cli_failed(arguments->command, "%s", b.clock.message);
    return status < 0 ? CLI_FAILED : status > 0 ? status : cli_flush(arguments->command);
}
