/* SPDX-License-Identifier: Apache-2.0 */
/* branches.c - `heddle lab branches`: branches on data and at a boundary, and what avoids them. */
#include <heddle/heddle.h>
#include <heddle/select.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/divergence.h"

enum { PARTS_MAX = 64, TURNS_GPU = 4096, TURNS_CPU = 4, WAVES = 8, CPU_BLOCKS = 4 };

/* The band: the time of one path for all threads, scaled by the paths that their warps execute, and
   the time of the launches, of which hd_partition has up to three. A second kernel takes as long as
   one path at most, however few its threads are. */
static const double least_factor = 0.7, most_factor = 1.4, call_seconds = 30e-6;

typedef enum case_kind { ELEMENTS, PARTITIONED, ONE_KERNEL, TWO_KERNELS, CASES } case_kind;
static const char *const cases[CASES] = {"elements", "partitioned", "one-kernel", "two-kernels"};
static const uint32_t widths[] = {8, 32, 128};
enum { WIDTHS = sizeof widths / sizeof *widths };

typedef struct branches {
    lab lab;
    unsigned cases; /* bits */
    uint32_t parts, count, turns;
    case_kind running;
    uint32_t below, width; /* of the launch */
    uint32_t *host;        /* the elements */
    uint32_t *in, *elements, *sorted, *out;
    uint64_t *selected;
    double seconds; /* of one path for all; 0: not timed */
} branches;

/* ---- launches -------------------------------------------------------------------------------- */

static hd_status run_kernel(const branches *b, branches_which which, uint32_t count,
                            const uint32_t *elements, hd_stream *stream)
{
    const branches_work work = {(uint32_t)which, count, b->turns, b->below, b->width};

    if (count == 0)
        return HD_OK;
    return hd_launch(branches_run, hd_launch_1d(count, DIVERGENCE_BLOCK, stream), work,
                     (const uint32_t *)b->in, elements, b->out);
}

static uint32_t inside_of(const branches *b)
{
    const uint32_t rows = b->count / b->width;

    return b->width > 2 && rows > 2 ? (b->width - 2) * (rows - 2) : 0;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const branches *b = state;
    const hd_where where = {.kind = HD_WHERE_LT, .value = {.u32 = b->below}};

    switch (b->running) {
    case ELEMENTS:
        return run_kernel(b, BRANCHES_ELEMENTS, b->count, b->elements, stream);
    case PARTITIONED:
        HD_TRY(hd_partition(b->elements, b->count, HD_U32, &where, b->sorted, NULL, b->selected,
                            NULL, stream));
        return run_kernel(b, BRANCHES_ELEMENTS, b->count, b->sorted, stream);
    case ONE_KERNEL:
        return run_kernel(b, BRANCHES_FIELD, b->count, NULL, stream);
    default:
        HD_TRY(run_kernel(b, BRANCHES_INSIDE, inside_of(b), NULL, stream));
        return run_kernel(b, BRANCHES_BOUNDARY, b->count - inside_of(b), NULL, stream);
    }
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Over all warps: how many paths they execute. */
typedef struct branches_model {
    double warps, paths;
    uint32_t inside; /* threads that take path A */
} branches_model;

static bool takes_a(const branches *b, uint32_t i, uint32_t selected)
{
    if (b->running == ELEMENTS)
        return b->host[i] < b->below;
    if (b->running == PARTITIONED)
        return i < selected;
    return branches_inside(i, b->width, b->count / b->width);
}

static uint32_t selected_of(const branches *b)
{
    uint32_t selected = 0;

    for (uint32_t i = 0; i < b->count; i++)
        selected += b->host[i] < b->below;
    return selected;
}

/* Warps of a kernel in which all threads agree. */
static double warps_of(uint32_t threads, uint32_t warp)
{
    return (double)((threads + warp - 1) / warp);
}

static branches_model predict(const branches *b)
{
    const uint32_t warp = (uint32_t)b->lab.job.warp, selected = selected_of(b);
    branches_model m = {0, 0, 0};

    for (uint32_t first = 0; first < b->count; first += warp) {
        uint32_t a = 0, threads = b->count - first < warp ? b->count - first : warp;

        for (uint32_t i = first; i < first + threads; i++)
            a += takes_a(b, i, selected);
        m.inside += a;
        m.warps++;
        m.paths += a > 0 && a < threads ? 2 : 1;
    }
    if (b->running == TWO_KERNELS) {
        m.warps = warps_of(m.inside, warp) + warps_of(b->count - m.inside, warp);
        m.paths = m.warps;
    }
    return m;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -12},
    {.key = "width", .heading = "\nwidth", .width = 5},
    {.key = "fraction", .heading = "\nfraction", .width = 8, .decimals = 3},
    {.key = "predicted_warps", .heading = "predicted\nwarps", .width = 9},
    {.key = "predicted_paths", .heading = "\npaths", .width = 6},
    {.key = "counted_paths", .heading = "counted\npaths", .width = 7},
    {.key = "counted_lanes", .heading = "\nlanes", .width = 6, .decimals = 2},
    {.key = "seconds"},
    {.key = "ratio", .heading = "measured\nratio", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "reference", .heading = "\npubl.", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

/* Requests of the tables; the elements are read once per warp. */
static double path_requests(const branches *b, const branches_model *m, const hdb_counters *c)
{
    const bool elements = b->running == ELEMENTS || b->running == PARTITIONED;

    return (double)c->global_read.requests - (elements ? m->warps : 0);
}

static double path_lanes(const branches *b, const hdb_counters *c)
{
    const bool elements = b->running == ELEMENTS || b->running == PARTITIONED;

    return (double)c->global_read.lanes - (elements ? b->count : 0);
}

static lab_point point_of(const branches *b, const branches_model *m)
{
    const bool field = b->running == ONE_KERNEL || b->running == TWO_KERNELS;
    char label[LAB_LABEL];

    if (field)
        (void)snprintf(label, sizeof label, "%u wide", b->width);
    else
        (void)snprintf(label, sizeof label, "%u/%u", b->below, b->parts);
    lab_point p = lab_point_at(label, cases[b->running]);
    p.predicted = m->paths / m->warps;
    return p;
}

static void row_print(branches *b, const hdb_counters *counters, double seconds)
{
    const branches_model m = predict(b);
    const double all = warps_of(b->count, (uint32_t)b->lab.job.warp);
    const double requests = path_requests(b, &m, counters), paths = requests / b->turns;
    const double lanes = path_lanes(b, counters);
    const bool counted = b->lab.counts && requests > 0, timed = seconds > 0;
    const bool field = b->running == ONE_KERNEL || b->running == TWO_KERNELS;
    const double kernels = b->running == TWO_KERNELS && m.inside > 0 ? 2 : 1;
    lab_row row = {.equal = paths >= m.paths && paths <= m.paths &&
                            lanes >= (double)b->count * b->turns &&
                            lanes <= (double)b->count * b->turns,
                   .seconds = seconds,
                   .least = least_factor * m.paths / all * b->seconds,
                   .most = most_factor * (m.paths / all + kernels - 1) * b->seconds + call_seconds,
                   .point = point_of(b, &m)};

    if (counted)
        row.point.counted = paths / m.warps;
    if (timed)
        lab_point_time(&row.point, seconds / b->seconds, row.least / b->seconds,
                       row.most / b->seconds);
    CLI_ROW(b->lab.result, cell_text(cases[b->running]), cell_if(field, cell_count(b->width)),
            cell_number((double)m.inside / b->count), cell_number(m.warps), cell_number(m.paths),
            cell_if(counted, cell_number(paths)), cell_if(counted, cell_number(lanes / requests)),
            cell_if(timed, cell_number(seconds)), cell_if(timed, cell_number(seconds / b->seconds)),
            cell_if(timed, cell_number(row.least / b->seconds)),
            cell_if(timed, cell_number(row.most / b->seconds)), cell_none(),
            lab_verdict(&b->lab, &row));
}

static hd_status measure(branches *b, hdb_counters *counters, double *seconds)
{
    const lab_launch launch = {&branches_run_kernel, run_case, b};

    HD_TRY(lab_count(&b->lab, &launch, counters));
    return lab_time(&b->lab, &launch, LAB_WARM, seconds);
}

static void run_row(branches *b, case_kind kind)
{
    hdb_counters counters;
    double seconds = 0;

    b->running = kind;
    if (b->lab.failed >= 0 && b->cases >> kind & 1)
        b->lab.failed = measure(b, &counters, &seconds);
    if (b->lab.failed >= 0 && b->cases >> kind & 1)
        row_print(b, &counters, seconds);
}

/* Times one path for all threads, to which the ratios relate. */
static void run_reference(branches *b)
{
    hdb_counters counters;

    b->running = ELEMENTS;
    b->below = b->parts;
    b->width = widths[0];
    if (b->lab.gpu)
        b->lab.failed = measure(b, &counters, &b->seconds);
}

static void run_rows(void *state)
{
    branches *b = state;
    run_reference(b);
    for (b->below = 0; b->below <= b->parts; b->below++)
        for (int kind = ELEMENTS; kind <= PARTITIONED; kind++)
            run_row(b, (case_kind)kind);
    for (size_t i = 0; i < WIDTHS; i++) {
        b->width = widths[i];
        run_row(b, ONE_KERNEL);
        run_row(b, TWO_KERNELS);
    }
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    branches *b = state;
    const cli_arguments *arguments = b->lab.job.arguments;
    uint64_t parts = 0;
    int status = cli_word_list_read(arguments, "cases", cases, CASES, (1u << CASES) - 1, &b->cases);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "parts", 8, 2, PARTS_MAX, &parts);
    if (status == CLI_DONE)
        status = lab_turns_read(&b->lab, TURNS_GPU, LAB_TURNS_GPU_MAX, TURNS_CPU, &b->turns);
    b->parts = (uint32_t)parts;
    return status;
}

static hd_status open_memory(void *state)
{
    branches *b = state;
    unsigned blocks = 0;

    HD_TRY(lab_blocks(&b->lab, WAVES, CPU_BLOCKS, &blocks));
    b->count = DIVERGENCE_BLOCK * blocks;
    lab_field(&b->lab, "threads", b->count);
    lab_field(&b->lab, "turns", b->turns);
    HD_TRY(lab_alloc_host(&b->lab, &b->host, b->count));
    for (uint32_t i = 0; i < b->count; i++)
        b->host[i] = (i * 2654435761u >> 8) % b->parts;
    HD_TRY(lab_alloc(&b->lab, &b->in, DIVERGENCE_TABLE));
    HD_TRY(lab_alloc(&b->lab, &b->elements, b->count));
    HD_TRY(lab_alloc(&b->lab, &b->sorted, b->count));
    HD_TRY(lab_alloc(&b->lab, &b->out, 1));
    HD_TRY(lab_alloc(&b->lab, &b->selected, 1));
    HD_TRY(hd_fill_zero(b->in, DIVERGENCE_TABLE, b->lab.job.stream));
    return hd_copy_blocking(b->elements, b->host, b->count, b->lab.job.stream);
}

static const lab_about about = {"paths that all warps execute, and active lanes in them",
                                "threads, 256 per block, steps of each path, one load per step",
                                {"elements below the value, or width of the field",
                                 "paths per warp", "time / that of one path"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    branches b;

    return lab_run(&b, sizeof b, arguments, &steps);
}

static const cli_option options[] = {
    {"cases", "LIST", "some of elements, partitioned, one-kernel, two-kernels (default: all)"},
    {"parts", "N", "fractions 0, 1/N ... 1 of the elements, N from 2 to 64 (default 8)"},
    {"turns", "N", "loop iterations of each path (default 4096; CPU: 4, at most 64)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_branches = {
    "lab branches",
    "predict, count and time data-dependent branches and boundary checks",
    NULL,
    options,
    "elements: a thread takes one of two paths by the value of its element, in random order;\n"
    "partitioned: hd_partition sorts the elements into two lists first, and its time counts;\n"
    "one-kernel: the cells at the boundary of a field take the other path; two-kernels: one\n"
    "kernel for the cells inside, one for the boundary. The ratio is the time, divided by that\n"
    "of one path for all threads.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: threads turns rows (case width fraction predicted_warps predicted_paths\n"
    "counted_paths counted_lanes seconds ratio least_ratio most_ratio reference\n"
    "verdict)\n" LAB_KEYS,
    "  heddle lab branches\n"
    "  heddle lab branches --cases elements,partitioned --parts 16\n"
    "  heddle lab branches --csv\n",
    run};
