/* SPDX-License-Identifier: Apache-2.0 */
/* remote.c - `heddle remote`: a kernel's accesses to another device's memory compared with its own;
   and two heavy kernels on two devices compared with both on one. */
#include "remote.h"

#include <string.h>

#include "cli/app/table.h"
#include "cli/app/words.h"

enum { BYTES_CPU = 1 << 20, BYTES_GPU = 64 << 20 };

/* ---- output ---------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "memory", .heading = "memory\n\n", .width = -18},
    {.key = "load_gbps", .heading = "loads\n\nGB/s", .width = 11, .decimals = 3},
    {.key = "store_gbps", .heading = "stores\n\nGB/s", .width = 11, .decimals = 3},
    {.key = "atomics",
     .heading = "atomics\nmany cells\n10^6/s",
     .width = 11,
     .decimals = 1,
     .scale = 1e-6},
    {.key = "atomics_one_cell",
     .heading = "atomics\none cell\n10^6/s",
     .width = 11,
     .decimals = 1,
     .scale = 1e-6},
    {.key = "latency", .heading = "latency\n\nns", .width = 11, .decimals = 1, .scale = 1e9},
    {.key = "not_used"},
    {.key = "verified"},
};

/* 0 means not measured. */
static cli_cell measured(double value, double unit)
{
    return cell_if(value > 0, cell_number(value * unit));
}

static void print_row(const remote *r, remote_place place, cli_result *result)
{
    const remote_row *row = &r->rows[place];
    const bool used = !row->why_not[0];
    char note[sizeof row->why_not + 16];

    (void)snprintf(note, sizeof note, "not used: %s", row->why_not);
    CLI_ROW_NOTED(result, used ? 6 : 1, used ? NULL : note, cell_text(remote_place_name(place)),
                  measured(row->load, 1e-9), measured(row->store, 1e-9), measured(row->atomics, 1),
                  measured(row->shared, 1), measured(row->latency, 1),
                  cell_if(!used, cell_text(row->why_not)), cell_if(used, cell_flag(!r->wrong[0])));
}

static void print_head(const remote *r, cli_result *result)
{
    char size[CLI_NUMBER];

    cli_text_bytes((double)r->bytes, size);
    cli_say(result,
            "device %d uses memory that device %d owns (%s, %s), backend %s; %s, median of %zu "
            "run%s\n\n",
            r->devices.device[0], r->devices.device[1], hd_link_name(r->pair.link),
            hd_peer_path_name(r->pair.path), hd_backend_name(), size, r->runs,
            r->runs == 1 ? "" : "s");
    cli_field(result, "owner", cell_count((uint64_t)r->devices.device[1]));
    cli_field(result, "link", cell_text(hd_link_name(r->pair.link)));
    cli_field(result, "path", cell_text(hd_peer_path_name(r->pair.path)));
    cli_field(result, "bytes", cell_count(r->bytes));
}

static void print_heavy(const remote *r, cli_result *result)
{
    cli_say(result,
            "\na heavy kernel alone %.3f ms; two on device %d %.3f ms; one on each %.3f ms: %.2f "
            "times as fast\nverified: %s\n",
            1e3 * r->heavy.alone, r->devices.device[0], 1e3 * r->heavy.together,
            1e3 * r->heavy.apart, r->heavy.together / r->heavy.apart,
            r->wrong[0] ? "false" : "true");
    cli_field(result, "heavy_alone", cell_number(r->heavy.alone));
    cli_field(result, "heavy_on_one", cell_number(r->heavy.together));
    cli_field(result, "heavy_on_two", cell_number(r->heavy.apart));
}

static int print(const remote *r)
{
    cli_devices devices = r->devices;
    cli_result result;
    int status;

    devices.count = 2;
    cli_result_begin_devices(&result, r->arguments->command, r->format, &devices);
    print_head(r, &result);
    CLI_TABLE(&result, "rows", columns);
    for (int place = 0; place < REMOTE_PLACE_COUNT; place++)
        print_row(r, (remote_place)place, &result);
    cli_table_end(&result);
    print_heavy(r, &result);
    cli_field(&result, "verified", cell_flag(!r->wrong[0]));
    status = cli_result_end(&result);
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
        status = cli_misused(arguments->command, "--devices: %u given, 2 are needed",
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
    {"devices", "A,B", "A accesses memory of B (default: the first two devices)"},
    {"bytes", "BYTES", "size of each memory (default 64M; CPU: 1M)"},
    {"runs", "N", "report the median time of N runs, after a warm-up (default 5)"},
    CLI_VERIFY_ALWAYS_OPTIONS,
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and a row per memory"},
    {NULL, NULL, NULL}};

const cli_command cli_command_remote = {
    "remote",
    "time loads, stores and atomics of a kernel on another device's memory",
    NULL,
    options,
    "loads and stores: 16 bytes per thread, the whole memory; atomics: system-scope additions by\n"
    "65536 threads, to one cell each and all to one cell, omitted if the link does not support\n"
    "them. latency: one thread follows a random chain of dependent loads, 128 bytes apart, so\n"
    "caches help only if they hold all of it. managed: preferred location on the owner, mapped by\n"
    "the accessing device. The last line: "
    "a compute-bound kernel that fills a device, twice on one\n"
    "device and once on each of two. All loads, stores, sums and results are verified.\n"
    "\n"
    "JSON keys: devices owner link path bytes rows (memory load_gbps store_gbps atomics\n"
    "atomics_one_cell latency not_used verified) heavy_alone heavy_on_one heavy_on_two verified\n",
    "  heddle remote\n"
    "  heddle remote --devices 3,1 --bytes 256M --json\n",
    run};
