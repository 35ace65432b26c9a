/* SPDX-License-Identifier: Apache-2.0 */
/* managed.c - `heddle lab managed`: memory that host and device touch by turns. */
#include <string.h>

#include <heddle/heddle.h>

#include "cli/app/commands.h"
#include "cli/app/progress.h"
#include "cli/app/words.h"
#include "cli/lab/experiment/lab.h"
#include "cli/lab/kernels/traffic/managed.h"

enum { WORD = 4, BLOCK = 256, TURNS = 8, TURNS_MAX = 1000 };
static const uint64_t size_gpu = 64 << 20, size_cpu = 64 << 10, size_max = (uint64_t)1 << 36;

/* COPIED: device memory and page-locked host memory, with a copy before and after each turn of the
   host. DEMAND: managed memory, whose pages move when they are touched. PREFETCHED: moved by
   hd_prefetch before each side's turn. ALONE: managed memory that the host leaves alone. */
typedef enum kind { COPIED, DEMAND, PREFETCHED, ALONE, KINDS } kind;
static const char *const kinds[KINDS] = {"copied", "on-demand", "prefetched", "device-alone"};

/* The band of a turn, of the time of a turn with copies: page faults of any cost; prefetches that
   keep the link busy; without the host's turn, no transfer. */
static const double least_factor[KINDS] = {0, 0.3, 0.3, 0}, most_factor[KINDS] = {0, 100, 10, 0.9};

typedef struct managed {
    lab lab;
    unsigned kinds, possible; /* bits; possible: what the device has */
    uint64_t n, turns;
    uint32_t *device, *pinned, *shared; /* shared: managed memory */
    double copied;                      /* seconds of a turn with copies; 0: not timed */
} managed;

/* ---- turns ----------------------------------------------------------------------------------- */

static hd_status device_turn(managed *m, uint32_t *words)
{
    return hd_launch(managed_add, hd_launch_loop((size_t)m->n, BLOCK, m->lab.job.stream),
                     (size_t)m->n, words);
}

static void host_turn(const managed *m, uint32_t *words)
{
    for (uint64_t i = 0; i < m->n; i++)
        words[i]++;
}

static hd_status turn_copied(managed *m)
{
    hd_stream *stream = m->lab.job.stream;

    HD_TRY(hd_copy(m->device, (const uint32_t *)m->pinned, (size_t)m->n, stream));
    HD_TRY(device_turn(m, m->device));
    HD_TRY(hd_copy(m->pinned, (const uint32_t *)m->device, (size_t)m->n, stream));
    HD_TRY(hd_stream_synchronize(stream));
    host_turn(m, m->pinned);
    return HD_OK;
}

static hd_status move(managed *m, int device)
{
    return hd_prefetch(m->shared, WORD * (size_t)m->n, device, m->lab.job.stream);
}

static hd_status turn_managed(managed *m, kind k)
{
    hd_stream *stream = m->lab.job.stream;

    if (k == PREFETCHED)
        HD_TRY(move(m, m->lab.job.device));
    HD_TRY(device_turn(m, m->shared));
    if (k == PREFETCHED)
        HD_TRY(move(m, HD_DEVICE_HOST));
    HD_TRY(hd_stream_synchronize(stream));
    if (k != ALONE)
        host_turn(m, m->shared);
    return HD_OK;
}

static hd_status turns(managed *m, kind k, uint64_t count)
{
    for (uint64_t t = 0; t < count; t++)
        HD_TRY(k == COPIED ? turn_copied(m) : turn_managed(m, k));
    return HD_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static const cli_column columns[] = {
    {.key = "case", .heading = "\ncase", .width = -12},
    {.key = "predicted_bytes", .heading = "predicted\nbytes per turn", .width = 14},
    {.key = "predicted_touches", .heading = "\ntouches", .width = 8},
    {.key = "counted_touches", .heading = "counted\ntouches", .width = 8},
    {.key = "exact", .heading = "\nexact", .width = 5},
    {.key = "seconds",
     .heading = "measured\nus per turn",
     .width = 11,
     .decimals = 1,
     .scale = 1e6},
    {.key = "gbps", .heading = "\nGB/s", .width = 7, .decimals = 1},
    {.key = "ratio", .heading = "\nto copied", .width = 9, .decimals = 2},
    {.key = "least_ratio", .heading = "model\nfrom", .width = 6, .decimals = 2},
    {.key = "most_ratio", .heading = "\nto", .width = 6, .decimals = 2},
    {.key = "verdict", .heading = "\nverdict", .width = -8, .gap = 2},
};

typedef struct found {
    uint64_t touches; /* of the first word */
    bool right;       /* all words have as many */
    double seconds;   /* of a turn */
} found;

/* The first turn, which is not timed, finds the pages where the host left them. */
static hd_status measure(managed *m, kind k, found *f)
{
    const uint32_t *words = k == COPIED ? m->pinned : m->shared;
    double began;

    memset(k == COPIED ? m->pinned : m->shared, 0, WORD * (size_t)m->n);
    HD_TRY(turns(m, k, 1)); /* a warm-up */
    began = cli_now();
    HD_TRY(turns(m, k, m->turns));
    f->seconds = m->lab.gpu ? (cli_now() - began) / (double)m->turns : 0;
    HD_TRY(hd_stream_synchronize(m->lab.job.stream));
    f->touches = words[0];
    f->right = true;
    for (uint64_t i = 0; i < m->n; i++)
        f->right = f->right && words[i] == words[0];
    return HD_OK;
}

static void row_print(managed *m, kind k, const found *f)
{
    const uint64_t touches = (k == ALONE ? 1 : 2) * (m->turns + 1);
    const uint64_t bytes = k == ALONE ? 0 : 2 * WORD * m->n;
    const bool timed = f->seconds > 0, ratio = timed && m->copied > 0 && k != COPIED;
    const bool verify = m->lab.job.verify, right = f->right && f->touches == touches;
    lab_row row = {.own = true, .equal = right, .seconds = f->seconds};

    row.point = lab_point_at(kinds[k], "");
    row.point.predicted = (double)touches;
    if (verify)
        row.point.counted = (double)f->touches;
    if (ratio) {
        row.least = least_factor[k] * m->copied;
        row.most = most_factor[k] * m->copied;
        lab_point_time(&row.point, f->seconds / m->copied, least_factor[k], most_factor[k]);
    }
    CLI_ROW(m->lab.result, cell_text(kinds[k]), cell_count(bytes), cell_count(touches),
            cell_if(verify, cell_count(f->touches)), lab_exact(&m->lab, right),
            cell_if(timed, cell_number(f->seconds)),
            cell_if(timed && bytes > 0, cell_number(1e-9 * (double)bytes / f->seconds)),
            cell_if(ratio, cell_number(f->seconds / m->copied)),
            cell_if(ratio, cell_number(least_factor[k])),
            cell_if(ratio, cell_number(most_factor[k])), lab_verdict(&m->lab, &row));
}

static hd_status run_row(managed *m, kind k)
{
    found f;

    HD_TRY(measure(m, k, &f));
    if (k == COPIED)
        m->copied = f.seconds;
    row_print(m, k, &f);
    return HD_OK;
}

static void run_rows(void *state)
{
    managed *m = state;

    for (int k = 0; k < KINDS && m->lab.failed >= 0; k++)
        if (m->kinds & m->possible & 1u << k)
            m->lab.failed = run_row(m, (kind)k);
    m->lab.counts = m->lab.job.verify; /* by the words themselves */
}

static void say_missing(void *state)
{
    const managed *m = state;

    if (m->kinds & ~m->possible)
        cli_say(m->lab.result, "\nthe device has no %s\n",
                m->possible >> DEMAND & 1 ? "prefetches of managed memory" : "managed memory");
}

/* ---- the command ----------------------------------------------------------------------------- */

static int read_options(void *state)
{
    managed *m = state;
    const cli_arguments *arguments = m->lab.job.arguments;
    uint64_t size = 0;
    int status = cli_word_list_read(arguments, "kinds", kinds, KINDS, (1u << KINDS) - 1, &m->kinds);

    if (status == CLI_DONE)
        status = cli_count_read(arguments, "size", m->lab.gpu ? size_gpu : size_cpu, WORD, size_max,
                                &size);
    if (status == CLI_DONE)
        status = cli_count_read(arguments, "turns", TURNS, 1, TURNS_MAX, &m->turns);
    m->n = size / WORD;
    lab_field(&m->lab, "size", m->n * WORD);
    lab_field(&m->lab, "turns", m->turns);
    return status;
}

/* Devices that cannot share pages with a host that touches them cannot move them ahead either. */
static hd_status find_possible(managed *m)
{
    int64_t has = 0, concurrent = 0;

    HD_TRY(hd_device_get(m->lab.job.device, HD_ATTR_MANAGED_MEMORY, &has));
    HD_TRY(hd_device_get(m->lab.job.device, HD_ATTR_CONCURRENT_MANAGED, &concurrent));
    m->possible = 1u << COPIED;
    if (has)
        m->possible |= 1u << DEMAND | 1u << ALONE;
    if (has && concurrent)
        m->possible |= 1u << PREFETCHED;
    return HD_OK;
}

static hd_status open_memory(void *state)
{
    managed *m = state;
    const size_t n = (size_t)m->n;

    HD_TRY(find_possible(m));
    HD_TRY(lab_alloc(&m->lab, &m->device, n));
    HD_TRY(lab_alloc_kind(&m->lab, &m->pinned, n, HD_MEM_PINNED));
    if (m->possible >> DEMAND & 1)
        return lab_alloc_kind(&m->lab, &m->shared, n, HD_MEM_MANAGED);
    return HD_OK;
}

static const lab_about about = {
    "bytes that cross the link per turn, and how often both sides have added to a word",
    "bytes, a kernel that adds 1 to every word, then a loop of the host that does the same",
    {"memory", "touches of a word", "time / that with copies"}};
static const lab_steps steps = {&about,   LAB_COLUMNS(columns), read_options, open_memory,
                                run_rows, say_missing};

static int run(const cli_arguments *arguments)
{
    managed m;

    return lab_run(&m, sizeof m, arguments, &steps);
}

static const cli_option options[] = {
    {"kinds", "LIST", "some of copied, on-demand, prefetched, device-alone (default: all)"},
    {"size", "BYTES", "memory that both sides touch (default 64M; CPU: 64K)"},
    {"turns", "N", "turns that are timed, after one that is not (default 8)"},
    LAB_OPTIONS,
    {NULL, NULL, NULL}};

const cli_command cli_command_lab_managed = {
    "lab managed",
    "time managed memory that host and device access in turn",
    NULL,
    options,
    "In each turn a kernel adds 1 to every word, then the host does. copied: device memory, and\n"
    "page-locked memory with a copy in each direction; on-demand: managed memory, whose pages\n"
    "move when they are touched; prefetched: moved by hd_prefetch before; device-alone: managed\n"
    "memory without the host's turn, which stays on the device. Words count the touches. Times\n"
    "are measured on GPUs only. Exit status 1 if a row disagrees with the model.\n"
    "\n"
    "JSON keys: size turns rows (case predicted_bytes predicted_touches counted_touches exact\n"
    "seconds gbps ratio least_ratio most_ratio verdict)\n" LAB_KEYS,
    "  heddle lab managed\n"
    "  heddle lab managed --size 1G --kinds copied,prefetched\n",
    run};
