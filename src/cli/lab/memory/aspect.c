/* SPDX-License-Identifier: Apache-2.0 */
/* aspect.c - `heddle lab aspect`: the shape of a block of a five-point stencil. */
#include <stdio.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/operations/aspect.h"
#include "pieces.h"

enum { WIDTH_MIN = 8, WIDTH_MAX = 256, SIDE_GPU = 8192, SIDE_CPU = 256, ROWS_CPU = 32 };
enum { CHECKED = 64, BEST = 32, PER_SECTOR = LAB_SECTOR / 4 };

/* The band: the time of blocks of 32 x 8, up to the sectors that a block loads more. */
static const double least_factor = 0.75, most_factor = 1.3;

typedef struct aspect {
    lab lab;
    uint32_t nx, ny, pitch;
    unsigned width; /* of the blocks of the launch */
    uint32_t *in, *out, *host_in, *host_out;
    double best; /* seconds of 32 x 8; 0: not timed */
} aspect;

/* Words before cell (0, 0). */
static size_t before(const aspect *a)
{
    return (size_t)a->pitch * ASPECT_ROWS + ASPECT_MARGIN;
}

static hd_status run_case(void *state, hd_stream *stream)
{
    const aspect *a = state;
    const unsigned height = ASPECT_THREADS / a->width;

    return hd_launch(aspect_sum,
                     hd_launch_with(hd_dim(a->nx / a->width, a->ny / height, 1),
                                    hd_dim(a->width, height, 1), 0, stream),
                     a->pitch, (const uint32_t *)a->in + before(a), a->out + before(a));
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Sectors of the five loads of one warp: it covers parts of rows, whose left and right neighbours
   are shifted by a word into one sector more. */
static unsigned request_sectors(const aspect *a)
{
    const unsigned warp = (unsigned)a->lab.job.warp, part = a->width < warp ? a->width : warp;
    const unsigned aligned = part / PER_SECTOR;

    return warp / part * (3 * aligned + 2 * (aligned + 1));
}

/* Distinct sectors that a block loads: its rows with a sector on either side, and the rows above
   and below. */
static unsigned block_sectors(unsigned width)
{
    const unsigned aligned = width / PER_SECTOR, height = ASPECT_THREADS / width;

    return height * (aligned + 2) + 2 * aligned;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -7},
    {.key = "width", .heading = "\nwidth", .width = 5},
    {.key = "height", .heading = "\nheight", .width = 6},
    {.key = "block_sectors", .heading = "predicted sectors\nper block", .width = 17},
    {.key = "predicted_sectors", .heading = "\nper warp", .width = 8},
    {.key = "counted_sectors", .heading = "counted\nper warp", .width = 8, .decimals = 2},
    {.key = "exact", .heading = "\nexact", .width = 5},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "ratio", .heading = "\nto 32x8", .width = 7, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static uint32_t value_of(size_t i)
{
    return (uint32_t)i * 2654435761u;
}

/* The first rows against sums on the host. */
static hd_status check(const aspect *a, bool *right_out)
{
    const uint32_t rows = a->ny < CHECKED ? a->ny : CHECKED;

    *right_out = true;
    HD_TRY(hd_copy_blocking(a->host_out, a->out + before(a),
                            (size_t)rows * a->pitch - ASPECT_MARGIN, a->lab.job.stream));
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < a->nx; x++) {
            const size_t at = (size_t)y * a->pitch + x, i = before(a) + at;

            *right_out = *right_out &&
                         a->host_out[at] == value_of(i) + value_of(i - 1) + value_of(i + 1) +
                                                value_of(i - a->pitch) + value_of(i + a->pitch);
        }
    return HD_OK;
}

static void row_print(aspect *a, const hdb_access_counts *read, bool right, double seconds)
{
    const unsigned height = ASPECT_THREADS / a->width, sectors = request_sectors(a);
    const uint64_t warps = (uint64_t)a->nx * a->ny / (uint64_t)a->lab.job.warp;
    const bool counted = a->lab.counts && read->requests, timed = seconds > 0;
    const double more = (double)block_sectors(a->width) / block_sectors(BEST);
    const double most = most_factor * (more > 1 ? more : 1);
    const double bytes = 8.0 * a->nx * a->ny;
    lab_row row = {.own = true,
                   .equal = right && (!a->lab.counts || (read->requests == 5 * warps &&
                                                         read->transactions == sectors * warps)),
                   .seconds = seconds,
                   .least = least_factor * a->best,
                   .most = most * a->best};
    char name[LAB_LABEL];

    (void)snprintf(name, sizeof name, "%ux%u", a->width, height);
    row.point = lab_point_at(name, "");
    row.point.predicted = sectors;
    if (counted)
        row.point.counted = (double)read->transactions / (double)warps;
    if (timed)
        lab_point_time(&row.point, seconds / a->best, least_factor, most);
    CLI_ROW(a->lab.result, cell_text(name), cell_count(a->width), cell_count(height),
            cell_count(block_sectors(a->width)), cell_count(sectors),
            cell_if(counted, cell_number((double)read->transactions / (double)warps)),
            lab_exact(&a->lab, right), cell_if(timed, cell_number(seconds)),
            cell_if(timed, cell_number(1e-9 * bytes / seconds)),
            cell_if(timed, cell_number(seconds / a->best)),
            cell_if(timed, cell_number(least_factor)), cell_if(timed, cell_number(most)),
            lab_verdict(&a->lab, &row));
}

static hd_status run_row(aspect *a, unsigned width)
{
    const lab_launch launch = {&aspect_sum_kernel, run_case, a};
    hdb_counters counters;
    bool right = true;
    double seconds = 0;

    a->width = width;
    HD_TRY(hd_fill_zero(a->out, before(a) * 2 + (size_t)a->pitch * a->ny, a->lab.job.stream));
    HD_TRY(lab_count(&a->lab, &launch, &counters));
    if (a->lab.job.verify)
        HD_TRY(check(a, &right));
    HD_TRY(lab_time(&a->lab, &launch, LAB_WARM, &seconds));
    row_print(a, &counters.global_read, right, seconds);
    return HD_OK;
}

static void run_rows(void *state)
{
    aspect *a = state;
    const lab_launch launch = {&aspect_sum_kernel, run_case, a};

    a->width = BEST;
    if (a->lab.gpu)
        a->lab.failed = run_case(a, a->lab.job.stream); /* a warm-up */
    if (a->lab.failed >= 0)
        a->lab.failed = lab_time(&a->lab, &launch, LAB_WARM, &a->best);
    for (unsigned width = WIDTH_MIN; width <= WIDTH_MAX && a->lab.failed >= 0; width *= 2)
        a->lab.failed = run_row(a, width);
    a->lab.counts = a->lab.counts || a->lab.job.verify; /* the sums */
}

/* ---- the command ----------------------------------------------------------------------------- */

static hd_status open_memory(void *state)
{
    aspect *a = state;
    size_t n;

    a->nx = a->lab.gpu ? SIDE_GPU : SIDE_CPU;
    a->ny = a->lab.gpu ? SIDE_GPU : ROWS_CPU;
    a->pitch = a->nx + 2 * ASPECT_MARGIN;
    n = before(a) * 2 + (size_t)a->pitch * a->ny;
    lab_field(&a->lab, "nx", a->nx);
    lab_field(&a->lab, "ny", a->ny);
    HD_TRY(lab_alloc_host(&a->lab, &a->host_in, n));
    HD_TRY(lab_alloc_host(&a->lab, &a->host_out, (size_t)CHECKED * a->pitch));
    for (size_t i = 0; i < n; i++)
        a->host_in[i] = value_of(i);
    HD_TRY(lab_alloc(&a->lab, &a->in, n));
    HD_TRY(lab_alloc(&a->lab, &a->out, n));
    return hd_copy_blocking(a->in, a->host_in, n, a->lab.job.stream);
}

static const lab_about about = {
    "sectors that a block loads in all, and those of the five loads of a warp",
    "256 threads per block, one cell per thread, cells of 4 bytes, the field",
    {"block", "sectors per warp", "time / that of 32x8"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), NULL, open_memory, run_rows, NULL};

static int run(const cli_arguments *arguments)
{
    aspect a;

    return lab_run(&a, sizeof a, arguments, &steps);
}

static const cli_option options[] = {LAB_OPTIONS, {NULL, NULL, NULL}};

const cli_command cli_command_lab_aspect = {
    "lab aspect",
    "predict, count and time a stencil in blocks of different shapes",
    NULL,
    options,
    "Blocks of 256 threads, from 8 x 32 to 256 x 1, add each cell of a field and its four\n"
    "neighbours. Per block: the distinct sectors of 32 bytes that it loads, which a cache near\n"
    "the block has to get from elsewhere. Per warp: the sectors of its five loads. The sums are\n"
    "verified on every backend. The ratio is the time, divided by that of 32 x 8.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: nx ny rows (case width height block_sectors predicted_sectors counted_sectors\n"
    "exact seconds gbps ratio least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab aspect\n"
    "  heddle lab aspect --csv\n",
    run};
