/* SPDX-License-Identifier: Apache-2.0 */
/* cg.c - `heddle bench cg`: time per iteration of conjugate gradients on 1 to all devices, as a
   graph and as single launches. */
#include <heddle/cg.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/app/commands.h"
#include "cli/app/devices.h"
#include "cli/input/generate.h"
#include "cli/input/matrix.h"
#include "cli/app/table.h"
#include "cli/app/words.h"

enum { ROUNDS_MAX = 101 };

typedef struct cg_bench {
    const cli_arguments *arguments;
    cli_format format;
    cli_devices devices;
    uint64_t rounds, iterations;
    hd_cg_sums sums;
    cli_matrix matrix;
    void *b, *x, *first; /* x; x of the run on one device */
    cli_result output;
    bool same;    /* so far */
    double alone; /* seconds per iteration on one device, as a graph */
} cg_bench;

/* One row of the table. */
typedef struct cg_line {
    unsigned devices;
    hd_cg_issue issue;
    double seconds[ROUNDS_MAX]; /* per iteration, ascending */
    double gbps;                /* of all devices */
    double efficiency;          /* relative to the first row */
    int same;                   /* x is bit-identical to that of one device */
} cg_line;

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static hd_status measure_with(cg_bench *bench, hd_cg *solver, cg_line *line)
{
    const hd_csr *m = &bench->matrix.host;
    hd_cg_report report;

    /* One additional round, which captures the graph. */
    for (uint64_t round = 0; round <= bench->rounds; round++) {
        memset(bench->x, 0, m->rows * hd_type_bytes(m->type));
        HD_TRY(hd_cg_solve(solver, bench->b, bench->x, 0, (size_t)bench->iterations, &report));
        if (round > 0)
            line->seconds[round - 1] = report.seconds /
                                       (double)(report.iterations ? report.iterations : 1);
    }
    return HD_OK;
}

static int measure(cg_bench *bench, cg_line *line)
{
    const hd_csr *m = &bench->matrix.host;
    const size_t bytes = m->rows * hd_type_bytes(m->type);
    const hd_cg_options options = {HD_CG_JACOBI, line->issue, bench->sums, 0};
    hd_cg *solver = NULL;
    hd_status status = hd_cg_create(bench->devices.device, line->devices, m, &options, &solver);
    double median;

    if (status >= 0)
        status = measure_with(bench, solver, line);
    if (status < 0)
        (void)cli_failed_call(bench->arguments->command);
    (void)hd_cg_destroy(solver);
    if (status < 0)
        return CLI_FAILED;
    qsort(line->seconds, (size_t)bench->rounds, sizeof *line->seconds, by_size);
    median = line->seconds[bench->rounds / 2];
    if (line->devices == 1 && line->issue == HD_CG_GRAPH) {
        bench->alone = median;
        memcpy(bench->first, bench->x, bytes);
    }
    line->same = memcmp(bench->first, bench->x, bytes) == 0;
    line->gbps = 1e-9 / median *
                 (cli_matrix_bytes(m) + 13 * (double)m->rows * (double)hd_type_bytes(m->type));
    line->efficiency = bench->alone / median / line->devices;
    return CLI_DONE;
}

/* ---- printing -------------------------------------------------------------------------------- */

static const cli_column columns[] = {
    {.key = "type", .heading = "type", .width = -6},
    {.key = "rows", .heading = "rows", .width = 10},
    {.key = "entries", .heading = "entries", .width = 11},
    {.key = "issue", .heading = "issue", .width = -7, .gap = 2},
    {.key = "devices", .heading = "devices", .width = 7},
    {.key = "seconds",
     .heading = "median us",
     .width = 10,
     .decimals = 2,
     .scale = 1e6,
     .digits = 9},
    {.key = "p10", .heading = "p10", .width = 10, .decimals = 2, .scale = 1e6, .digits = 9},
    {.key = "p90", .heading = "p90", .width = 10, .decimals = 2, .scale = 1e6, .digits = 9},
    {.key = "gbps", .heading = "GB/s", .width = 9, .decimals = 1},
    {.key = "efficiency", .heading = "eff. %", .width = 9, .decimals = 2, .scale = 100},
    {.key = "same_bits", .heading = "same bits", .width = -1, .gap = 2},
};

static void print_line(cg_bench *bench, const cg_line *line)
{
    const hd_csr *m = &bench->matrix.host;
    const double *s = line->seconds;

    CLI_ROW(&bench->output, cell_text(hd_type_name(m->type)), cell_count(m->rows),
            cell_count(m->entries), cell_text(hd_cg_issue_name(line->issue)),
            cell_count(line->devices), cell_number(s[bench->rounds / 2]),
            cell_number(s[bench->rounds / 10]), cell_number(s[bench->rounds * 9 / 10]),
            cell_number(line->gbps), cell_number(line->efficiency),
            cell_shown(cell_flag(line->same), line->same ? "yes" : "NO"));
    (void)fflush(stdout); /* the next line may take a while */
}

/* ---- the run --------------------------------------------------------------------------------- */

static int run_lines(cg_bench *bench)
{
    int status = CLI_DONE;

    for (unsigned count = 1; count <= bench->devices.count; count++)
        for (int issue = 0; issue < HD_CG_ISSUE_COUNT_ && status == CLI_DONE; issue++) {
            cg_line line = {.devices = count, .issue = (hd_cg_issue)issue};
            status = measure(bench, &line);
            if (status == CLI_DONE)
                print_line(bench, &line);
            bench->same &= line.same;
        }
    if (status == CLI_DONE && !bench->same)
        status = cli_failed(bench->arguments->command, "bits differ from those of one device");
    return status;
}

/* One matrix. */
static int run_size(cg_bench *bench, uint64_t side, hd_type type)
{
    const uint64_t extent[3] = {side, side, 1};
    const cli_command *command = bench->arguments->command;
    int status = cli_matrix_poisson(command, extent, type, &bench->matrix);
    const size_t bytes = bench->matrix.host.rows * hd_type_bytes(type);

    bench->b = malloc(bytes + 1);
    bench->x = malloc(bytes + 1);
    bench->first = calloc(1, bytes + 1);
    if (status == CLI_DONE && (!bench->b || !bench->x || !bench->first))
        status = cli_failed(command, "out of memory");
    if (status == CLI_DONE) {
        cli_generate(bench->b, bench->matrix.host.rows, type, GENERATE_UNIFORM, 1);
        status = run_lines(bench);
    }
    free(bench->b);
    free(bench->x);
    free(bench->first);
    cli_matrix_free(&bench->matrix);
    return status;
}

static int run(const cli_arguments *arguments)
{
    const int cpu = strcmp(hd_backend_name(), "cpu") == 0;
    static cg_bench bench;
    static const char *const sums[] = {"events", "group"};
    uint64_t least = 0, most = 0;
    size_t by = 0;
    int status = cli_format_read(arguments, &bench.format), begun, ended = CLI_DONE;

    bench.arguments = arguments;
    if (status == CLI_DONE)
        status = cli_devices_read(arguments, 1, &bench.devices);
    if (status == CLI_DONE)
        status = cli_word_read(arguments, "sums", sums, 2, 0, &by);
    bench.sums = (hd_cg_sums)by;
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "rounds", 5, 1, ROUNDS_MAX, &bench.rounds);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "iterations", cpu ? 16 : 160, 1, 100000,
                                &bench.iterations);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "from", cpu ? 64 : 256, 2, 40000, &least);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "to", cpu ? 256 : 8192, 2, 40000, &most);
    if (status == CLI_DONE && least > most)
        status = cli_misused(arguments->command, "--from %" PRIu64 " is above --to %" PRIu64, least,
                             most);
    begun = status == CLI_DONE;
    if (begun) {
        bench.same = true;
        cli_result_begin_devices(&bench.output, arguments->command, bench.format, &bench.devices);
        CLI_TABLE(&bench.output, "rows", columns);
    }
    for (uint64_t side = least; side <= most && status == CLI_DONE; side *= 2) {
        status = run_size(&bench, side, HD_F32);
        if (status == CLI_DONE)
            status = run_size(&bench, side, HD_F64);
    }
    if (begun) {
        cli_table_end(&bench.output);
        cli_field(&bench.output, "verified",
                  cell_verdict(status == CLI_DONE || !bench.same, bench.same));
        ended = cli_result_end(&bench.output);
    }
    return status == CLI_DONE ? ended : status;
}

static const cli_option options[] = {
    CLI_DEVICES_OPTION,
    {"from", "N", "side of the smallest grid (default 256; CPU: 64)"},
    {"to", "N", "side of the largest grid (default 8192; CPU: 256)"},
    {"sums", "NAME", "reductions across devices: events (default) or group (all-reduce)"},
    {"iterations", "N", "iterations per solution (default 160; CPU: 16)"},
    {"rounds", "N", "solutions per result (default 5)"},
    {"json", NULL, "print one JSON object"},
    {"csv", NULL, "print CSV: a header and the results"},
    {NULL, NULL, NULL}};

const cli_command cli_command_bench_cg = {
    "bench cg",
    "time iterations of conjugate gradients over several devices",
    NULL,
    options,
    "5-point Laplacians of square grids, on the first device and then on more of them. Efficiency\n"
    "is relative to the first device alone with a graph. "
    "The bits of x are compared: exit status 1\n"
    "if they differ.\n",
    "  heddle bench cg\n"
    "  heddle bench cg --from 4096 --to 8192 --csv\n",
    run,
};
