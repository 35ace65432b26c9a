/* SPDX-License-Identifier: Apache-2.0 */
/* p2p.c - `heddle p2p`: transfers between every two devices, by copies and by kernels, in one
   direction, in both, and between all devices at once. */
#include "p2p.h"

#include <stdlib.h>
#include <string.h>

#include "cli/app/words.h"

enum { LEAST = 4 << 10, MAX_CPU = 1 << 20, MAX_GPU = 256 << 20, STEP = 4, UNIT = 16 };

static int read_options(p2p *p)
{
    const cli_arguments *arguments = p->arguments;
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    const char *names[P2P_METHOD_COUNT];
    uint64_t least = 0, most = 0, runs = 0;
    int status;

    for (int i = 0; i < P2P_METHOD_COUNT; i++)
        names[i] = p2p_method_name((p2p_method)i);
    status = cli_verify_always(arguments);
    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "methods", names, P2P_METHOD_COUNT,
                                    (1u << P2P_METHOD_COUNT) - 1, &p->methods);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "least", LEAST, UNIT, (uint64_t)1 << 40, &least);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "most", cpu ? MAX_CPU : MAX_GPU, UNIT, (uint64_t)1 << 40,
                                &most);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "runs", 5, 1, P2P_RUNS_MAX, &runs);
    if (status == CLI_DONE && least > most)
        return cli_misused(arguments->command, "--least is more than --most");
    p->runs = (size_t)runs;
    for (uint64_t size = least; size < most && p->size_count < P2P_SIZES - 1; size *= STEP)
        p->sizes[p->size_count++] = (size_t)size / UNIT * UNIT;
    if (p->size_count == 0 || p2p_largest(p) != (size_t)most / UNIT * UNIT)
        p->sizes[p->size_count++] = (size_t)most / UNIT * UNIT;
    return status;
}

static int make(p2p *p)
{
    const size_t pairs = (size_t)p->devices.count * p->devices.count;
    int good = (p->pairs = calloc(pairs, sizeof *p->pairs)) != NULL &&
               (p->pingpong = calloc(pairs, sizeof *p->pingpong)) != NULL;

    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        good = good && (p->series[m] = calloc(pairs, sizeof *p->series[m])) != NULL;
    return good ? CLI_DONE
                : cli_failed(p->arguments->command, "no memory for %zu pairs of devices", pairs);
}

/* Prints the results first, because writing a picture may fail. */
static int show(const p2p *p, const char *svg)
{
    const int status = p2p_print(p);
    const int drawn = svg ? p2p_draw(p, svg) : CLI_DONE;

    return status != CLI_DONE ? status : drawn;
}

static int run(const cli_arguments *arguments)
{
    const char *svg = cli_option_value(arguments, "svg");
    p2p p;
    int status;

    memset(&p, 0, sizeof p);
    p.arguments = arguments;
    status = cli_format_read(arguments, &p.format);
    if (status == CLI_DONE)
        status = read_options(&p);
    if (status == CLI_DONE)
        status = cli_devices_read(arguments, 2, &p.devices);
    if (status == CLI_DONE)
        status = make(&p);
    if (status == CLI_DONE)
        status = p2p_measure(&p);
    if (status == CLI_DONE)
        status = show(&p, svg);
    for (int m = 0; m < P2P_METHOD_COUNT; m++)
        free(p.series[m]);
    free(p.pingpong);
    free(p.pairs);
    return status;
}

static const cli_option options[] = {
    CLI_DEVICES_OPTION,
    {"methods", "LIST",
     "methods to measure, separated by commas: copy, read, write (default all); see below"},
    {"least", "BYTES", "smallest payload (default 4K)"},
    {"most", "BYTES", "largest payload, reached in steps of 4x (default 256M; CPU: 1M)"},
    {"runs", "N", "report the median time of N runs, after a warm-up (default 5)"},
    CLI_VERIFY_ALWAYS_OPTIONS,
    {"svg", "FILE.svg", "draw a heat map of every method"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and a row per measurement"},
    {NULL, NULL, NULL}};

const cli_command cli_command_p2p = {
    "p2p",
    "measure bandwidth and latency between each pair of devices",
    NULL,
    options,
    "copy: hd_transfer, by a copy engine, or staged through host memory without peer access.\n"
    "read: a kernel on the target loads from the source. write: a kernel on the source stores to\n"
    "the target. Rows send, columns receive. Both ways: the sum of both directions. ring: each\n"
    "device to the next one, all at once; all-to-all: each device to every other one. Latency and\n"
    "bandwidth are fitted to at least three payloads (least squares of relative errors), and\n"
    "printed only if the time grows with the size by more than the scatter of the measurements;\n"
    "latency is per call, with many calls in a row on one stream. Flag: half a round trip between\n"
    "two kernels that write to each other's memory. Every received byte of every row is verified.\n"
    "off: the largest relative distance of a point from its fit.\n"
    "\n"
    "JSON keys: devices bytes runs rows (method pattern from to bytes seconds gbps verified)\n"
    "fits (method from to latency gbps off) flags (from to seconds) verified\n",
    "  heddle p2p\n"
    "  heddle p2p --devices 0,1 --methods copy --most 1G --svg p2p.svg\n"
    "  HEDDLE_P2P=off heddle p2p --csv\n",
    run};
