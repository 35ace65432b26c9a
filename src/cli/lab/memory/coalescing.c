/* SPDX-License-Identifier: Apache-2.0 */
/* coalescing.c - `heddle lab coalescing`: transactions of a warp's reads, by pattern. */
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "coalescing.h"

enum { STRIDE_MAX = 128, OFFSET_MAX = 31, SIZES = 3, PATTERNS = 5 };
enum { SLACK = 4096, CPU_BLOCKS = 8, MODEL_REQUESTS = 4096, SPREAD = 128 };
static const uint64_t size_min = 1u << 20, size_max = (uint64_t)1 << 40;
static const uint32_t permutation = 5;

/* The band: the time of in-order reads, scaled by the bytes of the sectors that have to be moved at
   least, and by those of whole lines at most. */
static const double least_factor = 0.75, most_factor = 1.25, launch_seconds = 5e-6;

enum { STRIDE, OFFSET, PERMUTED, SAME, SCATTERED };
static const char *const patterns[PATTERNS] = {"stride", "offset", "permuted", "same", "scattered"};
static const char *const sizes[SIZES] = {"4", "8", "16"};

typedef struct coalescing {
    lab lab;
    unsigned patterns, sizes; /* bits */
    bool all;
    uint64_t size; /* bytes that a kernel reads through */
    void *in;
    uint32_t *out;
    const coalescing_case *running;
    double second_per_byte; /* of in-order reads; 0: not timed */
} coalescing;

/* ---- a launch -------------------------------------------------------------------------------- */

static hd_status run_case(void *state, hd_stream *stream)
{
    const coalescing *g = state;
    const coalescing_reads *r = &g->running->reads;
    size_t threads = r->warps * (size_t)g->lab.job.warp;
    hd_launch_config config = hd_launch_with(hd_dim((unsigned)(threads / COALESCING_BLOCK), 1, 1),
                                             hd_dim(COALESCING_BLOCK, 1, 1), 0, stream);

    if (g->running->bytes == 4)
        return hd_launch(coalescing_4, config, *r, (const void *)g->in, g->out);
    if (g->running->bytes == 8)
        return hd_launch(coalescing_8, config, *r, (const void *)g->in, g->out);
    return hd_launch(coalescing_16, config, *r, (const void *)g->in, g->out);
}

static const hd_kernel *kernel_of(unsigned bytes)
{
    return bytes == 4   ? &coalescing_4_kernel
           : bytes == 8 ? &coalescing_8_kernel
                        : &coalescing_16_kernel;
}

/* As many blocks as read through the memory once; few of them where each access is checked. */
static size_t warps_of(const coalescing *g, const coalescing_case *c)
{
    const size_t per_block = COALESCING_BLOCK / (size_t)g->lab.job.warp;
    size_t blocks = (size_t)g->size / (c->bytes * c->reads.span * COALESCING_LOADS * per_block);

    if (!g->lab.gpu && blocks > CPU_BLOCKS)
        blocks = CPU_BLOCKS;
    return blocks * per_block;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -12},
    {.key = "bytes", .heading = "\nbytes", .width = 5},
    {.key = "predicted_sectors", .heading = "predicted\nsectors", .width = 9, .decimals = 2},
    {.key = "predicted_lines", .heading = "\nlines", .width = 6, .decimals = 2},
    {.key = "predicted_lines_64"},
    {.key = "sector_use",
     .heading = "bytes used of\nsectors",
     .width = 13,
     .decimals = 3,
     .scale = 100,
     .unit = "%"},
    {.key = "line_use", .heading = "\nlines", .width = 9, .decimals = 3, .scale = 100, .unit = "%"},
    {.key = "counted_sectors", .heading = "counted\nsectors", .width = 8, .decimals = 2},
    {.key = "counted_lines", .heading = "\nlines", .width = 6, .decimals = 2},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "least_gbps", .heading = "model\nfrom", .width = 8, .decimals = 1},
    {.key = "most_gbps", .heading = "\nto", .width = 8, .decimals = 1},
    {.key = "reference", .heading = "publ.\nGB/s", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

typedef struct measured {
    hdb_counters counters;
    double seconds;
} measured;

static hd_status measure(coalescing *g, const coalescing_case *c, measured *m)
{
    const lab_launch launch = {kernel_of(c->bytes), run_case, g};

    g->running = c;
    HD_TRY(lab_count(&g->lab, &launch, &m->counters));
    return lab_time(&g->lab, &launch, LAB_COLD, &m->seconds);
}

/* Published: reading in order, which stride 1 does. */
static double reference_of(const coalescing *g, const coalescing_case *c)
{
    const coalescing_reads *r = &c->reads;
    const bool in_order = r->stride == 1 && r->factor == 1 && !r->offset && !r->scattered;

    return in_order ? lab_reference_read(g->lab.model) : 0;
}

static lab_point point_of(const coalescing *g, const coalescing_case *c)
{
    char series[LAB_LABEL];

    (void)snprintf(series, sizeof series, "%u bytes per lane", c->bytes);
    lab_point p = lab_point_at(c->name, series);
    p.reference = reference_of(g, c);
    return p;
}

static void row_print(coalescing *g, const coalescing_case *c, const measured *m)
{
    const double total = (double)(c->reads.warps * COALESCING_LOADS);
    const size_t requests = total < MODEL_REQUESTS ? (size_t)total : MODEL_REQUESTS;
    const coalescing_model p = coalescing_predict(c, requests, (unsigned)g->lab.job.warp);
    const hdb_access_counts *read = &m->counters.global_read;
    const double n = p.requests, per = g->second_per_byte * total / n;
    const double bytes = 1e-9 * total * (double)g->lab.job.warp * c->bytes;
    const bool counted = g->lab.counts, timed = m->seconds > 0;
    lab_row row = {.wrong = false};

    row.equal = (double)read->requests >= n && (double)read->requests <= n &&
                (double)read->transactions >= p.sectors &&
                (double)read->transactions <= p.sectors && (double)read->lines >= p.lines128 &&
                (double)read->lines <= p.lines128;
    row.seconds = m->seconds;
    row.least = least_factor * per * (32 * p.sectors - p.shared);
    row.most = most_factor * per * 128 * p.lines128 + launch_seconds;
    row.point = point_of(g, c);
    row.point.predicted = p.sectors / n;
    if (counted)
        row.point.counted = (double)read->transactions / (double)read->requests;
    if (timed)
        lab_point_time(&row.point, bytes / m->seconds, bytes / row.most, bytes / row.least);
    CLI_ROW(g->lab.result, cell_text(c->name), cell_count(c->bytes), cell_number(p.sectors / n),
            cell_number(p.lines128 / n), cell_number(p.lines64 / n),
            cell_number(p.used / (32 * p.sectors)), cell_number(p.used / (128 * p.lines128)),
            cell_if(counted, cell_number((double)read->transactions / (double)read->requests)),
            cell_if(counted, cell_number((double)read->lines / (double)read->requests)),
            cell_if(timed, cell_number(m->seconds)),
            cell_if(timed, cell_number(bytes / m->seconds)),
            cell_if(timed, cell_number(bytes / row.most)),
            cell_if(timed, cell_number(bytes / row.least)), lab_published(reference_of(g, c)),
            lab_verdict(&g->lab, &row));
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void run_row(coalescing *g, coalescing_case *c)
{
    measured m = {.seconds = 0};

    c->reads.warps = warps_of(g, c);
    if (g->lab.failed >= 0)
        g->lab.failed = measure(g, c, &m);
    if (g->lab.failed >= 0)
        row_print(g, c, &m);
}

/* In-order reads of the element size, to which the band relates. */
static void run_reference(coalescing *g, coalescing_case c)
{
    measured m = {.seconds = 0};

    c.reads.warps = warps_of(g, &c);
    if (g->lab.gpu && g->lab.failed >= 0)
        g->lab.failed = measure(g, &c, &m);
    g->second_per_byte = m.seconds / ((double)(c.reads.warps * COALESCING_LOADS) *
                                      (double)g->lab.job.warp * c.bytes);
}

static bool stride_listed(const coalescing *g, unsigned stride)
{
    return g->all || (stride & (stride - 1)) == 0;
}

static bool offset_listed(const coalescing *g, unsigned offset)
{
    return g->all || offset == 1 || offset == 8 || offset == 16 || offset == OFFSET_MAX;
}

/* All cases of one element size. */
static void run_size(coalescing *g, unsigned bytes)
{
    const uint32_t warp = (uint32_t)g->lab.job.warp;
    const coalescing_case in_order = {"", bytes, {.span = warp, .stride = 1, .factor = 1}};
    coalescing_case c;

    run_reference(g, in_order);
    for (unsigned s = 1; s <= STRIDE_MAX && g->patterns >> STRIDE & 1; s++) {
        c = in_order;
        c.reads.stride = s;
        c.reads.span = (size_t)warp * s;
        (void)snprintf(c.name, sizeof c.name, "stride %u", s);
        if (stride_listed(g, s))
            run_row(g, &c);
    }
    for (unsigned o = 0; o <= OFFSET_MAX && g->patterns >> OFFSET & 1; o++) {
        c = in_order;
        c.reads.offset = o;
        (void)snprintf(c.name, sizeof c.name, "offset %u", o);
        if (offset_listed(g, o))
            run_row(g, &c);
    }
    for (unsigned p = PERMUTED; p < PATTERNS; p++) {
        c = in_order;
        c.reads.factor = p == PERMUTED ? permutation : 0;
        c.reads.scattered = p == SCATTERED;
        c.reads.span = p == SCATTERED ? (size_t)warp * SPREAD / bytes : warp;
        (void)snprintf(c.name, sizeof c.name, "%s", patterns[p]);
        if (g->patterns >> p & 1)
            run_row(g, &c);
    }
}

static void run_rows(void *state)
{
    coalescing *g = state;

    for (unsigned i = 0; i < SIZES; i++)
        if (g->sizes >> i & 1)
            run_size(g, 4u << i);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    coalescing *g = state;
    const cli_arguments *arguments = g->lab.job.arguments;
    const uint64_t fallback = g->lab.gpu ? (uint64_t)1 << 30 : size_min;
    int status = cli_word_list_read(arguments, "patterns", patterns, PATTERNS, (1u << PATTERNS) - 1,
                                    &g->patterns);

    if (status == CLI_DONE)
        status = cli_word_list_read(arguments, "bytes", sizes, SIZES, (1u << SIZES) - 1, &g->sizes);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "size", fallback, size_min, size_max, &g->size);
    g->all = cli_option_given(arguments, "all");
    return status;
}

static hd_status open_memory(void *state)
{
    coalescing *g = state;
    const size_t bytes = (size_t)g->size + SLACK;

    lab_field(&g->lab, "size", g->size);
    HD_TRY(lab_alloc_bytes(&g->lab, &g->in, bytes, 1));
    HD_TRY(lab_alloc(&g->lab, &g->out, 1));
    return hd_fill_zero((unsigned char *)g->in, bytes, g->lab.job.stream);
}

static const lab_about about = {
    "sectors of 32 bytes and lines of 128 bytes per request of a warp",
    "4 loads per thread, blocks of 128 threads, bytes of the array, no data in a cache",
    {"pattern; strides and offsets in elements", "sectors per request", "GB/s of used bytes"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    coalescing g;

    return lab_run(&g, sizeof g, arguments, &steps);
}

static const cli_option options[] = {
    {"patterns", "LIST", "some of stride, offset, permuted, same, scattered (default: all)"},
    {"bytes", "LIST", "element sizes, of 4, 8, 16 (default: all)"},
    {"all", NULL, "every stride from 1 to 128 and every offset from 0 to 31"},
    {"size", "BYTES", "memory over which the reads of a kernel spread (default 1G; CPU: 1M)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_coalescing = {
    "lab coalescing",
    "predict, count and time memory transactions of a warp, by pattern",
    NULL,
    options,
    "Each lane of a warp reads one element per request. Stride and offset are in elements.\n"
    "permuted: lanes read an aligned segment in another order; same: all lanes read one\n"
    "element; scattered: lanes read anywhere in 128 bytes times the warp size.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: size rows (case bytes predicted_sectors predicted_lines predicted_lines_64\n"
    "sector_use line_use counted_sectors counted_lines seconds gbps least_gbps most_gbps\n"
    "reference verdict). predicted_lines_64: lines of 64 bytes; predicted_lines: of 128\n" LAB_KEYS,
    "  heddle lab coalescing\n"
    "  heddle lab coalescing --patterns stride,offset --bytes 4 --all\n"
    "  heddle lab coalescing --bytes 16 --json\n",
    run};
