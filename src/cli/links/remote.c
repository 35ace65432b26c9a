/* SPDX-License-Identifier: Apache-2.0 */
/* remote.c - `heddle remote`: what a kernel gets of memory that another device owns, against its
   own; and two heavy kernels on two devices, against both on one. */
#include "remote.h"

#include <string.h>

#include "cli/app/words.h"

enum { BYTES_CPU = 1 << 20, BYTES_GPU = 64 << 20 };

const char *remote_place_name(remote_place place)
{
    static const char *const names[] = {
#define PLACE_NAME_(name, text, kind, remote) text,
        REMOTE_PLACE_LIST(PLACE_NAME_)
#undef PLACE_NAME_
    };
    return names[place];
}

/* ---- output ---------------------------------------------------------------------------------- */

static const char *verified(const remote *r)
{
    return r->wrong[0] ? "false" : "true";
}

static void print_cell(double value, double unit, int digits)
{
    if (value > 0)
        printf(" %11.*f", digits, value * unit);
    else
        printf(" %11s", "-");
}

static void print_heading(void)
{
    printf("%-18s %11s %11s %11s %11s %11s\n", "memory", "loads", "stores", "atomics", "atomics",
           "latency");
    printf("%-18s %11s %11s %11s %11s\n", "", "", "", "many cells", "one cell");
    printf("%-18s %11s %11s %11s %11s %11s\n", "", "GB/s", "GB/s", "10^6/s", "10^6/s", "ns");
}

static void print_text(const remote *r)
{
    char size[CLI_NUMBER];

    cli_text_bytes((double)r->bytes, size);
    printf("device %d uses memory that device %d owns (%s, %s), backend %s; %s, median of %zu "
           "run%s\n\n",
           r->devices.device[0], r->devices.device[1], hd_link_name(r->pair.link),
           hd_peer_path_name(r->pair.path), hd_backend_name(), size, r->runs,
           r->runs == 1 ? "" : "s");
    print_heading();
    for (int p = 0; p < REMOTE_PLACE_COUNT; p++) {
        const remote_row *row = &r->rows[p];
        printf("%-18s", remote_place_name((remote_place)p));
        if (row->why_not[0]) {
            printf("  not used: %s\n", row->why_not);
            continue;
        }
        print_cell(row->load, 1e-9, 3);
        print_cell(row->store, 1e-9, 3);
        print_cell(row->atomics, 1e-6, 1);
        print_cell(row->shared, 1e-6, 1);
        print_cell(row->latency, 1e9, 1);
        putchar('\n');
    }
    printf("\na heavy kernel alone %.3f ms; two on device %d %.3f ms; one on each %.3f ms: %.2f "
           "times as fast\nverified: %s\n",
           1e3 * r->heavy.alone, r->devices.device[0], 1e3 * r->heavy.together,
           1e3 * r->heavy.apart, r->heavy.together / r->heavy.apart, verified(r));
}

static void print_row_json(const remote *r, remote_place place)
{
    const remote_row *row = &r->rows[place];
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "memory", remote_place_name(place));
    cli_json_text(&object, "not_used", row->why_not);
    cli_json_maybe(&object, "load_gbps", row->load > 0, 1e-9 * row->load, 6);
    cli_json_maybe(&object, "store_gbps", row->store > 0, 1e-9 * row->store, 6);
    cli_json_maybe(&object, "atomics", row->atomics > 0, row->atomics, 6);
    cli_json_maybe(&object, "atomics_one_cell", row->shared > 0, row->shared, 6);
    cli_json_maybe(&object, "latency", row->latency > 0, row->latency, 6);
    cli_json_end();
}

static void print_json(const remote *r)
{
    cli_json object;

    cli_json_begin(&object);
    cli_json_text(&object, "backend", hd_backend_name());
    cli_json_f64(&object, "device", r->devices.device[0], 4);
    cli_json_f64(&object, "owner", r->devices.device[1], 4);
    cli_json_text(&object, "link", hd_link_name(r->pair.link));
    cli_json_text(&object, "path", hd_peer_path_name(r->pair.path));
    cli_json_f64(&object, "bytes", (double)r->bytes, 17);
    cli_json_raw(&object, "rows", "[");
    for (int p = 0; p < REMOTE_PLACE_COUNT; p++) {
        fputs(p ? ",\n " : "\n ", stdout);
        print_row_json(r, (remote_place)p);
    }
    fputs("\n]", stdout);
    cli_json_f64(&object, "heavy_alone", r->heavy.alone, 6);
    cli_json_f64(&object, "heavy_on_one", r->heavy.together, 6);
    cli_json_f64(&object, "heavy_on_two", r->heavy.apart, 6);
    cli_json_raw(&object, "verified", verified(r));
    cli_json_end();
    putchar('\n');
}

/* Empty where nothing was measured. */
static void csv_number(double value)
{
    putchar(',');
    if (value > 0)
        printf("%.6g", value);
}

static void print_csv(const remote *r)
{
    puts("memory,load_gbps,store_gbps,atomics,atomics_one_cell,latency,not_used,verified");
    for (int p = 0; p < REMOTE_PLACE_COUNT; p++) {
        const remote_row *row = &r->rows[p];
        cli_csv_cell(remote_place_name((remote_place)p), stdout);
        csv_number(1e-9 * row->load);
        csv_number(1e-9 * row->store);
        csv_number(row->atomics);
        csv_number(row->shared);
        csv_number(row->latency);
        putchar(',');
        cli_csv_cell(row->why_not, stdout);
        printf(",%s\n", row->why_not[0] ? "" : verified(r));
    }
}

static int print(const remote *r)
{
    void (*const printers[])(const remote *) = {print_text, print_json, print_csv};
    int status;

    printers[r->format](r);
    status = cli_flush(r->arguments->command);
    if (r->wrong[0])
        return cli_failed(r->arguments->command, "not verified: %s", r->wrong);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run(const cli_arguments *arguments)
{
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    uint64_t bytes = 0, runs = 0;
    remote r;
    int status;

    memset(&r, 0, sizeof r);
    r.arguments = arguments;
    status = cli_format_read(arguments, &r.format);
    if (status == CLI_DONE)
        status = cli_verify_always(arguments);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "bytes", cpu ? BYTES_CPU : BYTES_GPU, 4096,
                                (uint64_t)1 << 36, &bytes);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "runs", 5, 1, TIMING_ROUNDS_MAX, &runs);
    if (status == CLI_DONE)
        status = cli_devices_read(arguments, 2, &r.devices);
    if (status == CLI_DONE && r.devices.count > 2 && cli_option_given(arguments, "devices"))
        status = cli_misused(arguments->command, "--devices: %u devices, but A and B are two",
                             r.devices.count);
    r.bytes = (size_t)bytes / 16 * 16;
    r.runs = (size_t)runs;
    if (status == CLI_DONE)
        status = remote_measure(&r);
    if (status == CLI_DONE)
        status = print(&r);
    return status;
}

static const cli_option options[] = {
    {"devices", "A,B", "A uses what B owns; by default the first two devices"},
    {"bytes", "BYTES", "of each memory, 64M by default (1M on the CPU)"},
    {"runs", "N", "median of N runs after a warm-up, 5 by default"},
    CLI_VERIFY_ALWAYS_OPTIONS,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print a header and a row for each memory"},
    {NULL, NULL, NULL}};

const cli_command cli_command_remote = {
    "remote",
    "loads, stores and atomics of a kernel on memory of another device",
    NULL,
    options,
    "loads and stores: 16 bytes a thread, all of it; atomics: additions at system scope by\n"
    "65536 threads to cells of their own, and to one cell; they are left out where the link has\n"
    "none. latency: one thread follows a random chain, each load waits for the one before; links\n"
    "lie 128 bytes apart, so caches help only where they hold all of it. managed: preferred where\n"
    "its owner is, mapped for the device that uses it. The last line: a kernel that computes and\n"
    "fills a device, twice on one device and once on each of two. Loads, stores, sums of atomics,\n"
    "the end of the chain and every element are compared with what they have to be.\n\n"
    "JSON keys: backend device owner link path bytes rows (memory not_used load_gbps store_gbps\n"
    "atomics atomics_one_cell latency) heavy_alone heavy_on_one heavy_on_two verified\n",
    "  heddle remote\n"
    "  heddle remote --devices 3,1 --bytes 256M --json\n",
    run};
