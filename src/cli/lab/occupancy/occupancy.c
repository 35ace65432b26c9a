/* SPDX-License-Identifier: Apache-2.0 */
/* occupancy.c - `heddle lab occupancy`: what kernels need, and how many of their blocks are
   resident on a compute unit. */
#include <string.h>

#include "cli/app/commands.h"
#include "cli/app/table.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/plot.h"
#include "unit.h"
#include "use.h"

/* X(threads): block sizes of which every row has the occupancy. */
#define SIZES_LIST(X) X(64) X(128) X(256) X(512) X(1024)
enum { THREADS_DEFAULT = 256, THREADS_MAX = 1024, REGISTERS_MAX = 512 };
static const uint64_t shared_max = 1 << 20;

typedef struct occupancy {
    const cli_arguments *arguments;
    cli_format format;
    uses uses;
    lab_device model;
    const unit *unit;
    const char *kernels;                 /* part of the names; NULL: all */
    uint64_t threads, registers, shared; /* where the file has none */
    cli_result result;
    lab_plot plot;
    size_t rows, judged, wrong;
} occupancy;

/* ---- rows ------------------------------------------------------------------------------------ */

#define SHARE_(threads, title)                                                                     \
    {                                                                                              \
        .key = "occupancy_" #threads, .heading = title "\n" #threads, .width = 5, .decimals = 0,   \
        .scale = 100, .unit = "%"                                                                  \
    }
static const cli_column columns[] = {
    {.key = "case", .heading = "\nkernel", .width = -24},
    {.key = "launches", .heading = "\nlaunches", .width = 8},
    {.key = "threads", .heading = "threads\nper block", .width = 9},
    {.key = "registers", .heading = "\nregisters", .width = 9},
    {.key = "local_bytes", .heading = "bytes per thread\nlocal", .width = 9},
    {.key = "spill_bytes", .heading = "\nspills", .width = 6},
    {.key = "shared_bytes", .heading = "shared\nper block", .width = 9},
    {.key = "predicted_blocks", .heading = "predicted\nblocks", .width = 9},
    {.key = "occupancy",
     .heading = "\noccupancy",
     .width = 9,
     .decimals = 0,
     .scale = 100,
     .unit = "%"},
    {.key = "limit", .heading = "limited\nby", .width = -13, .gap = 2},
    {.key = "blocks", .heading = "driver's\nblocks", .width = 8},
    {.key = "verdict", .heading = "\nverdict", .width = -7, .gap = 2},
    SHARE_(64, "with threads per block"),
    SHARE_(128, ""),
    SHARE_(256, ""),
    SHARE_(512, ""),
    SHARE_(1024, "")};

static unit_block block_of(const occupancy *o, const use *u)
{
    return (unit_block){.threads = u->threads ? u->threads : (unsigned)o->threads,
                        .registers = u->registers ? u->registers : (unsigned)o->registers,
                        .scalars = u->scalars,
                        .shared = u->static_shared + (u->launches ? u->dynamic_shared : o->shared)};
}

static double share_at(const occupancy *o, unit_block block, unsigned threads)
{
    const char *limit;

    block.threads = threads;
    return unit_share(o->unit, &block, unit_blocks(o->unit, &block, &limit));
}

static cli_cell judge(occupancy *o, const use *u, unsigned predicted)
{
    if (!u->resident_known)
        return cell_none();
    o->judged++;
    o->wrong += u->resident != predicted;
    return cell_text(u->resident == predicted ? "equal" : "differs");
}

static void row_print(occupancy *o, const use *u)
{
    const unit_block block = block_of(o, u);
    const char *limit;
    const unsigned blocks = unit_blocks(o->unit, &block, &limit);
    const double percent = 100;
    lab_point point = lab_point_at(u->name, "");

    point.predicted = percent * unit_share(o->unit, &block, blocks);
    if (u->resident_known)
        point.counted = percent * unit_share(o->unit, &block, u->resident);
    lab_plot_add(&o->plot, &point);
#define CELL_(threads) , cell_number(share_at(o, block, threads))
    CLI_ROW(&o->result, cell_text(u->name), cell_if(u->launches > 0, cell_count(u->launches)),
            cell_count(block.threads), cell_if(block.registers > 0, cell_count(block.registers)),
            cell_if(u->local_known, cell_count(u->local)),
            cell_if(u->spill_known, cell_count(u->spill)), cell_count(block.shared),
            cell_count(blocks), cell_number(unit_share(o->unit, &block, blocks)), cell_text(limit),
            cell_if(u->resident_known, cell_count(u->resident)),
            judge(o, u, blocks) SIZES_LIST(CELL_));
    o->rows++;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_device(occupancy *o)
{
    size_t device = 0;
    int status = CLI_DONE;

    o->model = o->uses.device;
    if (cli_option_given(o->arguments, "device-model")) {
        status = cli_word_read(o->arguments, "device-model", lab_device_words, LAB_DEVICES, 0,
                               &device);
        o->model = (lab_device)device;
    }
    if (status == CLI_DONE && o->model == LAB_NO_DEVICE)
        return cli_misused(
            o->arguments->command,
            "--device-model is needed: %s does not name a GPU whose limits are known",
            o->arguments->operands[0]);
    if (status == CLI_DONE)
        o->unit = unit_find(o->model);
    return status;
}

static int read_options(occupancy *o)
{
    int status = cli_format_read(o->arguments, &o->format);

    o->kernels = cli_option_value(o->arguments, "kernels");
    o->plot.path = cli_option_value(o->arguments, "plot");
    o->plot.counted = "as the driver reports";
    if (status == CLI_DONE)
        status = cli_count_read(o->arguments, "threads", THREADS_DEFAULT, 1, THREADS_MAX,
                                &o->threads);
    if (status == CLI_DONE)
        status = cli_count_read(o->arguments, "registers", 0, 1, REGISTERS_MAX, &o->registers);
    if (status == CLI_DONE)
        status = cli_count_read(o->arguments, "shared", 0, 0, shared_max, &o->shared);
    if (status == CLI_DONE)
        status = uses_read(o->arguments, o->arguments->operands[0], &o->uses);
    return status == CLI_DONE ? read_device(o) : status;
}

static void print_unit(occupancy *o)
{
    const unit *u = o->unit;
    const unsigned warps = UNIT_PARTITIONS * u->warps;
    const unsigned registers = UNIT_PARTITIONS * UNIT_REGISTERS * u->warp;

    cli_say(&o->result,
            "a compute unit of %s holds %u warps of %u, %u blocks, %u registers, %llu bytes of "
            "shared memory\n\n",
            lab_device_words[o->model], warps, u->warp, u->blocks, registers,
            (unsigned long long)u->shared);
    cli_field(&o->result, "device_model", cell_text(lab_device_words[o->model]));
    cli_field(&o->result, "unit_warps", cell_count(warps));
    cli_field(&o->result, "unit_blocks", cell_count(u->blocks));
    cli_field(&o->result, "unit_registers", cell_count(registers));
    cli_field(&o->result, "unit_shared_bytes", cell_count(u->shared));
}

static int end(occupancy *o)
{
    static const lab_axes axes = {"kernel", "occupancy / %", NULL};
    const cli_command *command = o->arguments->command;
    char title[64];
    int status, drawn;

    (void)snprintf(title, sizeof title, "heddle lab occupancy: %s", lab_device_words[o->model]);
    if (o->judged)
        cli_say(&o->result, "\n%zu of %zu rows as the driver reports\n", o->judged - o->wrong,
                o->judged);
    cli_field(&o->result, "verified", cell_verdict(o->judged > 0, o->wrong == 0));
    status = cli_result_end(&o->result);
    drawn = lab_plot_write(&o->plot, command, title, &axes);
    if (o->wrong)
        return cli_failed(command, "%zu of %zu rows differ from what the driver reports", o->wrong,
                          o->judged);
    return status != CLI_DONE ? status : drawn;
}

static int print(occupancy *o)
{
    size_t chosen = 0;

    for (size_t i = 0; i < o->uses.count; i++)
        chosen += !o->kernels || strstr(o->uses.list[i].name, o->kernels);
    if (!chosen)
        return cli_failed(o->arguments->command, "%s: no kernel%s%s", o->arguments->operands[0],
                          o->kernels ? " whose name contains " : "", o->kernels ? o->kernels : "");
    cli_result_begin(&o->result, o->arguments->command, o->format, CLI_NO_DEVICE);
    print_unit(o);
    CLI_TABLE(&o->result, "rows", columns);
    for (size_t i = 0; i < o->uses.count; i++)
        if (!o->kernels || strstr(o->uses.list[i].name, o->kernels))
            row_print(o, &o->uses.list[i]);
    cli_table_end(&o->result);
    return end(o);
}

static int run(const cli_arguments *arguments)
{
    occupancy o;
    int status;

    memset(&o, 0, sizeof o);
    o.arguments = arguments;
    status = read_options(&o);
    if (status == CLI_DONE)
        status = print(&o);
    uses_free(&o.uses);
    lab_plot_free(&o.plot);
    return status;
}

static const cli_option options[] = {
    {"device-model", "DEVICE",
     "GPU: h100-pcie, h100, h200, mi210, mi250x or mi300x (default: that of the file)"},
    {"kernels", "TEXT", "only kernels whose name contains TEXT"},
    {"threads", "N", "block size of kernels that the file does not launch (default 256)"},
    {"shared", "BYTES", "dynamic shared memory of those kernels (default 0)"},
    {"registers", "N", "registers per thread where the file has none: a trace of the CPU engine"},
    {"plot", "FILE.svg", "draw the occupancy of every row"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_occupancy = {
    "lab occupancy",
    "print registers, shared memory and resident blocks of a program's kernels",
    "FILE",
    options,
    "FILE is a trace of any program that uses heddle (HEDDLE_TRACE), or what nvcc printed with\n"
    "-Xptxas -v, or clang with -Rpass-analysis=kernel-resource-usage. There is a row for each\n"
    "kernel, and in a trace for each block size: what the kernel needs, how many of its blocks\n"
    "are resident on a compute unit, which resource is the limit, and the occupancy, for this\n"
    "and other block sizes. A trace of a GPU also has the driver's numbers: exit status 1 if a\n"
    "prediction differs from them. Local memory includes spills; in a compiler's report the\n"
    "bytes stored by spills are also listed separately.\n"
    "\n"
    "JSON keys: device_model unit_warps unit_blocks unit_registers unit_shared_bytes rows (case\n"
    "launches threads registers local_bytes spill_bytes shared_bytes predicted_blocks occupancy\n"
    "limit blocks verdict occupancy_64 occupancy_128 occupancy_256 occupancy_512 occupancy_1024)\n"
    "verified\n",
    "  HEDDLE_TRACE=t.json ./my_program && heddle lab occupancy t.json --device-model h100\n"
    "  heddle lab occupancy t.json --device-model h100 --registers 40\n"
    "  nvcc -arch=sm_90 -Xptxas -v -c kernel.cu 2>report && heddle lab occupancy report "
    "--threads 128\n",
    run};
