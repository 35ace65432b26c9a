/* SPDX-License-Identifier: Apache-2.0 */
/* roofline.c - `heddle lab roofline`: the device's ceilings, and heddle's kernels below them. */
#include "roofline.h"

#include <math.h>
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"

enum { SIDE_GPU = 8192, SIDE_CPU = 128, SIDE_MIN = 32, SIDE_MAX = 32768 };

/* A kernel cannot be faster than the roof; measuring the ceilings may be so inexact. */
static const double most_factor = 1.15;

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\nkernel", .width = -25},
    {.key = "flops", .heading = "operations\nper run", .width = 10},
    {.key = "bytes", .heading = "bytes\nper run", .width = 10},
    {.key = "intensity", .heading = "\nflop/byte", .width = 9, .decimals = 3},
    {.key = "roof_gflops", .heading = "predicted\nGFLOP/s", .width = 9, .decimals = 1},
    {.key = "seconds"},
    {.key = "gflops", .heading = "measured\nGFLOP/s", .width = 9, .decimals = 1},
    {.key = "share",
     .heading = "\nof the roof",
     .width = 11,
     .decimals = 1,
     .scale = 100,
     .unit = "%"},
    {.key = "reference", .heading = "publ.\nGFLOP/s", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* One run; whether its result is right. */
static hd_status check_run(roofline *r, const roofline_case *c, bool *right)
{
    float value = 0;

    HD_TRY(c->run(r, r->lab.job.stream));
    HD_TRY(hd_copy_blocking(&value, r->last + c->at, 1, r->lab.job.stream));
    *right = fabsf(value - c->expected) <= c->tolerance * c->expected;
    return HD_OK;
}

static hd_status run_row(roofline *r, size_t i)
{
    const roofline_case *c = &r->cases[i];
    const lab_launch launch = {NULL, c->run, r};
    const double intensity = c->flops / c->bytes, roof = ceilings_at(&r->roof, intensity);
    double seconds;
    bool right = false;
    lab_row row;

    HD_TRY(check_run(r, c, &right));
    HD_TRY(lab_time(&r->lab, &launch, LAB_COLD, &seconds));
    ceilings_count_results(&r->lab);
    r->gflops[i] = seconds > 0 ? 1e-9 * c->flops / seconds : 0;
    row = (lab_row){.wrong = !right,
                    .equal = right,
                    .seconds = seconds,
                    .least = c->flops / (most_factor * roof),
                    .most = INFINITY,
                    .point = lab_point_at(c->name, "")};
    CLI_ROW(r->lab.result, cell_text(c->name), cell_number(c->flops), cell_number(c->bytes),
            cell_number(intensity), cell_if(roof > 0, cell_number(1e-9 * roof)),
            cell_if(seconds > 0, cell_number(seconds)),
            cell_if(seconds > 0, cell_number(r->gflops[i])),
            cell_if(seconds > 0, cell_number(1e9 * r->gflops[i] / roof)), cell_none(),
            lab_verdict(&r->lab, &row));
    return HD_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static const lab_about about = {
    "operations and bytes that the result needs: each array moved once, the sequential algorithm",
    "f32, elements of the arrays, no data in a cache",
    {NULL, NULL, NULL}};

static void print_ceilings(roofline *r)
{
    const bool known = r->roof.bytes > 0;

    cli_field(r->lab.result, "ceiling_gflops", cell_if(known, cell_number(1e-9 * r->roof.flops)));
    cli_field(r->lab.result, "ceiling_gbps", cell_if(known, cell_number(1e-9 * r->roof.bytes)));
    cli_field(r->lab.result, "ridge", cell_if(known, cell_number(ceilings_ridge(&r->roof))));
    if (known)
        cli_say(r->lab.result, "%s: %.0f GFLOP/s and %.0f GB/s meet at %.1f flop/byte\n\n",
                r->lab.gpu ? "measured ceilings" : "peak rates", 1e-9 * r->roof.flops,
                1e-9 * r->roof.bytes, ceilings_ridge(&r->roof));
}

static int print(roofline *r, const char *path)
{
    int status, drawn = CLI_DONE;

    lab_begin(&r->lab, &about);
    cli_field(r->lab.result, "elements", cell_count(r->n));
    print_ceilings(r);
    CLI_TABLE(r->lab.result, "rows", columns);
    for (size_t i = 0; i < ROOFLINE_CASES && r->lab.failed >= 0; i++)
        r->lab.failed = run_row(r, i);
    cli_table_end(r->lab.result);
    if (r->lab.failed < 0)
        return cli_failed_call(r->lab.job.arguments->command);
    status = lab_end(&r->lab);
    if (path)
        drawn = roofline_draw(r, path);
    return status != CLI_DONE ? status : drawn;
}

static int read_options(roofline *r, const char **path)
{
    const cli_arguments *arguments = r->lab.job.arguments;
    uint64_t side = 0;
    const int status = cli_count_read(arguments, "side", r->lab.gpu ? SIDE_GPU : SIDE_CPU, SIDE_MIN,
                                      SIDE_MAX, &side);

    *path = r->lab.plot.path;
    r->lab.plot.path = NULL; /* the picture is a roofline, not one of rows */
    r->side = (size_t)side;
    if (status == CLI_DONE && *path && !r->lab.gpu && r->lab.model == LAB_NO_DEVICE)
        return cli_misused(arguments->command,
                           "--plot: the CPU engine has no roof; say which with --device-model");
    return status;
}

static int run(const cli_arguments *arguments)
{
    const char *path = NULL;
    roofline r;
    int status;

    memset(&r, 0, sizeof r);
    status = lab_open(&r.lab, arguments);
    if (status == CLI_DONE)
        status = read_options(&r, &path);
    if (status == CLI_DONE && roofline_open(&r) < 0)
        status = cli_failed_call(arguments->command);
    if (status == CLI_DONE)
        status = print(&r, path);
    roofline_close(&r);
    lab_close(&r.lab);
    return status;
}

static const cli_option options[] = {
    {"side", "N", "side of a square field; arrays have N x N elements (default 8192; CPU: 128)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_roofline = {
    "lab roofline",
    "draw the roofline of the device, with heddle's kernels as points on it",
    NULL,
    options,
    "The roof is the lower of the highest rate of arithmetic and intensity times bandwidth,\n"
    "both measured first. Every floating-point kernel of heddle is a point at its intensity\n"
    "and measured rate; those that only move or compare elements have no intensity. A kernel\n"
    "above the roof disagrees with the model. The CPU engine has no roof of its own: with\n"
    "--device-model the points lie on that of a data sheet, and no time is measured. Results\n"
    "are compared with closed forms.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: elements ceiling_gflops ceiling_gbps ridge rows (case flops bytes intensity\n"
    "roof_gflops seconds gflops share reference verdict)\n" LAB_KEYS,
    "  heddle lab roofline\n"
    "  heddle lab roofline --device-model h200 --plot roofline.svg\n"
    "  heddle lab roofline --csv\n",
    run};
