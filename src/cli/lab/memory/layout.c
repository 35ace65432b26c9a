/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c - `heddle lab layout`: an array of structs compared with a struct of arrays. */
#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/layout.h"
#include "pieces.h"

enum { MEMBERS_MAX = 16, WORD = 4, CPU_BLOCKS = 4 };
static const uint64_t size_min = 1u << 16, size_max = (uint64_t)1 << 40;

/* The band: the time of in-order reads, scaled by the bytes of the sectors that have to be moved at
   least, and by those of the lines of every request at most. */
static const double least_factor = 0.6, most_factor = 1.3, launch_seconds = 5e-6;

static const char *const layouts[] = {"structs", "arrays"};

typedef struct layout {
    lab lab;
    unsigned layouts; /* bits */
    bool all;
    uint64_t size; /* bytes of all structs */
    uint32_t *in, *out;
    layout_reads reads; /* of the launch */
    double second_per_byte;
} layout;

static hd_status run_case(void *state, hd_stream *stream)
{
    const layout *l = state;
    const size_t blocks = l->reads.n / (LAYOUT_BLOCK * LAYOUT_ITEMS);
    hd_launch_config config = hd_launch_with(hd_dim((unsigned)blocks, 1, 1),
                                             hd_dim(LAYOUT_BLOCK, 1, 1), 0, stream);

    return hd_launch(layout_read, config, l->reads, (const uint32_t *)l->in, l->out);
}

/* ---- the model ------------------------------------------------------------------------------- */

/* Of one warp, over all of its requests; `distinct`: those of them that differ. */
typedef struct layout_model {
    double sectors, lines, distinct;
} layout_model;

static size_t address_of(const layout_reads *r, size_t thread, uint32_t member)
{
    return WORD * (r->split ? member * r->n + thread : thread * r->members + member);
}

/* The warps' structs begin at multiples of 128 bytes, so that all warps are alike. */
static layout_model predict(const layout_reads *r, unsigned warp)
{
    size_t addresses[LAB_LANES_MAX * MEMBERS_MAX], count = 0;
    layout_model sum = {0, 0, 0};

    for (uint32_t m = 0; m < r->used; m++) {
        for (unsigned lane = 0; lane < warp; lane++)
            addresses[count + lane] = address_of(r, lane, m);
        lab_addresses_sort(addresses + count, warp);
        sum.sectors += lab_pieces(addresses + count, warp, LAB_SECTOR);
        sum.lines += lab_pieces(addresses + count, warp, LAB_LINE);
        count += warp;
    }
    lab_addresses_sort(addresses, count);
    sum.distinct = lab_pieces(addresses, count, LAB_SECTOR);
    return sum;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -8},
    {.key = "members", .heading = "\nmembers", .width = 7},
    {.key = "used", .heading = "\nused", .width = 4},
    {.key = "predicted_sectors", .heading = "predicted\nsectors", .width = 9, .decimals = 2},
    {.key = "predicted_lines", .heading = "\nlines", .width = 6, .decimals = 2},
    {.key = "distinct_use",
     .heading = "used\nif cached",
     .width = 9,
     .decimals = 1,
     .scale = 100,
     .unit = "%"},
    {.key = "counted_sectors", .heading = "counted\nsectors", .width = 8, .decimals = 2},
    {.key = "counted_lines", .heading = "\nlines", .width = 6, .decimals = 2},
    {.key = "seconds"},
    {.key = "gbps", .heading = "measured\nGB/s", .width = 9, .decimals = 1},
    {.key = "least_gbps", .heading = "model\nfrom", .width = 8, .decimals = 1},
    {.key = "most_gbps", .heading = "\nto", .width = 8, .decimals = 1},
    {.key = "reference", .heading = "publ.\nGB/s", .width = 7, .decimals = 0},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

static hd_status measure(layout *l, hdb_counters *counters, double *seconds)
{
    const lab_launch launch = {&layout_read_kernel, run_case, l};

    HD_TRY(lab_count(&l->lab, &launch, counters));
    return lab_time(&l->lab, &launch, LAB_COLD, seconds);
}

static bool same(uint64_t counted, double predicted)
{
    return (double)counted >= predicted && (double)counted <= predicted;
}

/* read: NULL if nothing was counted. */
static lab_point point_of(const layout_reads *r, double sectors, const hdb_access_counts *read)
{
    char label[LAB_LABEL];

    (void)snprintf(label, sizeof label, "%u of %u", r->used, r->members);
    lab_point p = lab_point_at(label, r->split ? "struct of arrays" : "array of structs");
    p.predicted = sectors;
    if (read)
        p.counted = (double)read->transactions / (double)read->requests;
    return p;
}

static void row_print(layout *l, const hdb_counters *counters, double seconds)
{
    const layout_reads *r = &l->reads;
    const unsigned warp = (unsigned)l->lab.job.warp;
    const layout_model p = predict(r, warp);
    const hdb_access_counts *read = &counters->global_read;
    const double warps = (double)(r->n / warp), n = (double)r->used;
    const bool counted = l->lab.counts && read->requests, timed = seconds > 0;
    const double reference = r->split ? lab_reference_read(l->lab.model) : 0;
    const double bytes = 1e-9 * WORD * n * (double)r->n, per = l->second_per_byte * warps;
    lab_row row = {.equal = same(read->requests, warps * n) &&
                            same(read->transactions, warps * p.sectors) &&
                            same(read->lines, warps * p.lines),
                   .seconds = seconds,
                   .least = least_factor * per * LAB_SECTOR * p.distinct,
                   .most = most_factor * per * LAB_LINE * p.lines + launch_seconds};

    row.point = point_of(r, p.sectors / n, counted ? read : NULL);
    row.point.reference = reference;
    if (timed)
        lab_point_time(&row.point, bytes / seconds, bytes / row.most, bytes / row.least);

    CLI_ROW(l->lab.result, cell_text(layouts[r->split]), cell_count(r->members),
            cell_count(r->used), cell_number(p.sectors / n), cell_number(p.lines / n),
            cell_number(WORD * n * warp / (LAB_SECTOR * p.distinct)),
            cell_if(counted, cell_number((double)read->transactions / (double)read->requests)),
            cell_if(counted, cell_number((double)read->lines / (double)read->requests)),
            cell_if(timed, cell_number(seconds)), cell_if(timed, cell_number(bytes / seconds)),
            cell_if(timed, cell_number(bytes / row.most)),
            cell_if(timed, cell_number(bytes / row.least)), lab_published(reference),
            lab_verdict(&l->lab, &row));
}

/* ---- cases ----------------------------------------------------------------------------------- */

static layout_reads reads_of(const layout *l, uint32_t members, uint32_t used, uint32_t split)
{
    size_t blocks = (size_t)l->size / WORD / members / (LAYOUT_BLOCK * LAYOUT_ITEMS);

    if (!l->lab.gpu && blocks > CPU_BLOCKS)
        blocks = CPU_BLOCKS;
    return (layout_reads){blocks * LAYOUT_BLOCK * LAYOUT_ITEMS, members, used, split};
}

static void run_row(layout *l, layout_reads reads)
{
    hdb_counters counters;
    double seconds = 0;

    l->reads = reads;
    if (l->lab.failed >= 0)
        l->lab.failed = measure(l, &counters, &seconds);
    if (l->lab.failed >= 0)
        row_print(l, &counters, seconds);
}

static bool listed(const layout *l, unsigned members, unsigned used)
{
    if (l->all)
        return true;
    return (members == 3 || (members & (members - 1)) == 0) &&
           (used == 1 || used == members / 2 || used == members);
}

static void run_rows(void *state)
{
    layout *l = state;
    hdb_counters counters;
    double seconds = 0;

    l->reads = reads_of(l, 1, 1, 1);
    if (l->lab.gpu)
        l->lab.failed = measure(l, &counters, &seconds);
    l->second_per_byte = seconds / (WORD * (double)l->reads.n);
    for (unsigned members = 2; members <= MEMBERS_MAX; members++)
        for (unsigned used = 1; used <= members; used++)
            for (unsigned split = 0; split < 2 && listed(l, members, used); split++)
                if (l->layouts >> split & 1)
                    run_row(l, reads_of(l, members, used, split));
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    layout *l = state;
    const cli_arguments *arguments = l->lab.job.arguments;
    const uint64_t fallback = l->lab.gpu ? (uint64_t)1 << 30 : size_min;
    int status = cli_word_list_read(arguments, "layouts", layouts, 2, 3, &l->layouts);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "size", fallback, size_min, size_max, &l->size);
    l->all = cli_option_given(arguments, "all");
    return status;
}

static hd_status open_memory(void *state)
{
    layout *l = state;

    lab_field(&l->lab, "size", l->size);
    HD_TRY(lab_alloc(&l->lab, &l->in, (size_t)l->size / WORD));
    HD_TRY(lab_alloc(&l->lab, &l->out, 1));
    return hd_fill_zero(l->in, (size_t)l->size / WORD, l->lab.job.stream);
}

static const lab_about about = {
    "members of 4 bytes; sectors of 32 and lines of 128 bytes per request",
    "bytes of all structs, 4 structs per thread, blocks of 128 threads, no data in a cache",
    {"members read, of those of a struct", "sectors per request", "GB/s of used bytes"}};

static const lab_steps steps = {&about, LAB_COLUMNS(columns), read_options, open_memory, run_rows,
                                NULL};

static int run(const cli_arguments *arguments)
{
    layout l;

    return lab_run(&l, sizeof l, arguments, &steps);
}

static const cli_option options[] = {
    {"layouts", "LIST", "structs (an array of structs), arrays (a struct of arrays); default both"},
    {"all", NULL, "2 to 16 members, and every number of used ones"},
    {"size", "BYTES", "memory of all structs (default 1G; CPU: 64K)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_layout = {
    "lab layout",
    "predict, count and time an array of structs against a struct of arrays",
    NULL,
    options,
    "Every thread reads the first members of four structs, member by member; neighbouring\n"
    "threads read neighbouring structs. Sectors and lines are those of one request on\n"
    "average. Used if cached: the share of used bytes in the sectors that a warp touches at\n"
    "all, which is what memory delivers if a cache keeps them from one member to the next.\n"
    "\n" LAB_NOTES "\n"
    "JSON keys: size rows (case members used predicted_sectors predicted_lines distinct_use\n"
    "counted_sectors counted_lines seconds gbps least_gbps most_gbps reference\n"
    "verdict)\n" LAB_KEYS,
    "  heddle lab layout\n"
    "  heddle lab layout --layouts structs --all\n"
    "  heddle lab layout --csv\n",
    run};
